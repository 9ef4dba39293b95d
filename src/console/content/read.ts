import { CONTENT_KINDS, findKeyOf, findKind, isOfKind, nameOfFile } from '../../content-files/kinds.ts';
import { describeHeld } from '../../core/articles/held-deletions.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { ContentUpdate } from '../../core/outbound/content-updates.ts';
import { isExamplePartner } from '../../core/outbound/partner.ts';
import { type ClaimFinding, findClaimFaults } from '../../core/pages/claims/claims.ts';
import { describeOldPrices, findOldPrices } from '../../core/pages/launch-report.ts';
import { buildArticlePath, buildPagePath } from '../../core/paths.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { type Column, column, exported, formatTimeCell } from '../reports/columns.ts';
import { type EarnedRow, readEarned } from '../reports/earned.ts';
import { readListTable } from '../reports/list.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { IMAGES_VIEW } from './file-address.ts';
import { readImages } from './images.ts';
import { readUndo } from './line-changes.ts';
import { readLinks } from './links.ts';
import { LIVE_PAGES_VIEW, readLivePages } from './live-pages.ts';
import { NEW_PIECE, readNewPiece } from './pieces.ts';
import { findChangePlan, readChanges } from './plan-changes.ts';
import { PRICES_VIEW, readPrices } from './prices.ts';
import { findFolderProblem, readContentFile } from './read-file.ts';
import { listClaimUpdates, listContentFindings, readKnownLinks, readUpdates } from './updates.ts';
import { nameFile, openContentFiles } from './written-files.ts';

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
  readonly figures: EarnedRow | null;
  /** What is to do in it, most important first. */
  readonly tasks: readonly PieceTask[];
}

/** Something in a piece that is not right any more. */
interface PieceTask extends Pick<ContentUpdate, 'key' | 'text' | 'at' | 'line'> {
  /** Whole amount that depends on it; minor units. */
  readonly amount: number;
}

export const PIECE_COLUMNS: readonly Column<ContentFileRow>[] = [
  column('title', 'Title', ({ title }) => title),
  column('state', 'State', ({ state }) => state),
  column('earned', 'Earned', ({ figures }) => figures?.earned ?? null, {
    sort: ({ figures }) => figures?.earned ?? null,
    isNumeric: true,
  }),
  column('clicks', 'Clicks', ({ figures }) => figures?.clicks ?? null, {
    sort: ({ figures }) => figures?.clicks ?? null,
    isNumeric: true,
  }),
  column('changed', 'Changed', ({ changedAt }) => changedAt, {
    sort: ({ changedAt }) => changedAt,
    isNumeric: true,
  }),
];

/** The states by which pieces are filtered. */
const PIECE_STATES = [
  ['to-do', 'To do'],
  ['scheduled', 'Scheduled'],
  ['draft', 'Draft'],
  ['published', 'Published'],
] as const;

/** Reads the list of files that can be edited, those with problems first, then by what they earned. */
async function listFiles(site: ConsoleSite, request: ViewRequest) {
  const { versions: contentVersions } = site.content;
  const source = openContentFiles(site);
  const [newest, { rows }, todo] = await Promise.all([
    contentVersions.readNewest(),
    readEarned(site.periods, request.query, 'page'),
    readPieceTasks(site, request),
  ]);
  const figures = new Map(rows.map((row) => [row.key, row]));
  const pages = new Map(listSitePages(site).map((page) => [page.file, page]));
  const unpublished = new Map(
    site.content.articles.getUnpublished().map((article) => [article.file, article]),
  );
  const warnings = site.content.readWarnings();
  const all = source.list().map(({ file, changedAt }): ContentFileRow => {
    const page = pages.get(file);
    const article = unpublished.get(file);
    const hidden = article === undefined ? null : article.publishAt === null ? 'draft' : 'scheduled';
    const isOwnPage = page !== undefined && isOfKind(file, 'page', 'article');
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
      kind: findKind(file)?.label ?? file,
      title: (isOwnPage ? page.title : article?.title) ?? nameFile(site, file),
      state,
      publishAt: state === 'scheduled' ? publishAt : null,
      figures: isOwnPage ? (figures.get(page.path) ?? null) : null,
      tasks: todo.get(file) ?? [],
    };
  });
  const read = (file: string) => {
    const found = source.read(file);
    return 'text' in found ? found.text : '';
  };
  const isToDo = ({ state, tasks }: ContentFileRow) => state === 'has problems' || tasks.length > 0;
  const isScheduled = request.parameters.get('state') === 'scheduled';
  return {
    ...readListTable(all.toSorted(compareFiles), PIECE_COLUMNS, request, {
      // What is scheduled is read by its day, which is the order that the rows have.
      usual: { column: isScheduled ? '' : 'earned', isDescending: true },
      title: ({ title }) => title,
      words: ({ file, address, kind }) => [file, address, kind, read(file)].join(' '),
      filter: {
        name: 'state',
        label: 'All pieces',
        options: PIECE_STATES,
        has: (row, state) => (state === 'to-do' ? isToDo(row) : row.state === state),
      },
    }),
    all: all.length,
    toDo: all.filter(isToDo).length,
    /** What is to do in no one file. */
    others: todo.get('') ?? [],
    /** Files that the editor opens. */
    opens: new Set(all.map(({ file }) => file)),
    /** Why nothing can be changed here; null when it can. */
    readOnly: await findFolderProblem(site),
  };
}

