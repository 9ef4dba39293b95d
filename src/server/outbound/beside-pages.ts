import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { listHosts, parseListedPage } from '../../core/outbound/beside.schema.ts';
import { isAllowedByRobots } from '../../core/outbound/robots-rules.ts';
import { LINK_WATCH_PATH, SITEMAP_PATH } from '../../core/paths.ts';
import { cleanText, isLoopback, parseJson } from '../../core/text/parse-text.ts';
import { extractText, inspectHtml, parseHtml } from '../../sources/articles/html/html-text.ts';
import type { LinkResponse } from '../../sources/links/link-request.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

/** A page of a site beside ours, as its sitemap and its feed name it; days are `YYYY-MM-DD`, empty where neither says it. */
const pageSchema = z.object({ title: z.string(), published: z.string(), updated: z.string() });
export type BesidePage = z.output<typeof pageSchema>;

/** What is kept of a host. */
const stateSchema = z.object({
  /** When it was asked last, in ms since 1970. */
  at: z.number(),
  /** `ETag` or `Last-Modified` by address. */
  tags: z.record(z.string(), z.string()),
  /** The page of the feed that is read next: older ones take several days. */
  next: z.number(),
  pages: z.record(z.string(), pageSchema),
  /** How often posts link to a host with a query, or to a path of a link plugin. */
  links: z.record(z.string(), z.number()).default({}),
});
type State = z.output<typeof stateSchema>;

const NOTHING: State = { at: 0, tags: {}, next: 2, pages: {}, links: {} };
const AGENT = 'Signpost-LinkWatch';
const PAUSE_MS = 1_000;
/** Of one host a day. */
const MAX_REQUESTS = 60;
const MAX_BYTES = 5_000_000;
const MAX_PAGES = 10_000;

const buildKey = (host: string) => `beside-pages ${host}`;

function parseState(text: string | null): State {
  const parsed = stateSchema.safeParse(parseJson(text ?? ''));
  return parsed.success ? parsed.data : structuredClone(NOTHING);
}

/** What was parsed last, by ledger and host. */
const kept = new WeakMap<object, Map<string, { readonly text: string | null; readonly state: State }>>();

type BesideSite = Pick<Site, 'content' | 'money'>;

async function readStates({ content, money: { ledger } }: BesideSite): Promise<readonly State[]> {
  const known = kept.get(ledger) ?? new Map();
  kept.set(ledger, known);
  const read = async (host: string) => {
    const text = await ledger.readState(buildKey(host));
    if (known.get(host)?.text !== text) known.set(host, { text, state: parseState(text) });
    return known.get(host)?.state ?? NOTHING;
  };
  return Promise.all(listHosts(content.read().beside).map(read));
}

/** Reads what is known of the pages of the listed sites, by host and path. Rejects with `LedgerError`. */
export const readBesidePages = async (site: BesideSite): Promise<ReadonlyMap<string, BesidePage>> =>
  new Map((await readStates(site)).flatMap(({ pages }) => Object.entries(pages)));

/** Reads to which merchants posts of the listed sites link as to one that pays, the most links first. Rejects with `LedgerError`. */
export const readBesideLinks = async (site: BesideSite): Promise<readonly (readonly [string, number])[]> =>
  (await readStates(site))
    .flatMap(({ links }) => Object.entries(links))
    .sort(([, one], [, other]) => other - one);

/** What a sitemap, an index of sitemaps or a feed names. */
interface Listed {
  readonly address: string;
  readonly isSitemap: boolean;
  readonly title: string;
  readonly published: string;
  readonly updated: string;
  readonly links: readonly string[];
}

const ENTRIES = ['item', 'entry', 'url', 'sitemap'];

