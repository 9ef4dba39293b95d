import { formatAt } from '../../core/console/form-fields.ts';
import { findRequestedPiece } from '../../core/pages/addresses.ts';
import { createAddressCheck } from '../../core/pages/assign-addresses.ts';
import { type Content, describeField } from '../../core/pages/content.ts';
import { createLinkSearch, type OwnAddress, type OwnLink } from '../../core/pages/redirects/own-links.ts';
import { createClashCheck } from '../../core/pages/redirects/redirects.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import {
  buildAuthorPath,
  isReservedPath,
  LINKED_PAGES,
  parseAddress,
  trimAddress,
} from '../../core/paths.ts';
import { findNearest } from '../../core/text/words.ts';
import type { ContentText, FileChange } from '../content-files.ts';
import type { YamlEdit } from '../edit-yaml.ts';
import { buildFilePath, type ContentKind, findKeyOf, findKind, isOfKind, nameOfFile } from '../kinds.ts';
import { Piece, type PlanRefusal, type PlanTime } from './piece.ts';
import { findOwnRedirect, getPath, planRedirects, type RedirectTexts } from './plan-redirects.ts';
import { planState } from './plan-state.ts';

/** What a plan reads: the content as visitors see it, and the folder as it is. */
export interface PlannedContent extends PlanTime {
  readonly content: Content;
  /** Every page and article of the site, with its file below the content folder. */
  readonly pages: readonly { readonly path: string; readonly title: string; readonly file: string }[];
  /** Every file that can be edited, also those that cannot be read. */
  readonly files: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, ContentText>;
  readonly redirects: RedirectTexts;
  readonly siteUrl: string;
}

/** A piece that has a page of its own, whose path ends with the name of its file. */
export interface PieceAddress extends OwnAddress {
  readonly kind: ContentKind;
  readonly file: string;
}

/** The kinds whose files can have another name. */
const ADDRESSED = ['page', 'article', 'author'] as const;

function buildPieceAddress(kind: ContentKind, key: string): PieceAddress {
  return { kind, key, path: kind.buildPath?.(key) ?? '', file: buildFilePath(kind, key) };
}

/** What the path of a piece begins with; the rest is its name. */
export const getPathPrefix = ({ kind }: PieceAddress) => kind.buildPath?.('') ?? '';

/** Finds the address of the page that a content file is; null for files without one. */
export function findPieceAddress(file: string, hasArticleFiles: boolean): PieceAddress | null {
  const kind = findKind(file);
  if (kind === null || !isOfKind(file, ...ADDRESSED)) return null;
  return kind.key === 'article' && !hasArticleFiles ? null : buildPieceAddress(kind, nameOfFile(file));
}

/** A place that links to a piece or names it. */
export interface LinkPlace {
  readonly kind: OwnLink['kind'];
  readonly file: string;
  /** Of the page or article; empty for other files. */
  readonly title: string;
  /** `section 2 (prose), field body`, or a line. */
  readonly place: string;
  /** Where it is in the form of its file, or in its text. */
  readonly at: { readonly at: string } | { readonly line: string };
}

/** Lists the places of all content files that link to a piece or name it, except those of the piece itself. */
export function listLinkPlaces(
  { pages, texts, siteUrl }: PlannedContent,
  piece: PieceAddress,
): readonly LinkPlace[] {
  const titles = new Map(
    pages.filter(({ file }) => isOfKind(file, 'page', 'article')).map((page) => [page.file, page.title]),
  );
  const search = createLinkSearch(piece, { path: NOWHERE, key: NOWHERE }, siteUrl);
  return [...texts].flatMap(([file, { text }]): LinkPlace[] => {
    if (file === piece.file || !text.includes(piece.key)) return [];
    const { values, body } = new Piece(file, text);
    const title = titles.get(file) ?? '';
    const fields = search.find(values ?? {}).map(({ kind, path }) => ({
      kind,
      file,
      title,
      place: describeField(values, path),
      at: { at: formatAt(path) },
    }));
    // The body begins behind the front matter and the lines around it.
    const before = text.slice(0, text.lastIndexOf(body)).split('\n').length - 1;
    const lines = search.listLines(body).map((line) => ({
      kind: 'link' as const,
      file,
      title,
      place: `line ${line + before}`,
      at: { line: String(line + before) },
    }));
    return [...fields, ...lines];
  });
}