/** Reads what is to do, by file, that with the most money first. */
async function readPieceTasks(site: ConsoleSite, request: ViewRequest) {
  const { first, claims } = await readContentTasks(site, request);
  const known = new Set(first.updates.map(({ text }) => text));
  const others = claims
    .filter(({ text }) => !known.has(text))
    .map(({ kind, text, file }) => ({ key: `${kind} ${text}`, text, file, amount: 0 }));
  return Map.groupBy<string, PieceTask & { readonly file: string }>(
    [...first.updates, ...others],
    ({ file }) => file,
  );
}

const KIND_ORDER = CONTENT_KINDS.map(({ label }) => label);

/** By the day that they are scheduled for; those with problems first, then by kind; an unknown kind is the last. */
function compareFiles(one: ContentFileRow, other: ContentFileRow): number {
  const rank = ({ kind }: ContentFileRow) =>
    (KIND_ORDER.indexOf(kind) + KIND_ORDER.length + 1) % (KIND_ORDER.length + 1);
  return (
    (one.publishAt ?? 0) - (other.publishAt ?? 0) ||
    Number(other.state === 'has problems') - Number(one.state === 'has problems') ||
    rank(one) - rank(other)
  );
}

function findPageState(site: ConsoleSite, file: string): 'published' | 'draft' | 'scheduled' {
  const { clock } = site;
  const content = site.content.read();
  const [kind, name] = [findKind(file)?.key, nameOfFile(file)];
  if (kind === 'assessment' && content.assessment.draft) return 'draft';
  const partner = kind === 'partner' ? content.partners.get(name) : undefined;
  if (partner !== undefined && isExamplePartner(partner)) return 'draft';
  if (kind === 'product') return content.products.has(name) ? 'published' : 'draft';
  const page = kind === 'page' ? content.pages.get(buildPagePath(name)) : undefined;
  if (page?.draft === true) return 'draft';
  return (findPublication(site, file) ?? 0) > clock.now() ? 'scheduled' : 'published';
}

/** When a page appears or has appeared, in ms since 1970; null for other files, and without a day. */
function findPublication(site: ConsoleSite, file: string): number | null {
  const name = findKeyOf('page', file);
  const page = name === null ? undefined : site.content.read().pages.get(buildPagePath(name));
  return page?.publishedAt === undefined ? null : Date.parse(page.publishedAt);
}

/** Reads the list of content with what needs the operator, or one file; null if it does not exist. */
export async function readContentView(site: ConsoleSite, request: ViewRequest) {
  if (request.rest[0] === IMAGES_VIEW) return readImages(site, request);
  if (request.rest.join('/') === NEW_PIECE) return readNewPiece(site, request);
  const [page, ...more] = request.rest;
  if (page === PRICES_VIEW && more.length === 0) return readPrices(site, request);
  if (page === LIVE_PAGES_VIEW && more.length === 0) return readLivePages(site, request);
  if (findChangePlan(request) !== undefined) return readChanges(site, request);
  if (page === 'links' && more.length === 0) return readLinks(site, request);
  if (page !== undefined) return readContentFile(site, request);
  return {
    kind: 'list' as const,
    ...(await readHeldBack(site, request)),
    list: await listFiles(site, request),
    undo: await readUndo(site, request),
  };
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
