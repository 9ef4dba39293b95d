import type { ContentFiles } from '../../content-files/content-files.ts';
import { findFormSchema } from '../../content-files/edit/plan-form.ts';
import { editYaml, splitMarkdown, type YamlEdit } from '../../content-files/edit-yaml.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { formatInstant, getLocalMinute } from '../../core/commissions/local-time.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import {
  buildAuthorFile,
  buildPartnerFile,
  buildPieceDraft,
  PAGE_KINDS,
  type PageKind,
} from '../../core/pages/drafts.ts';
import { buildSlug } from '../../core/text/slug.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';

/** What the console creates. */
export const PIECE_KINDS = ['article', 'page', 'product', 'partner', 'author'] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

/** The part of the address that is no file: the form of a new piece. */
export const NEW_PIECE = 'new';

const parseKind = (text: string): PieceKind => PIECE_KINDS.find((kind) => kind === text) ?? 'article';
const parsePattern = (text: string): PageKind => PAGE_KINDS.find((kind) => kind === text) ?? 'landing';

/** Reads the form of a new piece. What the address has comes back after a form that was refused. */
export async function readNewPiece(site: ConsoleSite, { parameters, viewer }: ViewRequest) {
  const { files } = site.platform.content;
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, MAX_TEXT);
  return {
    kind: 'new' as const,
    piece: parseKind(read('kind')),
    pattern: parsePattern(read('pattern')),
    title: read('title'),
    link: read('link'),
    role: read('role'),
    /** Keys that a draft of a roundup or a duel can name. */
    products: [...site.content.read().products.keys()],
    readOnly:
      files === null
        ? READ_ONLY_BUILD
        : isAllowed(viewer, 'content')
          ? await files.findWriteProblem()
          : 'You may look at content, but not edit it.',
  };
}

const MAX_TEXT = 500;
const MAX_COPIES = 50;

/** Creates the file of a new piece, and opens its form. */
export async function createPiece(
  site: ConsoleSite,
  form: Readonly<Record<'kind' | 'pattern' | 'title' | 'link' | 'role' | 'bio', string>>,
  viewer: ConsoleViewer,
): Promise<ActionOutcome & { readonly created?: { readonly file: string; readonly text: string } }> {
  const read = (name: keyof typeof form) => form[name].replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
  const kind = parseKind(read('kind'));
  const [title, link, role] = [read('title'), read('link'), read('role')];
  const extra = { kind, pattern: read('pattern'), title, link, role };
  const location = buildConsoleAddress('content', {}, { rest: [NEW_PIECE], extra });
  const refuse = (message: string) => ({
    location,
    message: `Nothing was created. ${message}`,
    isError: true,
  });
  const { files } = site.platform.content;
  if (files === null) return refuse(READ_ONLY_BUILD);
  const slug = buildFileName(title);
  if (slug === '')
    return refuse('The title needs a letter or a digit of the Latin alphabet: the address is built from it.');
  const build = (name: string) => buildPieceFile(site, { ...extra, kind, slug: name, bio: form.bio });
  const piece = await findFreeName(files, slug, build);
  if (typeof piece === 'string') return refuse(piece);
  const created = saveNew(site, files, viewer, piece);
  return typeof created === 'string'
    ? refuse(created)
    : {
        location: buildFileAddress(piece.file),
        message: piece.isDraft
          ? 'Created as a draft: visitors do not see it yet. Replace its texts, then publish it.'
          : 'Created. Visitors see it now.',
        isError: false,
        note: '',
        created: piece,
      };
}

/** Creates a draft that is a copy of a text. */
export async function duplicatePiece(
  site: ConsoleSite,
  file: string,
  text: string,
  viewer: ConsoleViewer,
): Promise<ActionOutcome & { readonly created?: { readonly file: string; readonly text: string } }> {
  const location = buildFileAddress(file);
  const refuse = (message: string) => ({
    location,
    message: `Nothing was created. ${message}`,
    isError: true,
  });
  const { files } = site.platform.content;
  const [folder = '', name = ''] = file.replace(/\.\w+$/, '').split('/');
  const field = folder === 'products' ? 'name' : 'title';
  const value = readValues(file, text);
  if (files === null || value === null) return refuse('The file cannot be copied.');
  const title = `${String(value[field] ?? name)} (copy)`;
  const edited = editFront(file, text, [
    { kind: 'set', path: [field], value: title },
    { kind: 'set', path: ['draft'], value: true, order: listOrder(file) },
  ]);
  if ('problem' in edited) return refuse(`It ${edited.problem}.`);
  const ending = file.endsWith('.md') ? 'md' : 'yaml';
  const piece = await findFreeName(files, `${name}-copy`, (slug) => ({
    ...{ file: `${folder}/${slug}.${ending}`, text: edited.text, isDraft: true },
  }));
  if (typeof piece === 'string') return refuse(piece);
  const created = saveNew(site, files, viewer, piece);
  if (typeof created === 'string') return refuse(created);
  const message = 'Duplicated: this is the copy, a draft that visitors do not see.';
  return { location: buildFileAddress(piece.file), message, isError: false, note: '', created: piece };
}

