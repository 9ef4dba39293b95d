import type { ArticleCard } from '../../core/articles/article.ts';
import type { Clock } from '../../core/clock.ts';
import type { FileEntry } from './files-folder.ts';

/** The published ones of a folder's files, as of now. */
export interface PublishedFiles {
  /** Newest first. */
  cards(): readonly ArticleCard[];
  /** By slug. */
  bySlug(): readonly FileEntry[];
  find(slug: string): FileEntry | null;
  /** What has come, changed and gone since the last call; at first nothing. */
  takeChanges(): { readonly added: readonly FileEntry[]; readonly removed: readonly string[] };
}

/** Follows a folder and the clock: drafts, the future and what was withdrawn are left out. `entries`: newest first. */
export function createPublishedFiles(entries: () => readonly FileEntry[], clock: Clock): PublishedFiles {
  let from: readonly FileEntry[] = [];
  let validUntil = Number.NEGATIVE_INFINITY;
  let validFrom = Number.POSITIVE_INFINITY;
  let map = new Map<string, FileEntry>();
  let cards: readonly ArticleCard[] = [];
  let sorted: readonly FileEntry[] = [];
  const update = () => {
    const all = entries();
    const now = clock.now();
    if (all === from && now >= validFrom && now < validUntil) return;
    const time = new Date(now).toISOString();
    const visible = all.filter((entry) => isPublished(entry, time));
    from = all;
    validFrom = now;
    validUntil = findNextChange(all, now);
    map = new Map(visible.map((entry) => [entry.file.slug, entry]));
    cards = visible.map(({ card }) => card);
    sorted = visible.toSorted((a, b) => (a.file.slug < b.file.slug ? -1 : 1));
  };
  const read = () => {
    update();
    return map;
  };
  let taken = read();
  return {
    cards: () => {
      update();
      return cards;
    },
    bySlug: () => {
      update();
      return sorted;
    },
    find: (slug) => read().get(slug) ?? null,
    takeChanges() {
      const before = taken;
      taken = read();
      if (before === taken) return { added: [], removed: [] };
      return {
        added: [...taken.values()].filter((entry) => before.get(entry.file.slug) !== entry),
        removed: [...before.keys()].filter((slug) => !taken.has(slug)),
      };
    },
  };
}

function isPublished({ file: { front } }: FileEntry, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
}

/** When the next article comes or goes; ms since 1970. */
function findNextChange(entries: readonly FileEntry[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { file } of entries) {
    for (const date of [file.front.publishedAt, file.front.unpublishAt]) {
      const time = date === undefined ? 0 : Date.parse(date);
      if (time > now) next = Math.min(next, time);
    }
  }
  return next;
}
