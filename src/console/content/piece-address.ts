import {
  CONSOLE_REDIRECTS,
  type ContentFiles,
  type ContentText,
  type FileChange,
} from '../../content-files/content-files.ts';
import { formatAt } from '../../content-files/edit/plan-form.ts';
import { editYaml, splitMarkdown, type YamlEdit } from '../../content-files/edit-yaml.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { editRedirects } from '../../content-files/read-redirects.ts';
import { type ContentProblem, describeField } from '../../core/pages/content.ts';
import { createLinkSearch, type OwnAddress, type OwnLink } from '../../core/pages/redirects/own-links.ts';
import { createClashCheck, parseFormerAddress } from '../../core/pages/redirects/redirects.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import {
  buildArticlePath,
  buildAuthorPath,
  buildPagePath,
  isReservedPath,
  LINKED_PAGES,
} from '../../core/paths.ts';
import { findNearest } from '../../core/text/words.ts';
import { noteContentChange } from '../activity/read.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
import { storeVersion } from './history.ts';
import { changePieceState, readPieceState } from './pieces.ts';
import { readWrittenFiles } from './written-files.ts';

/** A piece that has a page of its own, whose path ends with the name of its file. */
export interface PieceAddress extends OwnAddress {
  readonly folder: keyof typeof FOLDERS;
  readonly file: string;
}

const FOLDERS = {
  pages: { ending: 'yaml', buildPath: buildPagePath },
  articles: { ending: 'md', buildPath: buildArticlePath },
  authors: { ending: 'yaml', buildPath: buildAuthorPath },
} as const;

function buildPieceAddress(folder: PieceAddress['folder'], key: string): PieceAddress {
  const { ending, buildPath } = FOLDERS[folder];
  return { folder, key, path: buildPath(key), file: `${folder}/${key}.${ending}` };
}

/** Finds the address of the page that a content file is; null for files without one. */
export function findPieceAddress({ settings }: ConsoleSite, file: string): PieceAddress | null {
  const [, folder, key = ''] = /^(pages|articles|authors)\/([^/]+)\.(?:yaml|md)$/.exec(file) ?? [];
  if (folder === 'articles')
    return settings.ARTICLE_SOURCE === 'files' ? buildPieceAddress(folder, key) : null;
  return folder === 'pages' || folder === 'authors' ? buildPieceAddress(folder, key) : null;
}

/** A place that links to a piece or names it, with the address of its field. */
export interface LinkPlace {
  readonly kind: OwnLink['kind'];
  readonly file: string;
  /** Of the page or article; empty for other files. */
  readonly title: string;
  /** `section 2 (prose), field body`, or a line. */
  readonly place: string;
  readonly href: string;
}

/** Reads what depends on the address of a piece, and what the forms that change it propose. */
export function readPieceAddress(
  site: ConsoleSite,
  piece: PieceAddress,
  text: string,
  parameters: URLSearchParams,
) {
  const { platform } = site;
  const content = site.content.read();
  const { files } = platform.content;
  const redirects =
    files?.readRedirects().lines ?? [...content.redirects].map(([from, to]) => ({ from, to }));
  const isPublic = isPieceShown(site, piece.file, text);
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, MAX_TEXT);
  const links = listLinkPlaces(site, piece);
  return {
    ...piece,
    /** What its path begins with; the rest is its name. */
    prefix: FOLDERS[piece.folder].buildPath(''),
    isPublic,
    /** Why it cannot be renamed, taken down or removed; null when it can. */
    fixed: findFixedReason(piece.path),
    links: links.filter(({ kind }) => kind !== 'alias'),
    /** Addresses that lead to it. */
    former: listFormer(content.site.aliases, redirects, piece.path),
    /** Where its own address leads while it is a draft; null: nowhere. */
    leadsTo: redirects.find(({ from }) => from === piece.path)?.to ?? null,
    targets: isPublic ? listTargets(site, piece.path) : [],
    given: { name: read('name') || piece.key, target: read('target'), isNone: read('lead') === 'none' },
  };
}