/** No address of the site. */
const NOWHERE = '/\u0000';

/** Lists the aliases and redirects that lead to a path. */
export const listFormer = ({ content, redirects }: PlannedContent, path: string) =>
  [...Object.entries(content.site.aliases).map(([from, to]) => ({ from, to })), ...redirects.lines]
    .filter(({ to }) => getPath(to) === path)
    .map(({ from }) => from);

/** Lists the pages of the site that visitors see, to which the address of another one can lead. */
export function listTargets({ content, pages, now }: PlannedContent, own: string) {
  const isVisible = (path: string) => {
    const page = content.pages.get(path);
    return page === undefined || isPublished(page, now);
  };
  const authors = [...content.authors.values()].map(({ key, name }) => ({
    path: buildAuthorPath(key),
    title: name,
  }));
  return [...pages, ...authors]
    .filter(({ path }) => path !== own && isVisible(path))
    .map(({ path, title }) => ({ path, title }));
}

/** Why a page has to be where it is: the site itself links to it. Null when it does not. */
export const findFixedReason = (path: string) =>
  LINKED_PAGES.includes(path)
    ? `The site itself links to ${path}, so that the page has to be there: it can be edited, but not renamed, taken down or removed.`
    : null;

/** Everything that a change of an address writes, in its order. */
export interface AddressPlan {
  readonly changes: readonly FileChange[];
  /** Sentences for the operator. */
  readonly message: string;
  /** The sentence of the log of changes. */
  readonly note: string;
  /** The file that has the versions of the piece from then on. */
  readonly file: string;
}

const refuseUnread = ({ file }: PieceAddress): PlanRefusal => ({
  problem: `content/${file} cannot be read.`,
});

/** Whether a wish is a whole path, and no name behind what the path of a piece begins with. */
const isOwnAddress = (piece: PieceAddress, name: string) =>
  name.startsWith('/') &&
  !(name.startsWith(getPathPrefix(piece)) && /^[^/.]*$/.test(name.slice(getPathPrefix(piece).length)));

/**
 * Gives a piece another name (or path), with a redirect from its address when visitors see it. The new file, the links and the
 * redirect are written before the old file is removed: an address is never without a page.
 */
export function planRename(
  planned: PlannedContent,
  piece: PieceAddress,
  wish: { readonly name: string; readonly rewritesLinks: boolean },
): AddressPlan | PlanRefusal {
  const { texts, redirects } = planned;
  const hasOwn = planned.content.addresses.has(piece.path);
  if (piece.kind.key !== 'author' && (hasOwn || isOwnAddress(piece, wish.name)))
    return planAddress(planned, piece, wish);
  const old = texts.get(piece.file);
  if (old === undefined) return refuseUnread(piece);
  const isPublic = new Piece(piece.file, old.text).isShown(planned);
  // Without a redirect, the links would lead nowhere.
  const isRewritten = wish.rewritesLinks || !isPublic;
  const start = getPathPrefix(piece);
  const name = wish.name.startsWith(start) ? wish.name.slice(start.length) : wish.name;
  const next = buildPieceAddress(piece.kind, name.replace(/\/$/, ''));
  const problem = findNameProblem(planned, piece, next);
  if (problem !== null) return { problem };
  const edited = rewriteLinks(planned, piece, next, isRewritten);
  if ('problem' in edited) return edited;
  const own = edited.changes.find(({ file }) => file === piece.file)?.text ?? old.text;
  const links = listLinkPlaces(planned, piece).filter(({ kind }) => kind === 'link');
  const linking = new Set(links.map(({ file }) => file)).size;
  const rewritten =
    linking === 0 || !isRewritten
      ? ''
      : ` The links in ${linking === 1 ? '1 file' : `${linking} files`} were changed.`;
  return {
    changes: [
      { file: next.file, text: own, opened: null },
      ...edited.changes.filter(({ file }) => file !== piece.file),
      ...planRedirects(redirects, piece.path, next.path, { isAdded: isPublic, isSame: true }),
      { file: piece.file, text: null, opened: old.hash },
    ],
    message:
      `Renamed: its address is ${next.path}.${isPublic ? ` ${piece.path} leads there from now on.` : ''}${rewritten}` +
      ' Its history goes on here.',
    note: `Renamed content/${piece.file} to content/${next.file}${isPublic ? `, with a redirect from ${piece.path}` : ''}.`,
    file: next.file,
  };
}

