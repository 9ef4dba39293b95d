import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { CAMPAIGN_MODELS, PAGE_MODELS } from '../commissions/commission-detail-model.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { CLOCK_NAMES, COMPARE_NAMES, MODEL_NAMES } from '../figures/console-names.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';
import { buildComparedRange } from '../figures/console-range.ts';
import { formatPeriod } from '../figures/format-figures.ts';
import { LinkMenu } from './link-menu.tsx';
import { RangePicker } from './range-picker.tsx';

interface FilterBarProps {
  readonly view: ConsoleViewKey;
  readonly query: ConsoleQuery;
  readonly action: string;
  /** Currencies in which there are commissions. */
  readonly currencies: readonly string[];
}

/** Period, clock, credit model, currency and comparison of a view; every choice is an address. */
export function FilterBar(props: FilterBarProps) {
  const { view, query, action, currencies } = props;
  const { clock, model } = query;
  const build = (change: Partial<ConsoleQuery>) => buildConsoleAddress(view, { ...query, ...change });
  const buildModels = (models: readonly ConsoleQuery['model'][]) =>
    models.map((key) => ({ text: MODEL_NAMES[key], href: build({ model: key }), isChosen: key === model }));
  return (
    <>
      <RangePicker view={view} query={query} action={action} />
      <div className="segments">
        {(['click', 'booking'] as const).map((key) => (
          <a
            key={key}
            className="segment"
            href={build({ clock: key })}
            aria-current={key === clock ? 'true' : undefined}
          >
            {CLOCK_NAMES[key]}
          </a>
        ))}
      </div>
      <LinkMenu
        label="Credit:"
        value={MODEL_NAMES[model].toLowerCase()}
        groups={[
          { name: 'Among campaigns', items: buildModels(CAMPAIGN_MODELS) },
          { name: 'Among pages', items: buildModels(PAGE_MODELS) },
        ]}
      />
      {currencies.length > 1 && <CurrencyMenu view={view} query={query} currencies={currencies} />}
      <CompareMenu view={view} query={query} />
    </>
  );
}

function CurrencyMenu({ view, query, currencies }: Omit<FilterBarProps, 'action'>) {
  const chosen = query.currency ?? currencies[0];
  return (
    <LinkMenu
      label="Currency:"
      isLabelHidden
      value={chosen ?? ''}
      groups={[
        {
          items: currencies.map((code) => ({
            text: code,
            href: buildConsoleAddress(view, { ...query, currency: code }),
            isChosen: code === chosen,
          })),
        },
      ]}
    />
  );
}

function CompareMenu({ view, query }: Pick<FilterBarProps, 'view' | 'query'>) {
  const { compare } = query;
  const compared = buildComparedRange(query);
  return (
    <LinkMenu
      isAtEnd
      label={compared === null ? 'Compare' : 'vs.'}
      value={compared === null ? '' : formatPeriod(compared.from, compared.to, query.to)}
      groups={[
        {
          name: 'Compare with',
          items: (['previous', 'year', 'none'] as const).map((key) => ({
            text: COMPARE_NAMES[key],
            href: buildConsoleAddress(view, { ...query, compare: key }),
            isChosen: key === compare,
            // The key switches between the comparison and none.
            shortcut: key === (compare === 'none' ? 'previous' : 'none') ? 'x' : undefined,
          })),
        },
      ]}
    />
  );
}
