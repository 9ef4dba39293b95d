import { buildArticlePath } from '../paths.ts';
import { escapeHtml } from '../text/escape-html.ts';
import type { Article, ArticleSummary } from './article.ts';

/** Builds an article's body for feed readers: with absolute addresses, and a disclosure when it has sponsored links. */
export function buildFeedContent(article: Article, origin: string, disclosure: string): string {
  const page = origin + buildArticlePath(article.slug);
  // Only tags: code in the text may show attributes too.
  const body = article.content.replace(/<\/?picture>|<source [^<>]*>/g, '').replace(/<\w[^<>]*>/g, (tag) =>
    tag
      .replace(/ (?:data-action|data-label|data-source|tabindex|role|srcset|sizes)="[^"]*"/g, '')
      .replace(/ (href|src)="\/(?!\/)/g, ` $1="${origin}/`)
      .replace(/ href="#/g, ` href="${page}#`),
  );
  const image = article.featuredImage
    ? `<p><img src="${escapeHtml(buildAbsolute(article.featuredImage.src, origin))}" alt="${escapeHtml(article.featuredImage.alt)}"></p>`
    : '';
  const notice = /<a [^<>]* rel="sponsored/.test(article.content)
    ? `<p><em>${escapeHtml(disclosure)}</em></p>`
    : '';
  return notice + image + body;
}

/** Builds what a feed has of an article whose body is too long for it: the excerpt and a link to the article. */
export function buildFeedExcerpt({ slug, title, excerpt }: ArticleSummary, origin: string): string {
  const link = `<a href="${origin}${buildArticlePath(slug)}">${escapeHtml(title)}</a>`;
  return `<p>${escapeHtml(excerpt)}</p><p>${link}</p>`;
}

/** Builds the absolute address of a path of the site; returns addresses of other hosts unchanged. */
export function buildAbsolute(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
