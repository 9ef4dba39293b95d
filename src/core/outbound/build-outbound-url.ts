import type { AnswerCodes } from '../assessment/answers.ts';
import { encodeClickId } from '../commissions/ledger/click-token.ts';
import type { AnalyticsVisit } from '../consent/analytics-visit.ts';
import { parseRegion } from '../consent/needs-asking.ts';
import {
  buildOutboundCampaign,
  type Campaign,
  type CampaignParameter,
  MAX_CAMPAIGN_VALUE,
} from '../events/campaign.ts';
import { buildPageName } from '../events/site-path.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import { parseText } from '../text/parse-text.ts';
import { MAX_JOURNEY_PAGES, MAX_SOURCE, type OutboundLink, type Visit } from './outbound-link.ts';
import { listPaidParameters, type Partner, type SubId } from './partner.ts';

/** What the server adds to a link that a visitor has clicked. */
export interface OutboundClick {
  /** Id of this click, for the partner's sub-id parameter; empty for none. */
  readonly id: string;
  /** Global Privacy Control: only the affiliate parameter, the utm parameters and the click id go out. */
  readonly gpc: boolean;
  /** What the trusted proxy says of the visitor's region, such as `DE`; empty for nothing. */
  readonly region?: string | undefined;
  /** The label of the page that has the link (`chooseLabel`); left out for none. */
  readonly label?: string | null | undefined;
  /** The visit's answers in the codes that partners receive. */
  readonly answers: AnswerCodes;
  /** Stored with the click and never sent to a partner; null without consent. */
  readonly analytics?: AnalyticsVisit | null | undefined;
}

const MAX_CHALLENGES_SENT = 3;

/**
 * Builds the URL that a visitor leaves for: the partner's destination with the parameters of docs/attribution.md, in
 * that order. Whatever the visit contains, host and path are the destination's, and the affiliate parameter is present once,
 * with the partner's value; where the destination names who is paid, its query stays byte for byte but for the click id.
 * Never throws for a valid partner.
 */
export function buildOutboundUrl(partner: Partner, link: OutboundLink, click: OutboundClick): string {
  const destination = chooseDestination(partner, link.pageKey, click.region ?? '');
  const { before, own, after } = readDestination(partner, destination);
  const campaign = buildOutboundCampaign(link.visit.firstTouch, link.visit.lastTouch);
  const parameters: readonly Parameter[] = [
    ...listPaidParameters(partner, click.label ?? null),
    ...buildUtm(partner, link, click, campaign),
    ...(click.gpc ? [] : buildDetails(link.visit, click.answers, campaign)),
    [partner.subId?.parameter ?? '', buildSubId(click.id, partner.subId)],
  ];
  let query = '';
  const add = (part: string) => {
    query += `${query === '' ? '?' : '&'}${part}`;
  };
  const isSet = ([name, value]: Parameter) => name !== '' && value !== '';
  const set = parameters.filter(isSet);
  // Any part of a query may name who is paid, unless a parameter of the partner does.
  const isKept = (known: string) =>
    partner.affiliate === null
      ? known !== partner.subId?.parameter || !set.some(([name]) => name === known)
      : !set.some(([name]) => name === known);
  for (const { name, text } of own) if (isKept(name)) add(text);
  for (const [name, value] of set)
    if (partner.affiliate !== null || !own.some((known) => known.name === name && isKept(name)))
      add(`${encode(name)}=${encode(value)}`);
  return before + query + after;
}

/** The parts of a destination around its query, and the parameters that it has already. */
interface DestinationParts {
  readonly before: string;
  /** Name and bytes of each. */
  readonly own: readonly { readonly name: string; readonly text: string }[];
  readonly after: string;
}

const getKnownDestinations = memoizeByKey((_: Partner) => new Map<string, DestinationParts>());

/** Parses a destination once: that takes longer than writing all parameters of a click. */
function readDestination(partner: Partner, destination: string): DestinationParts {
  const known = getKnownDestinations(partner);
  const found = known.get(destination);
  if (found !== undefined) return found;
  const url = new URL(destination);
  const { hash: after } = url;
  const own = url.search
    .slice(1)
    .split('&')
    .flatMap((text) => [...new URLSearchParams(text).keys()].map((name) => ({ name, text })));
  url.search = '';
  url.hash = '';
  const parts = { before: url.href, own, after };
  known.set(destination, parts);
  return parts;
}

/**
 * The address that a link leads to: the partner's destination of a page key, else its pricing page; for visitors of a
 * country that has an address of its own, that one.
 */
export function chooseDestination(partner: Partner, pageKey: string, region = ''): string {
  const key = partner.destinations.has(pageKey) ? pageKey : 'pricing';
  const country = parseRegion(region).slice(0, 2);
  return partner.regions?.get(country)?.get(key) ?? partner.destinations.get(key) ?? partner.site;
}

function buildSubId(clickId: string, subId: SubId | null): string {
  if (subId === null || clickId === '') return '';
  return parseText(encodeClickId(clickId, subId.encoding), subId.maxLength);
}

/** Encodes a name or a value as a URL has it. Most need no encoding, and finding that out is faster. */
const encode = (text: string) =>
  /^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');

type Parameter = readonly [name: string, value: string];

function buildUtm(
  partner: Partner,
  link: OutboundLink,
  { gpc, answers }: OutboundClick,
  campaign: Campaign,
): Parameter[] {
  const page = buildPageName(link.visit.page);
  const content = parseText(link.content, MAX_SOURCE) || parseText(link.source, MAX_SOURCE) || 'cta';
  const business = (!gpc && answers.businessType) || answers.unknown.businessType;
  const budget = (!gpc && answers.budget) || answers.unknown.budget;
  return [
    ['utm_source', readValue(campaign, 'utm_source') || page],
    ['utm_medium', readValue(campaign, 'utm_medium') || 'web'],
    ['utm_campaign', readValue(campaign, 'utm_campaign') || (partner.campaign ?? '')],
    ['utm_content', [content, business, budget, page].filter(Boolean).join('_')],
    ['utm_term', readValue(campaign, 'utm_term')],
  ];
}

function buildDetails(visit: Visit, answers: AnswerCodes, campaign: Campaign): Parameter[] {
  const ids = ['gclid', 'fbclid', 'campaign_id', 'ad_group_id', 'ad_id'] as const;
  return [
    ['journey_pages', visit.journeyPages.slice(0, MAX_JOURNEY_PAGES).map(buildPageName).join('-')],
    ['session_time', buildSeconds(visit.sessionTime)],
    ['entry_page', visit.entryPage && buildPageName(visit.entryPage)],
    ['assessment_type', answers.businessType],
    ['revenue_range', answers.revenue],
    ['challenges', answers.challenges.slice(0, MAX_CHALLENGES_SENT).join(',')],
    ...ids.map((name): Parameter => [name, readValue(campaign, name)]),
  ];
}

function readValue(campaign: Campaign, name: CampaignParameter): string {
  return parseText(campaign[name], MAX_CAMPAIGN_VALUE);
}

/** A clock that jumps can produce any number: a session of more than a year is left out. */
function buildSeconds(seconds: number | null): string {
  return seconds !== null && seconds >= 0 && seconds < 31_536_000 ? String(Math.floor(seconds)) : '';
}
