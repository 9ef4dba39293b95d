import { rememberFor } from '../remember.ts';
import type { ArticleCard } from './article.ts';
import { buildSlug } from './article-slug.ts';

/** The first category of an article: its topic; empty when it has none. */
function readTopic(card: ArticleCard): string {
  return card.categories[0] ?? '';
}

/** Orders cards newest first; equal times by slug. */
export function compareNewestFirst(a: ArticleCard, b: ArticleCard): number {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}

/** The articles before and after one, in time, of the same topic. */
export interface Neighbours {
  readonly previous: ArticleCard | null;
  readonly next: ArticleCard | null;
}

const readNeighbours = rememberFor((cards: readonly ArticleCard[]): ReadonlyMap<string, Neighbours> => {
  const topics = Map.groupBy(cards, readTopic);
  return new Map(
    [...topics.values()].flatMap((same) =>
      same.map(({ slug }, index) => [
        slug,
        { previous: same[index + 1] ?? null, next: same[index - 1] ?? null },
      ]),
    ),
  );
});

/** Finds the neighbours of an article. `cards`: newest first. */
export function findNeighbours(cards: readonly ArticleCard[], slug: string): Neighbours {
  return readNeighbours(cards).get(slug) ?? { previous: null, next: null };
}

/** A category or tag with its articles. */
export interface ArticleGroup {
  /** As the newest article writes it. */
  readonly name: string;
  readonly slug: string;
  /** Newest first, when the cards were. */
  readonly cards: readonly ArticleCard[];
}

/** Groups cards by category or tag; names that make the same slug are one group; largest first. */
export function buildGroups(
  cards: readonly ArticleCard[],
  field: 'categories' | 'tags',
): readonly ArticleGroup[] {
  return field === 'categories' ? groupByCategory(cards) : groupByTag(cards);
}

const groupByCategory = rememberFor((cards: readonly ArticleCard[]) => group(cards, 'categories'));
const groupByTag = rememberFor((cards: readonly ArticleCard[]) => group(cards, 'tags'));

function group(cards: readonly ArticleCard[], field: 'categories' | 'tags'): readonly ArticleGroup[] {
  const groups = new Map<string, { name: string; slug: string; cards: ArticleCard[] }>();
  for (const card of cards) {
    for (const name of card[field]) {
      const slug = buildSlug(name);
      if (!slug) continue;
      const group = groups.get(slug) ?? { name, slug, cards: [] };
      if (group.cards.at(-1) !== card) group.cards.push(card);
      groups.set(slug, group);
    }
  }
  return [...groups.values()].sort((a, b) => b.cards.length - a.cards.length || (a.slug < b.slug ? -1 : 1));
}