/** The paths of a piece as its text names them, as redirects have them. */
export const listOwnPaths = ({ path, file }: PieceAddress, text: string): readonly string[] => {
  const own = parseAddress(String(new Piece(file, text).values?.['address'] ?? ''));
  return [path, ...(own === null ? [] : [trimAddress(own)])];
};

/** The path at which visitors read a piece: its own address, or the default one. */
export const getAddressInForce = ({ content }: PlannedContent, { path }: PieceAddress) =>
  content.addresses.get(path) ?? path;

/**
 * Gives a page or article an address of its own, or its default one back, with a redirect from the address that it had. Former
 * addresses lead to the default one, which leads on to the address in force.
 */
function planAddress(
  planned: PlannedContent,
  piece: PieceAddress,
  wish: { readonly name: string; readonly rewritesLinks: boolean },
): AddressPlan | PlanRefusal {
  const { content, files, texts, redirects } = planned;
  const old = texts.get(piece.file);
  if (old === undefined) return refuseUnread(piece);
  const current = getAddressInForce(planned, piece);
  const next = wish.name === piece.path ? piece.path : parseAddress(wish.name);
  if (next === null)
    return {
      problem: `${wish.name} cannot be an address: write a path such as /2022/07/my-post/, without a query.`,
    };
  if (next === current) return { problem: `Its address is ${next} already.` };
  const articles = new Set([...files].flatMap((file) => findKeyOf('article', file) ?? []));
  const lines = redirects.lines.filter(({ to }) => ![current, piece.path].map(getPath).includes(getPath(to)));
  const other = findRequestedPiece(content.addresses, trimAddress(next));
  const clash =
    other !== null && other.path !== piece.path
      ? `${next} is the address of the piece at ${other.path}`
      : createAddressCheck({ ...content, articles }, lines)(next, piece.path);
  if (clash !== null) return { problem: `${clash}: choose another address.` };
  const isPublic = new Piece(piece.file, old.text).isShown(planned);
  const [before, after] = [trimAddress(current), trimAddress(next)];
  // The default path and another slash at the end lead to the address by themselves.
  const isAdded = isPublic && before !== after && before !== piece.path;
  const from = { ...piece, path: before, key: NOWHERE };
  const edited =
    before === piece.path
      ? { changes: [] }
      : rewriteLinks(planned, from, { ...from, path: piece.path }, wish.rewritesLinks || !isPublic);
  if ('problem' in edited) return edited;
  const text = edited.changes.find(({ file }) => file === piece.file)?.text ?? old.text;
  const own = new Piece(piece.file, text).set({
    address: next === piece.path ? undefined : decodeURI(next),
  });
  if ('problem' in own) return own;
  const led = isAdded ? `, with a redirect from ${before}` : '';
  return {
    changes: [
      { file: piece.file, text: own.text, opened: old.hash },
      ...edited.changes.filter(({ file }) => file !== piece.file),
      ...planRedirects(redirects, before, piece.path, { isAdded, isSame: true, freed: after }),
    ],
    message: `Its address is ${next}.${isPublic ? ` ${before === after ? current : before} leads there from now on.` : ''}`,
    note: `Gave content/${piece.file} the address ${next}${led}.`,
    file: piece.file,
  };
}

