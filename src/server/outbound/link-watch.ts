import { createHash } from 'node:crypto';
import type { ArticleEvidence } from '../../core/articles/article.ts';
import type { Clock } from '../../core/clock.ts';
import { listNamedChecks } from '../../core/outbound/content-updates.ts';
import {
  acceptResult,
  isUnreached,
  judgeVisit,
  type LinkEvidence,
  type LinkRecord,
  needsOperator,
  recordCheck,
} from '../../core/outbound/link-state.ts';
import {
  buildExcerpt,
  isOfferRead,
  type OfferReading,
  readPrice,
} from '../../core/outbound/page-expectation.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { isAllowedByRobots } from '../../core/outbound/robots-rules.ts';
import {
  buildCheckAddress,
  formatCompactDay,
  isAllowedHost,
  isCheckable,
  listContentLinks,
  listTextLinks,
  listWatchedLinks,
  type PageLink,
  type WatchedLink,
} from '../../core/outbound/watched-links.ts';
import type { Content } from '../../core/pages/content.ts';
import type { LaunchFinding } from '../../core/pages/launch-report.ts';
import { buildArticlePath, LINK_WATCH_PATH } from '../../core/paths.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { isPublicAddress } from '../../core/text/parse-text.ts';
import type { ReadLinkPage } from '../../sources/links/link-page.ts';
import type { SendLinkRequest } from '../../sources/links/link-request.ts';
import { readRobots, type VisitOptions, visitLink } from '../../sources/links/visit-link.ts';
import type { Links } from '../../stores/links.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** What a check of links needs of a site: the command has no more. */
export interface LinkWatchSite {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly content: { readonly read: () => Content; readonly links: Links };
  readonly sendLink: SendLinkRequest;
  /** For one check, in ms; 15 s when left out. */
  readonly deadlineMs?: number;
  /** Between two checks of pages of one host, in ms; 10 s when left out. */
  readonly pauseMs?: number;
}

/** The name of the watch in robots.txt. */
const AGENT = 'Signpost-LinkWatch';
const HOST_PAUSE_MS = 10_000;
const ROBOTS_AGE_MS = 86_400_000;

/** Whether links are checked in the background: always, never, or on a site that visitors of the internet can open. */
export function isLinkWatchOn({ LINK_WATCH, siteUrl }: Settings): boolean {
  return LINK_WATCH === 'on' || (LINK_WATCH === 'auto' && isPublicAddress(siteUrl));
}

/**
 * Lists what the site watches: partners and content as they are now, and the links of articles, which are those of the last
 * look when they are left out. Rejects with `LedgerError`.
 */
export async function readWatchedLinks(
  {
    settings,
    content: { read, links },
  }: { readonly settings: Settings; readonly content: LinkWatchSite['content'] },
  articleLinks?: readonly PageLink[],
): Promise<readonly WatchedLink[]> {
  const content = read();
  const pageLinks = [...listContentLinks(content), ...(articleLinks ?? (await links.readArticleLinks()))];
  return listWatchedLinks(content.partners, pageLinks, settings.siteHosts);
}

/**
 * Prepares the visit of a link; null when its host was sent a request a moment ago. `accepted`: the final host of the
 * baseline. Rejects with `LedgerError`.
 */
async function startVisit(
  {
    settings,
    clock,
    sendLink,
    deadlineMs,
    pauseMs: usual = HOST_PAUSE_MS,
    content: { links },
  }: LinkWatchSite,
  link: WatchedLink,
  accepted: string | null,
) {
  const now = clock.now();
  const address = new URL(buildCheckAddress(link, now));
  const host = address.hostname;
  const pauseMs = settings.TEST_HOSTS.has(host) ? 0 : usual;
  if (!(await links.claimHost(host, now, pauseMs))) return null;
  const options: VisitOptions = {
    send: sendLink,
    now,
    ...(deadlineMs !== undefined && { deadlineMs }),
    userAgent: `${AGENT}/1 (+${settings.siteUrl}${LINK_WATCH_PATH})`,
    isAllowed: (name) => isAllowedHost(link, name, accepted),
  };
  /** Follows the link and reads the offer; `offer` is null without expectations or without a page. */
  const follow = async () => {
    const visit = await visitLink(address.href, options);
    const others = visit.hops.map(({ url }) => new URL(url).hostname).filter((name) => name !== host);
    await links.noteHosts([...new Set(others)], clock.now());
    const page = visit.problem === null && visit.hops.at(-1)?.status === 200 ? visit.page : null;
    return { visit, page, offer: page === null || !isOfferRead(link.expect) ? null : readOffer(link, page) };
  };
  return { address, now, pauseMs, options, follow };
}

