import type { ReactNode } from 'react';
import { listNames } from '../../core/pages/figures.ts';
import type { YamlPath } from '../../sources/content/edit-yaml.ts';
import { FormFields } from '../access/pages.tsx';
import type { ViewProps } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatNumber } from '../figures/format.ts';
import { Block } from '../frame/data-table.tsx';
import { AddressView } from './address-view.tsx';
import type { readContentFile } from './edit-file.ts';
import { type EditField, type FieldGroup, findPart, formatAt } from './edit-form.ts';
import type { NamedFigure } from './edit-notes.ts';
import { buildFileAddress } from './file-address.ts';
import { Comparison, FileHistory } from './history-view.tsx';
import { PieceStatePanel } from './piece-view.tsx';

type FileModel = NonNullable<Awaited<ReturnType<typeof readContentFile>>>;
type FileProps = ViewProps<FileModel>;

const VIEWS = { form: 'Form', text: 'Text', history: 'History', address: 'Address' } as const;

/** One content file: its form, its text, or its versions. */
export function FileEditor({ model, frame }: FileProps) {
  const { file, title, view, form, page, readOnly, isGone } = model;
  const isPublished = model.piece === null || model.piece.state === 'published';
  return (
    <>
      <p className="back-link">
        <a href={buildConsoleAddress('content')}>All content</a>
      </p>
      <h1 className="view-title">{title}</h1>
      <p className="editor-links">
        <code>content/{file}</code>
        {page !== null && !isGone && isPublished && <a href={page}>Open the page</a>}
        {isGone && <span>This file was removed. Put a version back to have it again.</span>}
      </p>
      {readOnly !== null && <p className="problem">{readOnly}</p>}
      <nav className="segments" aria-label="Views of the file">
        {(['form', 'text', 'history', 'address'] as const).map((name) =>
          (name === 'form' && form === null) ||
          (name === 'address' && page === null) ||
          (name !== 'history' && isGone) ? null : (
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
        <FileHistory {...model} timeZone={frame.timeZone} />
      ) : model.address !== null ? (
        <AddressView {...model} address={model.address} />
      ) : (
        <>
          {model.piece !== null && readOnly === null && (
            <PieceStatePanel
              piece={model.piece}
              timeZone={frame.timeZone}
              address={page === null ? null : buildFileAddress(file, { view: 'address' })}
            />
          )}
          <EditForm model={model} />
        </>
      )}
    </>
  );
}

/** What is wrong with the text, each with a way to its field, or with its line. */
function Problems({ model }: Pick<FileProps, 'model'>) {
  const { problems, file, view, form } = model;
  if (problems.length === 0) return null;
  return (
    <Block title="What has to be corrected first" className="editor-problems">
      <ul>
        {problems.map(({ text, field, at, line }) => (
          <li key={text}>
            {view === 'text' || form === null ? (
              <>
                {line !== null && `Line ${line.number}: `}
                {text}
                {line !== null && <code className="editor-line">{line.text}</code>}
              </>
            ) : field === null ? (
              text
            ) : findPart(form.parts, at) === form.open ? (
              <a href={`#${buildFieldId(field)}`}>{text}</a>
            ) : (
              <button
                type="submit"
                form="editor"
                name="do"
                value="open"
                formAction={buildFileAddress(file, { at })}
                className="text-button"
              >
                {text}
              </button>
            )}
          </li>
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
      <Comparison rows={conflict.rows} before="On the server" after="Your text" />
      <div className="form-row">
        <button type="submit" form="editor" name="do" value="compare" className="button button-quiet">
          Compare again
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

function EditForm({ model }: Pick<FileProps, 'model'>) {
  const { file, view, form, opened, readOnly, formToken } = model;
  const shown = view === 'text' ? null : form;
  const at = shown?.open.at ?? '';
  return (
    <form
      method="post"
      id="editor"
      className="editor"
      encType="multipart/form-data"
      action={buildFileAddress(file, view === 'text' ? { view } : at === '' ? {} : { at })}
      data-part={at}
      data-posted={model.isPosted || undefined}
    >
      <FormFields token={formToken} fields={{ opened, view }} />
      {shown === null ? <WholeText model={model} /> : <FormPanes model={model} form={shown} />}
      {readOnly === null && <SaveBar model={model} />}
    </form>
  );
}

function SaveBar({ model: { changedLines, hasPreview } }: Pick<FileProps, 'model'>) {
  return (
    <div className="editor-bar">
      <button type="submit" name="do" value="save" className="button">
        Save
      </button>
      <button type="submit" name="do" value="check" className="button button-quiet">
        Check without saving
      </button>
      {hasPreview && (
        <button
          type="submit"
          name="do"
          value="preview"
          formTarget="_blank"
          className="button button-quiet"
          data-editor-preview
        >
          Preview
        </button>
      )}
      <p className="editor-state" data-editor-state={changedLines}>
        {changedLines === 0
          ? 'No unsaved changes.'
          : `${formatNumber(changedLines)} changed ${changedLines === 1 ? 'line is' : 'lines are'} not saved.`}
      </p>
    </div>
  );
}

function WholeText({ model: { text, readOnly } }: Pick<FileProps, 'model'>) {
  return (
    <div className="editor-field">
      <label htmlFor="editor-text">The whole file as text</label>
      <textarea
        id="editor-text"
        name="text"
        className="editor-code"
        rows={30}
        spellCheck={false}
        readOnly={readOnly !== null}
        defaultValue={protectFirstBreak(text)}
      />
    </div>
  );
}

type OpenForm = NonNullable<FileModel['form']>;

/** The list of the parts, and the fields of the one that is open. The unsaved text has all others. */
function FormPanes({ model, form }: Pick<FileProps, 'model'> & { readonly form: OpenForm }) {
  const { text, body, readOnly, problems } = model;
  const { open, parts, at, moved } = form;
  const isReadOnly = readOnly !== null;
  const faults = Map.groupBy(problems, ({ field }) => field ?? '');
  const figures = new Map((model.notes?.figures ?? []).map((figure) => [figure.name, figure]));
  const context: FieldContext = { at, moved, faults, figures };
  return (
    <div className="editor-panes" data-parts={parts.length > 1 || undefined}>
      {!isReadOnly && (
        <>
          <textarea name="draft" hidden readOnly defaultValue={protectFirstBreak(text)} />
          {/* Enter in a field saves: the first button of a form is the one that it clicks. */}
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
        </>
      )}
      {parts.length > 1 && <Outline model={model} form={form} />}
      <fieldset className="editor-group editor-part" disabled={isReadOnly}>
        <legend className="hidden-text">{open.label}</legend>
        {parts.length > 1 && <PartHead model={model} form={form} />}
        {open.field.kind === 'group' ? (
          <GroupFields field={open.field} context={context} />
        ) : (
          <ListOrField field={open.field} context={context} />
        )}
        {body !== null && open.at === '' && (
          <div className="editor-field">
            <label htmlFor="editor-body">Text of the article, in Markdown</label>
            <textarea id="editor-body" name="body" className="editor-code" rows={30} defaultValue={body} />
          </div>
        )}
        {model.notes !== null && <Notes notes={model.notes} at={open.at} />}
      </fieldset>
    </div>
  );
}

type FormNotes = NonNullable<FileModel['notes']>;

/** What depends on the file: who uses it, whether its colors can be read, where its links lead. */
function Notes({ notes, at }: { readonly notes: FormNotes; readonly at: string }) {
  const { uses, contrasts, outgoing, figures } = notes;
  return (
    <>
      {contrasts.length > 0 && (
        <div className="editor-note">
          <h3>How well text in these colors can be read</h3>
          <ul>
            {contrasts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {outgoing.length > 0 && (at === '' || at === 'destinations') && (
        <div className="editor-note">
          <h3>Where its links lead</h3>
          <p className="editor-help">
            As visitors leave for it, with an example of a click. A test sends one request.
          </p>
          <ul>
            {outgoing.map(({ name, address }) => (
              <li key={name}>
                {name}: <code>{address}</code>{' '}
                <button type="submit" name="do" value={`test:${name}`} className="text-button">
                  Test<span className="hidden-text"> the address {name}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {uses !== null && <Uses uses={uses} />}
      {figures.length > 0 && (
        <div className="editor-field">
          <label htmlFor="editor-figures">Figures by name</label>
          <p className="editor-help" id="editor-figures-help">
            Find one by its name or value and copy it into a text: pages show its value.
          </p>
          <input
            type="text"
            id="editor-figures"
            list="figures"
            autoComplete="off"
            aria-describedby="editor-figures-help"
          />
          <datalist id="figures">
            {figures.map(({ name, value, checked }) => (
              <option key={name} value={`{${name}}`}>
                {checked === '' ? value : `${value}, checked ${checked}`}
              </option>
            ))}
          </datalist>
        </div>
      )}
    </>
  );
}

/** More of them are folded. */
const MAX_USES = 5;

function Uses({ uses }: { readonly uses: NonNullable<FormNotes['uses']> }) {
  const links = uses.map(({ file, title }) => (
    <li key={file}>
      <a href={buildFileAddress(file)}>{title}</a>
    </li>
  ));
  const count = uses.length === 1 ? 'Used in 1 file' : `Used in ${formatNumber(uses.length)} files`;
  return (
    <div className="editor-note">
      <h3>{uses.length === 0 ? 'Not used by another file' : count}</h3>
      <ul>{links.slice(0, MAX_USES)}</ul>
      {links.length > MAX_USES && (
        <details className="editor-more">
          <summary>and {formatNumber(links.length - MAX_USES)} more</summary>
          <ul>{links.slice(MAX_USES)}</ul>
        </details>
      )}
    </div>
  );
}

/** A button that opens another part with the unsaved text, or a link where nothing can be changed. */
function OpenButton(props: {
  readonly model: FileModel;
  readonly at: string;
  readonly className: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}) {
  const { model, at, className, isCurrent = false, children } = props;
  const href = buildFileAddress(model.file, at === '' ? {} : { at });
  const current = isCurrent ? 'true' : undefined;
  if (model.readOnly !== null) {
    return (
      <a className={className} href={href} aria-current={current}>
        {children}
      </a>
    );
  }
  return (
    <button
      type="submit"
      name="do"
      value="open"
      className={className}
      formAction={href}
      aria-current={current}
    >
      {children}
    </button>
  );
}

function Outline({ model, form }: { readonly model: FileModel; readonly form: OpenForm }) {
  const { parts, open, form: root } = form;
  const lists = root.fields.filter((field) => field.kind === 'list' && field.types.length > 0);
  return (
    <nav className="editor-outline" aria-label="Parts of the file">
      <ol>
        {parts.map((part) => (
          <li key={part.at} data-at={part.at}>
            <OpenButton model={model} at={part.at} className="outline-link" isCurrent={part === open}>
              {part.label}
            </OpenButton>
          </li>
        ))}
      </ol>
      {model.readOnly === null &&
        lists.map((field) => (
          <AddButton
            key={field.name}
            field={field}
            text={`Add to ${field.label.toLowerCase()}`}
            {...(open.list !== null && { at: open.list.index + 1 })}
          />
        ))}
    </nav>
  );
}

/** The name of the open part, what can be done with it, and on phones the way to the others. */
function PartHead({ model, form }: { readonly model: FileModel; readonly form: OpenForm }) {
  const { parts, open, moved, at } = form;
  const index = parts.indexOf(open);
  const [before, after] = [parts[index - 1], parts[index + 1]];
  return (
    <div className="part-head">
      {open.at !== '' && (
        <div className="form-row part-ways">
          <OpenButton model={model} at="" className="text-button">
            All parts
          </OpenButton>
          {before !== undefined && before.at !== '' && (
            <OpenButton model={model} at={before.at} className="text-button">
              Previous
            </OpenButton>
          )}
          {after !== undefined && (
            <OpenButton model={model} at={after.at} className="text-button">
              Next
            </OpenButton>
          )}
        </div>
      )}
      <h2>{open.label}</h2>
      {open.list !== null && model.readOnly === null && (
        <ItemButtons
          path={open.field.path}
          label={open.label}
          index={open.list.index}
          length={open.list.length}
          moved={at === '' ? moved : null}
        />
      )}
    </div>
  );
}

/** HTML drops the line break with which a text area begins. */
const protectFirstBreak = (text: string) => (text.startsWith('\n') ? `\n${text}` : text);

/** The id of a field's element. */
const buildFieldId = (name: string) => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;

/** What the fields of a form have in common. */
interface FieldContext {
  /** The address of the field that has the focus; empty: none has. */
  readonly at: string;
  readonly moved: OpenForm['moved'];
  /** What is wrong, by the name of the field. */
  readonly faults: ReadonlyMap<string, FileModel['problems']>;
  readonly figures: ReadonlyMap<string, NamedFigure>;
}

interface FieldProps<Field extends EditField = EditField> {
  readonly field: Field;
  readonly context: FieldContext;
}

/** The fields of a mapping: those that the file has, then the others. */
function GroupFields({ field, context }: FieldProps<FieldGroup>) {
  const shown = field.fields.filter(({ isPresent, isRequired }) => isPresent || isRequired);
  const others = field.fields.filter((one) => !shown.includes(one));
  return (
    <>
      {shown.map((one) =>
        field.takesKeys && one.kind === 'group' ? (
          <details key={one.name} className="editor-entry" open={isWanted(one, context) || undefined}>
            <summary>{one.label}</summary>
            <ListOrField field={one} context={context} />
          </details>
        ) : (
          <ListOrField key={one.name} field={one} context={context} />
        ),
      )}
      {others.length > 0 && (
        <details className="editor-more" open={others.some((one) => isWanted(one, context)) || undefined}>
          <summary>More fields: {others.map(({ label }) => label.toLowerCase()).join(', ')}</summary>
          {others.map((one) => (
            <ListOrField key={one.name} field={one} context={context} />
          ))}
        </details>
      )}
      {field.takesKeys && <AddEntry field={field} />}
    </>
  );
}

/** Adds an entry with a name of its own, such as a claim. */
function AddEntry({ field }: { readonly field: FieldGroup }) {
  const id = `${buildFieldId(field.name)}-key`;
  const list = field.path.length === 0 ? 'file' : field.label.toLowerCase();
  return (
    <div className="form-row">
      <label htmlFor={id}>Name of a new entry</label>
      <input type="text" id={id} name={`key ${field.name}`} maxLength={60} autoComplete="off" />
      <OperationButton operation={{ kind: 'add', path: field.path }} text={`Add to ${list}`} name="" />
    </div>
  );
}

/** Whether a field has the focus or a problem, or one in it. */
function isWanted({ path }: EditField, { at, faults }: FieldContext): boolean {
  const own = `${formatAt(path)}.`;
  return [at, ...[...faults.values()].flatMap((found) => found.map((fault) => fault.at))].some((one) =>
    `${one}.`.startsWith(own),
  );
}

function ListOrField({ field, context }: FieldProps) {
  const { label, help, isPresent, isRequired, path } = field;
  if (field.kind !== 'group' && field.kind !== 'list') return <Field field={field} context={context} />;
  if (!isPresent) return <AddButton field={field} text={`Add ${label.toLowerCase()}`} />;
  return (
    <fieldset
      className="editor-group"
      id={buildFieldId(field.name)}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the address names the field
      autoFocus={formatAt(path) === context.at || undefined}
    >
      <legend>{label}</legend>
      {help !== '' && <p className="editor-help">{help}</p>}
      <FieldFaults field={field} context={context} />
      {field.kind === 'group' ? (
        <GroupFields field={field} context={context} />
      ) : (
        <ListItems field={field} context={context} />
      )}
      {!isRequired && (
        <p>
          <OperationButton operation={{ kind: 'remove', path }} text="Remove" name={label} isDangerous />
        </p>
      )}
    </fieldset>
  );
}

function FieldFaults({ field, context }: FieldProps) {
  const faults = context.faults.get(field.name) ?? [];
  if (faults.length === 0) return null;
  return (
    <p className="editor-error" id={`${buildFieldId(field.name)}-error`}>
      {faults.map(({ reason }) => reason).join('; ')}
    </p>
  );
}

function Field({ field, context }: FieldProps) {
  const { name, label, help, isPresent, isRequired, path } = field;
  const id = buildFieldId(name);
  if (field.kind === 'group' || field.kind === 'list') return null;
  if (field.kind === 'other') {
    return (
      <p className="editor-help" id={id} tabIndex={-1}>
        {label}: edit it in the text of the file.
      </p>
    );
  }
  // The type of a section: there is nothing to choose.
  if (field.kind === 'choice' && isPresent && field.options.join() === field.value) return null;
  const isFaulty = context.faults.has(name);
  const helps = [
    help,
    field.kind === 'lines' ? 'One on each line.' : '',
    'maxLength' in field && field.maxLength !== null
      ? `At most ${formatNumber(field.maxLength)} characters.`
      : '',
  ].filter((text) => text !== '');
  const described = [helps.length > 0 && `${id}-help`, isFaulty && `${id}-error`].filter(Boolean).join(' ');
  const common = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': isFaulty || undefined,
    autoFocus: formatAt(path) === context.at || undefined,
  };
  return (
    <div className="editor-field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <small> optional</small>}
      </label>
      {helps.length > 0 && (
        <p className="editor-help" id={`${id}-help`}>
          {helps.join(' ')}
        </p>
      )}
      <FieldFaults field={field} context={context} />
      {field.kind === 'choice' ? (
        <select {...common} defaultValue={field.value}>
          {!isRequired && <option value="">–</option>}
          {[...new Set([...(isPresent ? [field.value] : []), ...field.options])].map((option) => (
            <option key={option} value={option}>
              {option === 'true' ? 'yes' : option === 'false' ? 'no' : option}
            </option>
          ))}
        </select>
      ) : field.kind === 'lines' || field.isLong ? (
        <textarea
          {...common}
          rows={Math.min(
            14,
            Math.max(2, Math.ceil(field.value.length / 80) + field.value.split('\n').length - 1),
          )}
          defaultValue={protectFirstBreak(field.value)}
        />
      ) : (
        <input
          {...common}
          type="text"
          defaultValue={field.value}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          autoComplete="off"
        />
      )}
      <FieldFigures text={field.value} figures={context.figures} />
    </div>
  );
}

/** The figures that a text names, as visitors see them. */
function FieldFigures({
  text,
  figures,
}: {
  readonly text: string;
  readonly figures: FieldContext['figures'];
}) {
  const named = [...new Set(listNames(text))].flatMap((name) => figures.get(name) ?? []);
  if (named.length === 0) return null;
  return (
    <ul className="editor-help">
      {named.map(({ name, value, checked }) => (
        <li key={name}>
          <code>{`{${name}}`}</code> is {value}
          {checked !== '' && `, checked ${checked}`}
        </li>
      ))}
    </ul>
  );
}

function ListItems({ field, context }: FieldProps<Extract<EditField, { kind: 'list' }>>) {
  const { length } = field.items;
  return (
    <>
      <ol className="editor-list">
        {field.items.map((item, index) => {
          const isFocused = formatAt(item.path) === context.at;
          return (
            <li
              key={item.name}
              id={buildFieldId(item.name)}
              tabIndex={-1}
              // biome-ignore lint/a11y/noAutofocus: the item that was added or copied, or that the address names
              autoFocus={(isFocused && context.moved === null) || undefined}
            >
              <details open={length <= 3 || isWanted(item, context) || undefined}>
                <summary>{item.label}</summary>
                <FieldFaults field={item} context={context} />
                {item.kind === 'group' ? (
                  <GroupFields field={item} context={context} />
                ) : (
                  <ListOrField field={item} context={context} />
                )}
              </details>
              <ItemButtons
                path={item.path}
                label={item.label}
                index={index}
                length={length}
                moved={isFocused ? context.moved : null}
              />
            </li>
          );
        })}
      </ol>
      <AddButton field={field} text={`Add to ${field.label.toLowerCase()}`} />
    </>
  );
}

/** What can be done with an item of a list. The button that has moved it has the focus, so that it moves on. */
function ItemButtons(props: {
  readonly path: YamlPath;
  readonly label: string;
  readonly index: number;
  readonly length: number;
  readonly moved: OpenForm['moved'];
}) {
  const { path, label, index, length, moved } = props;
  const [isFirst, isLast] = [index === 0, index === length - 1];
  return (
    <div className="form-row">
      {!isFirst && (
        <OperationButton
          operation={{ kind: 'move', path, to: index - 1 }}
          text="Move up"
          name={label}
          isFocused={moved === 'up' || (moved === 'down' && isLast)}
        />
      )}
      {!isLast && (
        <OperationButton
          operation={{ kind: 'move', path, to: index + 1 }}
          text="Move down"
          name={label}
          isFocused={moved === 'down' || (moved === 'up' && isFirst)}
        />
      )}
      <OperationButton operation={{ kind: 'copy', path }} text="Duplicate" name={label} />
      <OperationButton operation={{ kind: 'remove', path }} text="Remove" name={label} isDangerous />
    </div>
  );
}

/** `at`: the position that a new item gets; left out: the last one. */
function AddButton({
  field,
  text,
  at,
}: {
  readonly field: EditField;
  readonly text: string;
  readonly at?: number;
}) {
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
      <OperationButton operation={{ kind: 'add', path: field.path, at }} text={text} name="" />
    </div>
  );
}

function OperationButton(props: {
  readonly operation: object;
  readonly text: string;
  /** What it is done with, for those who hear the button alone. */
  readonly name: string;
  readonly isDangerous?: boolean;
  readonly isFocused?: boolean;
}) {
  const { operation, text, name, isDangerous = false, isFocused = false } = props;
  return (
    <button
      type="submit"
      name="do"
      value={JSON.stringify(operation)}
      className={isDangerous ? 'text-button danger-button' : 'text-button'}
      // biome-ignore lint/a11y/noAutofocus: it is the button that was clicked
      autoFocus={isFocused || undefined}
    >
      {text}
      {name !== '' && <span className="hidden-text"> {name}</span>}
    </button>
  );
}
