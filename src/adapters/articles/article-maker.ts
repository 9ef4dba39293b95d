import type { Article, ArticleCard, ArticleImage, ArticlePage } from '../../core/articles/article.ts';
import { buildImageAddress } from '../../core/articles/article-image-address.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { readText } from '../../core/articles/html-tags.ts';
import { buildReadingTime } from '../../core/articles/reading-time.ts';
import { parseUpstreamArticle, type UpstreamArticle } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';

/** What turns another system's article into one of the site. */
export interface ArticleMakerOptions {
  /** Adapter name for messages, such as `remote`. */
  readonly name: string;
  readonly sanitise: (html: string) => string;
  readonly siteOrigin: string;
  readonly imageHosts: readonly string[];
  /** Who signs an article that names nobody. */
  readonly author: string;
  readonly clock: Clock;
  /** Called for each article that is left out, with the reason in our own words. */
  readonly onDropped: (reason: string) => void;
}

/** Makes articles of the site out of upstream answers. */
export interface ArticleMaker {
  /** Articles that are wrong are left out; whole ones where the answer had bodies. Throws when all are wrong. */
  buildPage(items: readonly unknown[], hasMore: boolean): ArticlePage;
  /** null: it is not published. Throws `ArticleSourceError` (`bad-answer`) when it is no article. */
  buildArticle(item: unknown): Article | null;
}

/** Creates the maker: schema, then sanitiser, then the policy for pictures. */
export function createArticleMaker(options: ArticleMakerOptions): ArticleMaker {
  const { name, onDropped } = options;
  const parse = (item: unknown): UpstreamArticle | string => {
    const parsed = parseUpstreamArticle(item);
    if ('dropped' in parsed) return parsed.dropped;
    const isDue = Date.parse(parsed.article.publishedAt) <= options.clock.now();
    return isDue ? parsed.article : 'is not published';
  };
  return {
    buildPage(items, hasMore) {
      const parsed = items.map(parse);
      const wrong = parsed.filter((one) => typeof one === 'string' && one !== 'is not published');
      for (const reason of wrong) onDropped(String(reason));
      if (items.length > 0 && wrong.length === items.length) {
        throw new ArticleSourceError('bad-answer', `[articles:${name}] no article of the list is one`);
      }
      const articles = parsed.flatMap((one) => (typeof one === 'string' ? [] : [buildItem(one, options)]));
      return { articles, hasMore };
    },
    buildArticle(item) {
      const parsed = parse(item);
      if (parsed === 'is not published') return null;
      if (typeof parsed !== 'string' && parsed.content) return buildWhole(parsed, parsed.content, options);
      onDropped(typeof parsed === 'string' ? parsed : 'content is missing');
      throw new ArticleSourceError('bad-answer', `[articles:${name}] the article is none`);
    },
  };
}

function buildItem(upstream: UpstreamArticle, options: ArticleMakerOptions): ArticleCard | Article {
  return upstream.content ? buildWhole(upstream, upstream.content, options) : buildCard(upstream, options);
}

function buildWhole(upstream: UpstreamArticle, html: string, options: ArticleMakerOptions): Article {
  const content = options.sanitise(html);
  const text = readText(content);
  const card = buildCard(upstream, options);
  return {
    ...card,
    excerpt: card.excerpt || buildExcerpt(text),
    readingTime: upstream.readingTime ?? buildReadingTime(text),
    content,
  };
}

function buildCard(upstream: UpstreamArticle, options: ArticleMakerOptions): ArticleCard {
  const { featuredImage, content: _, readingTime, ...fields } = upstream;
  return {
    ...fields,
    author: fields.author || options.author,
    seoDescription: fields.seoDescription || fields.excerpt,
    readingTime: readingTime ?? 1,
    featuredImage: buildImage(featuredImage, options),
    partner: '',
  };
}

function buildImage(
  image: UpstreamArticle['featuredImage'],
  options: ArticleMakerOptions,
): ArticleImage | null {
  const src = image && buildImageAddress(image.src, options);
  if (!image || !src) return null;
  const sized = image.width > 0 && image.height > 0;
  return {
    src,
    alt: image.alt,
    width: sized ? image.width : 1200,
    height: sized ? image.height : 630,
    sources: [],
  };
}

const EXCERPT_LENGTH = 180;

function buildExcerpt(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  return `${text.slice(0, EXCERPT_LENGTH).replace(/\s+\S*$/, '')}…`;
}
