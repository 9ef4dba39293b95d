import type { ComparedLine } from '../../core/text/compare-lines.ts';
import { FormFields } from '../access/pages.tsx';
import type { ViewProps } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatNumber } from '../figures/format.ts';
import { Block, DataTable } from '../frame/data-table.tsx';
import { TimeText } from '../frame/figures.tsx';
import type { readContentFile } from './edit-file.ts';
import type { EditField } from './edit-form.ts';
import { buildFileAddress } from './file-address.ts';

type FileModel = NonNullable<Awaited<ReturnType<typeof readContentFile>>>;
type FileProps = ViewProps<FileModel>;

const VIEWS = { form: 'Form', text: 'Text', history: 'History' } as const;

/** One content file: its form, its text, or its versions. */
export function FileEditor({ model, frame }: FileProps) {
  const { file, view, form, page, readOnly } = model;
  return (
    <>
      <p className="back-link">
        <a href={buildConsoleAddress('content')}>All content</a>
      </p>
      <h1 className="view-title">content/{file}</h1>
      <p className="editor-links">
        {page !== null && <a href={page}>Open the page</a>}
        {readOnly !== null && <span>{readOnly}</span>}
      </p>
      <nav className="segments" aria-label="Views of the file">
        {(['form', 'text', 'history'] as const).map((name) =>
          name === 'form' && form === null ? null : (
            <a
              key={name}
              className="segment"
              href={buildFileAddress(file, name === 'form' ? {} : { view: name })}
              aria-current={view === name ? 'page' : undefined}
            >
              {VIEWS[name]}
            </a>
          ),
        )}
      </nav>
      <Problems model={model} />
      {model.conflict !== null && <Conflict model={model} conflict={model.conflict} />}
      {view === 'history' ? (
        <History model={model} frame={frame} />
      ) : (
        <EditForm model={model} frame={frame} />
      )}
    </>
  );
}

/** What is wrong with the text, each with a link to its field. */
function Problems({ model: { problems } }: Pick<FileProps, 'model'>) {
  if (problems.length === 0) return null;
  return (
    <Block title="What has to be corrected first" className="editor-problems">
      <ul>
        {problems.map(({ text, field }) => (
          <li key={text}>{field === null ? text : <a href={`#${buildFieldId(field)}`}>{text}</a>}</li>
        ))}
      </ul>
    </Block>
  );
}

function Conflict({
  model,
  conflict,
}: Pick<FileProps, 'model'> & { readonly conflict: NonNullable<FileModel['conflict']> }) {
  return (
    <Block
      title="Changed on the server while you were writing"
      note="From the file on the server to your text, which is in the form below."
    >
      <Comparison lines={conflict.lines} />
      <div className="form-row">
        <button type="submit" form="editor" name="do" value="save" className="button button-quiet">
          Compare again and save
        </button>
        <button
          type="submit"
          form="editor"
          name="do"
          value={`overwrite:${conflict.hash}`}
          className="text-button danger-button"
        >
          Save my text in place of that of the server
        </button>
        <a href={buildFileAddress(model.file)}>Drop my text and open the file of the server</a>
      </div>
    </Block>
  );
}

