import { escapeHtml } from '../text/escape-html.ts';

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
  const urls = entries.slice(0, MAX_SITEMAP_ENTRIES).map(({ path, lastModified }) => {
    const modified = lastModified === undefined ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`;
    return `<url><loc>${escapeHtml(origin + path)}</loc>${modified}</url>\n`;
  });
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${urls.join('')}</urlset>\n`;
}

/** Builds the index that names the sitemaps. */
export function buildSitemapIndex(origin: string, entries: readonly SitemapEntry[]): string {
  const maps = entries.map(({ path, lastModified }) => {
    const modified = lastModified === undefined ? '' : `<lastmod>${escapeHtml(lastModified)}</lastmod>`;
    return `<sitemap><loc>${escapeHtml(origin + path)}</loc>${modified}</sitemap>\n`;
  });
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${maps.join('')}</sitemapindex>\n`;
}

/** The latest of the entries' changes; undefined when none is known. */
export function findLatest(entries: readonly SitemapEntry[]): string | undefined {
  return entries.reduce<string | undefined>(
    (latest, { lastModified }) =>
      lastModified !== undefined && (latest === undefined || lastModified > latest) ? lastModified : latest,
    undefined,
  );
}
