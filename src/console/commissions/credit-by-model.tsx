import type { ConsoleFrame } from '../console-page.ts';
import { MODEL_NAMES } from '../figures/console-names.ts';
import type { SiteNames } from '../figures/site-names.ts';
import { Block } from '../frame/block.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { MoneyAmount } from '../frame/money-amount.tsx';
import { TimeText } from '../frame/time-text.tsx';
import { TitledPage } from '../frame/titled-page.tsx';
import type { CommissionDetailModel, CreditTable } from './commission-detail-model.ts';

/** What each credit model credits to campaigns and to pages. */
export function CreditByModel(props: {
  readonly model: CommissionDetailModel;
  readonly frame: ConsoleFrame;
}) {
  const { campaignCredit, pageCredit, row } = props.model;
  const { names, timeZone } = props.frame;
  if (campaignCredit === null || pageCredit === null) return null;
  return (
    <Block
      title="Credit under each model"
      note={
        row.status === 'reversed'
          ? 'The commission is reversed: this is what each model had credited before.'
          : 'From the journey as it was stored when the commission found its click.'
      }
    >
      <div className="table-box">
        <CreditRows table={campaignCredit} name="Campaign" currency={row.currency} {...{ names, timeZone }} />
        <CreditRows table={pageCredit} name="Page" currency={row.currency} {...{ names, timeZone }} />
      </div>
    </Block>
  );
}

function CreditRows(props: {
  readonly table: CreditTable;
  readonly name: string;
  readonly currency: string;
  readonly names: SiteNames;
  readonly timeZone: string;
}) {
  const { table, name, currency, names, timeZone } = props;
  const cell = (amount: number | null) => <MoneyAmount amount={amount} currency={currency} />;
  const getSum = (index: number) => table.rows.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0);
  return (
    <DataTable
      caption={`Credit by ${name.toLowerCase()}`}
      columns={[
        {
          key: 'touch',
          name,
          render: ({ touch, time }) => (
            <>
              <TitledPage names={names} page={touch} />
              {time !== null && (
                <small>
                  <TimeText time={time} timeZone={timeZone} />
                </small>
              )}
            </>
          ),
        },
        ...table.models.map((model, index) => ({
          key: model,
          name: MODEL_NAMES[model],
          isNumeric: true,
          render: ({ amounts }: CreditTable['rows'][number]) => cell(amounts[index] ?? null),
        })),
      ]}
      rows={table.rows}
      getKey={({ touch }) => touch}
      footer={['Sum', ...table.models.map((_, index) => cell(getSum(index)))]}
    />
  );
}
