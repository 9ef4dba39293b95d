import { NO_CAMPAIGN } from '../../core/commissions/credit/credit.ts';
import { capitalize } from '../../core/text/words.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { MoneyText } from '../frame/cells.tsx';
import { Block, DataTable, showColumns } from '../frame/data-table.tsx';
import { EarnedRows, YoungNote } from '../frame/earned-table.tsx';
import { ActionForm, CurrencyField, Submit, TextField } from '../frame/forms.tsx';
import { CsvLink, FilterLink, OperatorLink } from '../frame/links.tsx';
import { addFilter, buildConsoleAddress, buildRowsAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber, formatPeriod, formatShortMoney, NO_FIGURE } from '../reports/format.ts';
import { describeRange } from '../reports/names.ts';
import { CAMPAIGN_COLUMNS, isLosing, JUDGED_COLUMNS, type JudgedRow, type readCampaigns } from './read.ts';

type CampaignsModel = Awaited<ReturnType<typeof readCampaigns>>;
type Props = ViewProps<CampaignsModel>;

const LIST = new Intl.ListFormat('en-US');
const COUNTS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const count = (number: number) => COUNTS[number] ?? formatNumber(number);

/** Which ads pay: the campaigns with a cost and their verdicts, then all campaigns. */
export function CampaignsView({ model }: Props) {
  const { query } = useFrame();
  const { judged, sum, currency, rows, sort, total, arrived, isYoung } = model;
  const money = (amount: number) => formatShortMoney(amount, currency);
  const other = query.model === 'first' ? 'last' : 'first';
  const before = (model: string) => `${model} campaign before the click`;
  const withCost = { ...sum, key: 'sum' };
  if (judged.length === 0 && rows.length === 0)
    return (
      <>
        <h1 className="sentence">
          No visit came with a campaign. Make a link for your next newsletter or ad.
        </h1>
        <AddCosts model={model} />
      </>
    );
  return (
    <>
      <h1 className="sentence">{buildHeading(model)}</h1>
      <p className="lead">
        {judged.some(({ missing }) => missing.length === 0) && (
          <>
            {judged.length === 1 ? 'It' : `All ${count(judged.length)}`} cost <b>{money(sum.cost)}</b>{' '}
            {describeRange(query)} and earned <b>{money(sum.earned)}</b>
            {isYoung && ' so far'}
            {sum.missing.length > 0 && `, without amounts in ${LIST.format(sum.missing)}`}.{' '}
          </>
        )}
        {formatPeriod(query.from, query.to)}. Money counts for the {before(query.model)}.{' '}
        <OperatorLink href={buildConsoleAddress('campaigns', { ...query, model: other, sort: null })}>
          Count it for the {other} campaign
        </OperatorLink>
        .
      </p>
      <YoungNote arrived={arrived} isYoung={isYoung} />
      {judged.length > 0 && <JudgedBlock model={model} />}
      <AddCosts model={model} />
      <Block
        title="All campaigns"
        note={judged.length > 0 ? 'Those below the first line have no known cost, so no verdict.' : ''}
        links={<CsvLink />}
      >
        <EarnedRows
          caption="Campaigns by what their clicks earned"
          columns={CAMPAIGN_COLUMNS}
          rows={judged.length > 0 ? [withCost, ...rows] : rows}
          table={{ ...model, total }}
          name={(row) =>
            row === withCost ? (
              judged.length === 1 ? (
                'The one above'
              ) : (
                `The ${count(judged.length)} above`
              )
            ) : (
              <FilterLink view="campaigns" dimension="campaign" value={row.key} />
            )
          }
          toHref={(row) =>
            // The list of commissions knows the last campaign alone.
            row === withCost || query.model === 'first'
              ? undefined
              : buildRowsAddress(addFilter(query, 'campaign', row.key), currency, 'expected')
          }
          sort={sort}
          empty=""
        />
      </Block>
    </>
  );
}

/** A campaign without its medium. */
function shortenName(key: string): string {
  const parts = key.split(' / ');
  return (parts.length === 3 ? parts.toSpliced(1, 1) : parts).join(' / ');
}

function buildHeading({ judged, sum, rows, currency, isYoung, hasCosts }: CampaignsModel): string {
  const losing = judged.filter(isLosing);
  const [first] = losing;
  if (judged.length === 0) {
    const tagged = rows.filter(({ key }) => key !== NO_CAMPAIGN).length;
    if (tagged === 0) return 'No visit came with a campaign.';
    const campaigns = tagged === 1 ? 'campaign' : 'campaigns';
    const why = hasCosts ? 'no cost is known' : 'costs are of all sites together';
    return `${capitalize(count(tagged))} ${campaigns}, and ${why}.`;
  }
  if (first === undefined) {
    const known = judged.filter(({ missing }) => missing.length === 0);
    if (known.length === 0) return `Set a rate for ${LIST.format(sum.missing)} to see whether campaigns pay.`;
    const earning = known.filter(({ left }) => left > 0).length;
    const when = isYoung ? ' so far' : '';
    const rest = known.length === judged.length ? '' : ` Others need a rate for ${LIST.format(sum.missing)}.`;
    const [only] = known;
    return only !== undefined && known.length === 1
      ? `${shortenName(only.key)} earned ${earning === 1 ? 'more' : 'no more'} than it cost${when}.${rest}`
      : `${capitalize(count(earning))} of ${count(known.length)} campaigns earned more than ${earning === 1 ? 'it' : 'they'} cost${when}.${rest}`;
  }
  const name = shortenName(first.key);
  const loss = formatShortMoney(Math.abs(first.left), currency);
  if (losing.length > 1)
    return `${capitalize(count(losing.length))} of ${count(judged.length)} campaigns lose, most of all ${loss}: ${name}.`;
  const loses = first.verdict?.word === 'loses' ? 'loses' : 'probably loses';
  return judged.length === 1
    ? `${name} ${loses}: ${loss}.`
    : `One of ${count(judged.length)} campaigns ${loses} ${loss}: ${name}.`;
}

