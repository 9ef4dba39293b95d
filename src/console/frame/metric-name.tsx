import { useId } from 'react';
import { METRICS } from '../../core/commissions/metric-definitions.ts';

/** Key of a metric that has a definition. */
export type MetricKey = keyof typeof METRICS;

/**
 * The name of a metric with its definition, formula and example on hover, focus and tap, without scripts. With `href`
 * the name is a link (the heading of a column that sorts) and devices without a pointer get a button beside it.
 */
export function MetricName(props: {
  readonly metric: MetricKey;
  /** A shorter name, or one in a sentence. */
  readonly name?: string;
  readonly href?: string;
  /** What the link does, after the name. */
  readonly linkNote?: string;
}) {
  const { metric, href, linkNote } = props;
  const { name: fullName, meaning, formula, example } = METRICS[metric];
  const name = props.name ?? fullName;
  const id = useId();
  return (
    <span className="metric">
      {href === undefined ? (
        <button type="button" className="metric-name" aria-describedby={id}>
          {name}
        </button>
      ) : (
        <>
          <a className="sort-link" href={href} aria-describedby={id}>
            {name}
            {linkNote !== undefined && <span className="hidden-text">{linkNote}</span>}
          </a>
          <button
            type="button"
            className="metric-help"
            aria-label={`What ${name} means`}
            aria-describedby={id}
          >
            ?
          </button>
        </>
      )}
      <span role="tooltip" id={id} className="metric-card">
        <b>{fullName}</b>
        <span>{meaning}</span>
        <span className="metric-formula">= {formula}</span>
        <span className="metric-example">{example}</span>
      </span>
    </span>
  );
}
