import type { ComponentProps } from 'react';
import { AD_PLATFORMS, PLATFORM_NAMES } from '../../core/commissions/cost/campaign-cost.ts';
import { ANSWERED_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import type { ColumnQuestion, ImportQuestions } from '../../core/commissions/ledger/csv-columns.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Select, Submit, TextField } from '../frame/forms.tsx';
import { formatCount, formatMoney, formatNumber, NO_FIGURE } from '../reports/format.ts';
import type { CostPreview } from './costs.ts';
import type { readCostPage } from './read.ts';

type CostModel = NonNullable<Awaited<ReturnType<typeof readCostPage>>>;

/** Sums in minor units by currency. */
export const formatSums = (sums: Readonly<Record<string, number>>) =>
  Object.entries(sums)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(', ') || NO_FIGURE;

export const formatMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

/** What an uploaded file of costs would bring, with the forms that import or discard it. */
export function CostPreviewBlock(props: {
  readonly preview: CostPreview;
  readonly timeZones: readonly string[];
}) {
  const { timeZone } = useFrame();
  const { upload, file, platformName, summary, problems, question } = props.preview;
  const isImportable = summary !== null && problems.length === 0;
  return (
    <Block
      title={`Preview of ${file}`}
      id="preview"
      note={`Costs of ${platformName}. Nothing is imported yet.`}
    >
      <UploadProblems title={question === null ? REFUSED : OPEN} problems={problems} />
      <FileQuestions
        of="answer-costs"
        upload={upload}
        question={question}
        timeZones={props.timeZones}
        columns={['campaign', 'amount', 'currency', 'day']}
        names={COST_COLUMN_NAMES}
      />
      {isImportable && <Facts facts={listFacts(summary, timeZone)} />}
      <div className="form-row">
        {isImportable && (
          <ActionForm of="commit-costs" fields={{ upload }}>
            <Submit>Import {formatCount(summary.rows, 'cost')}</Submit>
          </ActionForm>
        )}
        <DiscardForm of="discard-costs" upload={upload} />
      </div>
    </Block>
  );
}

/** What a preview says: `count` is the name by which it is found. */
export interface PreviewFact {
  readonly name: string;
  readonly text: string;
  readonly note?: string;
  readonly count?: string;
  /** false: it is left out. */
  readonly isShown?: boolean;
}

/** The facts of a preview. */
export function Facts({ facts }: { readonly facts: readonly PreviewFact[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(({ isShown = true }) => isShown)
        .map(({ name, text, note, count }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-count={count}>
              {text}
              {note !== undefined && <small>{note}</small>}
            </dd>
          </div>
        ))}
    </dl>
  );
}

function listFacts(
  summary: NonNullable<CostPreview['summary']>,
  siteTimeZone: string,
): readonly PreviewFact[] {
  const { rows, sums, first, last, replaced, unchanged, matched, unmatched, absent, totals, timeZone } =
    summary;
  const { columns, unread } = summary;
  const isStated = timeZone !== '';
  const stated = `The site counts days of ${siteTimeZone}.`;
  const before = `${formatNumber(replaced)}, ${formatSums(summary.replacedSums)} before`;
  const pairs = Object.entries(matched).map(([name, campaign]) => `${name} = ${campaign}`);
  const others = unmatched.map(({ name, campaign }) => `${name}, counts as ${campaign}`);
  const assign = 'Assign them below once the file is imported; it is needed only once.';
  const earlier = 'These count on the same days from an earlier file. Undo it if they were renamed.';
  return [
    { name: 'Costs', text: `${formatNumber(rows)}, ${formatSums(sums)}`, note: `${first} to ${last}` },
    {
      name: 'Time zone',
      text: isStated ? timeZone : siteTimeZone,
      note: isStated ? stated : 'The file states none: that of the site is assumed.',
    },
    { name: 'Replaced', text: before, isShown: replaced > 0 },
    { name: 'Unchanged', text: formatNumber(unchanged), isShown: unchanged > 0 },
    { name: 'Rows of totals', text: `${formatNumber(totals)} left out`, isShown: totals > 0 },
    { name: 'Matched', text: pairs.join(' · ') || NO_FIGURE },
    { name: 'Not matched', text: others.join(' · '), note: assign, isShown: others.length > 0 },
    {
      name: 'Columns',
      text: Object.entries(columns)
        .map(([name, header]) => `${COST_COLUMN_NAMES[name]}: ${header}`)
        .join(' · '),
    },
    { name: 'Not used', text: unread.join(' · '), isShown: unread.length > 0 },
    { name: 'Not in this file', text: absent.join(' · '), note: earlier, isShown: absent.length > 0 },
  ];
}

/** The form that takes the export of an advertising platform. */
export function CostUploadForm({ model }: { readonly model: CostModel }) {
  const { maxMb } = model;
  return (
    <Block title="Import what ads cost" note="The CSV export of a platform by day or month, as it is.">
      <ActionForm of="upload-costs" encType="multipart/form-data" className="form-grid">
        <UploadField label={`Export, at most ${maxMb.report} MB`} />
        <RequiredChoice
          label="Platform"
          name="platform"
          options={AD_PLATFORMS.map((platform) => [platform, PLATFORM_NAMES[platform]])}
        />
        <Submit>Preview the costs</Submit>
      </ActionForm>
    </Block>
  );
}

/** The files and amounts that brought costs, and which campaign of the reports each campaign of a platform is. */
export function CostList({ model }: ViewProps<CostModel>) {
  const { costs } = model;
  return (
    <>
      <TableBlock
        title="Costs"
        id="costs"
        note="Files and typed amounts. Undoing one lets what it had replaced count again."
        caption="Files and typed amounts with costs"
        columns={[
          {
            name: 'File or campaign',
            render: ({ id, file, name }) => (
              <>
                {file || name}
                <small>{id}</small>
              </>
            ),
          },
          { name: 'Platform', render: ({ platform }) => PLATFORM_NAMES[platform] },
          {
            name: 'Days or months',
            render: ({ first, last }) => (first === last ? first : `${first} – ${last}`),
          },
          { name: 'Cost', isNumeric: true, render: ({ sums }) => formatSums(sums) },
          ...buildUndoColumns<CostModel['costs']['entries'][number]>('stored', 'undo-costs', (entry) => ({
            fields: { entry: entry.id },
            what: `the costs of ${entry.file || entry.name}`,
          })),
        ]}
        rows={costs.entries}
        getKey={({ id }) => id}
        empty="No cost is known yet: import the export of a platform, or type amounts in under Campaigns."
      />
      {costs.campaigns.length > 0 && <CostCampaigns model={model} />}
    </>
  );
}

const ORIGINS = { match: 'by its name', operator: 'by an operator' } as const;

function CostCampaigns({ model }: { readonly model: CostModel }) {
  const { costs } = model;
  return (
    <Block title="Campaigns of the platforms" note="The campaign of the reports that carries each cost.">
      <DataTable
        caption="Campaigns of the platforms with those of the reports"
        columns={[
          { name: 'Campaign of the platform', render: ({ name }) => name },
          { name: 'Platform', render: ({ platform }) => PLATFORM_NAMES[platform] },
          { name: 'Campaign of the reports', render: ({ campaign }) => campaign ?? 'not matched' },
          { name: 'Matched', render: ({ origin }) => (origin === null ? NO_FIGURE : ORIGINS[origin]) },
          {
            name: 'Assign',
            render: ({ platform, name, campaign }) => (
              <ActionForm of="assign-cost" fields={{ platform, name }} className="form-row">
                <label>
                  <span className="hidden-text">Campaign of the reports for {name}</span>
                  <input
                    type="text"
                    name="campaign"
                    required
                    list="reported-campaigns"
                    maxLength={400}
                    defaultValue={campaign ?? undefined}
                    placeholder="google / cpc / brand"
                    autoComplete="off"
                  />
                </label>
                <Submit className="text-button">
                  Assign<span className="hidden-text"> {name}</span>
                </Submit>
              </ActionForm>
            ),
          },
        ]}
        rows={costs.campaigns}
        getKey={({ platform, name }) => `${platform} ${name}`}
      />
      <datalist id="reported-campaigns">
        {costs.reported.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Block>
  );
}

/** What comes before the problems of a file, and before its questions. */
export const REFUSED = 'The file cannot be imported:';
export const OPEN = 'The file leaves open:';

/** Why what was uploaded cannot be imported; nothing when it can. */
export function UploadProblems(props: { readonly title: string; readonly problems: readonly string[] }) {
  const { title, problems } = props;
  if (problems.length === 0) return null;
  return (
    <div className="problem" role="alert">
      <p>{title}</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

/** The button that removes what was uploaded and not imported. */
export function DiscardForm(props: { readonly of: 'discard' | 'discard-costs'; readonly upload: string }) {
  const { of, upload } = props;
  return (
    <ActionForm of={of} fields={{ upload }}>
      <Submit className="button button-quiet">Discard</Submit>
    </ActionForm>
  );
}

/** The columns of what was imported: its state (`done` when it counts), when that changed, and the button that takes it back. */
export function buildUndoColumns<Row extends { readonly state: string; readonly changedAt: number }>(
  done: string,
  of: 'undo' | 'undo-costs',
  buildUndo: (row: Row) => { readonly fields: Readonly<Record<string, string>>; readonly what: string },
): readonly TableColumn<Row>[] {
  return [
    { name: 'State', onPhone: 'lead', render: ({ state }) => (state === 'committed' ? done : state) },
    { name: 'Changed', isNumeric: true, render: ({ changedAt }) => <TimeText time={changedAt} /> },
    {
      name: 'Action',
      onPhone: 'lead',
      render: (row) => {
        if (row.state !== 'committed') return null;
        const { fields, what } = buildUndo(row);
        return (
          <ActionForm of={of} fields={fields}>
            <Submit className="text-button">
              Undo<span className="hidden-text"> {what}</span>
            </Submit>
          </ActionForm>
        );
      },
    },
  ];
}

/** A choice that has to be made. */
export const RequiredChoice = (select: ComponentProps<typeof Select>) => (
  <Select {...select} required defaultValue="">
    <option value="" disabled>
      Choose
    </option>
  </Select>
);

/** The field for the file. */
export const UploadField = ({ label }: { readonly label: string }) => (
  <TextField label={label} type="file" name="file" accept=".csv,.tsv,.txt,text/csv" required />
);

/** What the columns of an export of costs are called. */
const COST_COLUMN_NAMES: Readonly<Record<string, string>> = {
  campaign: 'Campaign',
  campaignId: 'Id of the campaign',
  amount: 'Cost',
  currency: 'Currency',
  day: 'Day',
  lastDay: 'Last day',
  month: 'Month',
  timeZone: 'Time zone',
};

/** What rows are that look like known commissions. */
const ALIKE = [
  ['same', 'the known commissions'],
  ['other', 'other commissions'],
] as const;

/** What rows are that say what an earlier one of their file says. */
const REPEATED = [
  ['same', 'the same commission'],
  ['other', 'another commission each'],
] as const;

/** Which sign is before decimals, where a file may have either. */
const DECIMAL_SIGNS = [
  ['.', '1.234 is about one'],
  [',', '1.234 is more than a thousand'],
] as const;

/** Which of the numbers of a date is its month, where a file may have either. */
const DATE_ORDERS = [
  ['month-first', 'Month first'],
  ['day-first', 'Day first'],
  ['year-first', 'Year, month, day, such as 26/11/20'],
  ['year-day', 'Year, day, month, such as 2026-20-11'],
] as const;

/**
 * What is asked about a file, in one form: what columns are, what nobody states, what words of the status mean, and what rows are
 * that look like others. Where nothing is asked, how it could be read differently; `columns`: those that may be named, by `names`.
 */
export function FileQuestions(props: {
  readonly of: 'answer-file' | 'answer-costs';
  readonly upload: string;
  readonly question: Pick<ImportQuestions, 'columns' | 'needs'> | null;
  readonly timeZones: readonly string[];
  readonly columns: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  readonly hasAlike?: boolean;
  readonly hasRepeated?: boolean;
  readonly isRefused?: boolean;
}) {
  const { of, upload, question, timeZones, names, words = [], hasAlike, hasRepeated, isRefused } = props;
  const isAsked = question !== null || words.length > 0 || hasAlike || hasRepeated;
  const { columns = [], needs = [] } = question ?? {};
  const writing = [
    { name: 'timeZone', label: 'Time zone', options: timeZones.map((zone) => [zone, zone] as const) },
    { name: 'dates', label: 'Order of dates such as 03/04/2026', options: DATE_ORDERS },
    { name: 'decimal', label: 'Decimal sign of amounts such as 1.234', options: DECIMAL_SIGNS },
  ] as const;
  // One choice where several columns can be the same one.
  const groups = Map.groupBy(columns, ({ header, as }) => (as.length === 1 ? `column ${as[0]}` : header));
  const choices = [...groups].map(([name, group]) =>
    group.length > 1 && name.startsWith('column ') ? (
      <RequiredChoice
        key={name}
        label={`${names[name.slice('column '.length)]} is in`}
        name={name}
        options={[...group.map((one) => [one.header, describeColumn(one)] as const), ['none', 'No column']]}
      />
    ) : (
      group.map((one) => (
        <RequiredChoice
          key={one.header}
          label={`${describeColumn(one)} is`}
          name={`is ${one.header}`}
          options={[...one.as.map((column) => [column, names[column]] as const), ['not used', 'Not used']]}
        />
      ))
    ),
  );
  const asked = (
    <>
      {choices}
      {needs.includes('currency') && <CurrencyField label="Currency" required defaultValue="" />}
      {writing
        .filter(({ name }) => needs.includes(name))
        .map((choice) => (
          <RequiredChoice key={choice.name} {...choice} />
        ))}
      {hasAlike && <RequiredChoice label="Rows that look like known ones are" name="alike" options={ALIKE} />}
      {hasRepeated && (
        <RequiredChoice label="Rows that repeat another one are" name="repeated" options={REPEATED} />
      )}
      {words.map((word) => (
        <Select
          key={word}
          label={`The status ${word} means`}
          name={`word ${word}`}
          defaultValue=""
          options={[['', 'Not known'], ...ANSWERED_STATUSES.map((status) => [status, status] as const)]}
        />
      ))}
    </>
  );
  const other = (
    <>
      {props.columns.map((name) => (
        <TextField key={name} label={`Heading: ${names[name]}`} name={`column ${name}`} maxLength={200} />
      ))}
      <CurrencyField label="Currency" defaultValue="">
        {AS_SHOWN}
      </CurrencyField>
      {writing.map((choice) => (
        <Select key={choice.name} {...choice} defaultValue="">
          {AS_SHOWN}
        </Select>
      ))}
    </>
  );
  const form = (
    <ActionForm of={of} fields={{ upload }} className="form-grid">
      {isAsked ? asked : other}
      <Submit className={isAsked ? 'button' : 'button button-quiet'}>Read it so</Submit>
    </ActionForm>
  );
  if (isAsked) return form;
  return (
    <details className="my-4" open={isRefused}>
      <summary>Read it differently</summary>
      {form}
    </details>
  );
}

const AS_SHOWN = <option value="">As it is read now</option>;

const describeColumn = ({ header, samples }: ColumnQuestion) =>
  `${header} (${samples.join(', ').slice(0, 60)})`;
