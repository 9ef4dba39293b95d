import { leadTarget } from '../pages/addresses.ts';
import { listTexts } from '../pages/claims/placeholders.ts';
import type { Content } from '../pages/content.ts';
import { listTextTargets } from '../pages/partner-link-check.ts';
import { formatPrice } from '../products/price.ts';
import { formatFact, type Product, type Source } from '../products/product.ts';
import { mergeExpectations, NO_EXPECTATION, type OfferExpectation } from './page-expectation.ts';
import type { Partner } from './partner.ts';

/** A link that the site watches. */
export interface WatchedLink {
  /** Without the sub-id of a check; the key of everything that is stored about it. */
  readonly url: string;
  /** Key of the partner; null for a link in the text of a page. */
  readonly partner: string | null;
  /** Page keys of the partner's file that have this address, such as `pricing` and `trial DE`. */
  readonly destinations: readonly string[];
  /** `network`: a redirect of an affiliate network, where each check counts as a click. */
  readonly kind: 'merchant' | 'network' | 'external';
  /** The hosts to which a check may send requests. Subdomains of those of external links are among them. */
  readonly hosts: readonly string[];
  /** null: the address itself has the affiliate id, or the link is external. */
  readonly affiliate: Partner['affiliate'];
  /** The parameter of the click id; null when the program has none. */
  readonly subId: string | null;
  readonly expect: OfferExpectation;
  /** Paths of the pages that have the link in their text; those of partner links are known from clicks. */
  readonly pages: readonly string[];
}

/** An address in the text of a page of this site; without a page, the source of a product or a claim. */
export interface PageLink {
  readonly page: string;
  readonly url: string;
  /** What the content states with the address as its source. */
  readonly quotes?: readonly string[];
}

/** Lists the links of partners, and every external link in pages and articles; none to a partner that is switched off. */
export function listWatchedLinks(
  partners: ReadonlyMap<string, Partner>,
  pageLinks: readonly PageLink[],
  ownHosts: readonly string[],
): readonly WatchedLink[] {
  const links = new Map<string, WatchedLink>();
  for (const partner of partners.values()) {
    for (const { name, address } of listDestinations(partner)) {
      const link = buildPartnerLink(partner, name, address);
      if (link === null) continue;
      const known = links.get(link.url);
      links.set(link.url, known === undefined ? link : mergeLinks(known, link));
    }
  }
  const off = [...partners.values()].filter(({ watch }) => watch?.isOff);
  const byUrl = Map.groupBy(
    pageLinks.filter(
      ({ url }) => isExternal(url, ownHosts) && !off.some((partner) => isOnSiteOf(url, partner)),
    ),
    ({ url }) => withoutFragment(url),
  );
  for (const [url, uses] of byUrl) {
    const pages = [...new Set(uses.map(({ page }) => page))].filter((page) => page !== '').sort();
    const expect = { ...NO_EXPECTATION, quotes: [...new Set(uses.flatMap(({ quotes = [] }) => quotes))] };
    const known = links.get(url);
    links.set(
      url,
      known === undefined
        ? buildExternalLink(url, pages, expect)
        : { ...known, pages, expect: mergeExpectations(known.expect, expect) },
    );
  }
  return [...links.values()];
}

/** Whether an address is on the site of a partner, or on a host that leads there. */
function isOnSiteOf(url: string, { site, watch }: Partner): boolean {
  const { hostname } = new URL(url);
  return isBelow(hostname, stripWww(new URL(site).hostname)) || watch?.hosts.includes(hostname) === true;
}

function listDestinations({ destinations, regions }: Partner) {
  const list = (pages: ReadonlyMap<string, string>, region = '') =>
    [...pages].map(([page, address]) => ({ name: `${page}${region}`, address }));
  return [
    ...list(destinations),
    ...[...(regions ?? [])].flatMap(([region, pages]) => list(pages, ` ${region}`)),
  ];
}

/** Splits the name of a destination (`trial DE`) into its page key and its region; `at` is its field in the partner's file. */
export function parseDestination(name: string): {
  readonly page: string;
  readonly region: string | undefined;
  readonly at: string;
} {
  const [page = '', region] = name.split(' ', 2);
  return { page, region, at: region === undefined ? `destinations.${page}` : `regions.${region}.${page}` };
}

function buildPartnerLink(partner: Partner, name: string, address: string): WatchedLink | null {
  const { key, site, affiliate, subId, watch } = partner;
  const url = new URL(address);
  if (watch?.isOff === true || url.protocol !== 'https:') return null;
  if (affiliate !== null) url.searchParams.set(affiliate.parameter, affiliate.value);
  return {
    url: url.href,
    partner: key,
    destinations: [name],
    kind: isBelow(url.hostname, stripWww(new URL(site).hostname)) ? 'merchant' : 'network',
    hosts: [...new Set([url.hostname, new URL(site).hostname, ...(watch?.hosts ?? [])])],
    affiliate,
    subId: subId?.parameter ?? null,
    expect: watch?.expect.get(name) ?? NO_EXPECTATION,
    pages: [],
  };
}