/** What a check has found, before it is stored. */
interface FoundLink {
  readonly link: WatchedLink;
  readonly previous: LinkRecord | null;
  readonly visit: Parameters<typeof judgeVisit>[1];
  readonly offer: OfferReading | null;
}

/**
 * Checks a link; null when its host was sent a request a moment ago, or robots.txt was read instead. Rejects with
 * `LedgerError`.
 */
async function checkLink(
  site: LinkWatchSite,
  link: WatchedLink,
  previous: LinkRecord | null,
): Promise<FoundLink | null> {
  const { links } = site.content;
  const started = await startVisit(site, link, previous?.baseline?.finalHost ?? null);
  if (started === null) return null;
  const { address, now, pauseMs, options, follow } = started;
  let isRobotsKnown = true;
  if (isOfferRead(link.expect)) {
    const host = address.hostname;
    const robots = await links.readRobots(host);
    if (robots === null || now - robots.at > ROBOTS_AGE_MS) {
      await links.writeRobots(host, await readRobots(host, options), now);
      // The page is next, after the pause.
      if (pauseMs > 0) return null;
    }
    const text = (await links.readRobots(host))?.text ?? null;
    isRobotsKnown = text !== null;
    if (text !== null && !isAllowedByRobots(text, AGENT, address.pathname + address.search)) {
      return { link, previous, visit: { ...NO_VISIT, problem: 'robots' }, offer: null };
    }
  }
  const { visit, page, offer } = await follow();
  // Such a page is not read; that the host or the page is gone is still found.
  if (page !== null && !isRobotsKnown) {
    return { link, previous, visit: { ...visit, problem: 'unknown-robots' }, offer: null };
  }
  return { link, previous, visit, offer };
}

/**
 * Follows the link to a destination of a partner as it is written, and stores nothing; null: its host was sent a request a
 * moment ago, or the destination is not checked. Rejects with `LedgerError`.
 */
export async function testDestination(
  site: LinkWatchSite,
  partner: Partner,
  name: string,
): Promise<{ readonly address: string; readonly isRight: boolean; readonly reason: string } | null> {
  const found = listWatchedLinks(new Map([[partner.key, partner]]), [], []);
  const link = found.find(({ destinations }) => destinations.includes(name));
  const started = link === undefined ? null : await startVisit(site, link, null);
  if (link === undefined || started === null) return null;
  const { visit, offer } = await started.follow();
  const { finalHost, finalPath, outcome, reason } = judgeVisit(link, visit, null, offer);
  return { address: `https://${finalHost}${finalPath}`, isRight: outcome === 'ok', reason };
}

const NO_VISIT = {
  hops: [],
  refused: '',
  page: null,
  isEmpty: false,
  isChallenge: false,
  cookies: [],
  retryAfter: null,
} as const;

function readOffer({ expect }: WatchedLink, page: ReadLinkPage): OfferReading {
  return {
    excerpt: buildExcerpt(page.text, expect),
    hash: createHash('sha256').update(page.text).digest('hex'),
    prices: expect.prices.map((price) => readPrice(price, page.text, page.offers)),
  };
}

async function store(
  { clock, content, content: { links } }: LinkWatchSite,
  { link, previous, visit, offer }: FoundLink,
): Promise<LinkRecord> {
  const now = clock.now();
  const result = judgeVisit(link, visit, previous?.baseline ?? null, offer);
  const id = buildCheckId(link.url, now);
  const evidence: LinkEvidence | undefined =
    result.offer === null
      ? undefined
      : {
          id,
          checkedAt: now,
          address: `https://${result.finalHost}${result.finalPath}`,
          offer: result.offer,
        };
  const record = recordCheck(link, previous, result, {
    now,
    chance: Math.random(),
    evidence,
    retryAfter: visit.retryAfter,
  });
  const isNews = evidence !== undefined && evidence.offer.hash !== previous?.evidence?.offer.hash;
  await links.write(
    record,
    { id, isChange: record.state !== previous?.state || isNews },
    // As the content is now: an edit since the visit began may name a check, which must not be removed then.
    listNamedChecks(content.read()).map((named) => named.id),
  );
  return record;
}

