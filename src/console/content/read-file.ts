import type { ContentDraft, ContentText } from '../../content-files/content-files.ts';
import { hasDrafts, Piece } from '../../content-files/edit/piece.ts';
import { findFormSchema } from '../../content-files/edit/plan-form.ts';
import { findNamedFile } from '../../content-files/edit/plan-removal.ts';
import { planState } from '../../content-files/edit/plan-state.ts';
import { splitMarkdown } from '../../content-files/edit-yaml.ts';
import { findKind, findShownPath, isOfKind } from '../../content-files/kinds.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { BESIDE_FILE } from '../../content-files/read-content.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import {
  buildField,
  type EditField,
  type FieldGroup,
  findFieldAt,
  formatAt,
  listLeaves,
  listPresent,
  nameKey,
} from '../../core/console/form-fields.ts';
import { listNames } from '../../core/pages/claims/placeholders.ts';
import type { ContentProblem } from '../../core/pages/content.ts';
import { isDraftText } from '../../core/pages/drafts.ts';
import type { FormModel } from '../../editor/form.tsx';
import type { WorkingCopy } from '../../stores/content-versions.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readConnection } from '../import/networks.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { describeCall, listFigures, listOutgoing, listUses } from './edit-notes.ts';
import { compareTexts, countChangedLines, readHistory } from './history.ts';
import { listNamed } from './list-choices.ts';
import { findOwnAddress, readNamed, readPieceAddress } from './piece-address.ts';
import { describeKept, isRemoved, listOtherWriters } from './working-copies.ts';
import { openContentFiles, readPlanTime } from './written-files.ts';

/** Why nothing can be written in a file here; null when it can. Who may not publish a piece may still write in it. */
async function findReadOnlyReason(
  site: ConsoleSite,
  { viewer }: { readonly viewer: ViewRequest['viewer'] },
  file: string,
): Promise<string | null> {
  if (site.platform.content.files === null) return READ_ONLY_BUILD;
  const problem = findPublishProblem(viewer, file, hasDrafts(file) ? [] : ['']);
  return problem ?? findFolderProblem(site);
}

/** Compares the text of an operator whom the address names: one's own with the file, that of somebody else with one's own. */
async function compareCopy(
  site: ConsoleSite,
  copies: readonly WorkingCopy[],
  { viewer, parameters }: ViewRequest,
  saved: string,
  text: string,
) {
  const copy = copies.find(({ operator }) => operator === parameters.get('copy'));
  if (copy === undefined) return null;
  const isOwn = copy.operator === viewer.id;
  const rows = compareTexts(copy.file, isOwn ? saved : text, copy.text);
  return { ...copy, isOwn, isRemoved: !isOwn && (await isRemoved(site, copy.operator)), rows };
}

/** Why no content can be changed here; null when it can. */
export async function findFolderProblem({ platform }: ConsoleSite): Promise<string | null> {
  const { files } = platform.content;
  return files === null ? READ_ONLY_BUILD : files.findWriteProblem();
}

/** Reads the file of the brand, as the settings show it. */
export const readBrand = async (site: ConsoleSite, request: ViewRequest) =>
  request.rest.length === 1 ? readContentFile(site, { ...request, rest: ['brand.yaml'] }) : null;

