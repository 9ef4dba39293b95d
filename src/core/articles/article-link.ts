import { isPartnerPath, type Partner } from '../outbound/partner.ts';
import { type Addresses, leadLinks } from '../pages/addresses.ts';
import { BLOG_PATH, buildAddress, buildArticlePath, buildRedirectPath, isBelowBlog } from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import { decodePercent } from '../text/parse-text.ts';
import { isArticleSlug } from '../text/slug.ts';
import type { Article, ArticleSummary } from './article.ts';

/** Every id inside an article begins with this, so that none can replace an id of the page around it. */
export const ID_PREFIX = 's-';

export interface LinkPolicy {
  /** Origin of the site, such as `https://hub.example`. */
  readonly siteOrigin: string;
  readonly partners: ReadonlyMap<string, Partner>;
  /** Address of the website that the articles come from, where their relative addresses lead; empty: this site. */
  readonly articleSite: string;
  /** Whether links to other sites get `nofollow`: for articles that this site's editors did not write. */
  readonly nofollow: boolean;
}

/** Attributes of an `<a>` by name. */
export type LinkAttributes = Readonly<Record<string, string>>;

/** Builds an id or fragment with the article's prefix; empty when the text has no letter or digit. */
export function buildFragment(text: string): string {
  const clean = text.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 100);
  if (clean === '' || clean === '-') return '';
  return clean.startsWith(ID_PREFIX) ? clean : ID_PREFIX + clean;
}

/**
 * Builds the attributes of a link; null when its address is invalid or of another scheme. A link that may lead to
 * another article of the same website has a reference to it in `data-article`, for `resolveArticleLinks`.
 */
export function buildArticleLink(href: string, policy: LinkPolicy): LinkAttributes | null {
  // Ghost's themes open their sign-up form at `#/portal`.
  if (href.startsWith('#/')) return null;
  if (href.startsWith('#')) {
    const fragment = buildFragment(decodePercent(href.slice(1)));
    return fragment ? { href: `#${fragment}` } : null;
  }
  const url = parseAddress(href, policy);
  if (url === null) return null;
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return { href: url.href };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return buildWebLink(url, policy);
}

/** A relative address leads to the website that the article comes from, unless it is the path of a partner here. */
function parseAddress(href: string, { siteOrigin, articleSite, partners }: LinkPolicy): URL | null {
  const base = `${siteOrigin}${BLOG_PATH}/`;
  if (href.trim() === '' || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  const isElsewhere = url.origin !== siteOrigin || href.trim().toLowerCase().startsWith(siteOrigin);
  if (isElsewhere || articleSite === '' || isPartnerPath(url.pathname, partners)) return url;
  const elsewhere = `${articleSite.replace(/\/+$/, '')}/`;
  return URL.canParse(href, elsewhere) ? new URL(href, elsewhere) : null;
}

function buildWebLink(url: URL, policy: LinkPolicy): LinkAttributes | null {
  const partner = [...policy.partners.values()].find(({ site }) => isHostOf(url.hostname, site));
  if (partner) {
    const query = { page: findPage(url, partner), source: 'article' };
    return buildPaidLink(buildAddress(buildRedirectPath(partner.key), query));
  }
  if (url.origin === policy.siteOrigin) return buildOwnLink(url, policy);
  url.username = '';
  url.password = '';
  const articleHost = URL.canParse(policy.articleSite) ? trimHost(new URL(policy.articleSite)) : '';
  // Ghost adds its own host name to every link that leads elsewhere.
  const ref = url.searchParams.get('ref')?.replace(/^www\./, '');
  if (articleHost !== '' && ref === articleHost.replace(/:\d+$/, '')) url.searchParams.delete('ref');
  const rel = policy.nofollow ? 'nofollow noopener' : 'noopener';
  if (articleHost === '' || trimHost(url) !== articleHost) return { href: url.href, rel };
  if (url.hash.startsWith('#/')) return null;
  const reference = findArticleReference(url);
  return { href: url.href, rel, ...(reference && { 'data-article': reference }) };
}

/** WordPress's paths that begin like this list articles or are files. */
const NO_ARTICLE_PATH = /\/(?:category|tag|author|page|wp-[a-z]+|feed)\//;

function findArticleReference(url: URL): string {
  const id = url.searchParams.get('p');
  if (id !== null) return /^\d{1,20}$/.test(id) ? `?p=${id}` : '';
  if (NO_ARTICLE_PATH.test(url.pathname)) return '';
  const slug = decodePercent(url.pathname.split('/').filter(Boolean).at(-1) ?? '').normalize('NFC');
  return isArticleSlug(slug) ? slug : '';
}

/**
 * Turns the links of a body that lead to other articles into links of this site. `findPath` finds the path of a known
 * article by a reference: a slug, or `?p=` with an id. All other links stay as they are.
 */
export function resolveArticleLinks(html: string, findPath: (reference: string) => string | null): string {
  return html.replace(/<a [^<>]*data-article="([^"]*)"[^<>]*>/g, (tag, reference: string) => {
    const path = findPath(reference);
    const plain = tag.replace(/ data-article="[^"]*"/, '');
    if (path === null) return plain;
    const hash = / href="[^"#]*#([^"]*)"/.exec(tag)?.[1] ?? '';
    const fragment = buildFragment(decodePercent(hash));
    const href = path + (fragment && `#${fragment}`);
    return plain.replace(/ rel="[^"]*"/, '').replace(/ href="[^"]*"/, () => ` href="${href}"`);
  });
}

function trimHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

function buildOwnLink(url: URL, { partners }: LinkPolicy): LinkAttributes {
  // Two slashes would name another host.
  const path = url.pathname.replace(/^\/\//, '/.//') + url.search;
  if (isPartnerPath(url.pathname, partners)) return buildPaidLink(path);
  const fragment = url.hash && buildFragment(decodePercent(url.hash.slice(1)));
  return { href: !fragment ? path : `${path}#${isBelowBlog(url.pathname) ? fragment : url.hash.slice(1)}` };
}

const TEXT_POSITION = 'text';

/** A link to a partner is marked as sponsored, opens a new tab and is counted when clicked. */
function buildPaidLink(address: string): LinkAttributes {
  const query = new URLSearchParams(address.split('?')[1]);
  const source = query.get('source') ?? 'article';
  const separator = address.includes('?') ? '&' : '?';
  return {
    href: query.has('position') ? address : `${address}${separator}position=${TEXT_POSITION}`,
    rel: 'sponsored noopener',
    target: '_blank',
    'data-action': 'call_to_action',
    'data-label': source,
    'data-source': source,
  };
}

/** Whether a host is that of a site or below it. */
export function isHostOf(hostname: string, site: string): boolean {
  const own = new URL(site).hostname.replace(/^www\./, '');
  return hostname === own || hostname.endsWith(`.${own}`);
}

function findPage(url: URL, partner: Partner): string {
  const trim = (path: string) => path.replace(/\/+$/, '');
  for (const [page, address] of partner.destinations) {
    if (trim(new URL(address).pathname) === trim(url.pathname)) return page;
  }
  return partner.destinations.has('home') ? 'home' : 'pricing';
}

const mapReferences = memoizeByKey(
  (articles: readonly ArticleSummary[]): ReadonlyMap<string, string> =>
    new Map(
      articles.flatMap((article) => {
        const path = buildArticlePath(article);
        return [[`?p=${article.id}`, path] as const, [article.slug, path] as const];
      }),
    ),
);

/**
 * Links an article to the other articles of the site. This is done at every reading and not when its body is stored,
 * because articles come and go.
 */
export function linkArticles(
  article: Article,
  articles: readonly ArticleSummary[],
  addresses: Addresses,
): Article {
  const paths = mapReferences(articles);
  const resolve = (html: string) =>
    leadLinks(
      resolveArticleLinks(html, (reference) => paths.get(reference) ?? null),
      addresses,
    );
  const { content, splitAt } = article;
  const before = resolve(content.slice(0, splitAt));
  return { ...article, content: before + resolve(content.slice(splitAt)), splitAt: before.length };
}
