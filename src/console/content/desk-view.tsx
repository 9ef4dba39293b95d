import type { ComponentProps, ReactNode } from 'react';
import { PLACEHOLDERS } from '../../core/pages/drafts.ts';
import { IMAGES_PREFIX } from '../../core/paths.ts';
import { buildArticleSharingImage } from '../../core/seo/page-head.ts';
import { ActionButton, Checkbox, EditorField } from '../frame/forms.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import {
  buildFieldId,
  type FieldContext,
  FieldsInside,
  GroupFields,
  NamedLists,
  protectFirstBreak,
} from './edit-fields.tsx';
import type { FileModel, OpenForm } from './edit-view.tsx';
import { buildFileAddress } from './file-address.ts';
import { Comparison } from './history-view.tsx';
import { KeepDate, PublicationTime } from './piece-view.tsx';

/** What the fields of a form have in common. */
export function buildContext(model: FileModel, { at, moved, form }: OpenForm): FieldContext {
  const faults = Map.groupBy(model.problems, ({ field }) => field ?? '');
  const figures = new Map((model.notes?.figures ?? []).map((figure) => [figure.name, figure]));
  return { at, moved, faults, figures, named: model.named, form };
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
    <SaveButton model={model} className="hidden-text" tabIndex={-1} aria-hidden="true" />
  </>
);

/** What is saved and what is not, and who else writes in the file. */
export function EditorState({ model }: { readonly model: FileModel }) {
  const { file, changedLines, kept, others, isPosted, operator } = model;
  const lines = `${formatNumber(changedLines)} changed ${changedLines === 1 ? 'line is' : 'lines are'} not saved.`;
  const said = kept?.isUnsaved && !isPosted ? `This is your text of ${kept.time}, not saved yet.` : lines;
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

/** What is set for every article, in the order in which it is looked for. */
const FIRST_SETTINGS = ['author', 'categories', 'publishedAt', 'image', 'tags'] as const;
const SHARED_SETTINGS = [
  'seoTitle',
  'seoDescription',
  'socialTitle',
  'socialDescription',
  'index',
  'canonicalUrl',
] as const;

interface DeskProps {
  readonly model: FileModel;
  readonly form: OpenForm;
}

/** An article: its title, summary and text as the first and widest thing, and its settings at the side. */
export function Desk({
  model,
  form,
  body,
  children,
}: DeskProps & { readonly body: string; readonly children: ReactNode }) {
  const isReadOnly = model.readOnly !== null;
  const context = buildContext(model, form);
  const written = WRITTEN_FIELDS.flatMap((key) => form.form.fields.find(({ path }) => path[0] === key) ?? []);
  const find = (keys: readonly string[]) =>
    keys.flatMap((key) => form.form.fields.find(({ path }) => path[0] === key) ?? []);
  const [first, shared] = [find(FIRST_SETTINGS), find(SHARED_SETTINGS)];
  // Whether it is a draft is said by the buttons.
  const rest = form.form.fields.filter(
    (field) => ![...written, ...first, ...shared].includes(field) && field.path[0] !== 'draft',
  );
  const settings = { ...form.form, fields: [...first, ...rest] };
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
            <WrittenField key={field.name} field={field} context={context} isReadOnly={isReadOnly} />
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
        <fieldset className="editor-group desk-settings" id="settings" tabIndex={-1} disabled={isReadOnly}>
          <legend data-tool="Settings" data-keys="Ctrl .">
            Settings
          </legend>
          {model.page !== null && (
            <p className="desk-count">
              Address <code>{model.page}</code>{' '}
              <a href={buildFileAddress(model.file, { view: 'address' })}>Change</a>
            </p>
          )}
          <GroupFields field={settings} context={context}>
            <FieldsInside name="Search and sharing" fields={shared} context={context} />
          </GroupFields>
          {children}
          <NamedLists named={model.named} field={form.form} />
        </fieldset>
      </div>
    </>
  );
}

const nameState = (state: string) => state.charAt(0).toUpperCase() + state.slice(1);

/** The way back, what visitors see in words, and the buttons. */
function DeskBar({ model }: { readonly model: FileModel }) {
  const { file, page, piece, hasPreview, readOnly, unsaved } = model;
  const address = page === null ? null : buildFileAddress(file, { view: 'address' });
  return (
    <div className="desk-bar">
      <a href={buildConsoleAddress('content')}>Content</a>
      <div className="desk-state">
        {piece !== null && (
          <b>
            {page !== null && piece.state === 'published' ? (
              <a href={page}>Published</a>
            ) : (
              nameState(piece.state)
            )}
            .{' '}
          </b>
        )}
        {readOnly === null && <EditorState model={model} />}
      </div>
      <div className="desk-bar-end" data-desk-bar="">
        <details className="desk-more">
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
function WrittenField(props: {
  readonly field: OpenForm['form']['fields'][number];
  readonly context: FieldContext;
  readonly isReadOnly: boolean;
}) {
  const { field, context, isReadOnly } = props;
  if (!('value' in field)) return null;
  const { name, label, value } = field;
  const isTitle = field.path[0] === 'title';
  const shown = value.replace(/\{([a-z]+:[^{}\s]+)\}/g, (all, key) => context.figures.get(key)?.value ?? all);
  const error = context.faults
    .get(name)
    ?.map(({ reason }) => reason)
    .join('; ');
  return (
    <EditorField
      id={buildFieldId(name)}
      label={label}
      error={error}
      help={shown === value ? undefined : `Readers see: ${shown}`}
    >
      {(own) => (
        <textarea
          {...own}
          name={name}
          className={isTitle ? 'desk-title' : 'desk-summary'}
          rows={isTitle ? 1 : 2}
          readOnly={isReadOnly}
          data-placeholder={PLACEHOLDERS.includes(value) || undefined}
          placeholder={isTitle ? 'Title' : 'One or two sentences: who should read it, and what they learn.'}
          defaultValue={protectFirstBreak(value)}
        />
      )}
    </EditorField>
  );
}

/** Reads the value of a field of the front matter as text. */
function readField({ form }: OpenForm, key: string): string {
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
  const hasImage = form.form.fields.some(({ path, isPresent }) => path[0] === 'image' && isPresent);
  const slug = file.replace(/^articles\/|\.md$/g, '');
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
        <div className="publish-choices">
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
        <aside className="publish-shows" aria-label="What others show">
          <h3>In search results</h3>
          <div className="publish-card">
            <p className="desk-count">{page}</p>
            <p className="publish-title">{cut(searchTitle, SEARCH_TITLE)}</p>
            <p>{cut(searchText, SEARCH_TEXT)}</p>
          </div>
          <h3>When shared</h3>
          <div className="publish-card">
            <img src={sharingImage} alt="" width={1200} height={630} />
            <p className="desk-count">
              {hasImage
                ? 'Drawn around the picture of the article when the site is built; until then, the picture of the site.'
                : 'The picture of the site: the article has none.'}
            </p>
            <p className="publish-title">{readField(form, 'socialTitle') || searchTitle}</p>
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
    <section className="publish-findings" data-kind={kind}>
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