/** Reads a file with its form, its text and its versions; null if it does not exist. */
export async function readContentFile(site: ConsoleSite, request: ViewRequest) {
  const file = request.rest.join('/');
  const found = openContentFiles(site).read(file);
  const isMissing = 'problem' in found;
  if (!isMissing) await noteFound(site, file, found);
  const copies = await site.content.versions.readCopies(file);
  const own = copies.find(({ operator }) => operator === request.viewer.id);
  const history = await readHistory(site.content.versions, file, request.parameters);
  const saved = isMissing ? '' : found.text;
  // What this operator has written, in this browser or another one, goes on.
  const isWritten = own !== undefined && own.text !== saved;
  const current = isMissing || own?.base === found.hash ? null : found;
  const goesOn = { text: own?.text ?? '', opened: isMissing ? '' : (own?.base ?? ''), problems: [], current };
  const isNew = isMissing && file === BESIDE_FILE && history.versions.length === 0;
  const first = isNew ? { ...goesOn, text: own?.text ?? 'hosts: []\n' } : undefined;
  const draft: ContentDraft | undefined = request.draft ?? (isWritten ? goesOn : first);
  // A file that was removed can be put back.
  const isGone = isMissing && draft === undefined;
  if (isGone && history.versions.length === 0) return null;
  const text = draft?.text ?? saved;
  const address = findOwnAddress(site, file);
  const asked = parseViewName(request.parameters.get('view'), file);
  const named = findNamedFile(file);
  const view = isGone ? 'history' : asked === 'address' && !(address ?? named) ? 'form' : asked;
  const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
  const form = buildForm(file, text);
  const changes = countChangedLines(saved, text);
  return {
    kind: 'file' as const,
    file,
    title: nameText(form, file),
    view: form === null && (view === 'form' || view === 'publish') ? 'text' : view,
    /** What is said before an article is published; null elsewhere. */
    publish: view === 'publish' && form !== null ? readFindings(site, file, saved, text, form) : null,
    text,
    opened: draft?.opened ?? (isMissing ? '' : found.hash),
    changedLines: changes.added + changes.removed,
    form,
    /** What the form in the browser is built from; null in other views. */
    fields:
      form === null || view !== 'form' ? null : readFields(site, file, text, form, { ...request, draft }),
    /** Markdown of an article; null for other files. */
    body: parts?.body ?? null,
    notes: form === null || view !== 'form' ? null : readNotes(site, file, text, request),
    problems: (draft?.problems ?? []).map((problem) => buildFieldProblem(problem, { file, form, text })),
    /** What this operator has written and not saved; null: nothing. */
    kept: own === undefined ? null : describeKept(site, own, isMissing ? null : saved),
    others: await listOtherWriters(site, file, request.viewer),
    compared: await compareCopy(site, copies, request, saved, text),
    /** What is different on the server, for an operator whose text is not saved because of it. */
    conflict: draft?.current
      ? { hash: draft.current.hash, rows: compareTexts(file, draft.current.text, text) }
      : null,
    /** Who else would be paid, for an operator who has to confirm it first. */
    payee: draft?.payee ?? null,
    history,
    /** There is no such file any more: only its versions are shown. */
    isGone,
    /** What visitors see of it; null for files that have no state. */
    piece: isGone ? null : new Piece(file, saved).readState(readPlanTime(site)),
    /** The page of the site that the file is of; null for others. */
    page: address?.path ?? null,
    /** What depends on the address of its page, in its view alone. */
    address:
      view === 'address' && address !== null
        ? readPieceAddress(site, address, saved, request.parameters)
        : null,
    /** What names a partner or product, which is removed with it; null for other files. */
    removal: named && readNamed(site, named),
    readOnly: await findReadOnlyReason(site, request, file),
    /** Why this operator may write and not save, as a sentence; null: the file can be saved. */
    unsaved: findPublishProblem(request.viewer, file, isMissing ? [] : [saved]),
    operator: request.viewer.id,
    /** Whether the text is that of a posted form. */
    isPosted: request.draft !== undefined,
    /** How the commissions of a partner arrive; null for other files. */
    connection:
      view === 'form' && form !== null && named?.kind === 'partner'
        ? await readConnection(site, named.key, request)
        : null,
    hasPreview: site.previews !== null && findShownPath(file) !== null,
  };
}

/** What the form of a file is built from; null for a file without one. */
function readFields(
  site: ConsoleSite,
  file: string,
  text: string,
  form: FieldGroup,
  { draft, parameters }: ViewRequest,
): FormModel | null {
  const kind = findKind(file);
  const schema = findFormSchema(file);
  if (kind === null || schema === null) return null;
  const used = new Set([...JSON.stringify(schema).matchAll(/"names":"(\w+)"/g)].map(([, name]) => name));
  const { now, timeZone } = readPlanTime(site);
  const problems = (draft?.problems ?? []).flatMap((problem) => {
    const { field, reason, at } = buildFieldProblem(problem, { file, form, text });
    return field === null ? [] : [{ field, reason, at }];
  });
  const line = Number(parameters.get('line') ?? '');
  const asked =
    draft?.at ?? parameters.get('at') ?? (line > 0 ? findAddressAtLine(form, { file, text, line }) : '');
  const named = new Set(listNames(text));
  return {
    kind: kind.key,
    schema,
    value: new Piece(file, text).values ?? {},
    named: Object.fromEntries([...listNamed(site)].filter(([name]) => used.has(name.replace(/ .*/, '')))),
    // The menu of the desk has all of them; a browser would read a thousand before the first key.
    figures: kind.namesFigures
      ? listFigures(site.content.read()).filter(({ name }) => kind.key !== 'article' || named.has(name))
      : [],
    problems,
    at: asked === '' ? (problems[0]?.at ?? '') : asked,
    today: getLocalDay(now, timeZone),
    drafted: listPresent(form).flatMap((field) =>
      'value' in field && isDraftText(field.value.trim()) ? [field.value.trim()] : [],
    ),
  };
}

