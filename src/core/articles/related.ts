import type { ArticleCard } from './article.ts';

const WEIGHT = { tag: 3, topic: 2, category: 1 } as const;

/**
 * Finds the articles that share most with one: tags count more than the topic, the topic more than other
 * categories; among equals the earlier in `cards` goes first. `except`: slugs that stand elsewhere on the page.
 */
export function findRelated(
  cards: readonly ArticleCard[],
  article: ArticleCard,
  options: { readonly count: number; readonly except: readonly string[] },
): readonly ArticleCard[] {
  const barred = new Set([article.slug, ...options.except]);
  return cards
    .filter((card) => !barred.has(card.slug))
    .map((card) => ({ card, score: countShared(card, article) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, options.count)
    .map(({ card }) => card);
}

function countShared(card: ArticleCard, article: ArticleCard): number {
  const shared = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.includes(name)).length;
  return (
    shared(card.tags, article.tags) * WEIGHT.tag +
    (card.categories[0] === article.categories[0] ? WEIGHT.topic : 0) +
    shared(card.categories, article.categories) * WEIGHT.category
  );
}
