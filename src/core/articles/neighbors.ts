import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { ArticleSummary } from './article.ts';

/** The articles published before and after one, within its topic. */
export interface Neighbors {
  readonly previous: ArticleSummary | null;
  readonly next: ArticleSummary | null;
}

/** Finds the neighbors of an article. `articles`: newest first. */
export function findNeighbors(articles: readonly ArticleSummary[], slug: string): Neighbors {
  return mapNeighbors(articles).get(slug) ?? { previous: null, next: null };
}

/** Every page of an article needs it, and the list rarely changes. */
const mapNeighbors = memoizeByKey((articles: readonly ArticleSummary[]): ReadonlyMap<string, Neighbors> => {
  const topics = Map.groupBy(articles, ({ categories }) => categories[0] ?? '');
  return new Map(
    [...topics.values()].flatMap((topic) =>
      topic.map(({ slug }, index) => [
        slug,
        { previous: topic[index + 1] ?? null, next: topic[index - 1] ?? null },
      ]),
    ),
  );
});
