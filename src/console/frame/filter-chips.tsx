import type { ConsoleFrame } from '../console-page.ts';
import { addFilter, buildConsoleAddress, removeFilter } from '../figures/build-console-address.ts';
import { DIMENSION_NAMES } from '../figures/console-names.ts';
import { describeFilterValue } from '../figures/site-names.ts';

/** The filters of a view. Each can be turned into its opposite and removed. */
export function FilterChips({ frame: { view, query, names } }: { readonly frame: ConsoleFrame }) {
  if (query.filters.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {query.filters.map((filter) => {
        const { dimension, value, isNot } = filter;
        const name = describeFilterValue(names, filter);
        const turned = addFilter(query, dimension, value, !isNot);
        return (
          <li key={`${dimension} ${value}`} className="chip">
            {DIMENSION_NAMES[dimension]}{' '}
            <a
              className="chip-turn"
              href={buildConsoleAddress(view, turned)}
              aria-label={`${DIMENSION_NAMES[dimension]} ${isNot ? 'is not' : 'is'} ${name}: turn into “${isNot ? 'is' : 'is not'}”`}
            >
              {isNot ? 'is not' : 'is'}
            </a>{' '}
            <b title={value}>{name}</b>
            <a
              className="chip-remove"
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
            className="chip-clear"
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
