import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { ArticleSummary } from './article.ts';

const WEIGHT = { tag: 3, topic: 2, category: 1 } as const;

/**
 * Finds the articles that share most with one: a tag counts more than the topic, the topic more than another category;
 * of equals the earlier in `articles` comes first. `except`: slugs that the page shows elsewhere.
 */
export function findRelated(
  articles: readonly ArticleSummary[],
  article: ArticleSummary,
  options: { readonly count: number; readonly except: readonly string[] },
): readonly ArticleSummary[] {
  const excluded = new Set([article.slug, ...options.except]);
  return articles
    .filter(({ slug }) => !excluded.has(slug))
    .map((other) => ({ other, score: scoreShared(other, article) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, options.count)
    .map(({ other }) => other);
}

function scoreShared(a: ArticleSummary, b: ArticleSummary): number {
  const countShared = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.includes(name)).length;
  return (
    countShared(a.tags, b.tags) * WEIGHT.tag +
    (a.categories[0] === b.categories[0] ? WEIGHT.topic : 0) +
    countShared(a.categories, b.categories) * WEIGHT.category
  );
}

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

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Facts for the front page: those that the site states, the number of guides, and the month of the last change. */
export function buildProof(articles: readonly ArticleSummary[], facts: readonly string[]): readonly string[] {
  const latest =
    articles
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '';
  return [
    ...facts,
    ...(articles.length > 1 ? [`${articles.length} guides`] : []),
    ...(latest === '' ? [] : [`Last updated ${MONTH.format(new Date(latest))}`]),
  ];
}
