import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { ComparisonRow } from '../../core/assessment/comparison.ts';

/** What scrolls has to take the focus, or a keyboard cannot scroll it (Safari). */
const SCROLL_REGION = { role: 'region', 'aria-labelledby': 'compare-title', tabIndex: 0 } as const;

/** The whole rule in one table: every platform, what leads to it, where it stops. */
export function OutcomeTable(props: {
  readonly copy: Assessment['copy']['results'];
  readonly rows: readonly ComparisonRow[];
}) {
  const { copy, rows } = props;
  const columns = copy.compareColumns;
  return (
    <section>
      <h2 id="compare-title" className="text-2xl">
        {copy.compareTitle}
      </h2>
      <p className="mt-3 max-w-text text-muted">{copy.compareLead}</p>
      <div {...SCROLL_REGION} className="table-scroll">
        <table className="rule-table">
          <thead>
            <tr>
              <th scope="col">{columns.platform}</th>
              <th scope="col">{columns.when}</th>
              <th scope="col">{columns.stops}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.platform} className={row.chosen ? 'bg-positive-wash' : ''}>
                <th scope="row">
                  {row.platform}
                  <span className="block text-sm font-normal text-muted">{row.kind}</span>
                  {row.chosen && <span className="block text-sm text-positive">{copy.chosen}</span>}
                </th>
                <td>
                  {row.types.map(({ label, yours }) => (
                    <span key={label} className="block">
                      {yours ? <strong>{label}</strong> : label}
                      {yours && <span className="block text-sm text-positive">{copy.yours}</span>}
                    </span>
                  ))}
                </td>
                <td>{row.stops}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
