import type { ContentProblem } from '../../core/pages/content.ts';
import { buildArticlePath, buildPagePath } from '../../core/paths.ts';
import { type ComparedLine, compareLines } from '../../core/text/compare-lines.ts';
import type { ContentFiles, ContentText } from '../../sources/content/content-files.ts';
import { editYaml, splitMarkdown, type YamlPath } from '../../sources/content/edit-yaml.ts';
import { hashText, parseYaml } from '../../sources/content/parse-yaml.ts';
import { noteActivity } from '../activity/read.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { getFormText } from '../http.ts';
import { findPublishProblem } from './drafts.ts';
import {
  buildField,
  buildOperationEdit,
  type EditField,
  findFormSchema,
  listFieldEdits,
  normalizeBreaks,
  parseOperation,
} from './edit-form.ts';
import { buildFileAddress } from './file-address.ts';

/** The text of a file as an operator is writing it: part of the form, so that the server stores nothing of it. */
export interface ContentDraft {
  readonly text: string;
  /** Hash of the file that was opened; empty for a new file. */
  readonly opened: string;
  readonly problems: readonly ContentProblem[];
  /** The file that is there instead of the one that was opened; null: it was not changed meanwhile. */
  readonly current: ContentText | null;
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
  readonly field: string | null;
}

/** Why content that is part of the build cannot be changed in the console. */
export const READ_ONLY_BUILD =
  'This site runs where its content is part of the build, so it cannot be changed here. Edit the files of the project, then build and deploy it with “npm run edge -- deploy”.';

/** Why a file with a text (null: a new one) cannot be changed here; null when it can. */
async function findReadOnlyReason(
  { platform }: ConsoleSite,
  { viewer }: Pick<ViewRequest, 'viewer'>,
  file: string,
  text: string | null,
): Promise<string | null> {
  const { files } = platform.content;
  if (files === null) return READ_ONLY_BUILD;
  const problem = findPublishProblem(viewer, file, text === null ? [] : [text]);
  return problem ?? files.findWriteProblem();
}

/** Reads a file with its form, its text and its versions; null when there is no such file. */
export async function readContentFile(site: ConsoleSite, request: ViewRequest) {
  const { platform, contentVersions } = site;
  const { files } = platform.content;
  const file = request.rest.join('/');
  const found = files?.read(file);
  if (files === null || found === undefined) return null;
  const { draft } = request;
  const isMissing = 'problem' in found;
  if (isMissing && draft === undefined) return null;
  if (!isMissing) await noteFound(site, files, file, found);
  const saved = isMissing ? '' : found.text;
  const text = draft?.text ?? saved;
  const view = parseViewName(request.parameters.get('view'), file);
  const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
  const form = buildForm(file, text);
  const problems = draft?.problems ?? [];
  const version = Number(request.parameters.get('version') ?? '');
  return {
    kind: 'file' as const,
    file,
    view: form === null && view === 'form' ? 'text' : view,
    text,
    opened: draft?.opened ?? (isMissing ? '' : found.hash),
    changedLines: countChanges(saved, text),
    form,
    /** Markdown of an article; null for other files. */
    body: parts?.body ?? null,
    problems: problems.map((problem) => buildFieldProblem(problem, file, form)),
    /** What is different on the server, for an operator whose text is not saved because of it. */
    conflict: draft?.current
      ? { hash: draft.current.hash, lines: shortenLines(draft.current.text, text) }
      : null,
    versions: await contentVersions.readAll(file),
    compared: await compareVersion(site, file, version, saved),
    /** The page of the site that the file is of; null for others. */
    page: findPage(file),
    readOnly: await findReadOnlyReason(site, request, file, isMissing ? null : found.text),
    formToken: request.formToken,
    reloadSeconds: site.settings.CONTENT_RELOAD_SECONDS,
  };
}

/** Adds the text that is in the folder to the versions: it may have been changed in a shell. */
async function noteFound(
  { contentVersions }: ConsoleSite,
  files: ContentFiles,
  file: string,
  found: ContentText,
) {
  const { hash, text } = found;
  const { changedAt = 0 } = files.list().find((entry) => entry.file === file) ?? {};
  await contentVersions.add(file, { hash, text, operator: '', savedAt: Math.round(changedAt) });
}