interface PieceFile {
  readonly file: string;
  readonly text: string;
  readonly isDraft: boolean;
}

/** ASCII alone, so that the name is the same in every file system and address. */
const buildFileName = (title: string) =>
  buildSlug(title)
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-{2,}/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');

interface AskedPiece
  extends Readonly<Record<'pattern' | 'title' | 'link' | 'role' | 'bio' | 'slug', string>> {
  readonly kind: PieceKind;
}

/** The file of a piece; a sentence when something is missing. */
function buildPieceFile(site: ConsoleSite, asked: AskedPiece): PieceFile | string {
  const { clock } = site;
  const content = site.content.read();
  const { kind, title, slug, link, role, bio } = asked;
  if (kind === 'partner') {
    const key = slug.slice(0, 40).replace(/-+$/, '');
    const text = buildPartnerFile(key, title, link);
    return text === null
      ? 'The link of the program has to begin with https:// and to have your code as a parameter, such as ' +
          'https://www.example.com/pricing?ref=your-code.'
      : { file: `partners/${key}.yaml`, text, isDraft: false };
  }
  if (kind === 'author') {
    if (role === '' || bio.trim() === '')
      return 'An author needs a role and a few sentences about who they are.';
    const text = buildAuthorFile(title, role, bio.replace(/\r\n?/g, '\n').trim().slice(0, 5_000));
    return { file: `authors/${slug}.yaml`, text, isDraft: false };
  }
  const draft = buildPieceDraft({
    ...{ kind, title, slug, pattern: parsePattern(asked.pattern) },
    day: new Date(clock.now()).toISOString().slice(0, 10),
    topic: content.site.blog.topics[0]?.name ?? 'Guides',
    partners: [...content.partners.keys()],
    products: [...content.products.keys()],
  });
  return { ...draft, isDraft: true };
}

/** The first of `name`, `name-2`, … that no file has, with the file that `build` makes of it. */
async function findFreeName(
  files: ContentFiles,
  name: string,
  build: (name: string) => PieceFile | string,
): Promise<PieceFile | string> {
  const taken = new Set(files.list().map(({ file }) => file));
  for (let number = 1; number <= MAX_COPIES; number += 1) {
    const piece = build(number === 1 ? name : `${name}-${number}`);
    if (typeof piece === 'string' || !taken.has(piece.file)) return piece;
  }
  return `There are ${MAX_COPIES} files called ${name} already: choose another title.`;
}

/** Saves a new file; returns why not, as a sentence. */
function saveNew(
  { settings }: ConsoleSite,
  files: ContentFiles,
  viewer: ConsoleViewer,
  { file, text }: PieceFile,
): true | string {
  const refused = findPublishProblem(viewer, file, [text]);
  if (refused !== null) return refused;
  const hasArticleFiles = settings.ARTICLE_SOURCE === 'files';
  if (file.startsWith('articles/') && !hasArticleFiles)
    return 'The articles of this site come from another system: write them there.';
  const saved = files.save(file, text, { opened: null, hasArticleFiles });
  if (saved.outcome === 'saved') return true;
  if (saved.outcome === 'failed') return saved.reason;
  if (saved.outcome === 'changed') return `content/${file} is there already: choose another title.`;
  const [first] = saved.problems;
  return first === undefined ? '' : `${[first.field, first.reason].filter(Boolean).join(': ')}.`;
}

const readFront = (file: string, text: string) => (file.endsWith('.md') ? splitMarkdown(text) : null);

function readValues(file: string, text: string): Readonly<Record<string, unknown>> | null {
  const yaml = file.endsWith('.md') ? readFront(file, text)?.front : text;
  const parsed = yaml === undefined ? null : parseYaml(yaml);
  return parsed === null || 'problem' in parsed ? null : Object(parsed.value);
}

