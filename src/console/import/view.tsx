import type { ViewProps } from '../console-page.ts';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Select, TextField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import { REPORT_COLUMN_NAMES } from '../reports/names.ts';
import { PostbackList, SyncList } from './connections.tsx';
import {
  buildUndoColumns,
  CostList,
  CostPreviewBlock,
  CostUploadForm,
  DateOrderField,
  DiscardForm,
  UploadProblems,
} from './cost-view.tsx';
import { MoveInBlock } from './move-in-view.tsx';
import type { readImport } from './read.ts';
import { UnreadList } from './unread.tsx';
import type { ImportPreview } from './uploads.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;

/** Bringing commissions in: a file, the networks' messages and APIs, and taking a file back. */
export function ImportView({ model, frame }: ViewProps<ImportModel>) {
  const { preview, costPreview, canChange } = model;
  return (
    <>
      <UnreadList model={model} frame={frame} />
      {costPreview !== null && <CostPreviewBlock preview={costPreview} frame={frame} />}
      {preview !== null && <ImportPreviewBlock preview={preview} model={model} />}
      {/* A file that cannot be read is uploaded again, with more said about it. */}
      {canChange && (preview?.problems.length ?? 1) > 0 && <UploadForm model={model} />}
      <ImportList model={model} frame={frame} />
      {canChange && (costPreview?.problems.length ?? 1) > 0 && <CostUploadForm model={model} />}
      <CostList model={model} frame={frame} />
      <PostbackList model={model} frame={frame} />
      <SyncList model={model} frame={frame} />
      <MoveInBlock model={model} />
    </>
  );
}

function ImportList({ model, frame }: ViewProps<ImportModel>) {
  const { imports, partners } = model;
  const names = new Map(partners.map(({ key, name }) => [key, name]));
  return (
    <Block
      title="Imported files"
      id="imports"
      note="The newest ones. Undoing one takes all of its commissions back."
    >
      <DataTable
        caption="Imported files"
        columns={[
          { key: 'file', name: 'File', render: ({ file }) => file },
          { key: 'partner', name: 'Partner', render: ({ partner }) => names.get(partner) ?? partner },
          { key: 'rows', name: 'Rows', isNumeric: true, render: ({ rows }) => rows },
          ...buildUndoColumns<ImportModel['imports'][number]>(frame, 'imported', 'undo', ({ id, file }) => ({
            fields: { import: id },
            what: `the import of ${file}`,
          })),
        ]}
        rows={imports}
        getKey={({ id }) => id}
        empty="No file has been imported yet."
      />
    </Block>
  );
}

function ImportPreviewBlock(props: { readonly preview: ImportPreview; readonly model: ImportModel }) {
  const { preview, model } = props;
  const { upload, file, partner, currency, timeZone, problems, columns, isRunning, reading } = preview;
  const name = model.partners.find(({ key }) => key === partner)?.name ?? partner;
  const action = buildConsoleAddress('import');
  return (
    <Block
      title={isRunning ? `Import of ${file}` : `Preview of ${file}`}
      id="preview"
      note={`${name}, amounts in ${currency}, dates in ${timeZone}. ${describeState(preview)}`}
    >
      {isRunning && (
        <progress
          value={preview.rows}
          max={preview.fileRows}
          aria-label={`Rows of ${file} that are imported`}
        />
      )}
      {reading !== null && (
        <progress
          value={reading.bytesRead}
          max={reading.bytes}
          aria-label={`Bytes of ${file} that are read`}
        />
      )}
      <UploadProblems title="The file cannot be imported:" problems={problems} />
      {columns.length > 0 && <ImportFacts preview={preview} />}
      <div className="form-row">
        {reading !== null && (
          <a className="button" href={`${action}?upload=${upload}#preview`}>
            Show how far it is
          </a>
        )}
        {problems.length === 0 && reading === null && (
          <ActionForm of="commit" fields={{ upload }}>
            <button type="submit" className="button">
              {isRunning ? 'Continue now' : `Import ${formatNumber(preview.fileRows)} rows`}
            </button>
          </ActionForm>
        )}
        <DiscardForm upload={upload} />
      </div>
    </Block>
  );
}

