import { memoizeByKey } from '../text/memoize-by-key.ts';
import { buildSlug } from '../text/slug.ts';
import type { ArticleSummary, FailedView } from './article.ts';
import type { ListedArticle } from './listed-articles.ts';

/** What articles are grouped by: a topic is any category. */
export type GroupKind = 'topic' | 'tag';

/** A topic or tag with its articles. */
export interface ArticleGroup {
  /** As the newest article spells it. */
  readonly name: string;
  readonly slug: string;
  /** In the order of the list that was grouped. */
  readonly articles: readonly ArticleSummary[];
}

/** One page of a topic's or tag's articles, newest first. */
export interface FoundGroup {
  readonly kind: 'found';
  readonly group: GroupKind;
  readonly name: string;
  /** The site's description of a topic; empty when it has none. */
  readonly description: string;
  /** Path without a query. */
  readonly path: string;
  readonly count: number;
  readonly page: number;
  readonly lastPage: number;
  readonly articles: readonly ListedArticle[];
}

/** What the page of a topic or tag shows: articles, no articles (`absent`), or that the source failed. */
export type GroupView = FoundGroup | { readonly kind: 'absent' } | FailedView;

/** Groups articles by topic or tag, largest group first; names with the same slug are one group. */
export function buildGroups(articles: readonly ArticleSummary[], kind: GroupKind): readonly ArticleGroup[] {
  return kind === 'topic' ? groupByTopic(articles) : groupByTag(articles);
}

const groupByTopic = memoizeByKey((articles: readonly ArticleSummary[]) => groupBy(articles, 'categories'));
const groupByTag = memoizeByKey((articles: readonly ArticleSummary[]) => groupBy(articles, 'tags'));

function groupBy(articles: readonly ArticleSummary[], field: 'categories' | 'tags'): readonly ArticleGroup[] {
  const groups = new Map<string, { name: string; slug: string; articles: ArticleSummary[] }>();
  for (const article of articles) {
    for (const name of article[field]) {
      const slug = buildSlug(name);
      if (!slug) continue;
      const group = groups.get(slug) ?? { name, slug, articles: [] };
      if (group.articles.at(-1) !== article) group.articles.push(article);
      groups.set(slug, group);
    }
  }
  return [...groups.values()].sort(
    (a, b) => b.articles.length - a.articles.length || (a.slug < b.slug ? -1 : 1),
  );
}
