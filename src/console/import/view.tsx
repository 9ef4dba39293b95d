import { describeDates, hasStatus, isByLabel } from '../../core/commissions/ledger/csv-columns.ts';
import { REPORT_COLUMNS } from '../../core/commissions/ledger/stored-money.schema.ts';
import type { ViewProps } from '../console-page.ts';
import { Block, TableBlock } from '../frame/data-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import { DetailHead } from '../frame/list.tsx';
import { buildConsoleAddress, IMPORT_PATH } from '../reports/addresses.ts';
import { formatCount, formatNumber } from '../reports/format.ts';
import { REPORT_COLUMN_NAMES } from '../reports/names.ts';
import { PostbackList, SyncList } from './connections.tsx';
import {
  buildUndoColumns,
  CostList,
  CostPreviewBlock,
  CostUploadForm,
  DiscardForm,
  Facts,
  FileQuestions,
  formatMegabytes,
  formatSums,
  OPEN,
  REFUSED,
  RequiredChoice,
  UploadField,
  UploadProblems,
} from './cost-view.tsx';
import { AllNetworks, NetworkView, NewNetworkView } from './networks-view.tsx';
import type { readCostPage, readImport, readImportPage } from './read.ts';
import { UnreadList } from './unread.tsx';
import type { ReportPreview } from './uploads.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;
type CostModel = NonNullable<Awaited<ReturnType<typeof readCostPage>>>;

/** How commissions arrive, and the networks that report them. */
export function ConnectionsPage({
  model,
}: ViewProps<NonNullable<Awaited<ReturnType<typeof readImportPage>>>>) {
  if (model.page === 'networks') return <AllNetworks model={model} />;
  if (model.page === 'network') return <NetworkView model={model} />;
  if (model.page === 'new-network') return <NewNetworkView model={model} />;
  return <ConnectionsView model={model} />;
}

/** How networks report: by messages, by APIs, by files. */
function ConnectionsView({ model }: ViewProps<ImportModel>) {
  const { preview, canChange } = model;
  // A file that cannot be read is corrected, and uploaded again.
  const isAsking = canChange && (preview?.problems.length ?? 1) > 0;
  return (
    <>
      <DetailHead back={['Partners', buildConsoleAddress('partners')]}>How commissions arrive.</DetailHead>
      {/* What an operator has to decide comes first. */}
      <UnreadList model={model} />
      {preview !== null && <ImportPreviewBlock preview={preview} model={model} />}
      <PostbackList model={model} at={IMPORT_PATH} />
      <SyncList model={model} />
      {isAsking && (
        <details className="attention mt-8">
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
export function CostsView({ model }: ViewProps<CostModel>) {
  const { costPreview, canChange } = model;
  return (
    <>
      <DetailHead back={['Campaigns', buildConsoleAddress('campaigns')]}>Add costs.</DetailHead>
      {costPreview !== null && <CostPreviewBlock preview={costPreview} timeZones={model.timeZones} />}
      {canChange && (costPreview?.problems.length ?? 1) > 0 && <CostUploadForm model={model} />}
      <CostList model={model} />
    </>
  );
}

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
      <UploadProblems title={preview.question === null ? REFUSED : OPEN} problems={problems} />
      {upload.running === null && preparing === null && (
        <FileQuestions
          of="answer-file"
          upload={id}
          question={preview.question}
          timeZones={model.timeZones}
          columns={COLUMNS}
          names={REPORT_COLUMN_NAMES}
          words={summary?.unknownStatuses ?? []}
          hasAlike={(summary?.alike ?? 0) > 0}
          hasRepeated={(summary?.repeated ?? 0) > 0}
          isRefused={problems.length > 0}
        />
      )}
      {summary !== null && <ImportFacts summary={summary} />}
      <div className="form-row">
        {isReading && (
          <a className="button" href={`${IMPORT_PATH}?upload=${id}#preview`}>
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
                : `${summary?.guessed ? 'They agree: import' : 'Import'} ${formatCount(rows - (summary?.totals.length ?? 0), 'row')}`}
            </Submit>
          </ActionForm>
        )}
        <DiscardForm of="discard" upload={id} />
      </div>
    </Block>
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
        ...FACTS.map(([count, name]) => ({
          name,
          text: formatNumber(summary[count]),
          count,
          isShown: isShown && !(isByLabel(summary) && /matched/.test(count)),
        })),
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
  const part = `${formatNumber(rows)} of ${formatCount(fileRows, 'row')}`;
  if (isRunning) {
    return `${part} are imported; the others follow in the background, and all count together.`;
  }
  const left = summary?.totals.length ?? 0;
  const isPartlyCounted = rows + left < fileRows && problems.length === 0;
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

/** The form that takes a file. What it leaves open is asked in its preview. */
function UploadForm({ model }: { readonly model: ImportModel }) {
  const { partners, maxMb } = model;
  return (
    <Block title="Import a CSV file" note="You see what it would bring before anything is imported.">
      <ActionForm of="upload" encType="multipart/form-data" className="form-grid">
        <UploadField label={`File, at most ${maxMb.report} MB`} />
        <RequiredChoice
          label="Partner"
          name="partner"
          options={partners.map(({ key, name }) => [key, name])}
        />
        <Submit>Preview</Submit>
      </ActionForm>
    </Block>
  );
}

/** The columns that an operator may name; the others are found by their headings alone. */
const COLUMNS = ['id', 'subId', 'amount', 'currency', 'status', 'eventTime'] as const;
