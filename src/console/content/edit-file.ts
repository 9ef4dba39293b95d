import type { ContentFiles, ContentText, SavedContent } from '../../content-files/content-files.ts';
import {
  type AskedOperation,
  buildField,
  buildOperationEdit,
  type FieldGroup,
  findFieldAt,
  findFormSchema,
  findOpenAfter,
  findOperation,
  findPart,
  formatAt,
  listFieldEdits,
  listLeaves,
  listParts,
  normalizeBreaks,
} from '../../content-files/edit/plan-form.ts';
import { editYaml, splitMarkdown, type YamlPath } from '../../content-files/edit-yaml.ts';
import { hashText, parseYaml } from '../../content-files/parse-yaml.ts';
import type { ContentProblem } from '../../core/pages/content.ts';
import type { ActionResult } from '../actions.ts';
import { noteContentChange } from '../activity/read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { CONSOLE_HEADERS } from '../http.ts';
import { findPublishProblem, isDraft, READ_ONLY_BUILD } from './drafts.ts';
import { describeContrasts, listFigures, listOutgoing, listUses, testOutgoing } from './edit-notes.ts';
import { buildFileAddress } from './file-address.ts';
import { compareTexts, countChangedLines, readHistory, storeVersion } from './history.ts';
import { listChoices } from './list-choices.ts';
import {
  type AddressChange,
  changePieceAddress,
  findPieceAddress,
  type PieceAddress,
  planOwnAddress,
  readPieceAddress,
} from './piece-address.ts';
import {
  changePieceState,
  duplicatePiece,
  parseStateChange,
  readPieceState,
  type StateChange,
} from './pieces.ts';
import { findPreviewPath } from './preview.ts';
import { openContentFiles } from './written-files.ts';

/** The text of a file as an operator is writing it: part of the form, so that the server stores nothing of it. */
export interface ContentDraft {
  readonly text: string;
  /** Hash of the file that was opened; empty for a new file. */
  readonly opened: string;
  readonly problems: readonly ContentProblem[];
  /** The file that is there instead of the one that was opened; null: it was not changed meanwhile. */
  readonly current: ContentText | null;
  /** The address of the field that is opened, such as `sections.2`; left out: that of the request. */
  readonly at?: string;
  /** Which way an item was moved: its button has the focus again. */
  readonly moved?: 'up' | 'down';
}

/** A posted form whose text is not saved: it is shown again, with `status`. */
export interface ShownDraft {
  readonly draft: ContentDraft;
  readonly status: 200 | 403 | 409 | 422 | 503;
  readonly message: string;
  readonly isError: boolean;
}

/** Something wrong with a file, with the field of the form where it is. */
interface FieldProblem {
  readonly text: string;
  /** Its name in the form; null when it has none. */
  readonly field: string | null;
  /** Its address, such as `sections.2.title`. */
  readonly at: string;
  readonly reason: string;
  /** The line of the text from 1, with what it has; null when it is not known. */
  readonly line: { readonly number: number; readonly text: string } | null;
}

/** Why a file with a text (null: a new one) cannot be changed here; null when it can. */
async function findReadOnlyReason(
  site: ConsoleSite,
  { viewer }: Pick<ViewRequest, 'viewer'>,
  file: string,
  text: string | null,
): Promise<string | null> {
  if (site.platform.content.files === null) return READ_ONLY_BUILD;
  const problem = findPublishProblem(viewer, file, text === null ? [] : [text]);
  return problem ?? findFolderProblem(site);
}

/** Why no content can be changed here; null when it can. */
export async function findFolderProblem({ platform }: ConsoleSite): Promise<string | null> {
  const { files } = platform.content;
  return files === null ? READ_ONLY_BUILD : files.findWriteProblem();
}