/** Writes the links to a piece with another address; those of other files when `isRewritten`. */
function rewriteLinks(
  { texts, siteUrl }: PlannedContent,
  piece: PieceAddress,
  next: PieceAddress,
  isRewritten: boolean,
) {
  const search = createLinkSearch(piece, next, siteUrl);
  return rewriteFiles(
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
}

const MAX_NAME = 80;

/** Why a piece cannot have a name, as a sentence; null when it can. */
function findNameProblem(
  { content, files, redirects }: PlannedContent,
  piece: PieceAddress,
  next: PieceAddress,
): string | null {
  const { key, path, file } = next;
  const fixed = findFixedReason(piece.path);
  if (fixed !== null) return fixed;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key) || key.length > MAX_NAME)
    return `The address may have only a-z, 0-9 and single hyphens behind ${getPathPrefix(piece)}, at most ${MAX_NAME} of them.`;
  if (path === piece.path) return `Its address is ${path} already.`;
  if (piece.kind.key === 'page' && isReservedPath(path))
    return `The site responds at ${path} itself: choose another address.`;
  if (files.has(file)) return `There is content/${file} already: choose another address.`;
  const alias = Object.hasOwn(content.site.aliases, path) ? content.site.aliases[path] : undefined;
  if (alias !== undefined && getPath(alias) !== piece.path)
    return `${path} is an alias of content/site.yaml, which leads to ${alias}: choose another address, or remove the alias first.`;
  const line = findOwnRedirect(redirects, path);
  if (line !== undefined && getPath(line.to) !== piece.path)
    return (
      `${path} is a former address, which leads to ${line.to} (content/${line.file}, line ${line.line}): ` +
      'choose another address, or remove that line first.'
    );
  const clash = alias === undefined ? createClashCheck(content)(path) : null;
  return clash === null ? null : `${clash}: choose another address.`;
}

/** Whether a piece is removed or becomes a draft, and the page to which its address leads; null: nowhere. */
export interface DepartureWish {
  readonly change: 'take-down' | 'remove';
  readonly target: string | null;
}

/** Takes a piece down or removes it; its address leads to another page, or nowhere. */
export function planDeparture(
  planned: PlannedContent,
  piece: PieceAddress,
  wish: DepartureWish,
): AddressPlan | PlanRefusal {
  const { texts, redirects } = planned;
  const old = texts.get(piece.file);
  if (old === undefined) return refuseUnread(piece);
  const fixed = findFixedReason(piece.path);
  if (fixed !== null) return { problem: fixed };
  const isPublic = new Piece(piece.file, old.text).isShown(planned);
  const isRemoved = wish.change === 'remove';
  const target = isPublic && wish.target !== null ? findTarget(planned, piece, wish.target) : null;
  if (target !== null && 'problem' in target) return target;
  const to = target?.path ?? null;
  const problem = isRemoved ? findMissing(planned, piece, { to, isPublic }) : null;
  if (problem !== null) return { problem };
  // A draft keeps the addresses that lead to it, unless they lead elsewhere from then on.
  const isLed = to !== null || isRemoved;
  const edited = isLed ? leadAliases(planned, piece, to) : { changes: [] };
  if ('problem' in edited) return edited;
  const before = new Piece(piece.file, old.text);
  const stated = isRemoved ? null : planState(before, { kind: 'take-down' }, planned);
  if (stated !== null && 'problem' in stated) return stated;
  const own = planned.content.addresses.get(piece.path);
  const lead = { isAdded: to !== null, isSame: false, also: own && trimAddress(own) };
  return {
    changes: [
      ...edited.changes,
      ...(isLed ? planRedirects(redirects, piece.path, to, lead) : []),
      { file: piece.file, text: stated?.piece.text ?? null, opened: old.hash },
    ],
    ...describeDeparture(planned, piece, isRemoved, { to, isPublic }),
    file: piece.file,
  };
}

/** Where an address leads once its piece is gone, and whether visitors see the piece now. */
interface Lead {
  readonly to: string | null;
  readonly isPublic: boolean;
}

/** What would miss a piece that is removed, as a sentence; null when nothing would. */
function findMissing(planned: PlannedContent, piece: PieceAddress, { to, isPublic }: Lead): string | null {
  const places = listLinkPlaces(planned, piece);
  const names = places.filter(({ kind }) => kind === 'name');
  if (names.length > 0) return `${describePlaces(names, 'name it')}: change that first.`;
  const links = places.filter(({ kind }) => kind === 'link');
  const isLeft = to === null && findOwnRedirect(planned.redirects, piece.path) === undefined;
  if (!isLeft || links.length === 0) return null;
  const choice = isPublic ? 'choose a page to which its address leads, or ' : '';
  return `${describePlaces(links, 'link to it')}: ${choice}change the links first.`;
}