/** Lists the aliases and redirects that lead to a path. */
const listFormer = (
  aliases: Readonly<Record<string, string>>,
  redirects: readonly { readonly from: string; readonly to: string }[],
  path: string,
) =>
  [...Object.entries(aliases).map(([from, to]) => ({ from, to })), ...redirects]
    .filter(({ to }) => getPath(to) === path)
    .map(({ from }) => from);

/** Whether visitors see a piece: authors have no drafts. */
function isPieceShown(site: ConsoleSite, file: string, text: string): boolean {
  const state = readPieceState(site, file, text);
  return state === null || state.state === 'published';
}

const MAX_TEXT = 300;

/** The path of an address, without query and fragment, as requests are looked up. */
const getPath = (address: string) => parseFormerAddress(address.split(/[?#]/, 1)[0] ?? '');

/** Lists the pages of the site that visitors see, which an address can lead to. */
function listTargets(site: ConsoleSite, own: string) {
  const { clock } = site;
  const content = site.content.read();
  const isShown = (path: string) => {
    const page = content.pages.get(path);
    return page === undefined || isPublished(page, clock.now());
  };
  const authors = [...content.authors.values()].map(({ key, name }) => ({
    path: buildAuthorPath(key),
    title: name,
  }));
  return [...listSitePages(site), ...authors]
    .filter(({ path }) => path !== own && isShown(path))
    .map(({ path, title }) => ({ path, title }));
}

/** Lists the places of all content files that link to a piece or name it, except those of the piece itself. */
function listLinkPlaces(site: ConsoleSite, piece: PieceAddress): readonly LinkPlace[] {
  const pages = listSitePages(site).filter(({ file }) => /^(?:pages|articles)\//.test(file));
  const titles = new Map(pages.map((page) => [page.file, page.title]));
  const search = createLinkSearch(piece, { path: NOWHERE, key: NOWHERE }, site.settings.siteUrl);
  return readWrittenFiles(site).flatMap(({ file, text }): LinkPlace[] => {
    if (file === piece.file || !text.includes(piece.key)) return [];
    const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
    const parsed = parseYaml(parts?.front ?? text);
    const title = titles.get(file) ?? '';
    const fields =
      'problem' in parsed
        ? []
        : search.find(parsed.value).map(({ kind, path }) => ({
            ...{ kind, file, title, place: describeField(parsed.value, path) },
            href: buildFileAddress(file, { at: formatAt(path) }),
          }));
    if (parts === null) return fields;
    // The body begins behind the front matter and the lines around it.
    const before = text.slice(0, text.lastIndexOf(parts.body)).split('\n').length - 1;
    const lines = search.listLines(parts.body).map((line) => ({
      ...{ kind: 'link' as const, file, title, place: `line ${line + before}` },
      href: buildFileAddress(file, { line: String(line + before) }),
    }));
    return [...fields, ...lines];
  });
}

/** No address of the site. */
const NOWHERE = '/\u0000';

/** What the forms of an address do. */
/** What is done with the address of a page. */
export type AddressChange = 'rename' | 'take-down' | 'remove';

/** Everything that a change of an address writes, in its order. */
interface AddressPlan {
  readonly changes: readonly FileChange[];
  /** Sentences for the operator. */
  readonly message: string;
  /** The sentence of the log of changes. */
  readonly note: string;
  /** The file that has the versions of the piece from then on. */
  readonly file: string;
}

type Refusal = { readonly problem: string };

/** Renames a piece, takes it down or removes it, with the redirect from its address and the links to it in one save. */
export async function changePieceAddress(
  site: ConsoleSite,
  piece: PieceAddress,
  change: AddressChange,
  form: Readonly<Record<string, string>>,
  { viewer }: Pick<ViewRequest, 'viewer'>,
): Promise<ActionOutcome> {
  const { files } = site.platform.content;
  const read = (name: string) => (form[name] ?? '').trim().slice(0, MAX_TEXT);
  // Not `to`, which is the end of a period in addresses of the console.
  const given = { name: read('name'), target: read('target'), lead: read('lead') };
  const refuse = (problem: string) => ({
    location: buildFileAddress(piece.file, { view: 'address', ...given }),
    message: `Nothing was changed. ${problem}`,
    isError: true,
  });
  if (files === null) return refuse(READ_ONLY_BUILD);
  const found = files.read(piece.file);
  if ('problem' in found) return refuse(`content/${piece.file} ${found.problem}.`);
  const texts = readTexts(files);
  const plan =
    change === 'rename'
      ? planRename(site, files, piece, {
          text: found.text,
          texts,
          name: given.name,
          isRewritten: read('links') === 'yes',
        })
      : planDeparture(site, files, piece, { text: found.text, texts, form, change, given });
  if ('problem' in plan) return refuse(plan.problem);
  const changes = plan.changes.map((one) =>
    one.file === piece.file ? { ...one, opened: read('opened') } : one,
  );
  const olds = (file: string) => texts.get(file)?.text;
  for (const { file, text } of changes) {
    const both = [olds(file), text].filter((one) => typeof one === 'string');
    const refused = findPublishProblem(viewer, file, both);
    if (refused !== null) return refuse(refused);
  }
  const saved = files.saveTogether(changes, site.settings.ARTICLE_SOURCE === 'files');
  if (saved.outcome === 'failed') return refuse(saved.reason);
  if (saved.outcome === 'changed')
    return refuse(`content/${saved.file} was changed meanwhile: look at it, then try again.`);
  if (saved.outcome === 'invalid') return refuse(describeInvalid(saved.problems));
  const stored = await storeVersions(site, { piece, plan, changes, texts, viewer });
  const location = buildFileAddress(plan.file, change === 'rename' ? { view: 'address' } : {});
  const named = changes.map(({ file }) => file);
  const note = await noteContentChange(site, viewer, named, plan.note, location);
  site.log.info('address of content changed', { file: piece.file, change, operator: viewer.id });
  return { location, message: plan.message + stored + note, isError: false, note: '' };
}

function describeInvalid([first, ...rest]: readonly ContentProblem[]): string {
  if (first === undefined) return '';
  const place = [`content/${first.file}`, first.field].filter(Boolean).join(', ');
  const more = rest.length === 0 ? '' : ` ${rest.length} more would be wrong.`;
  return `It would make something wrong: ${place}: ${first.reason}.${more}`;
}

const readTexts = (files: ContentFiles): ReadonlyMap<string, ContentText> =>
  new Map(
    files.list().flatMap(({ file }) => {
      const read = files.read(file);
      return 'text' in read ? [[file, read] as const] : [];
    }),
  );

interface PieceTexts {
  readonly text: string;
  /** Of all files that can be edited. */
  readonly texts: ReadonlyMap<string, ContentText>;
}

/** Writes the new file, the links and the redirect before the old file is removed: an address is never without a page. */
function planRename(
  site: ConsoleSite,
  files: ContentFiles,
  piece: PieceAddress,
  asked: PieceTexts & { readonly name: string; readonly isRewritten: boolean },
): AddressPlan | Refusal {
  const { text, texts } = asked;
  const isPublic = isPieceShown(site, piece.file, text);
  // Without a redirect, the links would lead nowhere.
  const isRewritten = asked.isRewritten || !isPublic;
  const start = FOLDERS[piece.folder].buildPath('');
  const name = (asked.name.startsWith(start) ? asked.name.slice(start.length) : asked.name).replace(
    /\/$/,
    '',
  );
  const next = buildPieceAddress(piece.folder, name);
  const problem = findNameProblem(site, files, piece, { next, start });
  if (problem !== null) return { problem };
  const search = createLinkSearch(piece, next, site.settings.siteUrl);
  const edited = rewriteFiles(
    texts,
    (file, value) =>
      search
        .find(value)
        .filter(({ kind }) => kind !== 'link' || isRewritten || file === piece.file)
        .map(
          ({ path, rewritten, kind }): YamlEdit =>
            kind === 'alias' && path[1] === next.path
              ? { kind: 'remove', path }
              : { kind: 'set', path, value: rewritten },
        ),
    (file, body) => (isRewritten || file === piece.file ? search.rewrite(body) : body),
  );
  if ('problem' in edited) return edited;
  const others = edited.changes.filter(({ file }) => file !== piece.file);
  const own = edited.changes.find(({ file }) => file === piece.file)?.text ?? text;
  const places = listLinkPlaces(site, piece).filter(({ kind }) => kind === 'link');
  const linking = new Set(places.map(({ file }) => file)).size;
  const rewritten =
    linking === 0 || !isRewritten
      ? ''
      : ` The links in ${linking === 1 ? '1 file' : `${linking} files`} were changed.`;
  return {
    changes: [
      { file: next.file, text: own, opened: null },
      ...others,
      ...planRedirects(files, piece.path, next.path, { isAdded: isPublic, isSame: true }),
      { file: piece.file, text: null, opened: '' },
    ],
    message:
      `Renamed: its address is ${next.path}.${isPublic ? ` ${piece.path} leads there from now on.` : ''}${rewritten}` +
      ' Its history goes on here.',
    note: `Renamed content/${piece.file} to content/${next.file}${isPublic ? `, with a redirect from ${piece.path}` : ''}.`,
    file: next.file,
  };
}

/** Why a piece cannot have a name, as a sentence; null when it can. */
function findNameProblem(
  site: ConsoleSite,
  files: ContentFiles,
  piece: PieceAddress,
  { next, start }: { readonly next: PieceAddress; readonly start: string },
): string | null {
  const content = site.content.read();
  const { key, path, file } = next;
  const fixed = findFixedReason(piece.path);
  if (fixed !== null) return fixed;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key) || key.length > MAX_NAME)
    return `The address may have only a-z, 0-9 and single hyphens behind ${start}, at most ${MAX_NAME} of them.`;
  if (path === piece.path) return `Its address is ${path} already.`;
  if (piece.folder === 'pages' && isReservedPath(path))
    return `The site responds at ${path} itself: choose another address.`;
  if (files.list().some((one) => one.file === file))
    return `There is content/${file} already: choose another address.`;
  const alias = Object.hasOwn(content.site.aliases, path) ? content.site.aliases[path] : undefined;
  if (alias !== undefined && getPath(alias) !== piece.path)
    return `${path} is an alias of content/site.yaml, which leads to ${alias}: choose another address, or remove the alias first.`;
  const line = files.readRedirects().lines.find(({ from }) => from === path);
  if (line !== undefined && getPath(line.to) !== piece.path)
    return (
      `${path} is a former address, which leads to ${line.to} (content/${line.file}, line ${line.line}): ` +
      'choose another address, or remove that line first.'
    );
  const clash = alias === undefined ? createClashCheck(content)(path) : null;
  return clash === null ? null : `${clash}: choose another address.`;
}

const MAX_NAME = 80;

/** Why a page has to be where it is: the site itself links to it. Null when it does not. */
const findFixedReason = (path: string) =>
  LINKED_PAGES.includes(path)
    ? `The site itself links to ${path}, so that the page has to be there: it can be edited, but not renamed, taken down or removed.`
    : null;

/** Takes a piece down or removes it; its address leads to another page, or nowhere. */
function planDeparture(
  site: ConsoleSite,
  files: ContentFiles,
  piece: PieceAddress,
  asked: PieceTexts & {
    readonly form: Readonly<Record<string, string>>;
    readonly change: Exclude<AddressChange, 'rename'>;
    readonly given: { readonly target: string; readonly lead: string };
  },
): AddressPlan | Refusal {
  const { text, texts, form, change, given } = asked;
  const isRemoved = change === 'remove';
  const fixed = findFixedReason(piece.path);
  if (fixed !== null) return { problem: fixed };
  const isPublic = isPieceShown(site, piece.file, text);
  const target = isPublic && given.lead !== 'none' ? findTarget(site, files, piece, given.target) : null;
  if (target !== null && 'problem' in target) return target;
  const to = target?.path ?? null;
  const places = isRemoved ? listLinkPlaces(site, piece) : [];
  const names = places.filter(({ kind }) => kind === 'name');
  if (names.length > 0) return { problem: `${describePlaces(names, 'name it')}: change that first.` };
  const links = places.filter(({ kind }) => kind === 'link');
  const isLeft = to === null && findOwnRedirect(files, piece.path) === undefined;
  if (isLeft && links.length > 0)
    return {
      problem:
        `${describePlaces(links, 'link to it')}: ` +
        `${isPublic ? 'choose a page to which its address leads, or ' : ''}change the links first.`,
    };
  const search = createLinkSearch(piece, { path: to ?? NOWHERE, key: piece.key }, site.settings.siteUrl);
  const edited =
    to === null && !isRemoved
      ? { changes: [] }
      : rewriteFiles(texts, (_, value) =>
          search
            .find(value)
            .filter(({ kind }) => kind === 'alias')
            .map(
              ({ path }): YamlEdit =>
                to === null ? { kind: 'remove', path } : { kind: 'set', path, value: to },
            ),
        );
  if ('problem' in edited) return edited;
  const stated = isRemoved
    ? { text: null }
    : changePieceState(site, { file: piece.file, text, change, form });
  if ('problem' in stated) return { problem: `${stated.problem}.` };
  const redirects =
    to === null && !isRemoved
      ? []
      : planRedirects(files, piece.path, to, { isAdded: to !== null, isSame: false });
  const done = isRemoved ? 'Removed' : 'Taken down';
  const lead = to === null ? '' : `, with a redirect from ${piece.path} to ${to}`;
  const rest = isRemoved
    ? ' Put a version back to have it again.'
    : ' It is a draft now, and visitors do not see it any more.';
  const former = listFormer(site.content.read().site.aliases, files.readRedirects().lines, piece.path);
  const gone =
    [piece.path, ...former].slice(0, MAX_NAMED).join(', ') + (former.length < MAX_NAMED ? '' : ' and others');
  const nowhere = isPublic ? ` Visitors of ${gone} get “not found” (404).` : '';
  const shown = to === null ? nowhere : ` ${piece.path} leads to ${to}.`;
  return {
    changes: [...edited.changes, ...redirects, { file: piece.file, text: stated.text, opened: '' }],
    message: `${done}.${shown}${rest}`,
    note: isRemoved ? `Removed content/${piece.file}${lead}.` : `Took down content/${piece.file}${lead}.`,
    file: piece.file,
  };
}

/** Addresses that a message names. */
const MAX_NAMED = 5;

function describePlaces(places: readonly LinkPlace[], what: string): string {
  const [first] = places;
  const rest = places.length - 1;
  const verb = rest === 0 ? what.replace(/^(\w+)/, '$1s') : what;
  const more = rest === 0 ? '' : ` and ${rest} other ${rest === 1 ? 'place' : 'places'}`;
  return `content/${first?.file}, ${first?.place}${more} ${verb}`;
}

/** The page of the site that an operator has written as the target. */
function findTarget(
  site: ConsoleSite,
  files: ContentFiles,
  piece: PieceAddress,
  written: string,
): { readonly path: string } | Refusal {
  const { settings } = site;
  const content = site.content.read();
  const typed = written.startsWith(settings.siteUrl)
    ? written.slice(settings.siteUrl.length) || '/'
    : written;
  if (typed === '')
    return { problem: 'Choose the page to which its address leads, or that it leads nowhere.' };
  const path = typed === '/' ? typed : getPath(typed);
  if (path === piece.path) return { problem: `${path} would lead to itself: choose another page.` };
  const targets = listTargets(site, piece.path).map((target) => target.path);
  if (path !== null && targets.includes(path)) return { path };
  const alias = Object.hasOwn(content.site.aliases, path ?? '')
    ? content.site.aliases[path ?? '']
    : undefined;
  const next = alias ?? findOwnRedirect(files, path ?? '')?.to;
  if (next !== undefined)
    return getPath(next) === piece.path
      ? {
          problem: `${path} leads to ${piece.path}, so that both would lead to each other: choose another page.`,
        }
      : { problem: `${path} leads on to ${next}: choose that page, so that visitors are sent once.` };
  if (path !== null && content.pages.has(path))
    return {
      problem: `${path} is a draft or appears later, so that visitors do not see it: choose another page.`,
    };
  const nearest = findNearest(typed, targets);
  const advice = nearest === null ? '.' : `; did you mean ${nearest}?`;
  return { problem: `There is no page ${typed} on this site${advice}` };
}

const findOwnRedirect = (files: ContentFiles, path: string) =>
  files.readRedirects().lines.find(({ from }) => from === path);

/** Edits the files that `find` has edits of; `rewrite` gets the text of an article below its front matter. */
function rewriteFiles(
  texts: ReadonlyMap<string, ContentText>,
  find: (file: string, value: unknown) => readonly YamlEdit[],
  rewrite: (file: string, body: string) => string = (_, body) => body,
): { readonly changes: readonly FileChange[] } | Refusal {
  const changes: FileChange[] = [];
  for (const [file, { text, hash }] of texts) {
    const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
    const yaml = parts?.front ?? text;
    const parsed = parseYaml(yaml);
    if ('problem' in parsed) continue;
    const edited = editYaml(yaml, find(file, parsed.value));
    if ('problem' in edited) return { problem: `content/${file} ${edited.problem}.` };
    const next = parts === null ? edited.text : parts.join(edited.text, rewrite(file, parts.body));
    if (next !== text) changes.push({ file, text: next, opened: hash });
  }
  return { changes };
}

/**
 * Leads all former addresses of a path to another one (null: nowhere), and the path itself when `isAdded`. `isSame`: the same
 * page, which has the parts that they may lead to.
 */
function planRedirects(
  files: ContentFiles,
  from: string,
  to: string | null,
  { isAdded, isSame }: { readonly isAdded: boolean; readonly isSame: boolean },
): readonly FileChange[] {
  const { lines, texts } = files.readRedirects();
  const leading = Map.groupBy(
    lines.filter((line) => getPath(line.to) === from),
    ({ file }) => file,
  );
  const named = new Set([...leading.keys(), ...(isAdded ? [CONSOLE_REDIRECTS] : [])]);
  return [...named].map((file) => {
    const own = leading.get(file) ?? [];
    const isGone = (line: { readonly from: string }) => to === null || line.from === to;
    const before = texts.get(file);
    const text = editRedirects(before?.text ?? '', {
      removed: new Set(own.filter(isGone).map(({ line }) => line)),
      targets: new Map(
        own.flatMap((line) =>
          isGone(line)
            ? []
            : [[line.line, `${to}${(isSame && /[?#].*$/.exec(line.to)?.[0]) || ''}`] as const],
        ),
      ),
      added: isAdded && to !== null && file === CONSOLE_REDIRECTS ? [{ from, to }] : [],
    });
    return { file, text, opened: before?.hash ?? null };
  });
}

/** The change that ends the redirects from an address, for a piece that is published there again; empty without any. */
export function planOwnAddress(files: ContentFiles, path: string): readonly FileChange[] {
  const { lines, texts } = files.readRedirects();
  const own = Map.groupBy(
    lines.filter(({ from }) => from === path),
    ({ file }) => file,
  );
  return [...own].map(([file, found]) => {
    const before = texts.get(file);
    const removed = new Set(found.map(({ line }) => line));
    return { file, text: editRedirects(before?.text ?? '', { removed }), opened: before?.hash ?? null };
  });
}

/** Stores the versions of what was changed; returns what the operator has to know of it, after a space. */
async function storeVersions(
  site: ConsoleSite,
  change: {
    readonly piece: PieceAddress;
    readonly plan: AddressPlan;
    readonly changes: readonly FileChange[];
    readonly texts: ReadonlyMap<string, ContentText>;
    readonly viewer: ViewRequest['viewer'];
  },
): Promise<string> {
  const { piece, plan, changes, texts, viewer } = change;
  const before = texts.get(piece.file) ?? null;
  let note = '';
  if (plan.file !== piece.file) {
    note += await storeVersion(site, piece.file, { before, text: null, viewer });
    try {
      await site.content.versions.move(piece.file, plan.file);
    } catch (error) {
      site.log.error('the versions of a renamed file could not be moved', { file: piece.file, error });
      note = ` Its earlier versions are still at content/${piece.file}: the database of the console cannot be written.`;
    }
  }
  for (const { file, text } of changes) {
    if (file.endsWith('.csv') || (text === null && file !== plan.file)) continue;
    note ||= await storeVersion(site, file, { before: texts.get(file) ?? null, text, viewer });
  }
  return note;
}
