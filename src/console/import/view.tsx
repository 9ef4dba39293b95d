import { ANSWERED_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { describeDates, hasStatus, REPORT_COLUMNS } from '../../core/commissions/ledger/csv-columns.ts';
import type { ViewProps } from '../console-page.ts';
import { Block, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Select, Submit, TextField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { REPORT_COLUMN_NAMES } from '../reports/names.ts';
import { PostbackList, SyncList } from './connections.tsx';
import {
  buildUndoColumns,
  CostList,
  CostPreviewBlock,
  CostUploadForm,
  DateOrderField,
  DecimalSignField,
  DiscardForm,
  Facts,
  formatMegabytes,
  formatSums,
  RequiredChoice,
  UploadField,
  UploadProblems,
} from './cost-view.tsx';
import { MoveInBlock } from './move-in-view.tsx';
import { AllNetworks, NetworkView, NewNetworkView } from './networks-view.tsx';
import type { readImport, readImportPage } from './read.ts';
import { UnreadList } from './unread.tsx';
import type { ReportPreview } from './uploads.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;

/** The pages of the view. */
export function ImportPage({ model }: ViewProps<NonNullable<Awaited<ReturnType<typeof readImportPage>>>>) {
  if (model.page === 'networks') return <AllNetworks model={model} />;
  if (model.page === 'network') return <NetworkView model={model} />;
  if (model.page === 'new-network') return <NewNetworkView model={model} />;
  if (model.page === 'move-in') return <MoveInBlock model={model} />;
  return model.page === 'costs' ? <CostsView model={model} /> : <ConnectionsView model={model} />;
}

/** How networks report: by messages, by APIs, by files. */
function ConnectionsView({ model }: ViewProps<ImportModel>) {
  const { preview, canChange } = model;
  // A file that cannot be read is uploaded again, with more said about it.
  const isAsking = canChange && (preview?.problems.length ?? 1) > 0;
  return (
    <>
      {/* What an operator has to decide comes first. */}
      <UnreadList model={model} />
      {preview !== null && <ImportPreviewBlock preview={preview} model={model} />}
      <PostbackList model={model} at={buildConsoleAddress('import')} />
      <SyncList model={model} />
      {isAsking && (
        <details className="attention mt-8" open={preview !== null && preview.question === null}>
          <summary>
            <b>Import a report as a file</b>
          </summary>
          <UploadForm model={model} />
        </details>
      )}
      <ImportList model={model} />
    </>
  );
}

/** What ads cost. */
function CostsView({ model }: ViewProps<ImportModel>) {
  const { costPreview, canChange } = model;
  return (
    <>
      {costPreview !== null && <CostPreviewBlock preview={costPreview} />}
      {canChange && (costPreview?.problems.length ?? 1) > 0 && <CostUploadForm model={model} />}
      <TimeZoneList zones={model.timeZones} />
      <CostList model={model} />
    </>
  );
}

const TimeZoneList = ({ zones }: { readonly zones: readonly string[] }) => (
  <datalist id="time-zones">
    {zones.map((zone) => (
      <option key={zone} value={zone} />
    ))}
  </datalist>
);

function ImportList({ model }: ViewProps<ImportModel>) {
  const { imports, partners } = model;
  const names = new Map(partners.map(({ key, name }) => [key, name]));
  return (
    <TableBlock
      title="Imported files"
      id="imports"
      note="The newest ones. Undoing one takes all of its commissions back."
      columns={[
        { name: 'File', render: ({ file }) => file },
        { name: 'Partner', render: ({ partner }) => names.get(partner) ?? partner },
        { name: 'Rows', isNumeric: true, render: ({ rows }) => rows },
        ...buildUndoColumns<ImportModel['imports'][number]>('imported', 'undo', ({ id, file }) => ({
          fields: { import: id },
          what: `the import of ${file}`,
        })),
      ]}
      rows={imports}
      getKey={({ id }) => id}
      empty="No file has been imported yet."
    />
  );
}

function ImportPreviewBlock(props: { readonly preview: ReportPreview; readonly model: ImportModel }) {
  const { preview, model } = props;
  const { upload, summary, problems } = preview;
  const { id, name: file, partner, profile, rows, preparing } = upload;
  const name = model.partners.find(({ key }) => key === partner)?.name ?? partner;
  const isRunning = upload.running !== null && problems.length === 0;
  const isReading = preparing !== null && preparing.problem === null;
  const { currency, timeZone } = { ...profile, ...summary?.reading };
  const unit = summary?.columns.currency ? 'the currency of each row' : currency;
  const how = [name, unit && `amounts in ${unit}`, timeZone && `dates in ${timeZone}`].filter(Boolean);
  return (
    <Block
      title={isRunning ? `Import of ${file}` : `Preview of ${file}`}
      id="preview"
      note={`${how.join(', ')}. ${describeState(preview, isRunning)}`}
    >
      {isRunning && (
        <progress value={summary?.rows ?? 0} max={rows} aria-label={`Rows of ${file} that are imported`} />
      )}
      {isReading && (
        <progress
          value={preparing.bytesRead}
          max={upload.bytes}
          aria-label={`Bytes of ${file} that are read`}
        />
      )}
      <UploadProblems title="The file cannot be imported:" problems={problems} />
      <QuestionForm preview={preview} timeZones={model.timeZones} />
      {(summary?.alike ?? 0) > 0 && (
        <div className="form-row">
          {ALIKE.map(([alike, text]) => (
            <ActionForm key={alike} of="name-alike" fields={{ upload: id, alike }}>
              <Submit>{text}</Submit>
            </ActionForm>
          ))}
        </div>
      )}
      {summary !== null && <ImportFacts summary={summary} />}
      <div className="form-row">
        {isReading && (
          <a className="button" href={`${buildConsoleAddress('import')}?upload=${id}#preview`}>
            Show how far it is
          </a>
        )}
        {problems.length === 0 && !isReading && (
          <ActionForm of="commit" fields={{ upload: id }}>
            {summary?.guessed && !isRunning && (
              <p className="form-note">
                Nobody has tried reports of {summary.guessed} on an account: they are read as other programs
                read them. Compare rows, sum and days with the network’s own page.
              </p>
            )}
            <Submit>
              {isRunning
                ? 'Continue now'
                : `${summary?.guessed ? 'They agree: import' : 'Import'} ${formatNumber(rows)} rows`}
            </Submit>
          </ActionForm>
        )}
        <DiscardForm upload={id} />
      </div>
    </Block>
  );
}

/** What rows are that look like known commissions. */
const ALIKE = [
  ['same', 'They are the known commissions'],
  ['other', 'They are other commissions'],
] as const;

/** What is asked about a file, in one form: what columns are, and what nobody states; and what words of the status mean. */
function QuestionForm({
  preview,
  timeZones,
}: {
  readonly preview: ReportPreview;
  readonly timeZones: readonly string[];
}) {
  const { question, upload, summary } = preview;
  const words = summary?.unknownStatuses ?? [];
  const { columns = [], needs = [] } = question ?? {};
  if (upload.running !== null || (question === null && words.length === 0)) return null;
  return (
    <ActionForm of="answer-report" fields={{ upload: upload.id }} className="form-grid">
      {columns.map(({ header, samples, as }) => (
        <RequiredChoice
          key={header}
          label={`${header} (${samples.join(', ').slice(0, 60)}) is`}
          name={`is ${header}`}
          options={[
            ...as.map((column) => [column, REPORT_COLUMN_NAMES[column]] as const),
            ['not used', 'Not used'],
          ]}
        />
      ))}
      {needs.includes('currency') && <CurrencyField label="Currency" required defaultValue="" />}
      {needs.includes('timeZone') && (
        <RequiredChoice label="Time zone" name="timeZone" options={timeZones.map((zone) => [zone, zone])} />
      )}
      {needs.includes('dates') && <DateOrderField />}
      {needs.includes('decimal') && <DecimalSignField />}
      {words.map((word) => (
        <Select
          key={word}
          label={`The status ${word} means`}
          name={`word ${word}`}
          defaultValue=""
          options={[['', 'Not known'], ...ANSWERED_STATUSES.map((status) => [status, status] as const)]}
        />
      ))}
      <Submit>Read it so</Submit>
    </ActionForm>
  );
}

function ImportFacts({ summary }: { readonly summary: NonNullable<ReportPreview['summary']> }) {
  const { sums, unknown, unknownSums, unknownStatuses, corrections, columns, problems, totals, reading } =
    summary;
  const found = REPORT_COLUMNS.flatMap((column) =>
    columns[column] === null ? [] : [`${REPORT_COLUMN_NAMES[column]}: ${columns[column]}`],
  );
  const commissions = summary.new + summary.changed + summary.unchanged;
  // Rows that cannot be read are not counted: the counts would say less than the file has.
  const isShown = problems.length === 0;
  const words = `(${formatSums(unknownSums)}), in no total: ${unknownStatuses.join(', ')}`;
  const say = 'Say above what these words mean.';
  const negative = `${formatNumber(corrections)} with a negative amount, part of the sum`;
  return (
    <Facts
      facts={[
        ...FACTS.map(([count, name]) => ({ name, text: formatNumber(summary[count]), count, isShown })),
        {
          name: 'Commissions',
          text: formatNumber(commissions),
          isShown: isShown && commissions !== summary.rows,
        },
        { name: 'Sum that will count', text: formatSums(sums), isShown },
        { name: 'Corrections', text: negative, isShown: isShown && corrections > 0 },
        {
          name: 'Unknown status',
          text: `${formatNumber(unknown)} ${words}`,
          note: say,
          isShown: isShown && unknown > 0,
        },
        {
          name: 'Without a day',
          text: `${formatNumber(summary.undated)}, on the day of the import`,
          isShown: isShown && summary.undated > 0,
        },
        {
          name: 'Left out as totals or notes',
          text: totals.map((line) => `line ${formatNumber(line)}`).join(', '),
          isShown: totals.length > 0,
        },
        {
          name: 'Read as',
          text: `${reading.decimal} before decimals · ${describeDates(reading)}`,
        },
        {
          name: 'Columns',
          text: found.join(' · '),
          ...(!hasStatus(columns) && { note: 'No column has a status.' }),
        },
        { name: 'Not used', text: summary.unused.join(' · '), isShown: summary.unused.length > 0 },
      ]}
    />
  );
}

function describeState({ upload, summary, problems }: ReportPreview, isRunning: boolean): string {
  const { rows: fileRows, bytes, preparing } = upload;
  if (preparing !== null && preparing.problem === null) {
    const size = `${formatMegabytes(preparing.bytesRead)} of ${formatMegabytes(bytes)} MB`;
    return `${size} are read; the rest follows in the background, also when you leave this page. Nothing is imported yet.`;
  }
  const rows = summary?.rows ?? 0;
  const part = `${formatNumber(rows)} of ${formatNumber(fileRows)} rows`;
  if (isRunning) {
    return `${part} are imported; the others follow in the background, and all count together.`;
  }
  const isPartlyCounted = rows < fileRows && problems.length === 0;
  return isPartlyCounted
    ? `Nothing is imported yet. The counts are those of the first ${part}.`
    : 'Nothing is imported yet.';
}

const FACTS = [
  ['rows', 'Rows'],
  ['matched', 'Match a click'],
  ['unmatched', 'Match no click'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
] as const;

/** The form that takes a file. Currency and time zone have no default but what the files state: a wrong one changes every amount or day. */
function UploadForm({ model }: { readonly model: ImportModel }) {
  const { partners, timeZones, maxMb } = model;
  return (
    <Block title="Import a CSV file" note="You see what it would bring before anything is imported.">
      <ActionForm of="upload" encType="multipart/form-data" className="form-grid">
        <UploadField label={`File, at most ${maxMb.report} MB`} />
        <RequiredChoice
          label="Partner"
          name="partner"
          options={partners.map(({ key, name }) => [key, name])}
        />
        <CurrencyField label="Currency, where no file states it" />
        <TextField
          label="Time zone, where no file states it"
          name="timeZone"
          list="time-zones"
          placeholder="America/New_York"
        />
        <DateOrderField />
        <DecimalSignField />
        <details>
          <summary>Name columns</summary>
          <p className="form-note">
            Only where the preview finds the wrong ones. Write the heading as the file has it.
          </p>
          {COLUMNS.map((name) => (
            <TextField key={name} label={REPORT_COLUMN_NAMES[name]} name={`column-${name}`} maxLength={200} />
          ))}
        </details>
        <Submit>Preview</Submit>
        <TimeZoneList zones={timeZones} />
      </ActionForm>
    </Block>
  );
}

/** The columns that an operator may name; the others are found by their headings alone. */
const COLUMNS = ['id', 'subId', 'amount', 'currency', 'status', 'eventTime'] as const;
