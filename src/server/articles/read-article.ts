import type { Article, ArticleSummary, ArticleView, FoundArticle } from '../../core/articles/article.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { findNeighbors, findRelated } from '../../core/articles/related-articles.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import type { Site } from '../site.ts';
import type { Articles } from './articles.ts';
import { buildFailedView, pickListed, readNewest } from './read-list.ts';

const RELATED_COUNT = 3;

/**
 * Reads what the page of a slug shows, with the right preview token also an unpublished article. A failing source is a
 * state, not a rejection.
 */
export async function readArticle(site: Site, slug: string, token: string | null): Promise<ArticleView> {
  const { articles } = site.content;
  try {
    const article = isArticleSlug(slug) ? await readAny(site, slug, token) : null;
    if (article !== null) return await buildFound(articles, article, token !== null);
    const moved = isArticleSlug(slug) ? await articles.findMoved(slug) : null;
    if (moved !== null) return { kind: 'moved', slug: moved };
    return { kind: 'absent', newest: (await readNewest(articles, RELATED_COUNT)) ?? [] };
  } catch (error) {
    if (error instanceof ArticleSourceError) return buildFailedView(error);
    throw error;
  }
}

async function readAny(site: Site, slug: string, token: string | null): Promise<Article | null> {
  const { articles } = site.content;
  const found = await articles.get(slug);
  if (found !== null || token === null) return found;
  return (await site.isPreviewToken(token)) ? articles.preview(slug) : null;
}

async function buildFound(articles: Articles, article: Article, isPreview: boolean): Promise<FoundArticle> {
  const { previous, next } = findNeighbors(articles.getSummaries(), article.slug);
  const except = [previous, next].flatMap((neighbor) => neighbor?.slug ?? []);
  const related = await readRelated(articles, article, except);
  return { kind: 'found', isPreview, article, previous, next, related: related.map(pickListed) };
}

/** Finds related articles by their words and, when these give too few, by tags and topic. */
async function readRelated(
  articles: Articles,
  article: Article,
  except: readonly string[],
): Promise<readonly ArticleSummary[]> {
  const similar = await articles.findRelated(article.slug, RELATED_COUNT + except.length);
  const chosen = similar.filter(({ slug }) => !except.includes(slug)).slice(0, RELATED_COUNT);
  if (chosen.length === RELATED_COUNT) return chosen;
  const others = findRelated(articles.getSummaries(), article, {
    count: RELATED_COUNT - chosen.length,
    except: [...except, ...chosen.map(({ slug }) => slug)],
  });
  return [...chosen, ...others];
}