/** What keeps an article from being published, what is to decide before, and what changes for visitors. */
function readFindings(site: ConsoleSite, file: string, saved: string, text: string, form: FieldGroup) {
  const { files } = site.platform.content;
  // As it would be published: a draft may lack what readers need.
  const piece = new Piece(file, text);
  const stated = planState(piece, { kind: 'publish', keepsDate: true }, readPlanTime(site));
  const shown = 'problem' in stated ? text : stated.piece.text;
  const problems = files?.check(file, shown, site.settings.ARTICLE_SOURCE === 'files') ?? [];
  // Lines are those of the text below its fields.
  const moved = text.split('\n').length - shown.split('\n').length;
  const errors = problems.map((problem) => {
    const { text: words, at, line } = buildFieldProblem(problem, { file, form, text });
    return { text: words, at, line: line && line.number + moved };
  });
  const at = { siteUrl: site.settings.siteUrl, now: site.clock.now() };
  const copy = files?.findCopyFindings(file, text, site.content.read(), at) ?? [];
  const [stopping = [], warning = []] = [true, false].map((isError) =>
    copy
      .filter((one) => isError === (one.isError === true))
      .map((finding) => {
        const [, line] = /:(\d+)$/.exec(finding.file) ?? [];
        return { text: finding.text, at: '', line: line === undefined ? null : Number(line) };
      }),
  );
  const toCome = text
    .split('\n')
    .flatMap((one, index) =>
      new Piece(file, one).hasGap ? [{ text: 'A “TK” is left in the text', at: '', line: index + 1 }] : [],
    );
  return {
    errors: [...errors, ...toCome, ...stopping],
    warnings: warning,
    rows: compareTexts(file, saved, text),
  };
}

/** What depends on a file, and what its fields are about. */
function readNotes(site: ConsoleSite, file: string, text: string, { parameters }: ViewRequest) {
  return {
    figures: findKind(file)?.namesFigures === true ? listFigures(site.content.read()) : [],
    uses: listUses(site, file, parameters.get('at') ?? ''),
    outgoing: isOfKind(file, 'partner') ? listOutgoing(site.content.read(), text) : [],
    call: file.endsWith('.md') ? describeCall(site.content.read(), text) : null,
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

/** What a file is called: its title or its name, else its path in words: `brand.yaml` is Brand. */
function nameText(form: FieldGroup | null, file: string): string {
  const named = ['title', 'name'].map((key) => form?.fields.find(({ path }) => path.join() === key));
  const title = named.find((field) => field !== undefined && 'value' in field && field.value.trim() !== '');
  if (title !== undefined && 'value' in title) return title.value;
  const [name = '', folder] = file
    .replace(/\.[a-z]+$/, '')
    .split('/')
    .reverse();
  return [folder, name]
    .filter((part) => part !== undefined)
    .map(nameKey)
    .join(': ');
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

function parseViewName(
  name: string | null,
  file: string,
): 'form' | 'text' | 'history' | 'address' | 'publish' {
  if (name === 'publish' && isOfKind(file, 'article')) return name;
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

/** The labels of a field and of those around it: `Offers › shop › Price`. */
function nameField(form: FieldGroup | null, { path }: EditField): string {
  const labels = path.map((_, index) =>
    form === null ? '' : findFieldAt(form, formatAt(path.slice(0, index + 1))).label,
  );
  return labels.join(' › ');
}

function buildFieldProblem(
  { path, field, reason: written, ...problem }: ContentProblem,
  { file, form, text }: { readonly file: string; readonly form: FieldGroup | null; readonly text: string },
) {
  const isOwn = problem.file === file;
  // The console has buttons for that.
  const reason = written.replace(/, or set draft: true$/, '');
  const [, lineText = '', words = ''] = /^(?:line (\d+))?(?:, )?(.*)$/s.exec(field) ?? [];
  const number = isOwn && lineText !== '' ? Number(lineText) : null;
  const place = isOwn ? words : [`content/${problem.file}`, field].filter(Boolean).join(', ');
  // The fields of an article are named alone, such as `image.src`.
  const at = path === undefined ? (file.endsWith('.md') ? words : '') : formatAt(path);
  const found = isOwn && form !== null && at !== '' ? findFieldAt(form, at) : null;
  const isLabeled = found !== null && found !== form;
  return {
    text: [isLabeled ? nameField(form, found) : place, reason].filter(Boolean).join(': '),
    field: found === null || found === form ? null : found.name,
    at: found === null ? '' : formatAt(found.path),
    reason,
    line: number === null ? null : { number, text: text.split('\n')[number - 1]?.trimEnd() ?? '' },
  };
}
