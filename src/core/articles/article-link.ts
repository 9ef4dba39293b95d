import type { Partner } from '../partners/partner.ts';
import { isArticleSlug } from './article-slug.ts';
import { ID_PREFIX } from './headings.ts';

/** What decides where a link inside an article leads. */
export interface LinkPolicy {
  /** Origin of the site, such as `https://hub.example`. */
  readonly siteOrigin: string;
  readonly partners: readonly Partner[];
  /** Host names of the system the articles are written in: its `/slug` pages are `/blog/slug` here. */
  readonly articleHosts: readonly string[];
  /** Whether other sites' links carry `nofollow`: true for articles that other hands write. */
  readonly nofollow: boolean;
}

/** Attributes of an `<a>` by name. */
export type LinkAttributes = Readonly<Record<string, string>>;

/** Builds an id or fragment of the article's own name space; empty when nothing is left of the text. */
export function buildFragment(text: string): string {
  const clean = text.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 100);
  if (clean === '' || clean === '-') return '';
  return clean.startsWith(ID_PREFIX) ? clean : ID_PREFIX + clean;
}

/** Builds the attributes of a link as the site gives it out; null: it leads nowhere that may be linked to. */
export function buildArticleLink(href: string, policy: LinkPolicy): LinkAttributes | null {
  if (href.startsWith('#')) {
    const fragment = buildFragment(decodeFragment(href.slice(1)));
    return fragment ? { href: `#${fragment}` } : null;
  }
  const base = `${policy.siteOrigin}/blog/`;
  if (href.trim() === '' || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return { href: url.href };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return buildWebLink(url, policy);
}

function buildWebLink(url: URL, policy: LinkPolicy): LinkAttributes {
  const partner = policy.partners.find((one) => isHostOf(url.hostname, one.site));
  if (partner) return buildPaidLink(`/go/${partner.key}?page=${findPage(url, partner)}&source=article`);
  if (url.origin === policy.siteOrigin) return buildOwnLink(url);
  const slug = url.pathname.replace(/^\/|\/$/g, '');
  if (policy.articleHosts.includes(url.hostname) && isArticleSlug(slug)) return { href: `/blog/${slug}` };
  url.username = '';
  url.password = '';
  return { href: url.href, rel: policy.nofollow ? 'nofollow noopener' : 'noopener' };
}

function buildOwnLink(url: URL): LinkAttributes {
  const path = url.pathname + url.search;
  if (/^\/go\/[a-z0-9-]+$/.test(url.pathname)) return buildPaidLink(path);
  const fragment = url.hash && buildFragment(decodeFragment(url.hash.slice(1)));
  return { href: !fragment ? path : `${path}#${isBlogPath(url) ? fragment : url.hash.slice(1)}` };
}

/** A link that may earn: marked as such, in a new tab, counted when pressed. */
function buildPaidLink(href: string): LinkAttributes {
  const source = new URLSearchParams(href.split('?')[1]).get('source') ?? 'article';
  return {
    href,
    rel: 'sponsored noopener',
    target: '_blank',
    'data-action': 'call_to_action',
    'data-label': source,
    'data-source': source,
  };
}

function isBlogPath(url: URL): boolean {
  return url.pathname.startsWith('/blog/');
}

function isHostOf(hostname: string, site: string): boolean {
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

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
