import type { EventData, EventParts } from '../events/build-site-event.ts';
import {
  type Attribution,
  type Campaign,
  completeFreeCampaign,
  hasCampaign,
  parseAttribution,
  parseCampaign,
  readCampaign,
  UTM_PARAMETERS,
} from '../events/campaign.ts';
import { type Journey, parseJourney, readSessionSeconds } from '../events/journey.ts';
import { SESSION_PATTERN, UUID_PATTERN } from '../events/site-event.ts';
import { buildPageName } from '../events/site-path.ts';
import { parseJson, parsePathText, parseText } from '../text/parse-text.ts';
import type { OutboundClick } from './build-outbound-url.ts';
import type { Partner } from './partner.ts';
import { parsePosition } from './placement.ts';

/** What is known of a visit at the moment of a click: in the browser, in the query of a link and on the server. */
export interface Visit {
  /** Random id of the session; empty when unknown. */
  readonly session: string;
  /** Path of the page that carries the link; empty when unknown. */
  readonly page: string;
  /** Campaign of the first load with parameters; partners receive it (see `buildOutboundCampaign`). */
  readonly firstTouch: Campaign;
  /** Campaign of the latest load with parameters; events store it. The first touch when no other followed. */
  readonly lastTouch: Campaign;
  /** Origin of the page before the entry, or `direct`; empty when unknown. */
  readonly referrer: string;
  /** Path; empty when unknown. */
  readonly entryPage: string;
  /** Paths of the first pages, in the order of the first visit. */
  readonly journeyPages: readonly string[];
  /** Whole seconds since the entry; null when unknown. */
  readonly sessionTime: number | null;
  /** Answers of the assessment as the browser stores them (JSON); empty when unknown. */
  readonly answers: string;
  /** Nothing of the visit is stored in the browser: no session, pages, time, answers, ids of clicks and ads. */
  readonly isFree?: boolean;
}

/** How many pages of the journey a link carries. */
export const MAX_JOURNEY_PAGES = 5;

export const UNKNOWN_VISIT: Visit = {
  session: '',
  page: '',
  firstTouch: {},
  lastTouch: {},
  referrer: '',
  entryPage: '',
  journeyPages: [],
  sessionTime: null,
  answers: '',
};

/** Builds the visit from the records of session storage. `now` in ms since 1970, on the visitor's clock. */
export function buildVisit(
  attribution: Attribution,
  journey: Journey | null,
  now: number,
): Omit<Visit, 'page' | 'answers' | 'isFree'> {
  const { last, session = '', ...firstTouch } = attribution;
  return {
    session,
    firstTouch,
    lastTouch: last ?? firstTouch,
    // Scheme and host; the rest of an address is not needed.
    referrer: journey?.referrer.split('/', 3).join('/') ?? '',
    entryPage: journey?.entryPage ?? '',
    journeyPages: journey?.pageVisits.slice(0, MAX_JOURNEY_PAGES) ?? [],
    sessionTime: journey && readSessionSeconds(journey, now),
  };
}

/** Whether more of a visit is known than its page. */
function isVisitKnown({ session, firstTouch, entryPage, isFree }: Visit): boolean {
  return isFree === true || session !== '' || hasCampaign(firstTouch) || entryPage !== '';
}

/** Longest query of a decorated link, in characters; servers and proxies refuse URLs of more than 8 kB. */
export const MAX_LINK_QUERY = 4000;

/** Longest source or custom content, in UTF-16 units. */
export const MAX_SOURCE = 64;

const MAX_ANSWERS = 2000;

/** A link to the redirect, parsed from its query. */
export interface OutboundLink {
  /** Page key of the partner's file, matched exactly; any other stands for `pricing`. */
  readonly pageKey: string;
  /** Place of the call to action; empty when the link names none. */
  readonly source: string;
  /** The part of the page that the link is in, such as `hero`; empty when the link names none. */
  readonly position: string;
  /** Custom content of `utm_content`; the source when empty. */
  readonly content: string;
  /** UUID of the click, created in the browser; empty when the link carries none. */
  readonly clickToken: string;
  readonly visit: Visit;
  /** The redirect page itself requested the redirect once more, with what session storage holds. */
  readonly isRepeated: boolean;
}

/** A link as a request has it. */
export interface RequestedLink extends OutboundLink {
  /** Whether the link itself carries more of the visit than its page. */
  readonly hasVisit: boolean;
}

/**
 * Adds the visit and the token of the click to the query of a link. Parameters that the query has already stay (`page`,
 * `source`, `position` and `content`). What exceeds the limit is left out; the most important comes first.
 */
export function buildLinkQuery(search: string, visit: Visit, click: string): string {
  const query = new URLSearchParams(search);
  const parameters = {
    click,
    session: visit.session,
    from: visit.page,
    ...visit.firstTouch,
    last_touch: visit.lastTouch === visit.firstTouch ? '' : `${new URLSearchParams(visit.lastTouch)}`,
    referrer: visit.referrer,
    session_time: `${visit.sessionTime ?? ''}`,
    entry_page: visit.entryPage,
    // A path has no space.
    journey_pages: visit.journeyPages.join(' '),
    answers: visit.answers,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) continue;
    query.set(name, value);
    if (`${query}`.length > MAX_LINK_QUERY) query.delete(name);
  }
  return `?${query}`;
}

