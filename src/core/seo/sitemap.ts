import { escapeHtml } from '../text/parse-text.ts';

/** One address of the site and when its content last changed (ISO 8601), if that is known. */
export interface SitemapEntry {
  readonly path: string;
  readonly lastModified?: string | undefined;
}

/** The protocol's own limit (sitemaps.org). */
export const MAX_SITEMAP_ENTRIES = 50_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Builds one sitemap; `origin` without a trailing slash. */
export function buildSitemap(origin: string, entries: readonly SitemapEntry[]): string {
  return buildXml('urlset', 'url', origin, entries.slice(0, MAX_SITEMAP_ENTRIES));
}

export function buildSitemapIndex(origin: string, entries: readonly SitemapEntry[]): string {
  return buildXml('sitemapindex', 'sitemap', origin, entries);
}

/** The latest of the entries' changes; undefined when none is known. */
export function findLatest(entries: readonly SitemapEntry[]): string | undefined {
  return entries.reduce<string | undefined>(
    (latest, { lastModified }) =>
      lastModified !== undefined && (latest === undefined || lastModified > latest) ? lastModified : latest,
    undefined,
  );
}

function buildXml(root: string, element: string, origin: string, entries: readonly SitemapEntry[]): string {
  const items = entries.map(({ path, lastModified }) => {
    const modified = lastModified === undefined ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`;
    return `<${element}><loc>${escapeHtml(origin + path)}</loc>${modified}</${element}>\n`;
  });
  return `${HEAD}<${root} xmlns="${NAMESPACE}">\n${items.join('')}</${root}>\n`;
}
