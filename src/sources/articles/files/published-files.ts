import type { ArticleSummary } from '../../../core/articles/article.ts';
import type { Clock } from '../../../core/clock.ts';
import type { ArticleFile } from './article-file.ts';
import type { ArticleFolder } from './article-folder.ts';

export interface PublishedChanges {
  /** New and changed files. */
  readonly added: readonly ArticleFile[];
  /** Slugs. */
  readonly removed: readonly string[];
}

/** The published files of a folder at the current time: no drafts, no future and no unpublished articles. */
export class PublishedFiles {
  readonly #folder: ArticleFolder;
  readonly #clock: Clock;
  #source: readonly ArticleFile[] | null = null;
  #validFrom = 0;
  #validUntil = 0;
  #files: ReadonlyMap<string, ArticleFile> = new Map();
  #inSlugOrder: readonly ArticleFile[] = [];
  #summaries: readonly ArticleSummary[] = [];
  #reported: ReadonlyMap<string, ArticleFile>;

  constructor(folder: ArticleFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#reported = this.#getBySlug();
  }

  /** Returns the summaries, newest first; the same array until one changes. */
  getSummaries(): readonly ArticleSummary[] {
    this.#update();
    return this.#summaries;
  }

  getFile(slug: string): ArticleFile | null {
    return this.#getBySlug().get(slug) ?? null;
  }

  /** Returns at most `count` files whose slugs come after `slug`, in order of slug. */
  getFilesAfter(slug: string, count: number): readonly ArticleFile[] {
    this.#update();
    return this.#inSlugOrder.filter((file) => file.slug > slug).slice(0, count);
  }

  /** Takes the files of these slugs as those of the last call of `takeChanges`. */
  setReported(slugs: readonly string[]): void {
    const files = slugs.flatMap((slug) => this.#folder.getFile(slug) ?? []);
    this.#reported = new Map(files.map((file) => [file.slug, file]));
  }

  /** Returns what changed since the last call, or since the start. */
  takeChanges(): PublishedChanges {
    const before = this.#reported;
    const now = this.#getBySlug();
    this.#reported = now;
    if (before === now) return { added: [], removed: [] };
    return {
      added: [...now.values()].filter((file) => before.get(file.slug) !== file),
      removed: [...before.keys()].filter((slug) => !now.has(slug)),
    };
  }

  #getBySlug(): ReadonlyMap<string, ArticleFile> {
    this.#update();
    return this.#files;
  }

  /** Filters the files again when the folder has changed, or when the clock has passed a date or jumped back. */
  #update(): void {
    const all = this.#folder.getFiles();
    const now = this.#clock.now();
    if (all === this.#source && now >= this.#validFrom && now < this.#validUntil) return;
    const time = new Date(now).toISOString();
    const published = all.filter((file) => isPublished(file, time));
    this.#source = all;
    this.#validFrom = now;
    this.#validUntil = findNextChange(all, now);
    this.#files = new Map(published.map((file) => [file.slug, file]));
    this.#inSlugOrder = published.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
    this.#summaries = published.map((file) => this.#folder.getSummary(file));
  }
}

function isPublished({ front }: ArticleFile, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
}

/** When the next article is published or unpublished; ms since 1970. */
function findNextChange(files: readonly ArticleFile[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { front } of files) {
    for (const date of [front.publishedAt, front.unpublishAt]) {
      const time = date === undefined ? 0 : Date.parse(date);
      if (time > now) next = Math.min(next, time);
    }
  }
  return next;
}
