import type { UnpublishedArticle } from '../../core/articles/article.ts';
import type { ClaimFinding } from '../../core/pages/claims.ts';
import type { Rollups } from '../../stores/rollups.ts';
import type { ExportTable, ViewReader, ViewRequest } from '../views.ts';

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

export interface ContentModel {
  /** Why edits are not shown yet, a line each. */
  readonly warnings: readonly string[];
  readonly claims: readonly ContentTask[];
  readonly unpublished: readonly UnpublishedArticle[];
  /** Fewest views first. */
  readonly unread: readonly UnreadPage[];
  /** Pages of the site. */
  readonly pages: number;
  readonly claimMaxAgeDays: number;
}

const MAX_UNREAD = 50;
/** A page with fewer views in the period is not read. */
const MIN_VIEWS = 10;

/** Lists the pages that hardly any visitor has seen, fewest views first. */
export function listUnreadPages(
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

/** What the files say of claims, with the file of each claim. */
export interface ClaimReport {
  readonly findings: readonly ClaimFinding[];
  readonly files: ReadonlyMap<string, string>;
}

export interface ContentReaderOptions {
  /** Returns why edits are not shown yet. */
  readonly readWarnings: () => readonly string[];
  /** Reads the content folder. */
  readonly readClaims: () => ClaimReport;
  readonly getUnpublished: () => readonly UnpublishedArticle[];
  /** Every page of the site. */
  readonly getPages: () => readonly Pick<UnreadPage, 'path' | 'title' | 'file'>[];
  readonly rollups: Pick<Rollups, 'readByKey'>;
  readonly claimMaxAgeDays: number;
}

/** What in the content needs the operator: claims, unpublished articles, pages that are not read. */
export class ContentReader implements ViewReader<ContentModel> {
  readonly #options: ContentReaderOptions;

  constructor(options: ContentReaderOptions) {
    this.#options = options;
  }

  async read({ query: { from, to } }: Pick<ViewRequest, 'query'>): Promise<ContentModel> {
    const { readClaims, getUnpublished, getPages, rollups, claimMaxAgeDays } = this.#options;
    const groups = await rollups.readByKey({ dimension: 'page', from, to });
    const pages = getPages();
    const { findings, files } = readClaims();
    return {
      warnings: this.#options.readWarnings(),
      claims: findings.map((finding) => buildTask(finding, files)),
      unpublished: getUnpublished(),
      unread: listUnreadPages(pages, new Map(groups.map((group) => [group.key[0] ?? '', group]))),
      pages: pages.length,
      claimMaxAgeDays,
    };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { claims, unpublished, unread } = await this.read(request);
    return {
      columns: ['kind', 'what', 'file', 'publish_at', 'views', 'clicks'],
      rows: [
        ...claims.map(({ kind, text, file }) => [kind, text, file, null, null, null]),
        ...unpublished.map(({ title, file, publishAt }) =>
          publishAt === null
            ? ['draft', title, file, null, null, null]
            : ['scheduled', title, file, new Date(publishAt).toISOString(), null, null],
        ),
        ...unread.map(({ path, file, views, clicks }) => ['unread', path, file, null, views, clicks]),
      ],
    };
  }
}

function buildTask({ kind, text, claims }: ClaimFinding, files: ReadonlyMap<string, string>): ContentTask {
  // A sample is named by its place: file, field.
  const file = kind === 'sample' ? text.split(',', 1)[0] : files.get(claims[0] ?? '');
  return { kind, text, file: file ?? '' };
}