/** The id has the day, so that a page can say when the check was without looking it up. */
function buildCheckId(url: string, now: number): string {
  const hash = createHash('sha256').update(`${now} ${url}`).digest('hex');
  return `lc-${formatCompactDay(now)}-${hash.slice(0, 8)}`;
}

/** Of one run in the background: the others are next. */
const LINKS_PER_RUN = 8;

/**
 * Checks the links that are due, those of partners first, and one of each host. Resolves with what was found. Rejects with
 * `LedgerError`.
 */
export async function checkDueLinks(site: LinkWatchSite): Promise<readonly LinkRecord[]> {
  const { clock } = site;
  const { links } = site.content;
  const [watched, known] = await Promise.all([readWatchedLinks(site), links.readAll()]);
  await removeOthers(site, watched, known);
  const now = clock.now();
  const due = watched
    .filter(isCheckable)
    .map((link) => ({ link, record: known.get(link.url) ?? null }))
    .filter(({ record }) => record === null || record.dueAt <= now)
    .sort(
      (one, other) => rankDue(one.link) - rankDue(other.link) || getDue(one.record) - getDue(other.record),
    );
  const byHost = new Map<string, (typeof due)[number]>();
  for (const one of due) {
    const { hostname } = new URL(one.link.url);
    if (!byHost.has(hostname)) byHost.set(hostname, one);
  }
  const chosen = [...byHost.values()].slice(0, LINKS_PER_RUN);
  const checks = await Promise.all(chosen.map(({ link, record }) => checkLink(site, link, record)));
  const found = checks.filter((one) => one !== null);
  if (await isCutOff(site, found, watched)) throw new Error(CUT_OFF);
  return Promise.all(found.map((one) => store(site, one)));
}

const CUT_OFF =
  'no host could be resolved or reached, which is taken for the network of this site: every link stays as it was';
/** Hosts that are asked as well when no host of a round responds. */
const MAX_WITNESSES = 3;

/** Whether no host responds: none of a round, and none of a few others that the site watches. */
async function isCutOff(
  { settings, clock, sendLink, content: { links } }: LinkWatchSite,
  found: readonly FoundLink[],
  watched: readonly WatchedLink[],
): Promise<boolean> {
  if (found.length === 0 || !found.every(({ visit }) => isUnreached(visit))) return false;
  const hosts = new Set(found.map(({ link }) => new URL(link.url).hostname));
  const others = watched.filter(isCheckable).map(({ url }) => new URL(url).hostname);
  let asked = 0;
  for (const host of new Set(others.filter((one) => !hosts.has(one)))) {
    if (asked >= MAX_WITNESSES) break;
    if (!(await links.claimHost(host, clock.now(), HOST_PAUSE_MS))) continue;
    asked += 1;
    const { problem, hops } = await visitLink(`https://${host}/robots.txt`, {
      send: sendLink,
      now: clock.now(),
      isAllowed: (name) => name === host,
      userAgent: `${AGENT}/1 (+${settings.siteUrl}${LINK_WATCH_PATH})`,
    });
    if (!isUnreached({ problem, hops })) return false;
  }
  return hosts.size > 1 || asked > 0;
}

const rankDue = ({ partner }: WatchedLink) => Number(partner === null);
const getDue = (record: LinkRecord | null) => record?.dueAt ?? 0;

async function removeOthers(
  { content: { links } }: LinkWatchSite,
  watched: readonly WatchedLink[],
  known: ReadonlyMap<string, LinkRecord>,
): Promise<void> {
  const urls = new Set(watched.map(({ url }) => url));
  if ([...known.keys()].some((url) => !urls.has(url))) await links.removeOthers([...urls]);
}

/**
 * Checks links whether they are due or not, in their order, with a pause where a host needs one. `pause` waits for so many
 * ms. Rejects with `LedgerError`, and when no host responds.
 */
