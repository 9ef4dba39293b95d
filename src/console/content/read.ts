import { describeHeld } from '../../core/articles/held-deletions.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { isExamplePartner } from '../../core/outbound/partner.ts';
import { type ClaimFinding, findClaimFaults } from '../../core/pages/claims/claims.ts';
import { describeOldPrices, findOldPrices } from '../../core/pages/launch-report.ts';
import { buildArticlePath, buildPagePath } from '../../core/paths.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readAllPages } from '../pages/read.ts';
import type { BreakdownRow } from '../reports/breakdown.ts';
import { buildListPage, type Column, exported, formatTimeCell } from '../reports/columns.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { IMAGES_VIEW } from './file-address.ts';
import { readImages } from './images.ts';
import { readUndo } from './line-changes.ts';
import { LIVE_PAGES_VIEW, readLivePages } from './live-pages.ts';
import { NEW_PIECE, readNewPiece } from './pieces.ts';
import { findChangePlan, readChanges } from './plan-changes.ts';
import { PRICES_VIEW, readPrices } from './prices.ts';
import { findFolderProblem, readContentFile } from './read-file.ts';
import { listClaimUpdates, listContentFindings, readKnownLinks, readUpdates } from './updates.ts';
import { FILE_KINDS, nameContentFile, nameFile, openContentFiles } from './written-files.ts';

/** Something in the content folder that the operator should look at. */
export interface ContentTask {
  readonly kind: ClaimFinding['kind'] | 'prices' | 'stale';
  readonly text: string;
  /** Path below the content folder; empty when no one file is meant. */
  readonly file: string;
}

/** A page with few views. */
export interface UnreadPage {
  readonly path: string;
  readonly title: string;
  readonly views: number;
  readonly clicks: number;
  /** Path below the content folder; empty when the page comes from elsewhere. */
  readonly file: string;
}

const MAX_UNREAD = 50;
/** A page with fewer views in the period is not read. */
const MIN_VIEWS = 10;

/** Lists the pages that hardly any visitor has seen, fewest views first. */
function listUnreadPages(
  pages: readonly Pick<UnreadPage, 'path' | 'title' | 'file'>[],
  counts: ReadonlyMap<string, { readonly views: number; readonly clicks: number }>,
): UnreadPage[] {
  return pages
    .map((page) => ({
      ...page,
      views: counts.get(page.path)?.views ?? 0,
      clicks: counts.get(page.path)?.clicks ?? 0,
    }))
    .filter(({ views }) => views < MIN_VIEWS)
    .sort((one, other) => one.views - other.views || (one.path < other.path ? -1 : 1))
    .slice(0, MAX_UNREAD);
}

/** A line of the exported list: a claim, an unpublished article or a page that is not read. */
interface ContentLine {
  readonly views?: number;
  readonly clicks?: number;
  readonly kind: string;
  readonly what: string;
  readonly file: string;
  /** ms since 1970. */
  readonly publishAt?: number | null;
}

export const CONTENT_COLUMNS: readonly Column<ContentLine>[] = [
  exported('kind', ({ kind }) => kind),
  exported('what', ({ what }) => what),
  exported('file', ({ file }) => file),
  exported('publish_at', ({ publishAt = null }) => formatTimeCell(publishAt)),
  exported('views', ({ views = null }) => views),
  exported('clicks', ({ clicks = null }) => clicks),
];

/** A content file in the list, with the figures of its page. */
export interface ContentFileRow {
  readonly file: string;
  readonly kind: string;
  readonly title: string;
  readonly state: 'published' | 'draft' | 'scheduled' | 'has problems';
  /** When it appears, in ms since 1970; null unless it is scheduled. */
  readonly publishAt: number | null;
  /** ms since 1970; null: the file is part of the build. */
  readonly changedAt: number | null;
  /** Name of the operator who changed it last; empty: it was changed on the server. */
  readonly changedBy: string;
  /** The path of its page; null for files without one. */
  readonly address: string | null;
  /** Null for files without a page of their own. */
  readonly figures: BreakdownRow | null;
}

