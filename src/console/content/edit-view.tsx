import type { ReactNode } from 'react';
import { findPart } from '../../content-files/edit/plan-form.ts';
import type { ViewProps } from '../console-page.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, EditorField, Options, Submit, useAction } from '../frame/forms.tsx';
import { PartnerConnection } from '../import/connections.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { AddressView, Removal } from './address-view.tsx';
import { buildContext, Desk, EditorState, PublishPage, SaveButton, Unsaved } from './desk-view.tsx';
import {
  AddButton,
  buildFieldId,
  GroupFields,
  ItemButtons,
  ListOrField,
  NamedLists,
  protectFirstBreak,
} from './edit-fields.tsx';
import { buildFileAddress } from './file-address.ts';
import { Comparison, FileHistory } from './history-view.tsx';
import { NewPayee } from './links-view.tsx';
import { PieceStatePanel } from './piece-view.tsx';
import type { readContentFile } from './read-file.ts';

export type FileModel = NonNullable<Awaited<ReturnType<typeof readContentFile>>>;
type FileProps = ViewProps<FileModel>;

const VIEWS = { form: 'Form', text: 'Text', history: 'History', address: 'Address' } as const;

/** One content file: its form, its text, or its versions. */
export function FileEditor({ model }: FileProps) {
  const { file, title, view, form, page } = model;
  const locked = model.readOnly ?? model.unsaved;
  const isDesk = model.body !== null && form !== null && (view === 'form' || view === 'publish');
  return (
    <div className={isDesk ? 'desk-view' : undefined}>
      {isDesk ? <h1 className="hidden-text">{title}</h1> : <FileHead model={model} />}
      <Problems model={model} />
      {model.conflict !== null && <Conflict model={model} conflict={model.conflict} />}
      {model.compared !== null && <ComparedCopy model={model} compared={model.compared} />}
      {model.payee !== null && <NewPayee payee={model.payee} />}
      {view === 'history' ? (
        <FileHistory {...model} readOnly={locked} />
      ) : view === 'address' && model.removal !== null ? (
        <Removal {...model} readOnly={locked} removal={model.removal} />
      ) : model.address !== null ? (
        <AddressView {...model} readOnly={locked} address={model.address} />
      ) : (
        <>
          {model.piece !== null && locked === null && !isDesk && (
            <PieceStatePanel
              piece={model.piece}
              address={page === null ? null : buildFileAddress(file, { view: 'address' })}
            />
          )}
          {model.connection !== null && <ConnectionPanel file={file} connection={model.connection} />}
          <EditForm model={model} />
        </>
      )}
    </div>
  );
}

/** The way back, the name of the file, and its views. */
function FileHead({ model }: FileProps) {
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
      {(readOnly ?? model.unsaved) !== null && <p className="problem">{readOnly ?? model.unsaved}</p>}
      <nav className="segments" aria-label="Views of the file">
        {(['form', 'text', 'history', 'address'] as const).map((name) =>
          (name === 'form' && form === null) ||
          (name === 'address' && page === null && model.removal === null) ||
          (name !== 'history' && isGone) ? null : (
            <a
              key={name}
              className="segment"
              href={buildFileAddress(file, name === 'form' ? {} : { view: name })}
              aria-current={view === name ? 'page' : undefined}
            >
              {name === 'address' && model.removal !== null ? 'Remove' : VIEWS[name]}
            </a>
          ),
        )}
      </nav>
    </>
  );
}

/** How the commissions of a partner arrive; open while its address is asked for, as after its file was made. */
function ConnectionPanel(props: {
  readonly file: string;
  readonly connection: NonNullable<FileModel['connection']>;
}) {
  const { file, connection } = props;
  const [own] = connection.postbacks;
  return (
    <details className="attention mt-6" open={own?.address != null}>
      <summary>
        <b>How its commissions arrive</b>
        {own?.lastMessageAt === null ? ': no message yet' : ''}
      </summary>
      <PartnerConnection model={connection} at={buildFileAddress(file)} />
    </details>
  );
}

/** What is wrong with the text, each with a way to its field, or with its line. */
function Problems({ model }: { readonly model: FileProps['model'] }) {
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
              <ActionButton
                of="open"
                form="editor"
                formAction={buildFileAddress(file, { at })}
                className="text-button"
              >
                {text}
              </ActionButton>
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
}: {
  readonly model: FileProps['model'];
  readonly conflict: NonNullable<FileModel['conflict']>;
}) {
  return (
    <Block
      title="Changed on the server while you were writing"
      note="From the file on the server to your text, which is in the form below."
    >
      <Comparison rows={conflict.rows} before="On the server" after="Your text" />
      <div className="form-row">
        <ActionButton of="compare" form="editor" className="button button-quiet">
          Compare again
        </ActionButton>
        <input type="hidden" form="editor" name="current" value={conflict.hash} />
        <ActionButton of="overwrite" form="editor" className="text-button danger-button">
          Save my text in place of that of the server
        </ActionButton>
        <a href={buildFileAddress(model.file)}>Drop my text and open the file of the server</a>
      </div>
    </Block>
  );
}