/** Reads a file with its form, its text and its versions; null when there is no such file. */
export async function readContentFile(site: ConsoleSite, request: ViewRequest) {
  const file = request.rest.join('/');
  const found = openContentFiles(site).read(file);
  const { draft } = request;
  const isMissing = 'problem' in found;
  if (!isMissing) await noteFound(site, file, found);
  const history = await readHistory(site.content.versions, file, request.parameters);
  // A file that was removed can be put back.
  const isGone = isMissing && draft === undefined;
  if (isGone && history.versions.length === 0) return null;
  const saved = isMissing ? '' : found.text;
  const text = draft?.text ?? saved;
  const address = findPieceAddress(site, file);
  const asked = parseViewName(request.parameters.get('view'), file);
  const view = isGone ? 'history' : asked === 'address' && address === null ? 'form' : asked;
  const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
  const form = buildForm(file, text);
  const opened = form === null ? null : openForm(form, file, text, request);
  const changes = countChangedLines(saved, text);
  return {
    kind: 'file' as const,
    file,
    title: nameText(form, file),
    view: form === null && view === 'form' ? 'text' : view,
    text,
    opened: draft?.opened ?? (isMissing ? '' : found.hash),
    changedLines: changes.added + changes.removed,
    form: opened,
    /** Markdown of an article; null for other files. */
    body: parts?.body ?? null,
    notes: opened === null || view !== 'form' ? null : readNotes(site, file, text, opened),
    problems: (draft?.problems ?? []).map((problem) => buildFieldProblem(problem, { file, form, text })),
    /** What is different on the server, for an operator whose text is not saved because of it. */
    conflict: draft?.current
      ? { hash: draft.current.hash, rows: compareTexts(draft.current.text, text) }
      : null,
    history,
    /** There is no such file any more: only its versions are shown. */
    isGone,
    /** What visitors see of it; null for files that have no state. */
    piece: isGone ? null : readPieceState(site, file, saved),
    /** The page of the site that the file is of; null for others. */
    page: address?.path ?? null,
    /** What depends on the address of its page, in its view alone. */
    address:
      view === 'address' && address !== null
        ? readPieceAddress(site, address, saved, request.parameters)
        : null,
    readOnly: await findReadOnlyReason(site, request, file, isMissing ? null : found.text),
    /** Whether the text is that of a posted form. */
    isPosted: draft !== undefined,
    hasPreview: site.previews !== null && findPreviewPath(file) !== null,
  };
}

/** Files whose texts can name figures. */
const NAMING_FILES = /^(?:pages|articles|products)\/|^(?:assessment|site)\.yaml$/;

/** What depends on a file, and what its fields are about. */
function readNotes(site: ConsoleSite, file: string, text: string, { open, at }: ReturnType<typeof openForm>) {
  return {
    figures: NAMING_FILES.test(file) ? listFigures(site.content.read()) : [],
    uses: listUses(site, file, at || open.at),
    contrasts: file === 'brand.yaml' ? describeContrasts(text) : [],
    outgoing: file.startsWith('partners/') ? listOutgoing(text) : [],
  };
}

/** The address of the last field that begins on a line or above it; empty for the body of an article. */
function findAddressAtLine(
  form: FieldGroup,
  { file, text, line }: { readonly file: string; readonly text: string; readonly line: number },
): string {
  const front = file.endsWith('.md') ? (splitMarkdown(text)?.front ?? '') : null;
  const parsed = parseYaml(front ?? text);
  // The front matter begins below a line of hyphens.
  const own = front === null ? line : line - 1;
  if ('problem' in parsed || (front !== null && own > front.split('\n').length)) return '';
  const lines = listLeaves(form)
    .filter(({ isPresent }) => isPresent)
    .map(({ path }) => ({ at: formatAt(path), line: parsed.findLine(path) ?? 0 }))
    .filter((found) => found.line <= own);
  return lines.reduce((last, found) => (found.line >= last.line ? found : last), { at: '', line: 0 }).at;
}

/** What a file is called: its title or its name, else its path. */
function nameText(form: FieldGroup | null, file: string): string {
  const named = ['title', 'name'].map((key) => form?.fields.find(({ path }) => path.join() === key));
  const title = named.find((field) => field !== undefined && 'value' in field && field.value.trim() !== '');
  return title !== undefined && 'value' in title ? title.value : file;
}

/** The parts of a form, and which one is open: that of the address, or that of the first problem elsewhere. */
function openForm(form: FieldGroup, file: string, text: string, { draft, parameters }: ViewRequest) {
  const parts = listParts(form);
  const line = Number(parameters.get('line') ?? '');
  const asked =
    draft?.at ?? parameters.get('at') ?? (line > 0 ? findAddressAtLine(form, { file, text, line }) : '');
  const faults = (draft?.problems ?? []).map(({ path = [] }) => formatAt(path));
  const isFaultOpen = faults.some((at) => findPart(parts, at) === findPart(parts, asked));
  const at = isFaultOpen ? asked : (faults.find((one) => one !== '') ?? asked);
  const open = findPart(parts, at);
  // The part itself is not a field that is looked for.
  return { form, parts, open, at: at === open.at ? '' : at, moved: draft?.moved ?? null };
}

