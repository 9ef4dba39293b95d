import { OWN_SITE } from '../../core/outbound/beside.schema.ts';
import { useFrame } from '../console-page.ts';
import {
  addFilter,
  buildConsoleAddress,
  buildConsoleParameters,
  removeFilter,
} from '../reports/addresses.ts';
import { formatChosenPeriod } from '../reports/format.ts';
import { DIMENSION_NAMES, describeFilterValue, describeSites } from '../reports/names.ts';
import { type ConsoleQuery, findSite } from '../reports/query.ts';
import { RANGE_PRESETS } from '../reports/range.ts';
import { Submit } from './forms.tsx';

/** The range of a view: its name, the others as addresses, and any two days. */
export function FilterBar() {
  const { view, query } = useFrame();
  const { from, to, range } = query;
  const name = RANGE_PRESETS.find(({ key }) => key === range)?.name ?? formatChosenPeriod(query);
  return (
    <details className="menu" name="console-menu">
      <summary>
        <span className="hidden-text">Range: </span>
        {name}
      </summary>
      <div className="menu-panel [grid-template-columns:auto_auto]">
        <ul aria-label="Ranges">
          {RANGE_PRESETS.map((preset) => (
            <li key={preset.key}>
              <a
                className="menu-link"
                href={buildConsoleAddress(view, { ...query, range: preset.key })}
                aria-current={preset.key === range ? 'true' : undefined}
              >
                {preset.name}
              </a>
            </li>
          ))}
        </ul>
        <form className="range-form" method="get" action={buildConsoleAddress(view)}>
          {listHidden(query).map(([hidden, value]) => (
            <input key={`${hidden} ${value}`} type="hidden" name={hidden} value={value} />
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
    </details>
  );
}

/** The site of a view, and the others as addresses; absent on a site that has none beside it. */
export function SiteMenu() {
  const { view, query, names } = useFrame();
  if (names.sites.size < 2) return null;
  // A page and its places belong to one site.
  const others = query.filters.filter(({ dimension }) => !['site', 'page', 'placement'].includes(dimension));
  const toSite = (site: string) => addFilter({ ...query, filters: others }, 'site', site);
  const chosen = findSite(query);
  const links = [
    { key: null, name: `All ${names.sites.size} sites`, asked: { ...query, filters: others } },
    ...[...names.sites].map(([key, name]) => ({ key, name, asked: toSite(key) })),
  ];
  return (
    <details className="menu" name="console-menu">
      <summary>
        <span className="hidden-text">Sites: </span>
        {describeSites(query, names)}
      </summary>
      <ul className="menu-panel" aria-label="Sites">
        {links.map(({ key, name, asked }) => (
          <li key={name}>
            <a
              className="menu-link"
              href={buildConsoleAddress(view, asked)}
              aria-current={key === chosen ? 'true' : undefined}
            >
              {name}
              {key !== null && key !== OWN_SITE && <small> {key}</small>}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Everything but the period, for the form that changes it. */
function listHidden(query: ConsoleQuery): (readonly [string, string])[] {
  const parameters = buildConsoleParameters(query);
  return [...parameters].filter(([name]) => !['range', 'from', 'to'].includes(name));
}

/** The filters of a view. Each can be turned into its opposite and removed. */
export function FilterChips() {
  const { view, query: asked, names } = useFrame();
  // A report names what it is about in its heading.
  const own = ({ dimension, isNot }: ConsoleQuery['filters'][number]) =>
    !isNot && dimension === (view === 'pages' ? 'page' : view === 'partners' ? 'partner' : undefined);
  const about = asked.filters.filter(own);
  const query = about.length === 1 ? { ...asked, filters: asked.filters.filter((one) => !own(one)) } : asked;
  if (query.filters.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2 pt-3" aria-label="Filters">
      {query.filters.map((filter) => {
        const { dimension, value, isNot } = filter;
        const name = describeFilterValue(names, filter);
        const turned = addFilter(query, dimension, value, !isNot);
        return (
          <li key={`${dimension} ${value}`} className="filter-chip">
            {DIMENSION_NAMES[dimension]}{' '}
            <a
              className="inline-flex items-center min-h-6 decoration-dotted whitespace-nowrap hover:text-danger"
              href={buildConsoleAddress(view, turned)}
              aria-label={`${DIMENSION_NAMES[dimension]} ${isNot ? 'is not' : 'is'} ${name}: turn into “${isNot ? 'is' : 'is not'}”`}
            >
              {isNot ? 'is not' : 'is'}
            </a>{' '}
            <b className="min-w-0 max-w-88 truncate text-ink weight-600" title={value}>
              {name}
            </b>
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
