import { findKind, isFolder, isOfKind } from '../../content-files/kinds.ts';
import { buildFieldId, type FormModel } from '../../editor/form.tsx';
import type { ViewProps } from '../console-page.ts';
import { Block } from '../frame/data-table.tsx';
import { ActionButton, ActionForm, EditorField, Options, Submit, useAction } from '../frame/forms.tsx';
import { PartnerConnection } from '../import/connections.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatNumber } from '../reports/format.ts';
import { AddressView, Removal } from './address-view.tsx';
import {
  Desk,
  EditorState,
  PublishPage,
  protectFirstBreak,
  ReadForm,
  SaveButton,
  Unsaved,
} from './desk-view.tsx';
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
  const isPage = isOfKind(file, 'page') && view === 'form';
  const kind = findKind(file);
  const hasName = kind !== null && isFolder(kind);
  return (
    <div className={isDesk ? 'desk-view' : isPage ? 'page-view' : undefined}>
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
              address={page === null || !hasName ? null : buildFileAddress(file, { view: 'address' })}
              hasName={hasName}
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
      {/* The brand is a page of the settings. */}
      {!isOfKind(file, 'brand') && (
        <p className="back-link">
          <a href={buildConsoleAddress('content')}>All content</a>
        </p>
      )}
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
  const { problems, view, form } = model;
  if (problems.length === 0) return null;
  return (
    <Block
      title="What has to be corrected first"
      id="file-problems"
      className="max-w-208 [&_li]:p-[.25rem_0] [&_.text-button]:text-left"
    >
      <ul>
        {problems.map(({ text, field, line }) => (
          <li key={text}>
            {view === 'text' || form === null ? (
              <>
                {line !== null && `Line ${line.number}: `}
                {text}
                {line !== null && <code className="editor-line">{line.text}</code>}
              </>
            ) : field === null ? (
              text
            ) : (
              <a href={`#${buildFieldId(field)}`}>{text}</a>
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
  const attributes = {
    id: 'editor',
    className: 'editor',
    encType: 'multipart/form-data',
    action: buildFileAddress(file, view === 'text' ? { view } : {}),
    'data-posted': model.isPosted || undefined,
    'data-operator': model.operator,
    // What is in the fields is what the server has sent; what it does not have yet is kept by the script.
    autoComplete: 'off',
  };
  const content = (
    <>
      {shown === null || model.body === null ? (
        <>
          {shown === null || model.fields === null ? (
            <WholeText model={model} />
          ) : (
            <WrittenForm model={model} fields={model.fields} />
          )}
          {readOnly === null && <SaveBar model={model} />}
        </>
      ) : view === 'publish' ? (
        <PublishPage model={model} form={shown} />
      ) : (
        <Desk model={model} form={shown} body={model.body}>
          {model.notes !== null && (
            <>
              <Notes notes={{ ...model.notes, figures: [] }} />
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
        Check<span className="phone:sr-only">{'\u00a0without saving'}</span>
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

/** The form of a file, and what depends on it. */
function WrittenForm({ model, fields }: { readonly model: FileModel; readonly fields: FormModel }) {
  return (
    <div className="editor-panes">
      {model.readOnly === null && <Unsaved model={model} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-[.9rem]">
        <ReadForm model={model} fields={fields} />
        {model.notes !== null && <Notes notes={model.notes} />}
      </div>
    </div>
  );
}

type FormNotes = NonNullable<FileModel['notes']>;

/** What depends on the file: who uses it, whether its colors can be read, where its links lead. */
function Notes({ notes }: { readonly notes: FormNotes }) {
  const { uses, outgoing, figures } = notes;
  return (
    <>
      {outgoing.length > 0 && (
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
                  formAction={`?${new URLSearchParams({ destination: name })}`}
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
  const count = `Used in ${formatCount(uses.length, 'file')}`;
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