/** Reads the list of files that can be edited, those with problems first, then by expected money. */
async function listFiles(site: ConsoleSite, request: ContentRequest) {
  const { versions: contentVersions } = site.content;
  const source = openContentFiles(site);
  const newest = await contentVersions.readNewest();
  const search = (request.parameters.get('q') ?? '').trim().slice(0, 100);
  const chosen = request.parameters.get('kind') ?? '';
  const asked = request.parameters.get('state') ?? '';
  const { rows } = await readAllPages(site, request);
  const figures = new Map(rows.map((row) => [row.key, row]));
  const pages = new Map(listSitePages(site).map((page) => [page.file, page]));
  const unpublished = new Map(
    site.content.articles.getUnpublished().map((article) => [article.file, article]),
  );
  const warnings = site.content.readWarnings();
  const all = source.list().map(({ file, changedAt }): ContentFileRow => {
    const [folder = ''] = file.split('/');
    const page = pages.get(file);
    const article = unpublished.get(file);
    const hidden = article === undefined ? null : article.publishAt === null ? 'draft' : 'scheduled';
    const isOwnPage = page !== undefined && ['pages', 'articles'].includes(folder);
    const version = newest.get(file);
    const state = warnings.some((warning) => warning.includes(`content/${file}`))
      ? 'has problems'
      : (hidden ?? findPageState(site, file));
    const publishAt = article?.publishAt ?? findPublication(site, file);
    return {
      file,
      changedAt,
      // A file that was changed after the console has saved it was changed in a shell.
      changedBy:
        version !== undefined && changedAt !== null && version.savedAt >= Math.floor(changedAt)
          ? version.operator
          : '',
      address: isOwnPage ? page.path : null,
      kind: FILE_KINDS.get(folder) ?? folder,
      title: (isOwnPage ? page.title : article?.title) ?? nameFile(site, file),
      state,
      publishAt: state === 'scheduled' ? publishAt : null,
      figures: isOwnPage ? (figures.get(page.path) ?? null) : null,
    };
  });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ({ title, file, address }: ContentFileRow) => {
    if (words.length === 0) return true;
    const read = source.read(file);
    const text = [title, file, address ?? '', 'text' in read ? read.text : ''].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const isNamed = ({ title }: ContentFileRow) =>
    words.length > 0 && words.every((word) => title.toLowerCase().includes(word));
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const found = all
    .filter((row) => (chosen === '' || row.kind === chosen) && (asked === '' || row.state === asked))
    .filter(isFound)
    .sort(
      (one, other) =>
        Number(isNamed(other)) - Number(isNamed(one)) ||
        // What is scheduled is read by its day.
        (asked === 'scheduled' ? (one.publishAt ?? 0) - (other.publishAt ?? 0) : 0) ||
        compareFiles(one, other),
    );
  const page = buildListPage(found, request.parameters, FILES_PER_PAGE);
  return {
    ...page,
    found: found.length,
    total: all.length,
    kinds,
    search,
    chosen,
    state: asked,
    /** Files that the editor opens. */
    opens: new Set(all.map(({ file }) => file)),
    /** Why nothing can be changed here; null when it can. */
    readOnly: await findFolderProblem(site),
  };
}

/** On a phone they take no more than a few screens. */
const FILES_PER_PAGE = 20;
const KIND_ORDER = [...FILE_KINDS.values()];

/** Those with problems first, then by kind, expected money and views; an unknown kind is the last. */
function compareFiles(one: ContentFileRow, other: ContentFileRow): number {
  const rank = ({ kind }: ContentFileRow) =>
    (KIND_ORDER.indexOf(kind) + KIND_ORDER.length + 1) % (KIND_ORDER.length + 1);
  return (
    Number(other.state === 'has problems') - Number(one.state === 'has problems') ||
    rank(one) - rank(other) ||
    (other.figures?.expected ?? 0) - (one.figures?.expected ?? 0) ||
    (other.figures?.views ?? 0) - (one.figures?.views ?? 0)
  );
}

function findPageState(site: ConsoleSite, file: string): 'published' | 'draft' | 'scheduled' {
  const { clock } = site;
  const content = site.content.read();
  const [, folder, name = ''] = /^(pages|products|partners)\/(.+)\.yaml$/.exec(file) ?? [];
  if (file === 'assessment.yaml' && content.assessment.draft) return 'draft';
  const partner = folder === 'partners' ? content.partners.get(name) : undefined;
  if (partner !== undefined && isExamplePartner(partner)) return 'draft';
  if (folder === 'products') return content.products.has(name) ? 'published' : 'draft';
  const page = folder === undefined ? undefined : content.pages.get(buildPagePath(name));
  if (page?.draft === true) return 'draft';
  return (findPublication(site, file) ?? 0) > clock.now() ? 'scheduled' : 'published';
}

/** When a page appears or has appeared, in ms since 1970; null for other files, and without a day. */
function findPublication(site: ConsoleSite, file: string): number | null {
  const [, name] = /^pages\/(.+)\.yaml$/.exec(file) ?? [];
  const page = name === undefined ? undefined : site.content.read().pages.get(buildPagePath(name));
  return page?.publishedAt === undefined ? null : Date.parse(page.publishedAt);
}

type ContentRequest = Pick<ViewRequest, 'query' | 'viewer' | 'parameters' | 'rest'>;

/** Reads the list of content with what needs the operator, or one file; null if it does not exist. */
export async function readContentView(site: ConsoleSite, request: ViewRequest) {
  if (request.rest[0] === IMAGES_VIEW) return readImages(site, request);
  if (request.rest.join('/') === NEW_PIECE) return readNewPiece(site, request);
  const [page, ...more] = request.rest;
  if (page === 'attention' && more.length === 0)
    return { kind: 'attention' as const, ...(await readAttention(site, request)) };
  if (page === PRICES_VIEW && more.length === 0) return readPrices(site, request);
  if (page === LIVE_PAGES_VIEW && more.length === 0) return readLivePages(site, request);
  if (findChangePlan(page) !== undefined && more.length === 0) return readChanges(site, request);
  if (page === 'links' && more.length === 0)
    return { kind: 'links' as const, known: await readKnownLinks(site), now: site.clock.now() };
  if (page !== undefined) return readContentFile(site, request);
  return {
    kind: 'list' as const,
    ...(await readHeldBack(site, request)),
    list: await listFiles(site, request),
    undo: await readUndo(site, request),
  };
}

/** Reads what needs attention, by file: those on which the most money depends first. */
async function readAttention(site: ConsoleSite, request: ViewRequest) {
  const tasks = await readContentTasks(site, request);
  const { updates, currency } = tasks.first;
  const known = new Set(updates.map(({ text }) => text));
  const items = [
    ...updates,
    ...tasks.claims
      .filter(({ text }) => !known.has(text))
      .map((task) => ({
        ...task,
        key: `${task.kind} ${task.text}`,
        at: '',
        details: [],
        pages: [],
        amount: 0,
        clicks: 0,
      })),
  ];
  const opens = new Set(
    openContentFiles(site)
      .list()
      .map(({ file }) => file),
  );
  const files = [...Map.groupBy(items, ({ file }) => file)].map(([file, found]) => ({
    file,
    title: nameContentFile(site, file),
    isOpen: opens.has(file),
    items: found,
    amount: Math.max(...found.map(({ amount }) => amount)),
  }));
  return { ...tasks, files, currency, opens };
}

/** How many things of the content need attention. */
export async function countAttention(site: ConsoleSite, request: ViewRequest): Promise<number> {
  const { files } = await readAttention(site, request);
  return files.reduce((sum, { items }) => sum + items.length, 0);
}

/** Reads what keeps edits from being shown until an operator decides. */
async function readHeldBack(site: ConsoleSite, { viewer }: ViewRequest) {
  return {
    /** Changes of who is paid, for operators who may confirm them. */
    payees: isAllowed(viewer, 'manage') ? await site.payees.readUnconfirmed(site.content.read()) : [],
    /** Why edits are not shown yet, a line each. */
    warnings: site.content.readWarnings(),
    held: readHeld(site.content.articles),
    /** What keeps the content from being read and written; null: nothing. */
    hold: site.platform.content.files?.journal.look() ?? null,
  };
}

/** Reads what in the content needs the operator: claims, unpublished articles, pages that are not read. */
export async function readContentTasks(site: ConsoleSite, request: ViewRequest) {
  const { query } = request;
  const { clock, platform } = site;
  const { rollups } = site.money;
  const content = site.content.read();
  const { articles } = site.content;
  const { from, to } = query;
  const groups = await rollups.readByKey({ dimension: 'page', from, to });
  const pages = listSitePages(site);
  const { files, uses, samples } = platform.content.readClaimUses(content.claims);
  const known = await readKnownLinks(site);
  const first = await readUpdates(site, known, [...listClaimUpdates(site), ...listContentFindings(site)]);
  const stale = first.updates.filter(({ kind }) => kind === 'price');
  const findings = findClaimFaults({
    claims: content.claims,
    uses,
    samples,
    today: clock.now(),
  });
  return {
    ...(await readHeldBack(site, request)),
    /** What is not right any more, by the money that depends on it. */
    first,
    /** Prices that have to be compared again come before the claims. */
    claims: [
      ...stale.map(({ text, file }) => ({ kind: 'stale' as const, text, file })),
      ...listOldPrices(site),
      ...findings.map((finding) => buildTask(finding, files)),
    ],
    unpublished: articles.getUnpublished(),
    /** Fewest views first. */
    unread: listUnreadPages(
      pages.filter(({ file }) => findPageState(site, file) === 'published'),
      new Map(groups.map((group) => [group.key[0] ?? '', group])),
    ),
    /** Pages of the site. */
    pages: pages.length,
  };
}

/** Reads the three lists as one. */
export async function readContentLines(site: ConsoleSite, request: ViewRequest) {
  const { claims, unpublished, unread } = await readContentTasks(site, request);
  const rows: readonly ContentLine[] = [
    ...claims.map(({ kind, text, file }) => ({ kind, what: text, file })),
    ...unpublished.map(({ title, file, publishAt }) => ({
      kind: publishAt === null ? 'draft' : 'scheduled',
      what: title,
      file,
      publishAt,
    })),
    ...unread.map(({ path, ...page }) => ({ ...page, kind: 'unread', what: path })),
  ];
  return { rows };
}

function listOldPrices(site: ConsoleSite): ContentTask[] {
  const { clock } = site;
  const content = site.content.read();
  return findOldPrices(content.products, clock.now()).map((old) => ({
    kind: 'prices',
    text: `Not shown any more: ${describeOldPrices(old)}`,
    file: old.file,
  }));
}

/** The articles that the source no longer has and that are still shown; null without any. */
function readHeld(articles: ConsoleSite['content']['articles']) {
  const held = articles.getHeldDeletions();
  if (held === null) return null;
  const summaries = articles.getSummaries();
  const known = new Map(summaries.map((article) => [article.slug, article]));
  return {
    description: describeHeld(held, summaries.length),
    articles: held.slugs.map((slug) => ({
      slug,
      title: known.get(slug)?.title ?? slug,
      path: buildArticlePath(known.get(slug) ?? { slug }),
    })),
  };
}

function buildTask({ kind, text, claims }: ClaimFinding, files: ReadonlyMap<string, string>): ContentTask {
  // A sample is named by its place: file, field.
  const file = kind === 'sample' ? text.split(',', 1)[0] : files.get(claims[0] ?? '');
  return { kind, text, file: file ?? '' };
}
