import type { Article } from './article.ts';
import { escapeHtml } from './html-tags.ts';

/** Builds an article's body for feed readers, which show it away from the site: addresses whole, paid links announced. */
export function buildFeedContent(article: Article, origin: string, disclosure: string): string {
  const page = `${origin}/blog/${article.slug}`;
  const body = article.content
    .replace(/ (?:data-action|data-label|data-source|tabindex|role)="[^"]*"/g, '')
    .replace(/ (href|src)="\/(?!\/)/g, ` $1="${origin}/`)
    .replace(/ href="#/g, ` href="${page}#`)
    .replace(/ srcset="[^"]*"| sizes="[^"]*"/g, '');
  const picture = article.featuredImage
    ? `<p><img src="${escapeHtml(buildAbsolute(article.featuredImage.src, origin))}" alt="${escapeHtml(article.featuredImage.alt)}"></p>`
    : '';
  const notice = hasPaidLink(article.content) ? `<p><em>${escapeHtml(disclosure)}</em></p>` : '';
  return notice + picture + body;
}

/** Whether a sanitised body has a link that may earn. */
function hasPaidLink(html: string): boolean {
  return / rel="sponsored/.test(html);
}

/** Builds a whole address of a path of the site; addresses of other hosts stay. */
export function buildAbsolute(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
