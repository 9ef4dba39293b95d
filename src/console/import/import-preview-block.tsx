import { FormFields } from '../access/form-fields.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { REPORT_COLUMN_NAMES } from '../figures/console-names.ts';
import { formatMoney, formatNumber } from '../figures/format-figures.ts';
import { Block } from '../frame/block.tsx';
import type { ImportModel, ImportPreview } from './import-model.ts';

/** What importing a file would bring, and the decision. */
export function ImportPreviewBlock(props: { readonly preview: ImportPreview; readonly model: ImportModel }) {
  const { preview, model } = props;
  const { upload, file, partner, currency, timeZone, problems, columns, isRunning } = preview;
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
      {problems.length > 0 && (
        <div className="problem" role="alert">
          <p>The file cannot be imported:</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {columns.length > 0 && <ImportFacts preview={preview} />}
      <div className="form-row">
        {problems.length === 0 && (
          <form method="post" action={action}>
            <FormFields token={model.formToken} fields={{ action: 'commit', upload }} />
            <button type="submit" className="button">
              {isRunning ? 'Continue now' : `Import ${formatNumber(preview.fileRows)} rows`}
            </button>
          </form>
        )}
        <form method="post" action={action}>
          <FormFields token={model.formToken} fields={{ action: 'discard', upload }} />
          <button type="submit" className="button button-quiet">
            Discard
          </button>
        </form>
      </div>
    </Block>
  );
}

function ImportFacts({ preview }: { readonly preview: ImportPreview }) {
  const { sums, columns, problems } = preview;
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
          <dt>Sum without reversed ones</dt>
          <dd>{sums.map((sum) => formatMoney(sum.amount, sum.currency)).join(', ') || '–'}</dd>
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

function describeState({ isRunning, rows, fileRows, problems }: ImportPreview): string {
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