/** A text that is not saved beside that of the file, or that of somebody else beside one's own. */
function ComparedCopy({
  model,
  compared: { isOwn, isRemoved, name, operator, rows },
}: {
  readonly model: FileModel;
  readonly compared: NonNullable<FileModel['compared']>;
}) {
  const whose = isOwn ? 'Your text' : `The text of ${name}`;
  return (
    <Block title={`${whose}, which is not saved`}>
      <Comparison rows={rows} before={isOwn ? 'The file' : 'Your text'} after={whose} />
      <div className="form-row">
        <a href={buildFileAddress(model.file)}>Back to writing</a>
        {!isOwn && !model.kept?.isUnsaved && (
          <ActionForm of="take-copy" action={buildFileAddress(model.file)} fields={{ from: operator }}>
            <Submit className="text-button">Go on with the text of {name}</Submit>
          </ActionForm>
        )}
        {isRemoved && (
          <ActionForm of="drop-copy" action={buildFileAddress(model.file)} fields={{ from: operator }}>
            <Submit className="text-button danger-button">Discard it: {name} was removed</Submit>
          </ActionForm>
        )}
      </div>
    </Block>
  );
}

const EDITS = ['save', 'open'] as const;

function EditForm({ model }: { readonly model: FileProps['model'] }) {
  const { file, view, form, opened, readOnly } = model;
  const shown = view === 'text' ? null : form;
  const at = shown?.open.at ?? '';
  const attributes = {
    id: 'editor',
    className: 'editor',
    encType: 'multipart/form-data',
    action: buildFileAddress(file, view === 'text' ? { view } : at === '' ? {} : { at }),
    'data-part': at,
    'data-posted': model.isPosted || undefined,
    'data-operator': model.operator,
    // What is in the fields is what the server has sent; what it does not have yet is kept by the script.
    autoComplete: 'off',
  };
  const content = (
    <>
      {shown === null || model.body === null ? (
        <>
          {shown === null ? <WholeText model={model} /> : <FormPanes model={model} form={shown} />}
          {readOnly === null && <SaveBar model={model} />}
        </>
      ) : view === 'publish' ? (
        <PublishPage model={model} form={shown} />
      ) : (
        <Desk model={model} form={shown} body={model.body}>
          {model.notes !== null && (
            <>
              <Notes notes={{ ...model.notes, figures: [] }} at="" />
              {/* The menu of the desk has them; a browser would read a thousand of them before the first key. */}
              <noscript>
                <FigureNames figures={model.notes.figures} />
              </noscript>
            </>
          )}
        </Desk>
      )}
    </>
  );
  // An operator without the right to edit sees the same fields.
  return useAction('open') ? (
    <ActionForm of={EDITS} fields={{ opened, view, kept: model.kept?.hash ?? '' }} {...attributes}>
      {content}
    </ActionForm>
  ) : (
    <form {...attributes}>{content}</form>
  );
}

function SaveBar({ model }: { readonly model: FileProps['model'] }) {
  return (
    <div className="editor-bar">
      <SaveButton model={model} className="button" />
      <ActionButton of="check" className="button button-quiet">
        Check without saving
      </ActionButton>
      {model.hasPreview && (
        <ActionButton of="preview" formTarget="_blank" className="button button-quiet" data-editor-preview>
          Preview
        </ActionButton>
      )}
      <EditorState model={model} />
    </div>
  );
}

function WholeText({ model: { text, readOnly } }: { readonly model: FileProps['model'] }) {
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

export type OpenForm = NonNullable<FileModel['form']>;

/** The list of the parts, and the fields of the one that is open. The unsaved text has all others. */
function FormPanes({ model, form }: { readonly model: FileProps['model']; readonly form: OpenForm }) {
  const { open, parts } = form;
  const isReadOnly = model.readOnly !== null;
  const context = buildContext(model, form);
  return (
    <div className="editor-panes" data-parts={parts.length > 1 || undefined}>
      {!isReadOnly && <Unsaved model={model} />}
      {parts.length > 1 && <Outline model={model} form={form} />}
      <fieldset className="editor-group editor-part" disabled={isReadOnly}>
        <legend className="hidden-text">{open.label}</legend>
        {parts.length > 1 && <PartHead model={model} form={form} />}
        {open.field.kind === 'group' ? (
          <GroupFields field={open.field} context={context} />
        ) : (
          <ListOrField field={open.field} context={context} />
        )}
        {model.notes !== null && <Notes notes={model.notes} at={open.at} />}
        <NamedLists named={model.named} field={open.field} />
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
                <ActionButton
                  of="test-destination"
                  formAction={`?${new URLSearchParams({ at, destination: name })}`}
                  className="text-button"
                >
                  Test<span className="hidden-text"> the address {name}</span>
                </ActionButton>
              </li>
            ))}
          </ul>
        </div>
      )}
      {uses !== null && <Uses uses={uses} />}
      <FigureNames figures={figures} />
    </>
  );
}

const FigureNames = ({ figures }: { readonly figures: FormNotes['figures'] }) =>
  figures.length > 0 && (
    <>
      <EditorField
        id="editor-figures"
        label="Figures by name"
        help="Find one by its name or value and copy it into a text: pages show its value."
        list="figures"
      />
      <datalist id="figures">
        <Options
          of={figures.map(({ name, value, checked }) => [
            `{${name}}`,
            checked === '' ? value : `${value}, checked ${checked}`,
          ])}
        />
      </datalist>
    </>
  );

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
    <ActionButton of="open" className={className} formAction={href} aria-current={current}>
      {children}
    </ActionButton>
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
