import type { LedgerDifference } from '../../core/commissions/find-differences.ts';
import type { ConsoleFrame } from '../console-page.ts';
import { Block, DataTable } from '../frame/data-table.tsx';
import { MoneyAmount } from '../frame/figures.tsx';

/** Commissions about which two sources disagree; nothing without any. */
export function SourceDifferences(props: {
  readonly differences: readonly LedgerDifference[];
  readonly frame: ConsoleFrame;
}) {
  const { differences, frame } = props;
  const { partners } = frame.names;
  if (differences.length === 0) return null;
  return (
    <Block title="Sources that disagree" note="What counts, and what another source reports.">
      <div className="table-box">
        <DataTable
          caption="Sources that disagree"
          columns={[
            { key: 'id', name: 'Commission', render: ({ id }) => id },
            { key: 'partner', name: 'Partner', render: ({ partner }) => partners.get(partner) ?? partner },
            {
              key: 'counted',
              name: 'Counts',
              isNumeric: true,
              onPhone: 'lead',
              render: ({ counted, currency }) => <MoneyAmount amount={counted} currency={currency} />,
            },
            {
              key: 'reported',
              name: 'Reported elsewhere',
              isNumeric: true,
              render: ({ reported, currency }) => <MoneyAmount amount={reported} currency={currency} />,
            },
          ]}
          rows={differences}
          getKey={({ partner, id, currency }) => `${partner} ${id} ${currency}`}
        />
      </div>
    </Block>
  );
}
