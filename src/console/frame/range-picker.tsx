import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { buildConsoleAddress, buildConsoleParameters } from '../figures/build-console-address.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';
import { buildNeighborRange, CUSTOM_RANGE, RANGE_PRESETS } from '../figures/console-range.ts';
import { formatChosenPeriod } from '../figures/format-figures.ts';

/** Presets that are always in view; the others are in the menu. */
const QUICK_RANGES = ['7d', '28d', '91d', '12mo'];

interface RangeProps {
  readonly view: ConsoleViewKey;
  readonly query: ConsoleQuery;
  /** The path that the form with two days leads to. */
  readonly action: string;
}

/** The period: one step back and ahead, all presets, any two days, and the usual presets at hand. */
export function RangePicker(props: RangeProps) {
  const { view, query } = props;
  const { from, to, range } = query;
  const step = (direction: -1 | 1) =>
    buildConsoleAddress(view, {
      ...query,
      range: CUSTOM_RANGE,
      ...buildNeighborRange({ from, to }, direction),
    });
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
          <RangePanel {...props} />
        </details>
        <a className="segment" href={step(1)} aria-label="Next period" data-key="ArrowRight">
          ›
        </a>
      </div>
      <div className="segments quick-ranges">
        {RANGE_PRESETS.filter(({ key }) => QUICK_RANGES.includes(key)).map(({ key, short, name }) => (
          <a
            key={key}
            className="segment"
            href={buildConsoleAddress(view, { ...query, range: key })}
            aria-current={key === range ? 'true' : undefined}
            aria-label={name}
          >
            {short}
          </a>
        ))}
      </div>
    </>
  );
}

function RangePanel({ view, query, action }: RangeProps) {
  const { from, to, range } = query;
  return (
    <div className="menu-panel range-panel">
      <ul aria-label="Periods">
        {RANGE_PRESETS.map(({ key, name, letter }) => (
          <li key={key}>
            <a
              className="menu-link"
              href={buildConsoleAddress(view, { ...query, range: key })}
              aria-current={key === range ? 'true' : undefined}
              data-key={letter}
            >
              {name} <kbd>{letter.toUpperCase()}</kbd>
            </a>
          </li>
        ))}
      </ul>
      <form className="range-form" method="get" action={action}>
        {listHidden(query).map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <label>
          From <input type="date" name="from" defaultValue={from} required />
        </label>
        <label>
          To <input type="date" name="to" defaultValue={to} required />
        </label>
        <button type="submit">Show</button>
      </form>
    </div>
  );
}

/** Everything but the period, for the form that changes it. */
function listHidden(query: ConsoleQuery): (readonly [string, string])[] {
  const parameters = buildConsoleParameters(query);
  return [...parameters].filter(([name]) => !['range', 'from', 'to'].includes(name));
}
