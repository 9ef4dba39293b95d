import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import type { ComparisonRow } from '../../core/assessment/recommend-platform.ts';

/**
 * The whole rule in one table: every platform, what leads to it, where it stops. On phones it becomes a list of
 * platforms, in which each cell names its column.
 */
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
      <table aria-labelledby="compare-title" className="rule-table">
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
              <td data-column={columns.when}>
                {row.types.map(({ label, yours }) => (
                  <span key={label} className="block">
                    {yours ? <strong>{label}</strong> : label}
                    {yours && <span className="block text-sm text-positive">{copy.yours}</span>}
                  </span>
                ))}
              </td>
              <td data-column={columns.stops}>{row.stops}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