function describePlaces(places: readonly LinkPlace[], what: string): string {
  const [first] = places;
  const rest = places.length - 1;
  const verb = rest === 0 ? what.replace(/^(\w+)/, '$1s') : what;
  const more = rest === 0 ? '' : ` and ${rest} other ${rest === 1 ? 'place' : 'places'}`;
  return `content/${first?.file}, ${first?.place}${more} ${verb}`;
}

/** Leads the aliases of a piece to another path; null removes them. */
function leadAliases({ texts, siteUrl }: PlannedContent, piece: PieceAddress, to: string | null) {
  const search = createLinkSearch(piece, { path: to ?? NOWHERE, key: piece.key }, siteUrl);
  return rewriteFiles(texts, (_, value) =>
    search
      .find(value)
      .filter(({ kind }) => kind === 'alias')
      .map(
        ({ path }): YamlEdit => (to === null ? { kind: 'remove', path } : { kind: 'set', path, value: to }),
      ),
  );
}

/** Addresses that a message names. */
const MAX_NAMED = 5;

function describeDeparture(
  planned: PlannedContent,
  piece: PieceAddress,
  isRemoved: boolean,
  { to, isPublic }: Lead,
) {
  const done = isRemoved ? 'Removed' : 'Taken down';
  const rest = isRemoved
    ? ' Put a version back to have it again.'
    : ' It is a draft now, and visitors do not see it any more.';
  const former = listFormer(planned, piece.path);
  const gone =
    [piece.path, ...former].slice(0, MAX_NAMED).join(', ') + (former.length < MAX_NAMED ? '' : ' and others');
  const nowhere = isPublic ? ` Visitors of ${gone} get “not found” (404).` : '';
  const shown = to === null ? nowhere : ` ${piece.path} leads to ${to}.`;
  const lead = to === null ? '' : `, with a redirect from ${piece.path} to ${to}`;
  return {
    message: `${done}.${shown}${rest}`,
    note: `${isRemoved ? 'Removed' : 'Took down'} content/${piece.file}${lead}.`,
  };
}

/** The page of the site that an operator has written as the target. */
function findTarget(
  planned: PlannedContent,
  piece: PieceAddress,
  written: string,
): { readonly path: string } | PlanRefusal {
  const { content, siteUrl } = planned;
  const typed = written.startsWith(siteUrl) ? written.slice(siteUrl.length) || '/' : written;
  if (typed === '')
    return { problem: 'Choose the page to which its address leads, or that it leads nowhere.' };
  const path = typed === '/' ? typed : getPath(typed);
  if (path === piece.path) return { problem: `${path} would lead to itself: choose another page.` };
  const targets = listTargets(planned, piece.path).map((target) => target.path);
  if (path !== null && targets.includes(path)) return { path };
  const alias = Object.hasOwn(content.site.aliases, path ?? '')
    ? content.site.aliases[path ?? '']
    : undefined;
  const next = alias ?? findOwnRedirect(planned.redirects, path ?? '')?.to;
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

/** Edits the files that `find` has edits of; `rewrite` gets the text of an article below its front matter. */
export function rewriteFiles(
  texts: ReadonlyMap<string, ContentText>,
  find: (file: string, value: unknown) => readonly YamlEdit[],
  rewrite: (file: string, body: string) => string = (_, body) => body,
): { readonly changes: readonly FileChange[] } | PlanRefusal {
  const changes: FileChange[] = [];
  for (const [file, { text, hash }] of texts) {
    const piece = new Piece(file, text);
    if (piece.values === null) continue;
    const next = piece.edit(find(file, piece.values), rewrite(file, piece.body));
    if ('problem' in next) return { problem: `content/${file}: ${next.problem}` };
    if (next.text !== text) changes.push({ file, text: next.text, opened: hash });
  }
  return { changes };
}
