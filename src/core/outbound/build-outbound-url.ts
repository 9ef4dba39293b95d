import { type AnswerCodes, NO_ANSWER_CODES } from '../assessment/answers.ts';
import { encodeClickId } from '../commissions/ledger/click-token.ts';
import type { AnalyticsVisit } from '../consent/analytics-visit.ts';
import { parseRegion } from '../consent/needs-asking.ts';
import { buildOutboundCampaign, type CampaignParameter, MAX_CAMPAIGN_VALUE } from '../events/campaign.ts';
import { buildPageName } from '../events/site-path.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import { parseText } from '../text/parse-text.ts';
import { MAX_JOURNEY_PAGES, MAX_SOURCE, type OutboundLink } from './outbound-link.ts';
import { type Forwarded, listPaidParameters, type Partner, type SubId } from './partner.ts';

/** What the server adds to a link that a visitor has clicked. */
export interface OutboundClick {
  /** Id of this click, for the partner's sub-id parameter; empty for none. */
  readonly id: string;
  /** The partner does not receive the id: the visitor has not agreed, and the settings ask for that. */
  readonly isIdWithheld?: boolean;
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
 * that order, as far as the partner's `forward` has them. Whatever the visit contains, host and path are the destination's, and
 * the affiliate parameter is present once, with the partner's value; where the destination names who is paid, its query stays
 * byte for byte but for the click id. Never throws for a valid partner.
 */
export function buildOutboundUrl(partner: Partner, link: OutboundLink, click: OutboundClick): string {
  const destination = chooseDestination(partner, link.pageKey, click.region ?? '');
  const { before, own, after } = readDestination(partner, destination);
  const sends = (group: Forwarded) =>
    partner.forward.includes(group) && !(click.gpc && UNDER_CONSENT.includes(group));
  const parameters: readonly Parameter[] = [
    ...listPaidParameters(partner, click.label ?? null),
    ...buildVisit(partner, link, click, sends),
    [partner.subId?.parameter ?? '', click.isIdWithheld ? '' : buildSubId(click.id, partner.subId)],
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

/** What does not go out under Global Privacy Control. */
const UNDER_CONSENT: readonly Forwarded[] = ['ads', 'journey', 'answers'];

const AD_IDS = ['gclid', 'fbclid', 'campaign_id', 'ad_group_id', 'ad_id'] as const;

/** What the link says of the visit. */
function buildVisit(
  partner: Partner,
  { visit, ...link }: OutboundLink,
  { answers }: OutboundClick,
  sends: (group: Forwarded) => boolean,
): readonly Parameter[] {
  const campaign = buildOutboundCampaign(visit.firstTouch, visit.lastTouch);
  const read = (name: CampaignParameter, group: Forwarded) =>
    sends(group) ? parseText(campaign[name], MAX_CAMPAIGN_VALUE) : '';
  const { businessType, budget, revenue, challenges, unknown } = sends('answers')
    ? answers
    : { ...NO_ANSWER_CODES, unknown: answers.unknown };
  const words = {
    content: parseText(link.content, MAX_SOURCE) || parseText(link.source, MAX_SOURCE),
    page: buildPageName(visit.page),
    partner: partner.key,
    businessType: businessType || unknown.businessType,
    budget: budget || unknown.budget,
  };
  const write = (template: Template) => (sends('utm') ? fillTemplate(template, words) : '');
  const { source, medium, campaign: name, content } = getTemplates(partner);
  const [pages, seconds, entry] = sends('journey')
    ? [visit.journeyPages.slice(0, MAX_JOURNEY_PAGES), visit.sessionTime, visit.entryPage]
    : [[], null, ''];
  return [
    ['utm_source', read('utm_source', 'campaign') || write(source)],
    ['utm_medium', read('utm_medium', 'campaign') || write(medium)],
    ['utm_campaign', read('utm_campaign', 'campaign') || write(name)],
    ['utm_content', write(content)],
    ['utm_term', read('utm_term', 'campaign')],
    ['journey_pages', pages.map(buildPageName).join('-')],
    ['session_time', buildSeconds(seconds)],
    ['entry_page', entry && buildPageName(entry)],
    ['assessment_type', businessType],
    ['revenue_range', revenue],
    ['challenges', challenges.slice(0, MAX_CHALLENGES_SENT).join(',')],
    ...AD_IDS.map((name): Parameter => [name, read(name, 'ads')]),
  ];
}

/** The parts of a template, which `_` joins, each of texts and of words, with what stands for one that is empty. */
type Template = readonly (readonly (string | { readonly word: string; readonly other: string })[])[];

/** Templates taken apart once: that takes longer than filling them. */
const getTemplates = memoizeByKey(({ utm, campaign }: Partner) => ({
  source: parseTemplate(utm?.source),
  medium: parseTemplate(utm?.medium),
  campaign: parseTemplate(campaign),
  content: parseTemplate(utm?.content),
}));

function parseTemplate(template = ''): Template {
  return template
    .split(/_(?![^{]*\})/)
    .map((part) =>
      [...part.matchAll(/\{(\w+)\|?([^}]*)\}|[^{]+|\{/g)].map(([text, word, other = '']) =>
        word === undefined ? text : { word, other },
      ),
    );
}

/** Fills a template; a part that is empty is left out. */
function fillTemplate(template: Template, words: Readonly<Record<string, string>>): string {
  return template
    .flatMap((part) => {
      const filled = part.map((piece) =>
        typeof piece === 'string' ? piece : words[piece.word] || piece.other,
      );
      return part.length > 0 && filled.every((text) => text === '') ? [] : filled.join('');
    })
    .join('_');
}

/** A clock that jumps can produce any number: a session of more than a year is left out. */
function buildSeconds(seconds: number | null): string {
  return seconds !== null && seconds >= 0 && seconds < 31_536_000 ? String(Math.floor(seconds)) : '';
}
