import { type ClaimFinding, findClaimFaults } from '../../core/pages/claims.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
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
export async function readContentTasks(site: ConsoleSite, { query }: Pick<ViewRequest, 'query'>) {
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
export async function readContentLines(site: ConsoleSite, request: Pick<ViewRequest, 'query'>) {
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

function buildTask({ kind, text, claims }: ClaimFinding, files: ReadonlyMap<string, string>): ContentTask {
  // A sample is named by its place: file, field.
  const file = kind === 'sample' ? text.split(',', 1)[0] : files.get(claims[0] ?? '');
  return { kind, text, file: file ?? '' };
}
