import type { Article, ArticleSummary } from '../../core/articles/article.ts';
import { resolveArticleLinks } from '../../core/articles/article-link.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';

const mapReferences = memoizeByKey(
  (articles: readonly ArticleSummary[]): ReadonlyMap<string, string> =>
    new Map(articles.flatMap(({ id, slug }) => [[`?p=${id}`, slug] as const, [slug, slug] as const])),
);

/**
 * Links an article to the other articles of the site. This is done at every reading and not when its body is stored,
 * because articles come and go.
 */
export function linkArticles(article: Article, articles: readonly ArticleSummary[]): Article {
  const slugs = mapReferences(articles);
  const resolve = (html: string) => resolveArticleLinks(html, (reference) => slugs.get(reference) ?? null);
  const { content, splitAt } = article;
  const before = resolve(content.slice(0, splitAt));
  return { ...article, content: before + resolve(content.slice(splitAt)), splitAt: before.length };
}