function mergeLinks(one: WatchedLink, other: WatchedLink): WatchedLink {
  return {
    ...one,
    destinations: [...one.destinations, ...other.destinations],
    expect: mergeExpectations(one.expect, other.expect),
  };
}

const stripWww = (host: string) => host.replace(/^www\./, '');
const isBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);
const withoutFragment = (url: string) => new URL(url).href.replace(/#.*$/s, '');

function isExternal(text: string, ownHosts: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && !ownHosts.includes(hostname);
}

function buildExternalLink(url: string, pages: readonly string[], expect: OfferExpectation): WatchedLink {
  const { hostname } = new URL(url);
  return {
    url,
    pages,
    expect,
    partner: null,
    destinations: [],
    kind: 'external',
    hosts: [stripWww(hostname)],
    affiliate: null,
    subId: null,
  };
}

/** Whether a check of a link sends requests: links without https stay unchecked. */
export function isCheckable({ url }: WatchedLink): boolean {
  return url.startsWith('https:');
}

/** Why nothing is known of a link. */
export function describeUnchecked(link: WatchedLink): string {
  return isCheckable(link) ? 'not checked yet' : 'http:// is not checked; use https://';
}

/** Whether a check of a link may send a request to a host. `accepted`: the final host of the baseline. */
export function isAllowedHost({ kind, hosts }: WatchedLink, host: string, accepted: string | null): boolean {
  if (host === accepted) return true;
  return hosts.some((known) => (kind === 'external' ? isBelow(host, known) : host === known));
}

/** Sub-ids that begin so belong to checks: no click of a visitor has them. */
const CHECK_PREFIX = 'lw';

/** Builds the address that a check of a moment (ms since 1970) requests: with the reserved sub-id of its day. */
export function buildCheckAddress({ url, subId }: WatchedLink, now: number): string {
  if (subId === null) return url;
  const address = new URL(url);
  address.searchParams.set(subId, CHECK_PREFIX + formatCompactDay(now));
  return address.href;
}

/** Whether a sub-id that a network reports is that of a check. */
export function isCheckSubId(text: string): boolean {
  return /^lw\d{8}$/.test(text);
}

/** `20261103` */
export function formatCompactDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Lists the addresses of the web in a text of Markdown or HTML. */
export function listTextLinks(text: string): string[] {
  return [...text.matchAll(/(?<=\]\(\s*|href=["']|<)https?:\/\/[^\s()<>"']+/g)].map(([url]) =>
    url.replaceAll('&amp;', '&'),
  );
}

/** Lists the addresses of the web in the texts of pages, authors and site, and the sources of products and claims. */
export function listContentLinks(content: Content): PageLink[] {
  const { pages, authors, site, claims, products, addresses } = content;
  const list = (page: string, value: unknown) =>
    listTexts(value).flatMap(({ text, path }) =>
      (path.at(-1) === 'href' || isAddress(text) ? [text] : listTextTargets(text))
        .filter(isAddress)
        .map((url) => ({ page, url })),
    );
  const listSource = (text: string | undefined, quotes: readonly string[]) =>
    text !== undefined && isAddress(text) ? [{ page: '', url: text, quotes }] : [];
  return [
    ...[...pages].flatMap(([path, page]) => list(leadTarget(path, addresses), page)),
    ...[...authors].flatMap(([key, author]) => list(`/authors/${key}`, author)),
    ...list('/', site),
    ...[...claims.values()].flatMap(({ figure, evidence, fact }) => [
      ...listSource(evidence, [figure]),
      ...listSource(fact?.source, [figure]),
    ]),
    ...[...products.values()].flatMap((product) =>
      product.sources.flatMap(({ key, href }) => listSource(href, listQuotes(product, key))),
    ),
  ];
}

const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text);

/** What a product states with a source: the names and prices of offers, facts, codes. */
function listQuotes({ name, offers, facts, coupons }: Product, source: string): readonly string[] {
  const isOwn = (stated: { readonly source?: Source | undefined }) => stated.source?.key === source;
  const quotes = [
    ...offers.filter(isOwn).flatMap((offer) => [offer.name, formatPrice(offer.amount, offer.currency)]),
    ...[...facts, ...offers.flatMap((offer) => offer.facts)].filter(isOwn).map(formatFact),
    ...coupons.filter(isOwn).map(({ code }) => code),
  ];
  // A number alone is on every page.
  const shown = quotes.filter((quote) => quote.length > 2 && !/^\d+$/.test(quote));
  return shown.length === 0 ? [name] : shown;
}