const MARKS = { same: ' ', removed: '−', added: '+' } as const;
const CHANGES = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** The lines that differ, with those around them. */
function Comparison({ lines }: { readonly lines: readonly (ComparedLine | null)[] }) {
  if (lines.length === 0) return <p className="empty-note">Both texts are the same.</p>;
  return (
    <ol className="comparison">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change
        <li key={index} data-kind={line?.kind ?? 'gap'}>
          {line === null ? (
            '…'
          ) : (
            <>
              <span aria-hidden="true">{MARKS[line.kind]} </span>
              <span className="hidden-text">{CHANGES[line.kind]}</span>
              {line.text}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function History({ model, frame }: FileProps) {
  const { file, versions, compared, readOnly, formToken, opened } = model;
  return (
    <>
      {compared !== null && (
        <Block title={`From version ${compared.number} to the file`} id="compared">
          <Comparison lines={compared.lines} />
        </Block>
      )}
      <Block
        title="Versions"
        note="What the console has saved, and what it has found when the file was opened here. At most 100 are stored."
      >
        <DataTable
          caption="Versions"
          columns={[
            { key: 'number', name: 'Version', render: ({ number }) => formatNumber(number) },
            {
              key: 'time',
              name: 'Time',
              onPhone: 'lead',
              render: ({ savedAt }) => <TimeText time={savedAt} timeZone={frame.timeZone} />,
            },
            { key: 'operator', name: 'Changed by', render: ({ operator }) => operator || 'on the server' },
            {
              key: 'actions',
              name: 'Actions',
              render: ({ number }) => (
                <form
                  method="post"
                  className="form-row"
                  encType="multipart/form-data"
                  action={buildFileAddress(file)}
                >
                  <a
                    href={`${buildFileAddress(file, { view: 'history', version: String(number) })}#compared`}
                  >
                    Compare<span className="hidden-text"> version {number} with the file</span>
                  </a>
                  {readOnly === null && (
                    <>
                      <FormFields token={formToken} fields={{ opened }} />
                      <button type="submit" name="do" value={`restore:${number}`} className="text-button">
                        Put back<span className="hidden-text"> version {number}</span>
                      </button>
                    </>
                  )}
                </form>
              ),
            },
          ]}
          rows={versions}
          getKey={({ number }) => String(number)}
          empty="No version is stored yet."
        />
      </Block>
    </>
  );
}

function EditForm({ model }: FileProps) {
  const { file, view, text, form, body, opened, readOnly, formToken, changedLines } = model;
  const isReadOnly = readOnly !== null;
  return (
    <form
      method="post"
      id="editor"
      className="editor"
      encType="multipart/form-data"
      action={buildFileAddress(file, view === 'text' ? { view } : {})}
    >
      <FormFields token={formToken} fields={{ opened, view }} />
      {view === 'text' || form === null ? (
        <div className="editor-field">
          <label htmlFor="editor-text">The whole file as text</label>
          <textarea
            id="editor-text"
            name="text"
            className="editor-code"
            rows={30}
            spellCheck={false}
            readOnly={isReadOnly}
            defaultValue={protectFirstBreak(text)}
          />
        </div>
      ) : (
        <fieldset className="editor-group" disabled={isReadOnly}>
          <legend className="hidden-text">Fields</legend>
          <textarea name="draft" hidden readOnly defaultValue={protectFirstBreak(text)} />
          {/* Enter in a field saves: the first button of a form is the one that it clicks. */}
          {!isReadOnly && (
            <button
              type="submit"
              name="do"
              value="save"
              className="hidden-text"
              tabIndex={-1}
              aria-hidden="true"
            >
              Save
            </button>
          )}
          {form.kind === 'group' && <GroupFields field={form} />}
          {body !== null && (
            <div className="editor-field">
              <label htmlFor="editor-body">Text of the article, in Markdown</label>
              <textarea id="editor-body" name="body" className="editor-code" rows={30} defaultValue={body} />
            </div>
          )}
        </fieldset>
      )}
      {!isReadOnly && (
        <div className="editor-bar">
          <button type="submit" name="do" value="save" className="button">
            Save
          </button>
          <button type="submit" name="do" value="check" className="button button-quiet">
            Take over without saving
          </button>
          <p>
            {changedLines === 0
              ? 'The form has what the file has.'
              : `${formatNumber(changedLines)} changed ${changedLines === 1 ? 'line is' : 'lines are'} not saved.`}
          </p>
        </div>
      )}
    </form>
  );
}

/** HTML drops the line break with which a text area begins. */
const protectFirstBreak = (text: string) => (text.startsWith('\n') ? `\n${text}` : text);

/** The id of a field's element. */
const buildFieldId = (name: string) => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;

/** The fields of a mapping: those that the file has, then the others. */
function GroupFields({ field }: { readonly field: Extract<EditField, { kind: 'group' }> }) {
  const shown = field.fields.filter(({ isPresent, isRequired }) => isPresent || isRequired);
  const others = field.fields.filter((one) => !shown.includes(one));
  return (
    <>
      {shown.map((one) => (
        <Field key={one.name} field={one} />
      ))}
      {others.length > 0 && (
        <details className="editor-more">
          <summary>More fields: {others.map(({ label }) => label.toLowerCase()).join(', ')}</summary>
          {others.map((one) => (
            <Field key={one.name} field={one} />
          ))}
        </details>
      )}
    </>
  );
}

function Field({ field }: { readonly field: EditField }) {
  const { name, label, help, isPresent, isRequired } = field;
  const id = buildFieldId(name);
  const helpId = help === '' ? undefined : `${id}-help`;
  if (field.kind === 'group' || field.kind === 'list') {
    if (!isPresent) return <AddButton field={field} text={`Add ${label.toLowerCase()}`} />;
    return (
      <fieldset className="editor-group" id={id} tabIndex={-1}>
        <legend>{label}</legend>
        {help !== '' && <p className="editor-help">{help}</p>}
        {field.kind === 'group' ? <GroupFields field={field} /> : <ListItems field={field} />}
        {!isRequired && (
          <OperationButton
            operation={{ kind: 'remove', path: field.path }}
            text="Remove"
            name={label}
            isDangerous
          />
        )}
      </fieldset>
    );
  }
  if (field.kind === 'other') {
    return (
      <p className="editor-help" id={id} tabIndex={-1}>
        {label}: edit it in the text of the file.
      </p>
    );
  }
  return (
    <div className="editor-field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <small> optional</small>}
      </label>
      {helpId !== undefined && (
        <p className="editor-help" id={helpId}>
          {help}
        </p>
      )}
      {field.kind === 'choice' ? (
        <select id={id} name={name} defaultValue={field.value} aria-describedby={helpId}>
          {!isRequired && <option value="">–</option>}
          {[...new Set([...(isPresent ? [field.value] : []), ...field.options])].map((option) => (
            <option key={option} value={option}>
              {option === 'true' ? 'yes' : option === 'false' ? 'no' : option}
            </option>
          ))}
        </select>
      ) : field.kind === 'lines' || field.isLong ? (
        <textarea
          id={id}
          name={name}
          rows={Math.min(
            14,
            Math.max(2, Math.ceil(field.value.length / 80) + field.value.split('\n').length - 1),
          )}
          defaultValue={protectFirstBreak(field.value)}
          aria-describedby={helpId}
        />
      ) : (
        <input
          type="text"
          id={id}
          name={name}
          defaultValue={field.value}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          aria-describedby={helpId}
        />
      )}
      {field.kind === 'lines' && <p className="editor-help">One on each line.</p>}
    </div>
  );
}

function ListItems({ field }: { readonly field: Extract<EditField, { kind: 'list' }> }) {
  const last = field.items.length - 1;
  return (
    <>
      <ol className="editor-list">
        {field.items.map((item, index) => (
          <li key={item.name} id={buildFieldId(item.name)} tabIndex={-1}>
            <details open={last < 3 ? true : undefined}>
              <summary>{item.label}</summary>
              {item.kind === 'group' ? <GroupFields field={item} /> : <Field field={item} />}
            </details>
            <div className="form-row">
              {index > 0 && (
                <OperationButton
                  operation={{ kind: 'move', path: item.path, to: index - 1 }}
                  text="Move up"
                  name={item.label}
                />
              )}
              {index < last && (
                <OperationButton
                  operation={{ kind: 'move', path: item.path, to: index + 1 }}
                  text="Move down"
                  name={item.label}
                />
              )}
              <OperationButton
                operation={{ kind: 'copy', path: item.path }}
                text="Duplicate"
                name={item.label}
              />
              <OperationButton
                operation={{ kind: 'remove', path: item.path }}
                text="Remove"
                name={item.label}
                isDangerous
              />
            </div>
          </li>
        ))}
      </ol>
      <AddButton field={field} text={`Add to ${field.label.toLowerCase()}`} />
    </>
  );
}

function AddButton({ field, text }: { readonly field: EditField; readonly text: string }) {
  const types = field.kind === 'list' ? field.types : [];
  const id = `${buildFieldId(field.name)}-type`;
  return (
    <div className="form-row">
      {types.length > 0 && (
        <>
          <label htmlFor={id}>Type</label>
          <select id={id} name={`type ${field.name}`}>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </>
      )}
      <OperationButton operation={{ kind: 'add', path: field.path }} text={text} name="" />
    </div>
  );
}

function OperationButton(props: {
  readonly operation: object;
  readonly text: string;
  /** What it is done with, for those who hear the button alone. */
  readonly name: string;
  readonly isDangerous?: boolean;
}) {
  const { operation, text, name, isDangerous = false } = props;
  return (
    <button
      type="submit"
      name="do"
      value={JSON.stringify(operation)}
      className={isDangerous ? 'text-button danger-button' : 'text-button'}
    >
      {text}
      {name !== '' && <span className="hidden-text"> {name}</span>}
    </button>
  );
}