export async function checkAllLinks(
  site: LinkWatchSite,
  chosen: readonly WatchedLink[],
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const known = await site.content.links.readAll();
  let waiting = chosen.filter(isCheckable);
  /** What waits until a host responds. */
  let held: FoundLink[] = [];
  let hasReached = false;
  while (waiting.length > 0) {
    const left: WatchedLink[] = [];
    for (const link of waiting) {
      const found = await checkLink(site, link, known.get(link.url) ?? null);
      if (found === null) left.push(link);
      else held.push(found);
      hasReached ||= found !== null && !isUnreached(found.visit);
      if (!hasReached) continue;
      for (const one of held) await store(site, one);
      held = [];
    }
    if (left.length > 0) await pause(site.pauseMs ?? HOST_PAUSE_MS);
    waiting = left;
  }
  if (await isCutOff(site, held, await readWatchedLinks(site))) throw new Error(CUT_OFF);
  for (const one of held) await store(site, one);
}

/**
 * Takes what the last check of a link has found as its baseline; null if the link is unknown, it was never checked, or
 * the last check found nothing to accept. Rejects with `LedgerError`.
 */
export async function acceptLink(clock: Clock, links: Links, url: string): Promise<LinkRecord | null> {
  const record = (await links.readAll()).get(url);
  const accepted = record === undefined ? null : acceptResult(record, clock.now());
  if (accepted !== null) await links.write(accepted);
  return accepted;
}

/**
 * Finds the checks that content names as its evidence and that are not stored, or have read nothing. Rejects with
 * `LedgerError`.
 */
export async function findUnknownChecks(
  content: Parameters<typeof listNamedChecks>[0],
  links: Links,
): Promise<readonly LaunchFinding[]> {
  const named = listNamedChecks(content);
  const found = named.length === 0 ? [] : await links.findChecks(named.map(({ id }) => id));
  const stored = new Set(found.filter(({ evidence }) => evidence !== null).map(({ id }) => id));
  return named
    .filter(({ id }) => !stored.has(id))
    .map(({ id, file, field }) => ({
      level: 'warning',
      file: `content/${file}`,
      text: `${field}: no check ${id} with evidence is stored: ${nameCommand('links status --format json')} lists those that are`,
    }));
}

const RUN_MS = 60_000;

/** Creates the job that checks what is due, every minute. */
export function createLinkWatchJob(site: Site): PeriodicJob {
  const { settings, platform, log } = site;
  const sendLink = platform.createLinkRequests(settings.TEST_HOSTS);
  const run = async () => {
    for (const record of await checkDueLinks({ ...site, sendLink })) {
      const { url, state, reason } = record;
      if (needsOperator(record)) log.warn('a link needs attention', { url, state, reason });
    }
  };
  return new PeriodicJob(log, 'links could not be checked', run, RUN_MS);
}

/** Lists the links in the text (HTML or Markdown) of an article, and the pages that it cites. */
export function listArticleLinks(
  article: Parameters<typeof buildArticlePath>[0],
  text: string,
  evidence: { readonly sources: ArticleEvidence['sources'] } | undefined,
): PageLink[] {
  const cited = evidence?.sources.map((source) => source.url) ?? [];
  return [...listTextLinks(text), ...cited].map((url) => ({ page: buildArticlePath(article), url }));
}

const ARTICLES_MS = 6 * 3_600_000;
const FIRST_ARTICLES_MS = 120_000;
const ARTICLES_KEY = 'article-links';

/**
 * Creates the job that looks for links in articles, four times a day: where articles are read is not where links are
 * checked. An article that cannot be read now leaves the list as it was.
 */
export function createArticleLinkJob(site: Site): PeriodicJob {
  const { clock, log } = site;
  const { ledger } = site.money;
  const { articles, links } = site.content;
  const run = async () => {
    const last = Number((await ledger.readState(ARTICLES_KEY)) ?? 0);
    if (clock.now() - last < ARTICLES_MS / 2) return;
    const found: PageLink[] = [];
    for (const { slug } of articles.getSummaries()) {
      const article = await articles.get(slug);
      if (article !== null) found.push(...listArticleLinks(article, article.content, article.evidence));
    }
    await links.writeArticleLinks(found);
    await ledger.writeState(ARTICLES_KEY, String(clock.now()));
  };
  return new PeriodicJob(log, 'the links of articles could not be read', run, ARTICLES_MS, FIRST_ARTICLES_MS);
}