/** Reads the entries of a sitemap (also an index of others), of RSS or of Atom; what is neither has none. */
function readListing(xml: string, timeZone: string): readonly Listed[] {
  const entries: Record<string, string>[] = [];
  const open: string[] = [];
  parseHtml(
    xml,
    {
      onopentag(name, { rel = 'alternate', href }) {
        if (ENTRIES.includes(name)) entries.push({ entry: name });
        const entry = entries.at(-1);
        if (entry && name === 'link' && href && rel === 'alternate') entry['link'] ??= href;
        open.push(name);
      },
      ontext(text) {
        const [parent = '', name = ''] = open.slice(-2);
        const entry = ENTRIES.includes(parent) ? entries.at(-1) : undefined;
        if (entry) entry[name] = (entry[name] ?? '') + text;
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  );
  return entries.map((entry) => {
    const readDay = (...names: readonly string[]) => {
      const time = Date.parse(names.map((name) => entry[name]).find(Boolean) ?? '');
      return Number.isNaN(time) ? '' : getLocalDay(time, timeZone);
    };
    return {
      address: (entry['loc'] ?? entry['link'] ?? '').trim(),
      isSitemap: entry['entry'] === 'sitemap',
      title: cleanText(extractText(entry['title'] ?? ''), 200),
      published: readDay('pubDate', 'published', 'dc:date'),
      updated: readDay('lastmod', 'updated'),
      links: inspectHtml(entry['content:encoded'] ?? entry['content'] ?? entry['description'] ?? '').links,
    };
  });
}

/** Asks one host for its sitemap and feed, within what its robots.txt allows. Rejects with `LedgerError`. */
async function askHost(site: Site, address: string, signal: AbortSignal): Promise<void> {
  const { settings, platform, content, clock } = site;
  const { ledger } = site.money;
  const { origin, host, hostname } = new URL(address);
  const state = parseState(await ledger.readState(buildKey(host)));
  // A site that is not there yet is asked again within the hour.
  const isKnown = Object.keys(state.pages).length > 0;
  if (clock.now() - state.at < (isKnown ? DAY_MS : DAY_MS / 24)) return;
  // Who lists a site of this machine tries things out on it; no other private address is asked.
  const isHere = isLoopback(hostname);
  const send = platform.createLinkRequests(isHere ? new Map([[hostname, origin]]) : settings.TEST_HOSTS);
  const pauseMs = isHere || settings.TEST_HOSTS.has(hostname) ? 0 : PAUSE_MS;
  let requests = 0;
  const get = async (target: URL): Promise<LinkResponse | null> => {
    let url: URL | null = target;
    for (let hops = 0; hops < 3 && url?.origin === origin && requests < MAX_REQUESTS; hops++) {
      if (requests++ > 0) await sleep(pauseMs, undefined, { signal });
      const tag = state.tags[url.href] ?? '';
      const known = tag && { [/^(W\/)?"/.test(tag) ? 'if-none-match' : 'if-modified-since']: tag };
      const response = await send(url, {
        headers: {
          accept: '*/*',
          'user-agent': `${AGENT}/1 (+${settings.siteUrl}${LINK_WATCH_PATH})`,
          ...Object(known),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
        maxBytes: MAX_BYTES,
      }).catch(() => null);
      if (response === null || response.status < 300 || response.status > 399 || response.status === 304)
        return response;
      url = URL.parse(response.headers.get('location') ?? '', url);
    }
    return null;
  };
  const robots = await get(new URL('/robots.txt', origin));
  const rules =
    robots?.status === 200
      ? new TextDecoder().decode(robots.body)
      : robots && robots.status >= 400 && robots.status <= 499 && robots.status !== 429
        ? ''
        : null;
  state.at = clock.now();
  /** Null where it is not allowed, not there, or the same as the last time. */
  const read = async (target: string): Promise<LinkResponse | null> => {
    const url = URL.parse(target, origin);
    if (rules === null || url === null) return null;
    if (!isAllowedByRobots(rules, AGENT, url.pathname + url.search)) return null;
    const response = await get(url);
    return response?.status === 200 ? response : null;
  };
  const countLinks = (links: readonly string[]) => {
    const { prefixes } = content.read().beside;
    for (const link of links) {
      const url = URL.parse(link, origin);
      if (url === null || !/^https?:$/.test(url.protocol)) continue;
      const prefix = prefixes.find((start) => url.pathname.startsWith(start));
      const key = url.origin !== origin ? url.host : prefix === undefined ? '' : host + prefix;
      const isPaid = key !== '' && (url.search !== '' || prefix !== undefined);
      if (isPaid && (Object.hasOwn(state.links, key) || Object.keys(state.links).length < 500))
        state.links[key] = (state.links[key] ?? 0) + 1;
    }
  };
  /** Adds what a list names; returns the lists that it names, and whether it said anything new. */
  const take = async (target: string) => {
    const response = await read(target);
    if (response === null) return { isNew: false, sitemaps: [] };
    const listed = readListing(new TextDecoder().decode(response.body), settings.TIME_ZONE);
    let isNew = false;
    for (const one of listed) {
      const url = one.address === '' ? null : URL.parse(one.address, origin);
      const page =
        url?.origin === origin && parseListedPage(content.read().beside, host + url.pathname + url.search);
      if (one.isSitemap || !page) continue;
      const before = state.pages[page] ?? { title: '', published: '', updated: '' };
      if (!Object.hasOwn(state.pages, page) && Object.keys(state.pages).length >= MAX_PAGES) continue;
      if (!Object.hasOwn(state.pages, page)) countLinks(one.links);
      isNew ||= one.title !== '' && one.title !== before.title;
      state.pages[page] = {
        title: one.title || before.title,
        published: one.published || before.published,
        updated: one.updated || before.updated,
      };
    }
    const sitemaps = listed.filter(({ isSitemap }) => isSitemap).map((one) => one.address);
    const tag = response.headers.get('etag') ?? response.headers.get('last-modified');
    // An index may be the same while the lists in it are not.
    if (tag !== null && sitemaps.length === 0) state.tags[new URL(target, origin).href] = tag.slice(0, 200);
    return { isNew, sitemaps };
  };
  const home = await read('/');
  const feed = home === null ? null : findFeed(new TextDecoder().decode(home.body));
  if (feed !== null) {
    await take(feed);
    // WordPress has ten posts on a page of its feed; others answer with the first page again.
    for (; state.next > 0 && requests < MAX_REQUESTS / 2; state.next++) {
      const { isNew } = await take(`${feed}${feed.includes('?') ? '&' : '?'}paged=${state.next}`);
      if (!isNew) state.next = -1;
    }
  }
  const named = [...(rules ?? '').matchAll(/^\s*sitemap\s*:\s*(\S+)/gim)].map(([, one = '']) => one);
  const sitemaps = named.length > 0 ? named : [SITEMAP_PATH];
  for (const sitemap of sitemaps) {
    const found = await take(sitemap);
    sitemaps.push(...found.sitemaps.filter((one) => !sitemaps.includes(one)));
  }
  await ledger.writeState(buildKey(host), JSON.stringify(state));
}

/** The feed that a page names first. */
function findFeed(html: string): string | null {
  let feed: string | null = null;
  parseHtml(html, {
    onopentag(name, { type = '', href }) {
      if (name === 'link' && href && /^application\/(rss|atom)\+xml$/i.test(type)) feed ??= href;
    },
  });
  return feed;
}

/** Creates the job that asks each listed site once a day what its pages are called. */
export function createBesidePagesJob(site: Site): PeriodicJob {
  const run = async (signal: AbortSignal) => {
    for (const { address } of site.content.read().beside.hosts)
      await askHost(site, address, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  };
  return new PeriodicJob(site.log, 'sites beside this one could not be asked', run, 60_000, 5_000);
}