/** Adds the text that is in the folder to the versions: it may have been changed in a shell. */
async function noteFound(
  { platform, content: { versions: contentVersions } }: ConsoleSite,
  file: string,
  found: ContentText,
) {
  const { hash, text } = found;
  const { files } = platform.content;
  // Content that is part of the build has the versions of its repository.
  if (files === null) return;
  const { changedAt = 0 } = files.list().find((entry) => entry.file === file) ?? {};
  await contentVersions.add(file, { hash, text, operator: '', savedAt: Math.round(changedAt) });
}

function parseViewName(name: string | null, file: string): 'form' | 'text' | 'history' | 'address' {
  if (name === 'text' || name === 'history' || name === 'address') return name;
  return findFormSchema(file) === null ? 'text' : 'form';
}

/** The form of a file; null when it is no YAML, or has no schema. */
function buildForm(file: string, text: string): FieldGroup | null {
  const schema = findFormSchema(file);
  const yaml = file.endsWith('.md') ? splitMarkdown(text)?.front : text;
  if (schema === null || yaml === undefined) return null;
  const parsed = parseYaml(yaml);
  const form = 'problem' in parsed ? null : buildField(schema, parsed.value ?? {}, []);
  return form?.kind === 'group' ? form : null;
}

function buildFieldProblem(
  { path, field, reason, ...problem }: ContentProblem,
  { file, form, text }: { readonly file: string; readonly form: FieldGroup | null; readonly text: string },
): FieldProblem {
  const isOwn = problem.file === file;
  const [, lineText = '', words = ''] = /^(?:line (\d+))?(?:, )?(.*)$/s.exec(field) ?? [];
  const number = isOwn && lineText !== '' ? Number(lineText) : null;
  const place = isOwn ? words : [`content/${problem.file}`, field].filter(Boolean).join(', ');
  // The fields of an article are named alone, such as `image.src`.
  const at = path === undefined ? (file.endsWith('.md') ? words : '') : formatAt(path);
  const found = isOwn && form !== null && at !== '' ? findFieldAt(form, at) : null;
  return {
    text: [place, reason].filter(Boolean).join(': '),
    field: found === null || found === form ? null : found.name,
    at: found === null ? '' : formatAt(found.path),
    reason,
    line: number === null ? null : { number, text: text.split('\n')[number - 1]?.trimEnd() ?? '' },
  };
}

const NOTHING = 'Nothing was saved.';
const ALREADY_SAVED = 'Saved. The file on the server had exactly this text already.';
const CHANGED_MEANWHILE = 'The file was changed on the server while you were writing: compare below.';
const REMOVED_MEANWHILE =
  'The file was removed on the server while you were writing. Your text is here: save it to create the file again.';

/** The file as it is; null when there is none. */
function readCurrent(files: ContentFiles, file: string): ContentText | null {
  const found = files.read(file);
  return 'problem' in found ? null : found;
}

/** Responds with the hash of a file, for the script that looks whether it was changed. */
export async function readFileState({ platform }: ConsoleSite, file: string): Promise<Response> {
  const { files } = platform.content;
  return buildData({ hash: (files && readCurrent(files, file))?.hash ?? '' });
}

/** Responds with what scripts offer while a text is written. */
export const readFileChoices = async (site: ConsoleSite) => buildData(listChoices(site));

/** Changes the address of the page of a file, or ends it. */
export async function changeAddress(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  change: AddressChange,
): Promise<ActionResult> {
  const file = request.rest.join('/');
  const piece = findPieceAddress(site, file);
  if (piece === null || site.platform.content.files === null)
    return {
      location: buildFileAddress(file),
      message: `The file has no address. ${NOTHING}`,
      isError: true,
    };
  const outcome = await changePieceAddress(site, piece, change, form, request);
  const unseen = outcome.isError ? null : findUnseen(site, file);
  return unseen === null ? outcome : { ...outcome, message: `${unseen} ${outcome.message}` };
}

