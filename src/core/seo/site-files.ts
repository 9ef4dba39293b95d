import { CRAWLER_KINDS, CRAWLERS } from '../events/crawlers.ts';
import { listPartnerPaths } from '../outbound/partner.ts';
import type { Content } from '../pages/content.ts';
import { CLOSED_PREFIXES, CONSOLE_PATH, SITEMAP_PATH } from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import { escapeHtml } from '../text/parse-text.ts';

/**
 * Builds robots.txt: everything is open except the redirects to partners, the article proxy and the API. Kinds of agents
 * that the policy refuses get a group of their own, which is the only one that they read.
 */
export function buildRobots(
  origin: string,
  partnerPaths: readonly string[],
  policy: Content['site']['robots'],
): string {
  const refused = CRAWLER_KINDS.filter((kind) => policy[kind] === 'disallow').map((kind) => [
    `# ${CRAWLER_KIND_TEXTS[kind]}`,
    ...CRAWLERS.filter((crawler) => crawler.kind === kind).map(({ agent }) => `User-agent: ${agent}`),
    'Disallow: /',
    '',
  ]);
  const { search, aiInput, aiTrain } = policy.contentSignal;
  const signals = Object.entries({ search, 'ai-input': aiInput, 'ai-train': aiTrain }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name}=${value}`]),
  );
  const lines = [
    ...refused.flat(),
    'User-agent: *',
    ...(signals.length === 0 ? [] : [`Content-Signal: ${signals.join(', ')}`]),
    ...listClosedPaths(partnerPaths).map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}${SITEMAP_PATH}`,
  ];
  return `${lines.join('\n')}\n`;
}

const CRAWLER_KIND_TEXTS: Readonly<Record<(typeof CRAWLER_KINDS)[number], string>> = {
  search: 'Agents that build an index for search.',
  training: 'Agents that collect texts to train models.',
  user: 'Agents that read a page because a person asked for it.',
  ads: 'Agents that check the landing pages of advertisements.',
};

/** Returns the speculation rules of a site with these partners, as JSON, a part of every page. */
export const getSpeculationRules = memoizeByKey((partners: Content['partners']) =>
  buildSpeculationRules(listPartnerPaths(partners)),
);

/**
 * Rules by which browsers prerender the next page while a visitor points at its link: pages of this site, never a
 * redirect to a partner (it would count a click that no visitor made), a file, or an address with a query.
 */
export function buildSpeculationRules(partnerPaths: readonly string[]): string {
  const closed = [CONSOLE_PATH, ...listClosedPaths(partnerPaths)].map((path) =>
    path.endsWith('/') ? `${path}*` : path,
  );
  const where = {
    and: [
      { href_matches: '/*' },
      { not: { href_matches: [...closed, '/*\\?(.+)', '/*.*'] } },
      { not: { selector_matches: '[target], [download]' } },
    ],
  };
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] });
}

function listClosedPaths(partnerPaths: readonly string[]): string[] {
  const open = partnerPaths.filter((path) => !CLOSED_PREFIXES.some((prefix) => path.startsWith(prefix)));
  return [...CLOSED_PREFIXES, ...open];
}

/** Builds llms.txt (llmstxt.org): what the site is and where its pages are, as Markdown. */
export function buildLlmsText(
  site: Readonly<Record<'name' | 'description' | 'disclosure' | 'origin', string>>,
  groups: readonly {
    readonly title: string;
    readonly items: readonly Readonly<Record<'path' | 'title' | 'description', string>>[];
  }[],
): string {
  const sections = groups
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => {
      const rows = items.map(
        (item) => `- [${flat(item.title)}](${site.origin}${item.path}): ${flat(item.description)}`,
      );
      return `## ${title}\n\n${rows.join('\n')}\n`;
    });
  return `# ${site.name}\n\n> ${flat(site.description)}\n\n${flat(site.disclosure)}\n\n${sections.join('\n')}`;
}

/** One line without the characters that would end a Markdown link text. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();
}

/** Background of light pages, as in `src/styles/tokens.css`. */
const BACKGROUND = '#fbf9f4';

/** Builds the web app manifest as JSON: the site's name, its background color and icons. */
export function buildWebManifest({
  site,
  brand,
  images,
}: {
  readonly site: Content['site'];
  readonly brand: Content['brand'];
  readonly images: Content['images'];
}): string {
  const color = brand.colors.ground ?? BACKGROUND;
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: images.drawn?.get(`/icons/maskable-${size}.png`) ?? `/icons/maskable-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    name: site.name,
    short_name: site.name,
    start_url: '/',
    display: 'browser',
    background_color: color,
    theme_color: color,
    icons: [icon(192, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
  });
}

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