function JudgedBlock({ model }: Props) {
  const { query } = useFrame();
  const { judged, sum, isYoung } = model;
  const isJudged = judged.some(({ verdict }) => verdict !== null);
  const columns = showColumns<JudgedRow>(JUDGED_COLUMNS, {
    name: (row) => <NamedCampaign row={row} />,
    left: (row) => (
      <>
        <b>{row.missing.length > 0 ? NO_FIGURE : <MoneyText text={formatMoney(row.left, row.currency)} />}</b>
        {row.end !== null && (
          <small className="not-phone:whitespace-nowrap">
            {formatShortMoney(Math.round(row.end.low), row.currency)} to{' '}
            {formatShortMoney(Math.round(row.end.high), row.currency)} in{'\u00a0'}the{'\u00a0'}end
          </small>
        )}
      </>
    ),
  });
  return (
    <Block
      title="Campaigns that cost money"
      note={
        isJudged
          ? 'Losing ones first. In 8 of 10 cases the end, 12 months after the click, is within the range.'
          : undefined
      }
      links={
        !isJudged &&
        !isYoung && (
          <OperatorLink href={buildConsoleAddress('campaigns', { ...query, range: '12mo', sort: null })}>
            See the verdict over 12 months
          </OperatorLink>
        )
      }
    >
      <DataTable
        caption="Campaigns with their costs"
        columns={columns}
        rows={judged}
        getKey={({ key }) => key}
        footer={columns.map(({ key, render }) => (key === 'name' ? 'All with a cost' : render(sum)))}
      />
    </Block>
  );
}

function NamedCampaign({ row: { key, verdict } }: { readonly row: JudgedRow }) {
  return (
    <>
      <FilterLink view="campaigns" dimension="campaign" value={key} />
      {verdict !== null && (
        <span className="[display:block] min-w-[min(12rem,70vw)] max-w-96">
          <b>{verdict.lead}</b> {verdict.text}{' '}
          {verdict.advice !== '' && <span className="text-muted">{verdict.advice}</span>}
        </span>
      )}
    </>
  );
}

/** What campaigns cost, and what else did: with a day or a month. */
function AddCosts({ model: { canChange, names, expenses, currency } }: Props) {
  const { viewer } = useFrame();
  if (!canChange || viewer.kind === 'share') return null;
  const period = (
    <TextField
      label="Day or month"
      name="period"
      required
      pattern="\d{4}-\d{2}(-\d{2})?"
      placeholder="2026-11 or 2026-11-20"
    />
  );
  const amount = (
    <>
      {period}
      <TextField
        label="Cost"
        name="amount"
        required
        inputMode="decimal"
        pattern="\d+(\.\d+)?"
        placeholder="412.50"
      />
      <CurrencyField label="Currency" required defaultValue={currency} />
      <Submit>Add the cost</Submit>
    </>
  );
  return (
    <details className="attention" id="costs">
      <summary>Add costs</summary>
      <p className="text-muted">
        A month is divided among its days.{' '}
        <a href={buildConsoleAddress('campaigns', {}, { rest: ['costs'] })}>
          Import the export of an ad platform
        </a>
      </p>
      <ActionForm of="set-cost" className="form-grid">
        <TextField
          label="Campaign"
          name="campaign"
          list="cost-campaigns"
          required
          placeholder="google / cpc / name"
        />
        {amount}
        <datalist id="cost-campaigns">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </ActionForm>
      <ActionForm of="add-expense" className="form-grid">
        <TextField
          label="Something else"
          name="name"
          required
          maxLength={80}
          placeholder="Hosting, texts, a tool"
        />
        {amount}
      </ActionForm>
      {expenses.length > 0 && (
        <DataTable
          caption="Costs beyond ads"
          columns={[
            { name: 'Cost', render: ({ name }) => name },
            { name: 'Period', render: ({ period: day }) => day },
            {
              name: 'Amount',
              isNumeric: true,
              onPhone: 'lead',
              render: (one) => formatMoney(one.amount, one.currency),
            },
            {
              name: 'Change',
              render: ({ id, name, period: day }) => (
                <ActionForm of="remove-expense" fields={{ id }}>
                  <Submit className="text-button">
                    Remove<span className="hidden-text">{` ${name}, ${day}`}</span>
                  </Submit>
                </ActionForm>
              ),
            },
          ]}
          rows={expenses}
          getKey={({ id }) => id}
        />
      )}
    </details>
  );
}