function parseViewName(name: string | null, file: string): 'form' | 'text' | 'history' {
  if (name === 'text' || name === 'history') return name;
  return findFormSchema(file) === null ? 'text' : 'form';
}

/** The form of a file; null when it is no YAML, or has no schema. */
function buildForm(file: string, text: string): EditField | null {
  const schema = findFormSchema(file);
  const yaml = file.endsWith('.md') ? splitMarkdown(text)?.front : text;
  if (schema === null || yaml === undefined) return null;
  const parsed = parseYaml(yaml);
  const form = 'problem' in parsed ? null : buildField(schema, parsed.value ?? {}, []);
  return form?.kind === 'group' ? form : null;
}

function findPage(file: string): string | null {
  const [, folder, name = ''] = /^(pages|articles)\/(.+)\.(?:yaml|md)$/.exec(file) ?? [];
  if (folder === undefined) return null;
  return folder === 'pages' ? buildPagePath(name) : buildArticlePath(name);
}

const countChanges = (before: string, after: string) =>
  before === after ? 0 : compareLines(before, after).filter(({ kind }) => kind !== 'same').length;

/** Lines around a difference that are shown. */
const AROUND = 2;

/** The differences of two texts with the lines around them; null is a gap. */
function shortenLines(before: string, after: string): readonly (ComparedLine | null)[] {
  const lines = compareLines(before, after);
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return isNear[index - 1] ? [null] : [];
  });
}

async function compareVersion(
  { contentVersions }: ConsoleSite,
  file: string,
  version: number,
  saved: string,
) {
  if (!Number.isSafeInteger(version) || version < 1) return null;
  const text = await contentVersions.readText(file, version);
  return text === null ? null : { number: version, lines: shortenLines(text, saved) };
}

/** The field of a form at a path, or the nearest one around it. */
function findField(field: EditField, path: YamlPath): EditField {
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  const next = inner.find(
    ({ path: own }) => own.at(-1) === path[own.length - 1] && own.length <= path.length,
  );
  return next === undefined ? field : findField(next, path);
}

function buildFieldProblem(problem: ContentProblem, file: string, form: EditField | null): FieldProblem {
  const { path, field, reason } = problem;
  const place = problem.file === file ? field : [`content/${problem.file}`, field].filter(Boolean).join(', ');
  const isOwn = problem.file === file && form !== null;
  // The fields of an article are named alone, such as `image.src`.
  const at = path ?? (file.endsWith('.md') ? field.split('.') : undefined);
  return {
    text: [place, reason].filter(Boolean).join(': '),
    field: isOwn && at !== undefined ? findField(form, at).name : null,
  };
}

const NOTHING = 'Nothing was saved.';

/** Takes over the fields of a posted form, and saves the file when it was asked for. */
export async function changeContentFile(
  site: ConsoleSite,
  form: FormData,
  request: ViewRequest,
): Promise<ActionOutcome | ShownDraft> {
  const file = request.rest.join('/');
  const { files } = site.platform.content;
  const location = buildFileAddress(file);
  if (files === null) return { location, message: READ_ONLY_BUILD, isError: true };
  const found = files.read(file);
  const current = 'problem' in found ? null : found;
  const posted = getFormText(form, 'do');
  const [, replaced] = /^overwrite:([0-9a-f]{64})$/.exec(posted) ?? [];
  const opened = replaced ?? getFormText(form, 'opened');
  const base = restoreBreaks(readText(form, 'draft') ?? current?.text ?? '', current?.text ?? '');
  const asked = replaced === undefined ? posted : 'save';
  const show = (
    text: string,
    status: ShownDraft['status'],
    message: string,
    problems: readonly ContentProblem[] = [],
  ) => ({
    draft: { text, opened, problems, current: status === 409 ? current : null },
    ...{ status, message, isError: status !== 200 },
  });
  const edited = await applyForm(site, { file, base, form, asked, current: current?.text ?? '' });
  if ('problem' in edited) {
    const { path, problem: reason } = edited;
    return show(base, 422, `${NOTHING} ${reason}.`, [{ file, field: '', reason, path }]);
  }
  const { text } = edited;
  if (asked !== 'save') return show(text, 200, edited.message);
  const refused = findPublishProblem(request.viewer, file, current === null ? [text] : [current.text, text]);
  if (refused !== null) return show(text, 403, `${NOTHING} ${refused}`);
  const hasArticleFiles = site.settings.ARTICLE_SOURCE === 'files';
  const saved = files.save(file, text, { opened: opened === '' ? null : opened, hasArticleFiles });
  if (saved.outcome === 'changed') {
    return show(
      text,
      409,
      `${NOTHING} The file was changed on the server while you were writing: compare below.`,
    );
  }
  if (saved.outcome === 'failed') return show(text, 503, saved.reason);
  if (saved.outcome === 'invalid') {
    const count = saved.problems.length === 1 ? '1 problem' : `${saved.problems.length} problems`;
    return show(
      text,
      422,
      `${NOTHING} There ${saved.problems.length === 1 ? 'is' : 'are'} ${count}, named below.`,
      saved.problems,
    );
  }
  await noteSaved(site, file, { before: current, text, viewer: request.viewer });
  return { location: keepView(location, form), message: describeSaved(site), isError: false };
}

