import { describeHeld } from '../../core/articles/held-deletions.ts';
import { isOwner } from '../../core/console/operator.ts';
import { type ClaimFinding, findClaimFaults } from '../../core/pages/claims.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { type Column, exported, formatTimeCell } from '../figures/columns.ts';
import { listSitePages } from '../figures/site-pages.ts';

/** Something in the content folder that the operator should look at. */
export interface ContentTask {
  readonly kind: ClaimFinding['kind'];
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
interface ContentLine extends Partial<Pick<UnreadPage, 'views' | 'clicks'>> {
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

/** Reads what in the content needs the operator: claims, unpublished articles, pages that are not read. */
export async function readContentTasks(
  site: ConsoleSite,
  { query, viewer, formToken }: Pick<ViewRequest, 'query' | 'viewer' | 'formToken'>,
) {
  const { content, articles, rollups, clock, readClaimUses } = site;
  const { from, to } = query;
  const groups = await rollups.readByKey({ dimension: 'page', from, to });
  const pages = listSitePages(site);
  const { files, uses, samples } = readClaimUses();
  const { CLAIM_MAX_AGE_DAYS: maxAgeDays } = site.settings;
  const findings = findClaimFaults({
    ...{ claims: content.claims, uses, samples, maxAgeDays },
    today: clock.now(),
  });
  return {
    /** Why edits are not shown yet, a line each. */
    warnings: site.readContentWarnings(),
    held: readHeld(articles),
    canChange: viewer.kind === 'operator' && isOwner(viewer),
    formToken,
    claims: findings.map((finding) => buildTask(finding, files)),
    unpublished: articles.getUnpublished(),
    /** Fewest views first. */
    unread: listUnreadPages(pages, new Map(groups.map((group) => [group.key[0] ?? '', group]))),
    /** Pages of the site. */
    pages: pages.length,
    claimMaxAgeDays: maxAgeDays,
  };
}

/** Reads the three lists as one. */
export async function readContentLines(
  site: ConsoleSite,
  request: Pick<ViewRequest, 'query' | 'viewer' | 'formToken'>,
) {
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

/** The articles that the source no longer has and that are still shown; null without any. */
function readHeld(articles: ConsoleSite['articles']) {
  const held = articles.getHeldDeletions();
  if (held === null) return null;
  const summaries = articles.getSummaries();
  const titles = new Map(summaries.map(({ slug, title }) => [slug, title]));
  return {
    description: describeHeld(held, summaries.length),
    articles: held.slugs.map((slug) => ({ slug, title: titles.get(slug) ?? slug })),
  };
}

/** Handles the form that accepts the held deletions of articles. */
export async function changeContent({ articles }: ConsoleSite, form: FormData): Promise<ActionOutcome> {
  const location = buildConsoleAddress('content');
  if (form.get('action') !== 'accept-deletions')
    return { location, message: 'The form is incomplete. Nothing was changed.', isError: true };
  const count = await articles.acceptDeletions();
  if (count === 0)
    return { location, message: 'No deletion is held back any more. Nothing was changed.', isError: true };
  const subject = count === 1 ? 'The deletion of 1 article was' : `The deletions of ${count} articles were`;
  const message = `${subject} accepted. What the source still does not have is removed when it is read next.`;
  return { location, message, isError: false };
}

function buildTask({ kind, text, claims }: ClaimFinding, files: ReadonlyMap<string, string>): ContentTask {
  // A sample is named by its place: file, field.
  const file = kind === 'sample' ? text.split(',', 1)[0] : files.get(claims[0] ?? '');
  return { kind, text, file: file ?? '' };
}
