import type { Article, ArticleImage, ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import { buildImageAddress, type ImagePolicy } from '../../core/articles/article-image-address.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { buildReadingTime } from '../../core/articles/reading-time.ts';
import {
  parseUpstreamArticle,
  type SkippedArticle,
  type UpstreamArticle,
} from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import { extractText } from './html/html-text.ts';
import type { BodySource } from './html/prepare-body.ts';
import type { ArticleBody } from './html/structure-body.ts';

/** Prepares a body for the site. Rejects with `BodyProcessorError`. */
export type ProcessBody = (body: BodySource) => Promise<ArticleBody>;

/** A body that cannot be prepared; the message continues a sentence that begins with the article. */
export class BodyProcessorError extends Error {
  override readonly name = 'BodyProcessorError';
}

/** How articles of another system become articles of the site. */
export interface ArticleMapperInput extends ImagePolicy {
  /** Name of the adapter for messages, such as `remote`. */
  readonly name: string;
  readonly processBody: ProcessBody;
  /** The author of articles that name none. */
  readonly defaultAuthor: string;
  readonly clock: Clock;
  /** Called for each article that is left out. */
  readonly onSkipped: (skipped: SkippedArticle) => void;
  /** Called for each article that is right. */
  readonly onMapped?: (article: ArticleSummary) => void;
}

const DEFAULT_IMAGE_SIZE = { width: 1200, height: 630 };
/** A browser that knows no `srcset` gets the smallest image that is sharp at the top of an article. */
const MIN_IMAGE_WIDTH = 1_200;
const MAX_EXCERPT_LENGTH = 180;
/** A body of images or videos alone is an article too. */
const SHOWS_WITHOUT_TEXT = /<(?:img|figure data-video)/;

/** Maps articles of another system: schema first, then the body, then the image policy. */
export class ArticleMapper {
  readonly #input: ArticleMapperInput;

  constructor(input: ArticleMapperInput) {
    this.#input = input;
  }

  /**
   * Maps a page of a list. Invalid and unpublished articles are left out; rejects with `ArticleSourceError`
   * (`bad-response`) when no item is an article. Items with a body become whole articles.
   */
  async mapPage(items: readonly unknown[], hasMore: boolean): Promise<ArticleListPage> {
    const articles: ArticleSummary[] = [];
    let malformed = 0;
    for (const item of items) {
      const mapped = await this.#map(item);
      if (mapped === 'malformed') malformed += 1;
      else if (mapped !== 'invalid' && mapped !== 'unpublished') {
        articles.push(mapped);
        this.#input.onMapped?.(mapped);
      }
    }
    if (items.length > 0 && malformed === items.length) {
      throw this.#buildError(`none of the ${items.length} items of the list has a slug or a title`);
    }
    return { articles, hasMore };
  }

  /**
   * Maps one article; null when it is unpublished or invalid: for readers it does not exist. Rejects with
   * `ArticleSourceError` when the item is no article.
   */
  async mapArticle(item: unknown): Promise<Article | null> {
    const mapped = await this.#map(item);
    if (mapped === 'malformed') throw this.#buildError('the response has neither a slug nor a title');
    if (mapped === 'invalid' || mapped === 'unpublished') return null;
    if ('content' in mapped) {
      this.#input.onMapped?.(mapped);
      return mapped;
    }
    this.#input.onSkipped({ ...mapped, reason: 'content is missing' });
    return null;
  }

  async #map(item: unknown): Promise<Article | ArticleSummary | 'malformed' | 'invalid' | 'unpublished'> {
    const { clock, onSkipped } = this.#input;
    const parsed = parseUpstreamArticle(item);
    if (parsed.kind === 'unpublished') return 'unpublished';
    if (parsed.kind !== 'article') {
      onSkipped(parsed.skipped);
      return parsed.kind;
    }
    const { article } = parsed;
    if (Date.parse(article.publishedAt) > clock.now()) return 'unpublished';
    const summary = this.#buildSummary(article);
    return article.content === null ? summary : this.#addBody(summary, article, article.content);
  }

  async #addBody(
    summary: ArticleSummary,
    article: UpstreamArticle,
    html: string,
  ): Promise<Article | 'invalid'> {
    const { onSkipped, processBody } = this.#input;
    try {
      const { text, ...body } = await processBody({ format: 'html', source: html });
      if (text === '' && !SHOWS_WITHOUT_TEXT.test(body.content)) {
        onSkipped({ ...summary, reason: 'content is empty' });
        return 'invalid';
      }
      const excerpt = isBeginning(summary.excerpt, text) ? buildExcerpt(body.content, text) : summary.excerpt;
      return {
        ...summary,
        excerpt,
        seoDescription: article.seoDescription || excerpt,
        readingTime: article.readingTime ?? buildReadingTime(text),
        ...body,
      };
    } catch (error) {
      if (!(error instanceof BodyProcessorError)) throw error;
      onSkipped({ ...summary, reason: error.message });
      return 'invalid';
    }
  }

  #buildSummary(upstream: UpstreamArticle): ArticleSummary {
    const { featuredImage, content: _, readingTime, canonicalUrl, ...fields } = upstream;
    return {
      ...fields,
      author: fields.author || this.#input.defaultAuthor,
      seoDescription: fields.seoDescription || fields.excerpt,
      readingTime: readingTime ?? 1,
      featuredImage: this.#buildImage(featuredImage),
      partner: '',
      ...this.#buildCanonical(canonicalUrl),
    };
  }

  #buildImage(image: UpstreamArticle['featuredImage']): ArticleImage | null {
    if (!image) return null;
    const candidates = this.#listCandidates(image);
    const smallestGood = candidates.find(({ width }) => width >= MIN_IMAGE_WIDTH) ?? candidates.at(-1);
    const src = smallestGood?.src ?? buildImageAddress(image.src, this.#input);
    if (!src) return null;
    const isUnsized = image.width <= 0 || image.height <= 0;
    const { width, height } = isUnsized ? DEFAULT_IMAGE_SIZE : image;
    const srcset = candidates.map((candidate) => `${candidate.src} ${candidate.width}w`).join(', ');
    const sources = candidates.length > 1 && image.type !== '' ? [{ type: image.type, srcset }] : [];
    const { alt, caption } = image;
    return { src, alt, width, height, sources, ...(isUnsized && { isUnsized }), ...(caption && { caption }) };
  }

  /** The sizes of an image that may be shown, smallest first, without those that are cropped. */
  #listCandidates(image: NonNullable<UpstreamArticle['featuredImage']>) {
    const { width, height } = image;
    return [...image.sizes, image]
      .filter(
        (size) => size.width > 0 && Math.abs((size.height * width) / size.width - height) <= height * 0.02,
      )
      .flatMap((size) => {
        const src = buildImageAddress(size.src, this.#input);
        return src && !/[\s,]/.test(src) ? [{ src, width: size.width }] : [];
      })
      .sort((a, b) => a.width - b.width);
  }

  /** An address of the source itself only says that the article is there too. */
  #buildCanonical(address: string): { canonicalUrl?: string } {
    const { siteOrigin, articleSite } = this.#input;
    if (!URL.canParse(address)) return {};
    const url = new URL(address);
    const getHost = (site: string) => (URL.canParse(site) ? new URL(site).host.replace(/^www\./, '') : '');
    const isElsewhere = ![getHost(siteOrigin), getHost(articleSite)].includes(getHost(address));
    return url.protocol === 'https:' && isElsewhere ? { canonicalUrl: url.href } : {};
  }

  #buildError(problem: string): ArticleSourceError {
    return new ArticleSourceError('bad-response', `[articles:${this.#input.name}] ${problem}`);
  }
}

/**
 * Whether an excerpt begins like the text, which means that an editor did not write it. The rest can differ: systems
 * leave other elements out than the site.
 */
function isBeginning(excerpt: string, text: string): boolean {
  const getLetters = (words: string) => words.slice(0, 200).replace(/[^\p{L}\p{N}]+/gu, '');
  return getLetters(text).startsWith(getLetters(excerpt).slice(0, 60));
}

function buildExcerpt(content: string, text: string): string {
  const paragraphs = [...content.slice(0, 20_000).matchAll(/<p(?: [^<>]*)?>([\s\S]*?)<\/p>/g)];
  const first = paragraphs.map(([, html = '']) => extractText(html)).find((words) => words.length >= 40);
  return cutExcerpt(first ?? text);
}

function cutExcerpt(text: string): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  return `${text.slice(0, MAX_EXCERPT_LENGTH).replace(/\s+\S*$/, '')}…`;
}
