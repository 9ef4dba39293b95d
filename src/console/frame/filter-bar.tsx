import { CAMPAIGN_MODELS } from '../../core/commissions/credit/credit.ts';
import { useFrame } from '../console-page.ts';
import {
  addFilter,
  buildConsoleAddress,
  buildConsoleParameters,
  removeFilter,
} from '../reports/addresses.ts';
import { formatChosenPeriod, formatPeriod } from '../reports/format.ts';
import {
  CLOCK_SENTENCES,
  COMPARE_NAMES,
  DIMENSION_NAMES,
  describeFilterValue,
  MODEL_NAMES,
  VISIT_NAMES,
} from '../reports/names.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { buildComparedRange, buildNeighborRange, CUSTOM_RANGE, RANGE_PRESETS } from '../reports/range.ts';
import { getUsualVisits } from '../reports/without-journey.ts';
import { Submit } from './forms.tsx';

/** The query of the view, and what builds the address of the view with a change of it. */
function useChoices() {
  const { view, query } = useFrame();
  const build = (change: Partial<ConsoleQuery>) => buildConsoleAddress(view, { ...query, ...change });
  /** What is chosen here stays: the server keeps it for the operator, and leads to the address without `keep`. */
  const choose = (change: Partial<ConsoleQuery>) =>
    buildConsoleAddress(view, { ...query, ...change, isExplicit: true }, { extra: { keep: '1' } });
  return { query, build, choose };
}

/** Period, clock, credit model, currency and comparison of a view; every choice is an address. */
export function FilterBar() {
  const { currencies, reportingCurrency } = useFrame();
  const { query, choose } = useChoices();
  const { clock, model } = query;
  const buildModels = (models: readonly ConsoleQuery['model'][]) =>
    models.map((key) => ({ text: MODEL_NAMES[key], href: choose({ model: key }), isChosen: key === model }));
  return (
    <>
      <RangePicker />
      <div className="bar-choices">
        <LinkMenu
          label="Clock:"
          isLabelHidden
          value={CLOCK_SENTENCES[clock]}
          items={(['booking', 'click'] as const).map((key) => ({
            text: CLOCK_SENTENCES[key],
            href: choose({ clock: key }),
            isChosen: key === clock,
          }))}
        />
        <LinkMenu
          label="Credit:"
          value={MODEL_NAMES[model].toLowerCase()}
          groups={[
            { name: 'Among campaigns', items: buildModels(CAMPAIGN_MODELS) },
            { name: 'Among pages', items: buildModels(['clickPage']) },
          ]}
        />
        {new Set([...currencies, reportingCurrency ?? currencies[0]]).size > 1 && <CurrencyMenu />}
        <VisitMenu />
        <CompareMenu />
      </div>
    </>
  );
}

function CurrencyMenu() {
  const { currencies, reportingCurrency } = useFrame();
  const { query, choose } = useChoices();
  const all = reportingCurrency === null ? [] : [{ code: null, text: `All in ${reportingCurrency}` }];
  const choices = [...all, ...currencies.map((code) => ({ code, text: code }))];
  const main = reportingCurrency === null ? (currencies[0] ?? null) : null;
  const chosen = query.currency ?? main;
  return (
    <LinkMenu
      label="Currency:"
      isLabelHidden
      value={choices.find(({ code }) => code === chosen)?.text ?? chosen ?? ''}
      items={choices.map(({ code, text }) => ({
        text,
        href: choose({ currency: code }),
        isChosen: code === chosen,
      }))}
    />
  );
}

/** Visits with journey, without, or all; absent where every visit has one. */
function VisitMenu() {
  const { withoutJourney, view } = useFrame();
  const { query, build } = useChoices();
  const [said] = query.filters.filter(({ dimension }) => dimension === 'journey');
  if (withoutJourney === null) return null;
  const { visits, money } = withoutJourney;
  if (said === undefined && !visits?.without && money.without === 0) return null;
  const usual = getUsualVisits(view);
  const others = query.filters.filter(({ dimension }) => dimension !== 'journey');
  const chosen = said === undefined ? usual : said.value;
  return (
    <LinkMenu
      label="Visits:"
      value={VISIT_NAMES[chosen] ?? chosen}
      items={Object.entries(VISIT_NAMES).map(([value, text]) => ({
        text,
        href: build({
          filters: value === usual ? others : [...others, { dimension: 'journey', value, isNot: false }],
        }),
        isChosen: value === chosen,
      }))}
    />
  );
}

function CompareMenu() {
  const { query, build } = useChoices();
  const { compare } = query;
  const compared = buildComparedRange(query);
  return (
    <LinkMenu
      label={compared === null ? 'Compare' : 'vs.'}
      value={compared === null ? '' : formatPeriod(compared.from, compared.to, query.to)}
      name="Compare with"
      items={(['previous', 'year', 'none'] as const).map((key) => ({
        text: COMPARE_NAMES[key],
        href: build({ compare: key }),
        isChosen: key === compare,
      }))}
    />
  );
}

/** Presets that are always in view; the others are in the menu. */
const QUICK_RANGES = ['7d', '28d', '91d', '12mo'];

