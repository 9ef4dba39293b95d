import { DAY_MS } from '../clock.ts';
import { decodePercent } from '../text/parse-text.ts';
import type { OfferReading } from './page-expectation.ts';
import type { WatchedLink } from './watched-links.ts';

/** What is known about a link. `changed`: it works, and is not what the operator has accepted. */
export const LINK_STATES = ['unchecked', 'healthy', 'changed', 'broken', 'inconclusive'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** One request of a check, with the status of its response; 0 without one. */
export interface LinkHop {
  readonly url: string;
  readonly status: number;
}

/** Why a check ended without a page. */
export const VISIT_PROBLEMS = [
  'timeout',
  'network',
  'unknown-host',
  'refused',
  'tls',
  'insecure',
  'foreign-host',
  'private-address',
  'loop',
  'many-redirects',
  'invalid',
  'robots',
  'unknown-robots',
] as const;
export type VisitProblem = (typeof VISIT_PROBLEMS)[number];

/** What of a page the rules read. */
export interface LinkPage {
  readonly title: string;
  /** The first heading of the first level. */
  readonly heading: string;
  /** The words that a reader sees. */
  readonly text: string;
  /** The language of the page as it says, such as `en`; empty without one. */
  readonly language: string;
}

/** What following a link has found. */
export interface LinkVisit {
  readonly hops: readonly LinkHop[];
  /** Null when the last hop responded with something else than a redirect. */
  readonly problem: VisitProblem | null;
  /** The address that was not requested, for a refused hop; empty otherwise. */
  readonly refused: string;
  readonly page: LinkPage | null;
  /** Whether the last response has no content at all. */
  readonly isEmpty: boolean;
  /** Whether the last response says by itself that it is a challenge for browsers. */
  readonly isChallenge: boolean;
  /** The cookies that the host of the last hop would get. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** Seconds to wait, from the last response; null when it does not say. */
  readonly retryAfter: number | null;
}

/** Where a link has led when the operator accepted it, or when it was first found in order. */
export interface LinkBaseline {
  readonly finalHost: string;
  readonly finalPath: string;
  readonly parameterKept: boolean | null;
  /** What the page was although it is not healthy by itself; left out for any other. */
  readonly sign?: 'empty' | 'parked' | 'insecure' | undefined;
}

/** What one check has found. */
export interface LinkResult extends LinkBaseline {
  /** `unclear`: it says nothing about the link, such as a challenge for browsers. */
  readonly outcome: 'ok' | 'different' | 'failed' | 'unclear';
  readonly reason: string;
  /** Whether the page breaks what the partner's file expects of it, which no operator can accept in the console. */
  readonly isUnexpected?: boolean | undefined;
  readonly hops: readonly LinkHop[];
  /** What the page of an offer said; null without expectations or without a page. */
  readonly offer: OfferReading | null;
}

/** Statuses that say that a checker is not welcome or that the server is busy, not that the page is gone. */
const UNCLEAR_STATUSES = new Set([401, 403, 405, 408, 425, 429, 451, 503]);

const PROBLEM_TEXTS: Readonly<Record<Exclude<VisitProblem, 'insecure' | 'foreign-host'>, string>> = {
  timeout: 'no complete response in time',
  network: 'this site could not reach the network',
  'unknown-host': 'the host does not exist',
  refused: 'the connection failed',
  tls: 'the certificate is invalid',
  'private-address': 'leads to a private address',
  loop: 'redirects without end',
  'many-redirects': 'redirects more than 7 times, which is as far as a check goes',
  invalid: 'the response is invalid',
  robots: 'robots.txt asks checkers to stay out',
  'unknown-robots': 'robots.txt could not be read',
};
/** Problems that may be on this side, or that say nothing about the page. */
const UNCLEAR_PROBLEMS: ReadonlySet<VisitProblem> = new Set([
  'timeout',
  'network',
  'many-redirects',
  'robots',
  'unknown-robots',
]);

const CHALLENGE =
  /\b(just a moment|attention required|access denied|verify (that )?you are (a )?human|are you (a )?(human|robot)|security check|pardon our interruption|captcha)\b/i;
/** A part of a title or a heading that says nothing else than that there is no page. */
const MISSING_PAGE = new RegExp(
  [
    String.raw`^(?:(?:oops|whoops|sorry|uh[ -]oh)\b[\s,.!:…]*)*(?:(?:http )?(?:error |status )?404(?: error)?[\s,.!:–-]*)?`,
    String.raw`(?:(?:page |file )?not found|(?:the|this|that|your)? ?(?:requested )?(?:page|site|product|offer|link)\b.{0,40}?`,
    `(?:not (?:be )?found|unavailable|no longer (?:available|exists?)|(?:doesn['’]t|does not) exist)(?: here| any ?more)?`,
    String.raw`|we (?:can['’]t|cannot|couldn['’]t|could not) find (?:the|this|that|your) page.*)?[\s,.!?…]*$`,
  ].join(''),
  'i',
);
const isMissingNotice = (text: string) =>
  text.split(/\s+[|·•»–—-]\s+/).some((part) => part.trim() !== '' && MISSING_PAGE.test(part.trim()));
const PARKED =
  /\b(?:this|the) (?:web ?site|domain(?: name)?)(?: \S+)? (?:is|may be|might be) (?:for sale|parked|available for (?:purchase|sale))|\bbuy this domain\b|\bdomain(?: name)? (?:is )?for sale\b|\b(?:domain (?:is )?parked|parked (?:domain|free|courtesy))\b|\b(?:this|the) domain (?:name )?(?:has )?expired\b|\bmake an offer (?:on|for) this domain\b/i;
const ENDED =
  /\b(program|programme|offer|campaign|promotion|link) (has (ended|expired|closed)|is (no longer (active|available)|inactive|expired|closed))|\bno longer accepting\b/i;
/** A page of a network that says that a program has ended is short; a long page may say so of something else. */
const MAX_NOTICE = 1_500;

/**
 * Parameters and cookies with which networks recognize a click at the merchant: impact.com, PartnerStack, CJ, Awin,
 * ShareASale and Dub.
 */
const NETWORK_MARKERS: ReadonlySet<string> = new Set(
  'irclickid irgwc ps_xid ps_partner_key gsxid gspk cjevent awc sscid dub_id'.split(' '),
);

/** Judges what a visit of a link has found, compared with the accepted baseline; null before there is one. */
export function judgeVisit(
  link: WatchedLink,
  visit: LinkVisit,
  baseline: LinkBaseline | null,
  offer: OfferReading | null,
): LinkResult {
  const last = visit.hops.at(-1);
  const found = new URL(visit.refused || last?.url || link.url);
  const result: Omit<LinkResult, 'outcome' | 'reason'> = {
    hops: visit.hops,
    finalHost: found.hostname,
    finalPath: found.pathname,
    parameterKept: visit.problem === null ? findParameter(link, visit, found) : null,
    offer: null,
  };
  const finish = (outcome: LinkResult['outcome'], reason: string, more: Partial<LinkResult> = {}) => ({
    ...result,
    ...more,
    outcome,
    reason,
  });
  /** Not healthy by itself; an operator can accept it. */
  const finishOdd = (sign: LinkBaseline['sign'], text: string) => {
    const isAccepted = baseline?.sign === sign;
    const reason = isAccepted ? findDifference(link, result, baseline, '') : text;
    return finish(reason === null ? 'ok' : 'different', reason ?? 'in order', { sign });
  };
  const { problem } = visit;
  if (problem === 'insecure') {
    return finishOdd('insecure', `redirects to ${found.origin}, which is not https on its usual port`);
  }
  if (problem === 'foreign-host') {
    return finish('different', `redirects to ${found.hostname}, which is not one of its hosts`);
  }
  if (problem !== null) {
    return finish(UNCLEAR_PROBLEMS.has(problem) ? 'unclear' : 'failed', PROBLEM_TEXTS[problem]);
  }
  const status = last?.status ?? 0;
  const { title = '', heading = '', text = '', language = '' } = visit.page ?? {};
  if (visit.isChallenge || CHALLENGE.test(title)) return finish('unclear', 'a challenge for browsers');
  if (UNCLEAR_STATUSES.has(status)) return finish('unclear', `responds with status ${status}`);
  if (status < 200 || status > 299) return finish('failed', `responds with status ${status}`);
  const isShort = text.length <= MAX_NOTICE;
  const notices = [title, heading].filter(isMissingNotice).length;
  // A long page with such a title, or such a heading, may explain it.
  if (notices > (isShort ? 0 : 1)) return finish('failed', 'says that the page does not exist');
  if (isShort && ENDED.test(text)) return finish('failed', 'says that the program has ended');
  if (visit.isEmpty) return finishOdd('empty', 'responds without a page');
  if (PARKED.test(`${title} ${heading}`) || (isShort && PARKED.test(text)))
    return finishOdd('parked', 'says that the domain is for sale or parked');
  const unexpected = findUnexpected(link, text) ?? findMissingPrice(link, offer);
  if (unexpected !== null) return finish('different', unexpected, { offer, isUnexpected: true });
  const difference = findDifference(link, result, baseline, language);
  return finish(difference === null ? 'ok' : 'different', difference ?? 'in order', { offer });
}

/** Whether a visit ended before any server responded. */
export const isUnreached = ({
  hops,
  problem,
}: {
  readonly hops: readonly LinkHop[];
  readonly problem: VisitProblem | null;
}): boolean =>
  hops.length === 1 &&
  hops[0]?.status === 0 &&
  (problem === 'unknown-host' || problem === 'refused' || problem === 'network' || problem === 'timeout');

/** Whether the affiliate parameter, or the network's own mark of the click, has arrived; null for a link without one. */
function findParameter({ affiliate }: WatchedLink, { cookies }: LinkVisit, found: URL): boolean | null {
  if (affiliate === null) return null;
  const { parameter, value } = affiliate;
  if (found.searchParams.get(parameter) === value) return true;
  const isMark = (name: string) => NETWORK_MARKERS.has(name.toLowerCase());
  if ([...found.searchParams].some(([name, given]) => isMark(name) && given !== '')) return true;
  return cookies.some(
    (cookie) =>
      (isMark(cookie.name) && cookie.value !== '') ||
      decodePercent(cookie.value)
        .split(/[^\w.-]+/)
        .includes(value),
  );
}

/** `/`, or the home page of a language, such as `/en` with a page that says it is in English. */
function isHome(path: string, language: string): boolean {
  const found = /^\/(?:([a-z]{2})(?:[-_][a-z]{2})?\/?)?$/i.exec(path);
  if (found === null) return false;
  const [, code] = found;
  return code === undefined || language.toLowerCase().startsWith(code.toLowerCase());
}

function findUnexpected({ expect }: WatchedLink, text: string): string | null {
  const lower = text.toLowerCase();
  const missing = expect.texts.find((part) => !lower.includes(part.toLowerCase()));
  if (missing !== undefined) return `does not say "${missing}"`;
  const present = expect.without.find((part) => lower.includes(part.toLowerCase()));
  return present === undefined ? null : `says "${present}"`;
}

/** A page that is not read, such as a PDF, shows no price either. */
function findMissingPrice({ expect }: WatchedLink, offer: OfferReading | null): string | null {
  const missing = expect.prices.find((_, index) => typeof offer?.prices[index]?.amount !== 'number');
  return missing === undefined ? null : `shows no price in ${missing.currency} for "${missing.near}"`;
}

function findDifference(
  { url, affiliate }: WatchedLink,
  { finalHost, finalPath, parameterKept }: LinkBaseline,
  baseline: LinkBaseline | null,
  language: string,
): string | null {
  const isAtHome = isHome(finalPath, language);
  if (baseline === null) {
    if (isAtHome && !isHome(new URL(url).pathname, language)) return 'redirects to the home page';
    return parameterKept === false ? `loses ${affiliate?.parameter} on the way` : null;
  }
  if (finalHost !== baseline.finalHost) return `leads to ${finalHost}, before to ${baseline.finalHost}`;
  if (finalPath !== baseline.finalPath) {
    if (isAtHome) return 'redirects to the home page';
    return `leads to ${finalPath}, before to ${baseline.finalPath}`;
  }
  const isLost = parameterKept === false && baseline.parameterKept !== false;
  return isLost ? `loses ${affiliate?.parameter} on the way` : null;
}

/** What is known of a link after its checks. Times are ms since 1970. */
export interface LinkRecord {
  readonly url: string;
  readonly state: LinkState;
  readonly reason: string;
  /** When the state began. */
  readonly since: number;
  readonly checkedAt: number;
  readonly dueAt: number;
  /** Checks in a row that found it broken or changed, and the time of the first of them; null without any. */
  readonly misses: number;
  readonly missedSince: number | null;
  readonly baseline: LinkBaseline | null;
  /** The last check. */
  readonly result: LinkResult;
  /** The last check that read the offer, for as long as the link has one; null before. */
  readonly evidence: LinkEvidence | null;
}

/** What a check saw on the page of an offer, and when. */
export interface LinkEvidence {
  /** `lc-20261103-9f2c61aa`; content names it. */
  readonly id: string;
  readonly checkedAt: number;
  readonly address: string;
  readonly offer: OfferReading;
}

const HOUR_MS = 3_600_000;
/** One failure means little: only a second one after this time says that a link is broken. */
const CONFIRMATION_MS = 3.5 * HOUR_MS;
/** Until a failure is looked at again. */
const RECHECK_MS = 2 * HOUR_MS;
/** Until a check that said nothing is repeated. */
const UNCLEAR_MS = 6 * HOUR_MS;
/** Once a day, with the confirmation of a failure still within a day of it. */
const DAILY_MS = 17 * HOUR_MS;
const DAILY_JITTER_MS = 2 * HOUR_MS;
const WEEKLY_MS = 6.5 * DAY_MS;
const WEEKLY_JITTER_MS = DAY_MS;

/** Whether a second check, hours after the first, has found a link broken or changed as well. */
function isConfirmed({
  misses,
  missedSince,
  checkedAt,
}: Pick<LinkRecord, 'misses' | 'missedSince' | 'checkedAt'>): boolean {
  return misses >= 2 && missedSince !== null && checkedAt - missedSince >= CONFIRMATION_MS;
}

/** Whether an operator has to know of a link: it is broken or changed, and that is confirmed. */
export function needsOperator(record: LinkRecord): boolean {
  return (record.state === 'broken' || record.state === 'changed') && isConfirmed(record);
}

/**
 * Adds a check to what is known of a link. `chance` (0 to 1) spreads the next check; `retryAfter` is in seconds.
 */
export function recordCheck(
  link: WatchedLink,
  previous: LinkRecord | null,
  result: LinkResult,
  { now, chance, retryAfter = null, evidence }: CheckMoment,
): LinkRecord {
  const isMiss = result.outcome === 'failed' || result.outcome === 'different';
  const wasMissed = previous?.missedSince ?? null;
  const base = {
    url: link.url,
    checkedAt: now,
    result,
    evidence: evidence ?? previous?.evidence ?? null,
    misses: result.outcome === 'ok' ? 0 : (previous?.misses ?? 0) + (isMiss ? 1 : 0),
    missedSince: result.outcome === 'ok' ? null : (wasMissed ?? (isMiss ? now : null)),
    baseline: previous?.baseline ?? (result.outcome === 'ok' ? pickBaseline(result) : null),
  };
  const isSure = isConfirmed(base);
  const [state, reason] = chooseState(previous, result, isSure);
  const pause = chance * (link.kind === 'merchant' ? DAILY_JITTER_MS : WEEKLY_JITTER_MS);
  const usual = (link.kind === 'merchant' ? DAILY_MS : WEEKLY_MS) + pause;
  const wait = chooseWait(link, result, { usual, isWaiting: isMiss && !isSure });
  return {
    ...base,
    state,
    reason,
    since: previous?.state === state ? previous.since : now,
    dueAt: Math.ceil(now + Math.max(wait, (retryAfter ?? 0) * 1_000)),
  };
}

/** What a check is recorded with. `evidence`: what was read of the offer; undefined without. */
export interface CheckMoment {
  readonly now: number;
  readonly chance: number;
  readonly retryAfter?: number | null;
  readonly evidence?: LinkEvidence | undefined;
}

function chooseState(
  previous: LinkRecord | null,
  { outcome, reason }: LinkResult,
  isSure: boolean,
): [state: LinkState, reason: string] {
  if (outcome === 'ok') return ['healthy', reason];
  if (outcome === 'different') return ['changed', reason];
  if (outcome === 'failed') return isSure ? ['broken', reason] : ['inconclusive', `${reason}, seen once`];
  // A challenge does not show that what was wrong is in order again.
  const isOpen = previous !== null && (previous.state === 'broken' || previous.state === 'changed');
  return isOpen ? [previous.state, previous.reason] : ['inconclusive', reason];
}

function chooseWait(
  { kind }: WatchedLink,
  { outcome }: LinkResult,
  { usual, isWaiting }: { readonly usual: number; readonly isWaiting: boolean },
): number {
  if (isWaiting) return RECHECK_MS;
  if (outcome === 'ok') return usual;
  // Each check of a network's link counts as a click there.
  return kind === 'merchant' && outcome === 'unclear' ? UNCLEAR_MS : Math.min(usual, DAY_MS);
}

function pickBaseline({ finalHost, finalPath, parameterKept, sign }: LinkBaseline): LinkBaseline {
  return { finalHost, finalPath, parameterKept, ...(sign !== undefined && { sign }) };
}

/** Whether the last check of a link found something that can be its new baseline. */
export function isAcceptable({ result: { outcome, isUnexpected } }: LinkRecord): boolean {
  return outcome === 'ok' || (outcome === 'different' && isUnexpected !== true);
}

/** Takes what the last check found as the new baseline; null when that is nothing to accept. */
export function acceptResult(record: LinkRecord, now: number): LinkRecord | null {
  const { result } = record;
  if (!isAcceptable(record)) return null;
  return {
    ...record,
    state: 'healthy',
    reason: 'accepted by an operator',
    since: record.state === 'healthy' ? record.since : now,
    misses: 0,
    missedSince: null,
    baseline: pickBaseline(result),
  };
}