const buildData = (data: object) =>
  new Response(JSON.stringify(data), {
    headers: { ...CONSOLE_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  });

/** The fields of a form as they were sent. */
export type WrittenFields = Readonly<Record<string, string>>;

/** What a button of the form of a file asks for. */
export type AskedChange =
  | { readonly kind: 'save' | 'check' | 'preview' | 'open' | 'compare' | 'duplicate' | StateChange }
  /** Saves the text in place of another one that was shown. */
  | { readonly kind: 'overwrite'; readonly replaced: string }
  | { readonly kind: 'restore'; readonly version: number }
  | { readonly kind: 'test'; readonly destination: string }
  | { readonly kind: 'list'; readonly operation: AskedOperation };

/** Takes over the fields of a posted form, and saves the file when it was asked for. */
export async function changeContentFile(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  asked: AskedChange,
): Promise<ActionResult> {
  const file = request.rest.join('/');
  const { files } = site.platform.content;
  const location = buildFileAddress(file);
  if (files === null) return { location, message: READ_ONLY_BUILD, isError: true };
  const current = readCurrent(files, file);
  const opened = asked.kind === 'overwrite' ? asked.replaced : (form['opened'] ?? '').trim();
  const piece = findPieceAddress(site, file);
  const base = restoreBreaks(form['draft'] ?? current?.text ?? '', current?.text ?? '');
  const isSaved = ['save', 'overwrite', 'restore'].includes(asked.kind);
  const show = (
    text: string,
    status: ShownDraft['status'],
    message: string,
    change: Partial<Omit<ContentDraft, 'text'>> = {},
  ) => ({
    draft: { text, opened, problems: [], current: null, ...change },
    ...{ status, message, isError: status !== 200 },
  });
  const showOther = (text: string, other: ContentText | null, saved: string) =>
    other === null
      ? show(text, 409, `${saved} ${REMOVED_MEANWHILE}`, { opened: '' })
      : show(text, 409, `${saved} ${CHANGED_MEANWHILE}`, { current: other });
  const edited = await applyForm(site, { file, base, form, asked, current: current?.text ?? '' });
  if (asked.kind === 'preview' && site.previews !== null)
    return site.previews.respond(file, 'problem' in edited ? base : edited.text);
  if ('problem' in edited) {
    const { path, problem: reason } = edited;
    return show(base, 422, `${NOTHING} ${reason}.`, { problems: [{ file, field: '', reason, path }] });
  }
  if (asked.kind === 'duplicate') {
    const { created, ...outcome } = await duplicatePiece(site, file, edited.text, request.viewer);
    if (created !== undefined) await noteCreated(site, created, request.viewer);
    return outcome;
  }
  const change = parseStateChange(asked.kind);
  const stated = change && changePieceState(site, { file, text: edited.text, change, form });
  if (stated !== null && 'problem' in stated) return show(edited.text, 422, `${NOTHING} ${stated.problem}.`);
  const { text: _, message, ...place } = edited;
  const text = stated?.text ?? edited.text;
  const hasArticleFiles = site.settings.ARTICLE_SOURCE === 'files';
  if (asked.kind === 'test') {
    const outcome = await testOutgoing(site, text, asked.destination, request.viewer);
    return { ...show(text, 200, outcome.message), isError: outcome.isError };
  }
  if (asked.kind === 'compare' && (current?.hash ?? '') !== opened)
    return showOther(text, current, NOT_SAVED);
  if (asked.kind === 'check') {
    const problems = files.check(file, text, hasArticleFiles);
    const found = problems.length === 0 ? 'No problem was found.' : `${countProblems(problems)} found.`;
    return show(text, 200, `${found} ${NOT_SAVED}`, { problems });
  }
  if (!isSaved && stated === null) return show(text, 200, message, place);
  const refused = findPublishProblem(request.viewer, file, current === null ? [text] : [current.text, text]);
  if (refused !== null) return show(text, 403, `${NOTHING} ${refused}`);
  // Sent again after a response that was lost.
  if (current?.text === text && current.hash !== opened) {
    const location = keepView(file, request.parameters, form);
    return { location, message: ALREADY_SAVED, isError: false, note: '' };
  }
  const { saved, freed } = saveFile(site, files, { file, text, opened, piece });
  if (saved.outcome === 'changed') return showOther(text, saved.current, NOTHING);
  if (saved.outcome === 'failed') return show(text, 503, saved.reason);
  if (saved.outcome === 'invalid') {
    const { problems } = saved;
    return show(text, 422, `${NOTHING} ${countProblems(problems)} found, named below.`, { problems });
  }
  const note = await noteSaved(site, file, { before: current, text, viewer: request.viewer });
  const address = keepView(file, request.parameters, form);
  return {
    location: address,
    message:
      (findUnseen(site, file) ??
        stated?.message ??
        (await describeBack(site, file, asked)) ??
        describeSaved(site, file, text)) +
      freed +
      note,
    isError: false,
    note: '',
  };
}

/** Saves a file. A piece that visitors see again at its address ends the redirects from it; `freed` says so. */
function saveFile(
  { settings }: ConsoleSite,
  files: ContentFiles,
  change: {
    readonly file: string;
    readonly text: string;
    readonly opened: string;
    readonly piece: PieceAddress | null;
  },
): { readonly saved: SavedContent; readonly freed: string } {
  const { file, text, piece } = change;
  const opened = change.opened === '' ? null : change.opened;
  const hasArticleFiles = settings.ARTICLE_SOURCE === 'files';
  const own = piece === null || isDraft(file, text) ? [] : planOwnAddress(files, piece.path);
  if (piece === null || own.length === 0)
    return { saved: files.save(file, text, { opened, hasArticleFiles }), freed: '' };
  const saved = files.saveTogether([{ file, text, opened }, ...own], hasArticleFiles);
  const freed = ` The redirect from ${piece.path} was removed, because the page is there again.`;
  if (saved.outcome === 'saved') return { saved: { outcome: 'saved', hash: hashText(text) }, freed };
  if (saved.outcome !== 'changed') return { saved, freed };
  const read = files.read(file);
  return { saved: { outcome: 'changed', current: 'problem' in read ? null : read }, freed };
}

/** What putting back a version from before a renaming did; null for every other save. */
async function describeBack(site: ConsoleSite, file: string, asked: AskedChange): Promise<string | null> {
  if (asked.kind !== 'restore') return null;
  const number = asked.version;
  const versions = await site.content.versions.readAll(file).catch(() => []);
  const version = versions.find((one) => one.number === number);
  return version === undefined || version.savedAs === ''
    ? null
    : `Version ${number} is put back. It is from the time when the file was content/${version.savedAs}; the address stays as it is now.`;
}

const countProblems = ({ length }: readonly unknown[]) =>
  length === 1 ? '1 problem was' : `${length} problems were`;

/** The address of what is shown after saving: the same view, the same part of the form. */
function keepView(file: string, parameters: URLSearchParams, form: WrittenFields): string {
  const at = parameters.get('at') ?? '';
  const view = form['view'] ?? '';
  if (['text', 'history'].includes(view)) return buildFileAddress(file, { view });
  return buildFileAddress(file, at === '' ? {} : { at });
}

/** Adds a new file to the versions and to the log of what operators change; returns what `noteSaved` does. */
export function noteCreated(
  site: ConsoleSite,
  { file, text }: { readonly file: string; readonly text: string },
  viewer: ViewRequest['viewer'],
): Promise<string> {
  return noteSaved(site, file, { before: null, text, viewer });
}

/** Stores the version, and notes the change. Returns what the operator has to know of it, after a space; mostly empty. */
export async function noteSaved(
  site: ConsoleSite,
  file: string,
  { before, text, viewer }: { before: ContentText | null; text: string; viewer: ViewRequest['viewer'] },
): Promise<string> {
  const hash = hashText(text);
  const versions = await site.content.versions.readAll(file).catch(() => []);
  const back = versions.find((version) => version.hash === hash);
  const first = before === null ? 'Created' : 'Saved';
  const change = back === undefined ? first : `Put back version ${back.number} of`;
  const note = await storeVersion(site, file, { before, text, viewer });
  site.log.info('content saved', { file, operator: viewer.id });
  const href = buildFileAddress(file, { view: 'history' });
  return note + (await noteContentChange(site, viewer, [file], `${change} content/${file}.`, href));
}

/** Why visitors do not see what was saved, as a sentence; null when they do. */
function findUnseen({ content }: ConsoleSite, file: string): string | null {
  const reason = content
    .readWarnings()
    .map((warning) => warning.replace(/^content: /, ''))
    .find((warning) => warning.startsWith('an edit is not shown') || warning.includes(`content/${file} `));
  return reason === undefined ? null : `Saved, but visitors do not see all of it yet: ${reason}.`;
}

function describeSaved(site: ConsoleSite, file: string, text: string): string {
  const { state } = readPieceState(site, file, text) ?? {};
  if (state === 'draft') return 'Saved. It is a draft, so visitors do not see it.';
  return state === 'scheduled' ? 'Saved. Visitors see it at its time.' : 'Saved. Visitors see it now.';
}

/** A text that a browser has sent, with the line breaks of the file; the file itself when it is the same text. */
function restoreBreaks(sent: string, file: string): string {
  const text = normalizeBreaks(sent);
  if (text === normalizeBreaks(file)) return file;
  return file.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

interface PostedForm {
  readonly file: string;
  /** The text that the form was built from. */
  readonly base: string;
  readonly form: WrittenFields;
  readonly asked: AskedChange;
  /** The text in the folder. */
  readonly current: string;
}

type Applied =
  | ({ readonly text: string; readonly message: string } & Pick<ContentDraft, 'at' | 'moved'>)
  | { readonly problem: string; readonly path: YamlPath };

const NOT_SAVED = 'Not saved yet.';

const NO_SUCH_BUTTON = {
  problem: 'The form is incomplete, or the name is taken or not allowed',
  path: [],
} as const;

async function applyForm(site: ConsoleSite, posted: PostedForm): Promise<Applied> {
  const { file, base, form, asked, current } = posted;
  if (asked.kind === 'restore') {
    const { version } = asked;
    const text = await site.content.versions.readText(file, version);
    if (text === null) return { problem: 'There is no such version any more', path: [] };
    return { text, message: `Version ${version} is in the form. Check it, then save it.` };
  }
  const whole = form['text'] ?? null;
  if (whole !== null) return { text: restoreBreaks(whole, current), message: NOT_SAVED };
  const parts = file.endsWith('.md') ? splitMarkdown(base) : null;
  const yaml = parts?.front ?? base;
  const edited = applyFields(posted, yaml);
  if ('problem' in edited || parts === null) return edited;
  const body = form['body'] ?? null;
  const isSame = body === null || normalizeBreaks(body).trim() === normalizeBreaks(parts.body);
  return { ...edited, text: parts.join(edited.text, isSame ? parts.body : normalizeBreaks(body)) };
}

function applyFields({ file, form, asked }: PostedForm, yaml: string): Applied {
  const schema = findFormSchema(file);
  const parsed = parseYaml(yaml);
  if (schema === null || 'problem' in parsed) return { text: yaml, message: NOT_SAVED };
  const fields = buildField(schema, parsed.value ?? {}, []);
  const filled = editYaml(
    yaml,
    listFieldEdits(fields, (name) => form[name] ?? null),
  );
  if ('problem' in filled) return filled;
  // Another part of the form is opened without a message.
  if (asked.kind !== 'list') return { text: filled.text, message: asked.kind === 'open' ? '' : NOT_SAVED };
  const operation = findOperation(fields, asked.operation);
  if (operation === null) return NO_SUCH_BUTTON;
  const now = parseYaml(filled.text);
  const edit = buildOperationEdit(operation, {
    schema,
    value: 'problem' in now ? parsed.value : now.value,
    type: (form[`type ${JSON.stringify(operation.path)}`] ?? '').trim(),
    key: (form[`key ${JSON.stringify(operation.path)}`] ?? '').trim(),
  });
  if (edit === null) return NO_SUCH_BUTTON;
  const changed = editYaml(filled.text, [edit]);
  if ('problem' in changed) return changed;
  const from = operation.kind === 'move' ? Number(operation.path.at(-1)) : 0;
  return {
    text: changed.text,
    message: `${DONE[operation.kind]} ${NOT_SAVED}`,
    at: findOpenAfter(operation, edit),
    ...(operation.kind === 'move' && { moved: operation.to < from ? 'up' : 'down' }),
  };
}

const DONE = { move: 'Moved.', copy: 'Duplicated.', remove: 'Removed.', add: 'Added.' } as const;