/** The period: one step back and ahead, all presets, any two days, and the usual presets at hand. */
function RangePicker() {
  const { query, build, choose } = useChoices();
  const { from, to, range } = query;
  const step = (direction: -1 | 1) =>
    build({ range: CUSTOM_RANGE, ...buildNeighborRange({ range, from, to }, direction) });
  const preset = RANGE_PRESETS.find(({ key }) => key === range);
  return (
    <>
      <div className="segments">
        <a className="segment" href={step(-1)} aria-label="Previous period" data-key="ArrowLeft">
          ‹
        </a>
        <details className="menu menu-in-segments" name="console-menu">
          <summary>
            <span className="hidden-text">Period: {preset?.name ?? 'two days'}, </span>
            {formatChosenPeriod(query)}
          </summary>
          <RangePanel />
        </details>
        <a className="segment" href={step(1)} aria-label="Next period" data-key="ArrowRight">
          ›
        </a>
      </div>
      <div className="segments">
        {RANGE_PRESETS.filter(({ key }) => QUICK_RANGES.includes(key)).map(({ key, short, name }) => (
          <a
            key={key}
            className="segment"
            href={choose({ range: key })}
            aria-current={key === range ? 'true' : undefined}
          >
            {short}
            <span className="hidden-text">, {name.toLowerCase()}</span>
          </a>
        ))}
      </div>
    </>
  );
}

function RangePanel() {
  const { view } = useFrame();
  const { query, choose } = useChoices();
  const { from, to, range } = query;
  return (
    <div className="menu-panel range-panel">
      <ul aria-label="Periods">
        {RANGE_PRESETS.map(({ key, name }) => (
          <li key={key}>
            <a
              className="menu-link"
              href={choose({ range: key })}
              aria-current={key === range ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      <form className="range-form" method="get" action={buildConsoleAddress(view)}>
        {listHidden(query).map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <label>
          From <input type="date" name="from" defaultValue={from} required />
        </label>
        <label>
          To <input type="date" name="to" defaultValue={to} required />
        </label>
        <Submit>Show</Submit>
      </form>
    </div>
  );
}

/** Everything but the period, for the form that changes it. */
function listHidden(query: ConsoleQuery): (readonly [string, string])[] {
  const parameters = buildConsoleParameters(query);
  return [...parameters].filter(([name]) => !['range', 'from', 'to'].includes(name));
}

/** The filters of a view. Each can be turned into its opposite and removed. */
export function FilterChips() {
  const { view, query, names } = useFrame();
  if (query.filters.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2 pt-3" aria-label="Filters">
      {query.filters.map((filter) => {
        const { dimension, value, isNot } = filter;
        const name = describeFilterValue(names, filter);
        const turned = addFilter(query, dimension, value, !isNot);
        return (
          <li key={`${dimension} ${value}`} className="chip">
            {DIMENSION_NAMES[dimension]}{' '}
            <a
              className="inline-flex items-center min-h-6 decoration-dotted whitespace-nowrap hover:text-danger"
              href={buildConsoleAddress(view, turned)}
              aria-label={`${DIMENSION_NAMES[dimension]} ${isNot ? 'is not' : 'is'} ${name}: turn into “${isNot ? 'is' : 'is not'}”`}
            >
              {isNot ? 'is not' : 'is'}
            </a>{' '}
            <b title={value}>{name}</b>
            <a
              className="flex-none grid place-items-center w-[1.8rem] h-[1.8rem] rounded-full no-underline hover:text-danger print:hidden!"
              data-key={query.filters.length === 1 ? 'Escape' : undefined}
              href={buildConsoleAddress(view, removeFilter(query, filter))}
              aria-label={`Remove the filter ${DIMENSION_NAMES[dimension]} ${isNot ? 'is not' : 'is'} ${name}`}
            >
              ×
            </a>
          </li>
        );
      })}
      {query.filters.length > 1 && (
        <li>
          <a
            className="text-muted text-small inline-block min-h-6 print:hidden!"
            href={buildConsoleAddress(view, { ...query, filters: [] })}
            data-key="Escape"
          >
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}

interface LinkChoice {
  readonly text: string;
  readonly href: string;
  readonly isChosen: boolean;
}

/** A choice among addresses: a native disclosure, so that it works without scripts. */
function LinkMenu(props: {
  /** What is chosen, before the choice. */
  readonly label: string;
  readonly value: string;
  /** The choices, with a name for them that is read out in place of the label; or groups of choices. */
  readonly items?: readonly LinkChoice[];
  readonly name?: string;
  readonly groups?: readonly { readonly name: string; readonly items: readonly LinkChoice[] }[];
  /** The label is only read out: the value says what is chosen. */
  readonly isLabelHidden?: boolean;
}) {
  const { label, value, items: all = [], name: own = label, isLabelHidden = false } = props;
  const { groups = [{ name: own, items: all }] } = props;
  return (
    <details className="menu" name="console-menu">
      <summary>
        <span className={isLabelHidden ? 'hidden-text' : 'text-muted'}>{label}</span> {value}
      </summary>
      <div className="menu-panel">
        {groups.map(({ name, items }) => (
          <div key={name}>
            {groups.length > 1 && (
              <p className="text-muted text-small pt-[.35rem] px-[.6rem] pb-[.1rem]">{name}</p>
            )}
            <ul aria-label={name}>
              {items.map(({ text, href, isChosen }) => (
                <li key={text}>
                  <a className="menu-link" href={href} aria-current={isChosen ? 'true' : undefined}>
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </details>
  );
}
