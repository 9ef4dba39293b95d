import type { Article, ArticleCard } from '../../core/articles/article.ts';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import type { ArticleView, FoundArticle } from '../../core/articles/article-view.ts';
import { buildContents } from '../../core/articles/headings.ts';
import { findNeighbours } from '../../core/articles/neighbours.ts';
import { findRelated } from '../../core/articles/related.ts';
import { splitBody } from '../../core/articles/split-body.ts';
import { rememberFor } from '../../core/remember.ts';
import type { Articles } from '../articles.ts';
import { pickListed } from './read-list.ts';
import { readNewest } from './read-newest.ts';

const RELATED = 3;

/**
 * Reads what the page of a slug shows. Never rejects because of the source: that is a state.
 * With the right preview token, also what is not published.
 */
export async function readArticle(
  articles: Articles,
  slug: string,
  token: string | null,
): Promise<ArticleView> {
  try {
    const article = isArticleSlug(slug) ? await readWhole(articles, slug, token) : null;
    if (article !== null) return await buildFound(articles, article, token !== null);
    return { kind: 'absent', newest: (await readNewest(articles, RELATED)) ?? [] };
  } catch (error) {
    if (error instanceof ArticleSourceError) return { kind: 'failed' };
    throw error;
  }
}

async function readWhole(articles: Articles, slug: string, token: string | null): Promise<Article | null> {
  return (await articles.get(slug)) ?? (token === null ? null : articles.preview(slug, token));
}

/** What is worked out of an article's body, once as long as the source gives out the same article. */
const readParts = rememberFor(({ content }: Article) => ({
  contents: buildContents(content),
  body: splitBody(content),
}));

async function buildFound(articles: Articles, article: Article, isPreview: boolean): Promise<FoundArticle> {
  const { previous, next } = findNeighbours(articles.cards(), article.slug);
  const except = [previous, next].flatMap((card) => card?.slug ?? []);
  return {
    kind: 'found',
    isPreview,
    article,
    ...readParts(article),
    previous,
    next,
    related: (await readRelated(articles, article, except)).map(pickListed),
  };
}

/** By their words; where these say too little, by tags and topic. */
async function readRelated(
  articles: Articles,
  article: Article,
  except: readonly string[],
): Promise<readonly ArticleCard[]> {
  const similar = await articles.findRelated(article.slug, RELATED + except.length);
  const chosen = similar.filter(({ slug }) => !except.includes(slug)).slice(0, RELATED);
  if (chosen.length === RELATED) return chosen;
  const others = findRelated(articles.cards(), article, {
    count: RELATED - chosen.length,
    except: [...except, ...chosen.map(({ slug }) => slug)],
  });
  return [...chosen, ...others];
}