function ImportFacts({ preview }: { readonly preview: ImportPreview }) {
  const { sums, unknown, unknownSums, unknownStatuses, corrections, columns, problems } = preview;
  // Rows that cannot be read are not counted: the counts would say less than the file has.
  const isCounted = problems.length === 0;
  return (
    <dl className="facts">
      {isCounted &&
        FACTS.map(([key, text]) => (
          <div key={key}>
            <dt>{text}</dt>
            <dd data-count={key}>{formatNumber(preview[key])}</dd>
          </div>
        ))}
      {isCounted && (
        <div>
          <dt>Sum that will count</dt>
          <dd>{formatSums(sums)}</dd>
        </div>
      )}
      {isCounted && corrections > 0 && (
        <div>
          <dt>Corrections</dt>
          <dd>{formatNumber(corrections)} with a negative amount, part of the sum</dd>
        </div>
      )}
      {isCounted && unknown > 0 && (
        <div>
          <dt>Unknown status</dt>
          <dd>
            {`${formatNumber(unknown)} (${formatSums(unknownSums)}), in no total: ${unknownStatuses.join(', ')}`}
            <small>Say what these words mean under statuses in the partner’s file.</small>
          </dd>
        </div>
      )}
      <div>
        <dt>Columns</dt>
        <dd>
          {columns.map(({ column, header }) => `${REPORT_COLUMN_NAMES[column]}: ${header}`).join(' · ')}
        </dd>
      </div>
    </dl>
  );
}

const formatSums = (sums: ImportPreview['sums']) =>
  sums.map((sum) => formatMoney(sum.amount, sum.currency)).join(', ') || '–';

function describeState({ isRunning, rows, fileRows, problems, reading }: ImportPreview): string {
  if (reading !== null) {
    const size = `${formatMegabytes(reading.bytesRead)} of ${formatMegabytes(reading.bytes)} MB`;
    return `${size} are read; the rest follows in the background, also when you leave this page. Nothing is imported yet.`;
  }
  const part = `${formatNumber(rows)} of ${formatNumber(fileRows)} rows`;
  if (isRunning) {
    return `${part} are imported; the others follow in the background, and all count together.`;
  }
  const isPartlyCounted = rows < fileRows && problems.length === 0;
  return isPartlyCounted
    ? `Nothing is imported yet. The counts are those of the first ${part}.`
    : 'Nothing is imported yet.';
}

const formatMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

const FACTS = [
  ['rows', 'Rows'],
  ['matched', 'Match a click'],
  ['unmatched', 'Match no click'],
  ['new', 'New'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
] as const;

/** The form that takes a file. Currency and time zone have no default: a wrong one changes every amount or day. */
function UploadForm({ model }: { readonly model: ImportModel }) {
  const { partners, timeZones, maxFileMb } = model;
  return (
    <Block title="Import a CSV file" note="You see what it would bring before anything is imported.">
      <ActionForm of="upload" encType="multipart/form-data" className="form-grid">
        <TextField
          label={`File, at most ${maxFileMb} MB`}
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv"
          required
        />
        <Select label="Partner" name="partner" required defaultValue="">
          <option value="" disabled>
            Choose
          </option>
          {partners.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
        <CurrencyField label="Currency of the amounts" required placeholder="USD" />
        <TextField
          label="Time zone of the dates"
          name="timeZone"
          required
          list="time-zones"
          placeholder="America/New_York"
        />
        <DateOrderField />
        <details>
          <summary>Name columns</summary>
          <p className="form-note">
            Only where the preview finds the wrong ones. Write the heading as the file has it.
          </p>
          {COLUMNS.map((name) => (
            <TextField key={name} label={REPORT_COLUMN_NAMES[name]} name={`column-${name}`} maxLength={200} />
          ))}
        </details>
        <button type="submit" className="button">
          Preview
        </button>
        <datalist id="time-zones">
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </ActionForm>
    </Block>
  );
}

/** The columns that an operator may name; the others are found by their headings alone. */
const COLUMNS = ['id', 'subId', 'amount', 'status', 'eventTime'] as const;
