import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { AddressCsvLink, OpenAmount, OperatorLink } from '../frame/links.tsx';
import { addFilter, buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber, formatShare } from '../reports/format.ts';
import { NO_VALUE } from '../reports/query.ts';
import {
  type AnswerRow,
  type AssessmentStage,
  buildAnswerColumns,
  type QuestionMatrix,
  type readAssessment,
} from './read.ts';

type AssessmentModel = Awaited<ReturnType<typeof readAssessment>>;

type AssessmentProps = ViewProps<AssessmentModel>;

/** How far visitors come in the assessment, and what their answers earn. */
export function AssessmentResultsView({ model }: AssessmentProps) {
  const { viewer } = useFrame();
  const { stages, matrices } = model;
  const isEmpty =
    stages.every(({ count }) => count === 0) &&
    matrices.every(({ rows }) => rows.every(({ clicks, conversions }) => clicks + conversions === 0));
  if (isEmpty) return <p className="empty-note">No visitor started the assessment in this period.</p>;
  return (
    <>
      <Block
        title="From the first question to the commission"
        note={`Visits of the period that reached each stage. ${describeLargestLoss(stages)}`}
      >
        <StageTable stages={stages} />
      </Block>
      {matrices.map((matrix, index) => (
        <Block
          key={matrix.field}
          title={matrix.title}
          note={
            index === 0 &&
            (viewer.kind === 'share'
              ? 'Clicks and money of the visits with each answer.'
              : 'Clicks and money of the visits with each answer; an answer leads to its commissions.')
          }
          links={index === 0 && <AddressCsvLink />}
        >
          <div className="matrix">
            <Matrix matrix={matrix} model={model} />
          </div>
        </Block>
      ))}
    </>
  );
}

/** Where most visits are lost, in a sentence; empty while no stage follows another one. */
function describeLargestLoss(stages: AssessmentModel['stages']): string {
  // From a click to a commission is another matter than from one question to the next.
  const asked = stages.filter(
    ({ key, isCounted, share }) => key !== 'converted' && isCounted && share !== null,
  );
  const [worst] = asked.toSorted((one, other) => (one.share ?? 1) - (other.share ?? 1));
  return worst === undefined
    ? ''
    : `Up to the click, fewest go on to “${worst.name}”: ${formatShare(worst.share)} of the stage before.`;
}

function StageTable({ stages }: { readonly stages: AssessmentModel['stages'] }) {
  const { query } = useFrame();
  const largest = Math.max(1, ...stages.map(({ count }) => count));
  return (
    <DataTable
      caption="Stages of the assessment"
      columns={[
        { name: 'Stage', render: ({ name }) => name },
        {
          name: 'Visits',
          onPhone: 'hidden',
          render: ({ count }) => (
            <svg className="stage-bar" viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(count / largest) * 300} height="14" />
            </svg>
          ),
        },
        {
          name: 'Count',
          isNumeric: true,
          onPhone: 'lead',
          // Visits of the time before steps were stored went through them uncounted.
          render: ({ key, count, isCounted }: AssessmentStage) => {
            if (!isCounted) return <span className="text-muted">not recorded</span>;
            if (key !== 'converted' || count === 0) return formatNumber(count);
            const answered = addFilter(query, 'answer', NO_VALUE, true);
            return (
              <OperatorLink href={buildConsoleAddress('commissions', answered)}>
                {formatNumber(count)}
              </OperatorLink>
            );
          },
        },
        {
          name: 'Of the stage before',
          isNumeric: true,
          render: ({ share }: AssessmentStage) => formatShare(share),
        },
      ]}
      rows={stages}
      getKey={({ key }) => key}
    />
  );
}

function Matrix({ matrix, model }: AssessmentProps & { readonly matrix: QuestionMatrix }) {
  const { query } = useFrame();
  const { currency, partners } = model;
  const open = (row: AnswerRow, amount: number, partner?: string) => {
    const answered = addFilter(query, 'answer', row.key);
    const own = partner === undefined ? answered : addFilter(answered, 'partner', partner);
    const money = <MoneyAmount amount={amount} currency={currency} />;
    // No filter names visits that left this question out.
    if (row.code === '') return money;
    return (
      <OpenAmount query={own} amount={amount} currency={currency} kind="expected">
        {money}
      </OpenAmount>
    );
  };
  const shown = ['answer', 'clicks', 'conversions', ...partners.map(({ key }) => key), 'amount'];
  return (
    <DataTable
      caption={matrix.title}
      columns={showColumns(
        buildAnswerColumns(partners),
        {
          ...Object.fromEntries(
            partners.map(({ key }, index) => [
              key,
              (row: AnswerRow) => open(row, row.outcomes[index]?.amount ?? 0, key),
            ]),
          ),
          amount: (row) => open(row, row.amount),
          answer: ({ key, code, label }) =>
            code === '' ? (
              label
            ) : (
              <OperatorLink href={buildConsoleAddress('commissions', addFilter(query, 'answer', key))}>
                {label}
              </OperatorLink>
            ),
        },
        shown,
      )}
      rows={matrix.rows.map((row) => ({ ...row, question: matrix.title, currency }))}
      getKey={({ key }) => key}
      empty="The question has no options."
    />
  );
}