function keepView(location: string, form: FormData): string {
  return getFormText(form, 'view') === 'text' ? `${location}?view=text` : location;
}

async function noteSaved(
  site: ConsoleSite,
  file: string,
  { before, text, viewer }: { before: ContentText | null; text: string; viewer: ViewRequest['viewer'] },
): Promise<void> {
  const { contentVersions, clock, log } = site;
  const savedAt = clock.now();
  const operator = viewer.kind === 'operator' ? viewer.name : '';
  const hash = hashText(text);
  const back = (await contentVersions.readAll(file)).find((version) => version.hash === hash);
  if (before !== null) await contentVersions.add(file, { ...before, operator: '', savedAt });
  await contentVersions.add(file, { text, hash, operator, savedAt });
  const change = before === null ? 'Created' : back ? `Put back version ${back.number} of` : 'Saved';
  await noteActivity(
    site,
    viewer,
    'content',
    `${change} content/${file}.`,
    buildFileAddress(file, { view: 'history' }),
  );
  log.info('content saved', { file, operator: viewer.id });
}

function describeSaved({ settings }: ConsoleSite): string {
  if (settings.CONTENT_RELOAD_SECONDS === 0) {
    return 'Saved. It applies at the next start: stop the site and run npm start.';
  }
  return 'Saved. Visitors see it within two seconds.';
}

const readText = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === 'string' ? value : null;
};

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
  readonly form: FormData;
  readonly asked: string;
  /** The text in the folder. */
  readonly current: string;
}

type Applied =
  | { readonly text: string; readonly message: string }
  | { readonly problem: string; readonly path: YamlPath };

const NOT_SAVED = 'Not saved yet.';

async function applyForm(site: ConsoleSite, posted: PostedForm): Promise<Applied> {
  const { file, base, form, asked, current } = posted;
  const [, version] = /^restore:(\d{1,9})$/.exec(asked) ?? [];
  if (version !== undefined) {
    const text = await site.contentVersions.readText(file, Number(version));
    if (text === null) return { problem: 'There is no such version any more', path: [] };
    return { text, message: `Version ${version} is in the form. Check it, then save it.` };
  }
  const whole = readText(form, 'text');
  if (whole !== null) return { text: restoreBreaks(whole, current), message: NOT_SAVED };
  const parts = file.endsWith('.md') ? splitMarkdown(base) : null;
  const yaml = parts?.front ?? base;
  const edited = applyFields(posted, yaml);
  if ('problem' in edited || parts === null) return edited;
  const body = readText(form, 'body');
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
    listFieldEdits(fields, (name) => readText(form, name)),
  );
  const operation = asked === 'save' ? null : parseOperation(asked);
  if ('problem' in filled || operation === null) {
    return 'problem' in filled ? filled : { text: filled.text, message: NOT_SAVED };
  }
  const now = parseYaml(filled.text);
  const edit = buildOperationEdit(operation, {
    schema,
    value: 'problem' in now ? parsed.value : now.value,
    type: getFormText(form, `type ${JSON.stringify(operation.path)}`),
  });
  if (edit === null) return { problem: 'The form is incomplete', path: [] };
  const changed = editYaml(filled.text, [edit]);
  return 'problem' in changed
    ? changed
    : { text: changed.text, message: `${DONE[operation.kind]} ${NOT_SAVED}` };
}

const DONE = { move: 'Moved.', copy: 'Duplicated.', remove: 'Removed.', add: 'Added.' } as const;
