import type { ViewProps } from '../console-page.ts';
import { MoneyText } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import type { readAssessment } from './read.ts';

/** How far visits come in the assessment, and what their answers earn: two parts of the report of its page. */
export function AnswerTables({ model }: ViewProps<Awaited<ReturnType<typeof readAssessment>>>) {
  const { stages, questions, currency } = model;
  return (
    <div className="columns">
      <Block title="Steps" note="Visits that reached each one.">
        <DataTable
          caption="Steps of the assessment"
          columns={[
            { name: 'Step', render: ({ name }) => name },
            { name: 'Visits', isNumeric: true, onPhone: 'lead', render: ({ count }) => formatNumber(count) },
          ]}
          rows={stages}
          getKey={({ name }) => name}
        />
      </Block>
      <Block title="Answers" note="What visits with each answer earned.">
        {questions.map(({ field, title, rows }) => (
          <details key={field} className="attention">
            <summary>{title}</summary>
            <DataTable
              caption={title}
              columns={[
                { name: 'Answer', render: ({ label }) => label },
                {
                  name: 'Earned',
                  isNumeric: true,
                  onPhone: 'lead',
                  render: ({ earned }) =>
                    earned === 0 ? NO_FIGURE : <MoneyText text={formatMoney(earned, currency)} />,
                },
                { name: 'Clicks', isNumeric: true, render: ({ clicks }) => formatNumber(clicks) },
                { name: 'Customers', isNumeric: true, render: ({ customers }) => formatNumber(customers) },
              ]}
              rows={rows}
              getKey={({ key }) => key}
            />
          </details>
        ))}
      </Block>
    </div>
  );
}