function editFront(file: string, text: string, edits: readonly YamlEdit[]): ReturnType<typeof editYaml> {
  const parts = readFront(file, text);
  const edited = editYaml(parts?.front ?? text, edits);
  return 'problem' in edited || parts === null ? edited : { text: parts.join(edited.text, parts.body) };
}

const listOrder = (file: string) => Object.keys(findFormSchema(file)?.properties ?? {});

/** What visitors see of a piece. `time`: ms since 1970, when it appears or has appeared; null without one. */
export interface PieceState {
  readonly state: 'draft' | 'scheduled' | 'published';
  readonly time: number | null;
  /** false: it is shown as a part of pages, and has no time of its own. */
  readonly hasTime: boolean;
  /** The time of the site's time zone that the form proposes, `2026-03-12T09:00`. */
  readonly proposed: string;
  readonly timeZone: string;
}

/** Reads the state of a text; null for files that have none. */
export function readPieceState(
  { settings, clock }: ConsoleSite,
  file: string,
  text: string,
): PieceState | null {
  const [, folder] = /^(pages|articles|products)\//.exec(file) ?? [];
  const values = readValues(file, text);
  if (folder === undefined || values === null) return null;
  const at = Date.parse(String(values['publishedAt'] ?? ''));
  const time = Number.isNaN(at) ? null : at;
  const isLater = time !== null && time > clock.now();
  const day = 86_400_000;
  return {
    state: values['draft'] === true ? 'draft' : isLater ? 'scheduled' : 'published',
    time,
    hasTime: folder !== 'products',
    proposed: getLocalMinute(isLater ? time : clock.now() + day, settings.TIME_ZONE).replace(/T.*/, (hour) =>
      isLater ? hour : 'T09:00',
    ),
    timeZone: settings.TIME_ZONE,
  };
}

/** What a button of the state asks for. */
const STATE_CHANGES = ['publish', 'schedule', 'take-down'] as const;
export type StateChange = (typeof STATE_CHANGES)[number];

export const parseStateChange = (asked: string): StateChange | null =>
  STATE_CHANGES.find((change) => change === asked) ?? null;

/**
 * Changes the state of a text. A draft that is published gets the day of its publication, unless `keep-date` is chosen; the
 * time of a schedule is in the site's time zone.
 */
export function changePieceState(
  { settings, clock }: ConsoleSite,
  {
    file,
    text,
    change,
    form,
  }: {
    readonly file: string;
    readonly text: string;
    readonly change: StateChange;
    readonly form: Readonly<Record<string, string>>;
  },
): { readonly text: string; readonly message: string } | { readonly problem: string } {
  const values = readValues(file, text);
  if (values === null) return { problem: 'The text cannot be read' };
  const order = listOrder(file);
  const isArticle = file.endsWith('.md');
  const edits: YamlEdit[] = [];
  const finish = (message: string) => {
    const edited = editFront(file, text, edits);
    return 'problem' in edited ? { problem: `The file ${edited.problem}` } : { text: edited.text, message };
  };
  if (change === 'take-down') {
    edits.push({ kind: 'set', path: ['draft'], value: true, order });
    return finish('Taken down: it is a draft now, and visitors do not see it any more.');
  }
  if (values['draft'] !== undefined) edits.push({ kind: 'remove', path: ['draft'] });
  const now = clock.now();
  const before = Date.parse(String(values['publishedAt'] ?? ''));
  const setTime = (instant: string) => {
    edits.push({ kind: 'set', path: ['publishedAt'], value: instant, order });
    const updated = Date.parse(String(values['updatedAt'] ?? ''));
    // An article cannot have changed before it was published.
    if (isArticle && updated < Date.parse(instant)) edits.push({ kind: 'remove', path: ['updatedAt'] });
  };
  if (change === 'schedule') {
    const local = (form['publish-at'] ?? '').trim();
    const instant = formatInstant(local, settings.TIME_ZONE);
    if (instant === null)
      return { problem: `There is no such time in ${settings.TIME_ZONE}: choose a day and a time` };
    if (Date.parse(instant) <= now)
      return { problem: 'The time has passed: choose a later one, or publish now' };
    setTime(instant);
    return finish(`Scheduled for ${local.replace('T', ', ')} (${settings.TIME_ZONE}).`);
  }
  const isKept = form['keep-date'] === 'yes' && before <= now;
  if (isArticle && !isKept && (values['draft'] === true || before > now))
    setTime(new Date(now).toISOString().slice(0, 10));
  if (!isArticle && before > now) edits.push({ kind: 'remove', path: ['publishedAt'] });
  return finish('Published. Visitors see it now.');
}