/**
 * Parses the query of a request to the redirect. Every value is cleaned and bounded, unknown parameters are ignored; of
 * several values of one name, the first that is not empty counts. Under Global Privacy Control (`gpc`), only the page,
 * the utm parameters and the token are taken; of a visit without storage also its first page and where it came from, and
 * no token. `isStrict`: where nothing may be stored before consent, a link without a session has no ids of ads. Never
 * throws.
 */
export function parseLinkQuery(given: URLSearchParams, gpc: boolean, isStrict = false): RequestedLink {
  const read: Read = (name, max) => {
    for (const value of given.getAll(name)) {
      const text = parseText(value, max);
      if (text) return text;
    }
    return '';
  };
  const page = parsePathText(read('from', 512));
  const isFree = given.has('free');
  const stored = gpc || isFree ? null : given.get('stored');
  const token = isFree ? '' : read('click', 36).toLowerCase();
  const visit = stored
    ? parseStoredVisit(stored, page, readCampaign(given))
    : parseLinkVisit(read, page, given, { gpc, isFree, isPlain: isStrict && !given.get('session') });
  return {
    pageKey: given.getAll('page').find(Boolean) ?? '',
    source: read('source', MAX_SOURCE),
    position: parsePosition(given.getAll('position').find(Boolean) ?? ''),
    content: read('content', MAX_SOURCE),
    clickToken: UUID_PATTERN.test(token) ? token : '',
    visit,
    hasVisit: isVisitKnown(visit),
    isRepeated: given.has('again'),
  };
}

type Read = (name: string, max: number) => string;

function parseLinkVisit(
  read: Read,
  page: string,
  query: URLSearchParams,
  { gpc, isFree, isPlain }: Readonly<Record<'gpc' | 'isFree' | 'isPlain', boolean>>,
): Visit {
  const campaign = readCampaign(query, gpc || isFree || isPlain ? UTM_PARAMETERS : undefined);
  const firstTouch = isFree ? completeFreeCampaign(campaign) : campaign;
  const lastQuery = isFree ? '' : read('last_touch', MAX_LINK_QUERY);
  const last = lastQuery === '' ? {} : parseCampaign(lastQuery, gpc || isPlain ? UTM_PARAMETERS : undefined);
  const lastTouch = hasCampaign(last) ? last : firstTouch;
  const known = { ...UNKNOWN_VISIT, page, firstTouch, lastTouch, isFree };
  if (gpc) return known;
  const origin = { referrer: read('referrer', 300), entryPage: parsePathText(read('entry_page', 512)) };
  if (isFree) return { ...known, ...origin };
  const session = read('session', 64);
  const pages = read('journey_pages', 3000).split(' ').map(parsePathText).filter(Boolean);
  const seconds = read('session_time', 12);
  return {
    session: SESSION_PATTERN.test(session) ? session : '',
    page,
    firstTouch,
    lastTouch,
    ...origin,
    journeyPages: pages.slice(0, MAX_JOURNEY_PAGES),
    sessionTime: /^\d{1,9}$/.test(seconds) ? Number(seconds) : null,
    answers: read('answers', MAX_ANSWERS),
  };
}

/**
 * Parses what the redirect page found in storage: a JSON list of the three records and the clock (ms since 1970). `latest`: the
 * campaign of the page that has the link, when it was clicked before the visit script had stored that.
 */
function parseStoredVisit(text: string, page: string, latest: Campaign): Visit {
  const parts: unknown = parseJson(text);
  const [attribution, journey, answers, now]: unknown[] = Array.isArray(parts) ? parts : [];
  const known = parseAttribution(parseJson(attribution));
  const record = parseJourney(parseJson(journey));
  const session = known.session ?? '';
  const visit = buildVisit(known, record, typeof now === 'number' ? now : 0);
  const { firstTouch } = visit;
  return {
    ...visit,
    ...(hasCampaign(latest) && {
      firstTouch: hasCampaign(firstTouch) ? firstTouch : latest,
      lastTouch: latest,
    }),
    session: SESSION_PATTERN.test(session) ? session : '',
    page: page || (record?.currentPage ?? ''),
    answers: parseText(answers, MAX_ANSWERS),
  };
}

/** Builds the event of a click on a link to a partner. `pageKey` is that of the destination that was used. */
export function buildClickParts(
  partner: Partner,
  pageKey: string,
  link: OutboundLink,
  click: OutboundClick,
): EventParts<'affiliate_redirect'> {
  const { session, page, lastTouch } = link.visit;
  return {
    id: click.id,
    name: 'affiliate_redirect',
    session,
    page,
    label: `${partner.key}_${pageKey}`,
    value: 1,
    data: buildData(partner, pageKey, link, click),
    campaign: lastTouch,
  };
}

function buildData(
  partner: Partner,
  pageKey: string,
  { visit, source, position, content }: OutboundLink,
  { answers, analytics }: OutboundClick,
): EventData<'affiliate_redirect'> {
  return {
    partner: partner.key,
    destination: pageKey,
    ...(source && { source }),
    ...(position && { position }),
    ...(content && { content }),
    ...(visit.journeyPages.length > 0 && { journey_pages: visit.journeyPages.map(buildPageName) }),
    ...(visit.entryPage && { entry_page: buildPageName(visit.entryPage) }),
    ...(visit.sessionTime !== null && { session_time: visit.sessionTime }),
    ...(answers.businessType && { assessment_type: answers.businessType }),
    ...(answers.budget && { budget: answers.budget }),
    ...(answers.revenue && { revenue_range: answers.revenue }),
    ...(answers.challenges.length > 0 && { challenges: answers.challenges }),
    ...(analytics && { analytics_client: analytics.client, analytics_session: analytics.session }),
  };
}
