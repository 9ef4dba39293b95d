import type { ComponentProps, ReactNode } from 'react';
import { nameOfFile } from '../../content-files/kinds.ts';
import type { EditField, FieldGroup } from '../../core/console/form-fields.ts';
import { isDraftText } from '../../core/pages/drafts.ts';
import { IMAGES_PREFIX } from '../../core/paths.ts';
import { buildArticleSharingImage } from '../../core/seo/page-head.ts';
import { capitalize } from '../../core/text/words.ts';
import { buildFieldId, FileForm, type FormModel } from '../../editor/form.tsx';
import { ActionButton, Checkbox, EditorField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import type { FileModel } from './edit-view.tsx';
import { buildFileAddress } from './file-address.ts';
import { Comparison } from './history-view.tsx';
import { KeepDate, PublicationTime } from './piece-view.tsx';

/** HTML drops the line break with which a text area begins. */
export const protectFirstBreak = (text: string) => (text.startsWith('\n') ? `\n${text}` : text);

/** The fields of a file, to be read; a script puts those to write in at their place. */
export function ReadForm({ model, fields }: { readonly model: FileModel; readonly fields: FormModel }) {
  const isReadOnly = model.readOnly !== null;
  return (
    <>
      {!isReadOnly && (
        <noscript>
          <p className="problem">Writing needs scripts: this can be read alone.</p>
        </noscript>
      )}
      <fieldset className="min-w-0" disabled>
        <legend className="hidden-text">{model.title}</legend>
        <div className="editor-group" data-form={isReadOnly ? undefined : JSON.stringify(fields)}>
          <FileForm model={fields} acts={null} />
        </div>
      </fieldset>
    </>
  );
}

/** Saves the file; where visitors would see that, or the operator may not, it keeps what is written and no more. */
export const SaveButton = ({
  model: { piece, body, unsaved },
  ...button
}: Omit<ComponentProps<typeof ActionButton>, 'of'> & { readonly model: FileModel }) => (
  <ActionButton
    of={unsaved !== null || (body !== null && piece !== null && piece.state !== 'draft') ? 'keep' : 'save'}
    {...button}
  >
    Save
  </ActionButton>
);

/** The text with the changes of other parts, and the button that Enter in a field clicks: the first of a form. */
export const Unsaved = ({ model }: { readonly model: FileModel }) => (
  <>
    <textarea name="draft" hidden readOnly defaultValue={protectFirstBreak(model.text)} />
    {model.fields !== null && (
      <textarea name="front" hidden readOnly defaultValue={JSON.stringify(model.fields.value)} />
    )}
    <SaveButton model={model} className="hidden-text" tabIndex={-1} aria-hidden="true" />
  </>
);

/** What is saved and what is not, and who else writes in the file. */
export function EditorState({ model }: { readonly model: FileModel }) {
  const { file, changedLines, kept, others, isPosted, operator } = model;
  const lines = `${formatNumber(changedLines)} changed ${changedLines === 1 ? 'line is' : 'lines are'} not saved.`;
  const said = kept?.isUnsaved && !isPosted ? kept.said : lines;
  return (
    <p>
      <span data-editor-state={changedLines} data-copy={kept?.stamp ?? ''}>
        {changedLines === 0 ? 'No unsaved changes.' : said}
      </span>{' '}
      <span data-editor-kept="" hidden={!kept?.isUnsaved}>
        <a href={buildFileAddress(file, { copy: operator })}>Compare</a>{' '}
        <ActionButton of="drop-copy" className="text-button">
          Discard
        </ActionButton>
      </span>{' '}
      <span data-editor-others="">
        {others.map(({ text, href }) => (
          <span key={text}>
            {text}
            {href !== '' && (
              <>
                : <a href={href}>compare</a>
              </>
            )}
            .{' '}
          </span>
        ))}
      </span>
    </p>
  );
}

/** What stands above the text of an article; everything else of it is a setting. */
const WRITTEN_FIELDS = ['title', 'excerpt'] as const;

interface DeskProps {
  readonly model: FileModel;
  readonly form: FieldGroup;
}

/** An article: its title, summary and text as the first and widest thing, and its settings at the side. */
export function Desk({
  model,
  form,
  body,
  children,
}: DeskProps & { readonly body: string; readonly children: ReactNode }) {
  const isReadOnly = model.readOnly !== null;
  const written = WRITTEN_FIELDS.flatMap((key) => form.fields.find(({ path }) => path[0] === key) ?? []);
  return (
    <>
      {!isReadOnly && <Unsaved model={model} />}
      <DeskBar model={model} />
      <div className="editor-panes desk">
        <nav className="desk-outline" aria-label="In this piece">
          <h2 data-tool="Outline" data-keys="Ctrl Shift O">
            In this piece
          </h2>
          <ol data-desk-outline="" />
        </nav>
        <div className="desk-page">
          {written.map((field) => (
            <WrittenField key={field.name} field={field} model={model} />
          ))}
          <div className="editor-field">
            <label htmlFor="editor-body" className="hidden-text">
              Text of the article, in Markdown
            </label>
            <textarea
              id="editor-body"
              name="body"
              className="editor-code"
              rows={30}
              readOnly={isReadOnly}
              data-first-line={model.text.slice(0, model.text.lastIndexOf(body)).split('\n').length}
              defaultValue={protectFirstBreak(body)}
            />
          </div>
          {model.notes?.call != null && (
            <p className="editor-note">
              Added for readers within the text and after it, by the partner in Settings or else in{' '}
              <a href={buildFileAddress('site.yaml')}>Site</a>: {model.notes.call}
            </p>
          )}
        </div>
        <section className="editor-group desk-settings" id="settings" tabIndex={-1}>
          <h2 data-tool="Settings" data-keys="Ctrl .">
            Settings
          </h2>
          {model.page !== null && (
            <p className="desk-count">
              Address <code>{model.page}</code>{' '}
              <a href={buildFileAddress(model.file, { view: 'address' })}>Change</a>
            </p>
          )}
          {model.fields !== null && <ReadForm model={model} fields={model.fields} />}
          {children}
        </section>
      </div>
    </>
  );
}

/** The way back, what visitors see in words, and the buttons. */
function DeskBar({ model }: { readonly model: FileModel }) {
  const { file, page, piece, hasPreview, readOnly, unsaved } = model;
  const address = page === null ? null : buildFileAddress(file, { view: 'address' });
  return (
    <div className="desk-bar">
      <a href={buildConsoleAddress('content')}>Content</a>
      <div className="text-muted text-small min-w-0 max-w-[70ch] [&>*]:inline">
        {piece !== null && (
          <b>
            {page !== null && piece.state === 'published' ? (
              <a href={page}>Published</a>
            ) : (
              capitalize(piece.state)
            )}
            .{' '}
          </b>
        )}
        {readOnly === null && <EditorState model={model} />}
      </div>
      <div className="flex flex-wrap items-center gap-[.4rem] ml-auto" data-desk-bar="">
        <details className="relative phone:static [&>summary]:px-[.5rem] [&>summary]:min-h-9 [&>summary]:content-center">
          <summary>More</summary>
          <ul>
            <li>
              <code>content/{file}</code>
            </li>
            {page !== null && piece?.state === 'published' && (
              <li>
                <a href={page}>Open the page</a>
              </li>
            )}
            <li>
              <a href={buildFileAddress(file, { view: 'history' })}>History</a>
            </li>
            <li>
              <a href={buildFileAddress(file, { view: 'text' })}>The whole file as text</a>
            </li>
            {address !== null && (
              <li>
                <a href={address}>
                  {piece?.state === 'published' ? 'Rename, take down or remove' : 'Rename or remove'}
                </a>
              </li>
            )}
            {readOnly === null && (
              <>
                <li>
                  <ActionButton of="duplicate" className="text-button">
                    Duplicate
                  </ActionButton>
                </li>
                <li>
                  <ActionButton of="check" className="text-button">
                    Check without saving
                  </ActionButton>
                </li>
              </>
            )}
          </ul>
        </details>
        {readOnly === null && (
          <>
            {hasPreview && (
              <ActionButton
                of="preview"
                formTarget="_blank"
                className="button button-quiet"
                data-editor-preview
              >
                Preview
              </ActionButton>
            )}
            <SaveButton model={model} className="button button-quiet" />
            {unsaved === null ? (
              <ActionButton
                of="open"
                formAction={buildFileAddress(file, { view: 'publish' })}
                className="button"
                data-tool="Publish"
                data-keys="Ctrl Shift Enter"
              >
                {piece?.state === 'published' ? 'Update' : 'Publish'}
              </ActionButton>
            ) : (
              <span className="desk-count">Ask an operator who may publish</span>
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** The title or the summary as it stands on the page. */
function WrittenField({ field, model }: { readonly field: EditField; readonly model: FileModel }) {
  if (!('value' in field)) return null;
  const { name, label, value } = field;
  const isTitle = field.path[0] === 'title';
  const figures = new Map((model.notes?.figures ?? []).map((figure) => [figure.name, figure.value]));
  const shown = value.replace(/\{([a-z]+:[^{}\s]+)\}/g, (all, key) => figures.get(key) ?? all);
  const reasons = model.problems.flatMap((one) => (one.field === name ? [one.reason] : []));
  return (
    <EditorField
      id={buildFieldId(name)}
      label={label}
      error={reasons.join('; ') || undefined}
      help={shown === value ? undefined : `Readers see: ${shown}`}
    >
      {(own) => (
        <textarea
          {...own}
          name={name}
          dir="auto"
          className={isTitle ? 'desk-title' : 'desk-summary'}
          rows={isTitle ? 1 : 2}
          readOnly={model.readOnly !== null}
          data-placeholder={isDraftText(value) || undefined}
          placeholder={isTitle ? 'Title' : 'One or two sentences: who should read it, and what they learn.'}
          defaultValue={protectFirstBreak(value)}
        />
      )}
    </EditorField>
  );
}

/** Reads the value of a field of the front matter as text. */
function readField(form: FieldGroup, key: string): string {
  const field = form.fields.find(({ path }) => path[0] === key);
  return field !== undefined && 'value' in field ? field.value.trim() : '';
}

/** One page before visitors see a piece: what search and sharing will show, what is missing, and when. */
export function PublishPage({ model, form }: DeskProps) {
  const { file, piece, publish, page } = model;
  const title = readField(form, 'title');
  const categories = readField(form, 'categories').split('\n').filter(Boolean).join(', ');
  const author = readField(form, 'author');
  const isPublished = piece?.state === 'published';
  const errors = publish?.errors ?? [];
  const searchTitle = readField(form, 'seoTitle') || title;
  const searchText = readField(form, 'seoDescription') || readField(form, 'excerpt');
  const hasImage = form.fields.some(({ path, isPresent }) => path[0] === 'image' && isPresent);
  const slug = nameOfFile(file);
  const sharingImage = buildArticleSharingImage(slug, hasImage ? { src: IMAGES_PREFIX } : null);
  return (
    <>
      <Unsaved model={model} />
      <div className="desk-bar">
        <ActionButton of="open" formAction={buildFileAddress(file)} className="text-button">
          Back to writing
        </ActionButton>
      </div>
      <div className="editor-panes publish">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-[.9rem] content-start">
          <h2 className="view-title">{isPublished ? 'Update' : 'Publish'}</h2>
          <p>
            <b>{title || 'Without a title'}</b>
            {page !== null && (
              <>
                {' '}
                at <code>{page}</code>
              </>
            )}
            {author !== '' && `, by ${author}`}
            {categories !== '' && `, in ${categories}`}.
          </p>
          <Findings title={countMissing(errors.length)} kind="error" findings={errors} file={file} />
          <Findings title="To decide" kind="warning" findings={publish?.warnings ?? []} file={file} />
          {isPublished ? <UpdateChoice /> : piece !== null && <PublishChoice piece={piece} />}
          {isPublished && publish !== null && (
            <details className="editor-more">
              <summary>What changes</summary>
              <Comparison rows={publish.rows} before="Visitors see" after="After the update" />
            </details>
          )}
        </div>
        <aside
          className="grid grid-cols-[minmax(0,1fr)] gap-[.9rem] content-start"
          aria-label="What others show"
        >
          <h3>In search results</h3>
          <div className="publish-card">
            <p className="desk-count">{page}</p>
            <p className="text-[1.1rem] text-accent">{cut(searchTitle, SEARCH_TITLE)}</p>
            <p>{cut(searchText, SEARCH_TEXT)}</p>
          </div>
          <h3>When shared</h3>
          <div className="publish-card">
            <img src={sharingImage} alt="" width={1200} height={630} />
            <p className="desk-count">
              {hasImage
                ? 'Drawn around the picture of the article; until it is ready, the picture of the site.'
                : 'The picture of the site: the article has none.'}
            </p>
            <p className="text-[1.1rem] text-accent">{readField(form, 'socialTitle') || searchTitle}</p>
            <p>{readField(form, 'socialDescription') || searchText}</p>
          </div>
          {model.hasPreview && (
            <ActionButton
              of="preview"
              formTarget="_blank"
              className="button button-quiet"
              data-editor-preview
            >
              Preview the page
            </ActionButton>
          )}
        </aside>
      </div>
    </>
  );
}

/** Characters that search results show, about. */
const SEARCH_TITLE = 60;
const SEARCH_TEXT = 160;

const cut = (text: string, max: number) =>
  text.length <= max ? text : `${text.slice(0, max).replace(/\s+\S*$/, '')} …`;

const countMissing = (count: number) =>
  count === 0
    ? 'Nothing is missing'
    : count === 1
      ? '1 thing is missing'
      : `${formatNumber(count)} things are missing`;

type PublishModel = NonNullable<FileModel['publish']>;

/** What was found, each leading to its place. */
function Findings(props: {
  readonly title: string;
  readonly kind: 'error' | 'warning';
  readonly findings: PublishModel['errors'];
  readonly file: string;
}) {
  const { title, kind, findings, file } = props;
  if (findings.length === 0) return kind === 'error' ? <p>{title}.</p> : null;
  return (
    <section
      className={`pl-[.9rem] border-l-3 [&_li]:py-[.2rem] ${kind === 'error' ? 'border-danger' : 'border-warning'}`}
    >
      <h3>{title}</h3>
      <ul>
        {findings.map(({ text, at, line }) => (
          <li key={text}>
            {text}.{' '}
            <ActionButton
              of="open"
              formAction={buildFileAddress(file, line === null ? { at } : { line: String(line) })}
              className="text-button"
            >
              Show<span className="hidden-text"> the place of {text}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Now, or at a time. */
function PublishChoice({ piece }: { readonly piece: NonNullable<FileModel['piece']> }) {
  const { state, hasTime } = piece;
  return (
    <fieldset className="editor-group">
      <legend>When</legend>
      <KeepDate piece={piece} />
      <div className="form-row">
        <ActionButton of="publish" className="button">
          Publish now
        </ActionButton>
        {state === 'scheduled' && (
          <ActionButton of="take-down" className="button button-quiet">
            Make it a draft again
          </ActionButton>
        )}
      </div>
      {hasTime && <PublicationTime piece={piece} />}
    </fieldset>
  );
}

/** What readers are told of a change. */
const UpdateChoice = () => (
  <fieldset className="editor-group">
    <legend>What readers are told</legend>
    <Checkbox
      className="check-line"
      name="update-date"
      value="yes"
      label=" Show today as the day of the last change"
    />
    <EditorField
      id="update-text"
      label="What changed, in one sentence, for the log at the end of the article"
      isOptional
      name="update-text"
      maxLength={240}
    />
    <div className="form-row">
      <ActionButton of="save" className="button">
        Update now
      </ActionButton>
    </div>
  </fieldset>
);
