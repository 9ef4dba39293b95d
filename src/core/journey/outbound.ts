import type { Partner } from '../partners/partner.ts';
import { buildBudgetCode, buildBusinessCode, buildChallengeCodes, buildRevenueCode } from './answer-codes.ts';
import { NO_ANSWERS } from './answers.ts';
import { CAMPAIGN_VALUE_LIMIT } from './campaign.ts';
import { buildPageName } from './page-name.ts';
import { readText } from './read-text.ts';
import { CHALLENGES_SENT, JOURNEY_PAGES_SENT, type Visit } from './visit.ts';

/** What the link itself says, beside the visit. */
export interface OutboundLink {
  /** Page key of the partner's file, matched exactly; any other is `pricing`. */
  readonly pageKey: string;
  /** Place of the call to action; empty when it named none. */
  readonly source: string;
  /** Custom content of `utm_content`; the source when empty. */
  readonly content: string;
  /** Id of this click, for the partner's sub-id parameter; empty for none. */
  readonly clickId: string;
  /** Global Privacy Control: only the affiliate parameter, the utm values and the click id go out. */
  readonly reduced: boolean;
}

/** Longest source or custom content, in UTF-16 units. */
export const SOURCE_LIMIT = 64;

/**
 * Builds the address that a visitor leaves for: the partner's destination with the parameters of
 * docs/attribution.md, in that order. Whatever the visit holds, the host is the destination's and the
 * affiliate parameter is there once, with the partner's value. Never throws for a valid partner.
 */
export function buildOutboundUrl(partner: Partner, link: OutboundLink, visit: Visit): string {
  const destination = partner.destinations.get(link.pageKey) ?? partner.destinations.get('pricing');
  const url = new URL(destination ?? partner.site);
  const parameters: readonly (readonly [string, string])[] = [
    [partner.affiliate.parameter, partner.affiliate.value],
    ...buildUtm(link, visit),
    ...(link.reduced ? [] : buildDetails(visit)),
    [partner.subId?.parameter ?? '', readText(link.clickId, partner.subId?.maxLength ?? 0)],
  ];
  const filled = parameters.filter(([name, value]) => name && value);
  // A destination's own query stays, but never beside a parameter of the same name.
  const own = [...url.searchParams].filter(([name]) => !filled.some(([taken]) => taken === name));
  url.search = [...own, ...filled].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return url.href;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

type Parameter = readonly [name: string, value: string];

function buildUtm(link: OutboundLink, visit: Visit): Parameter[] {
  const page = buildPageName(visit.page);
  const { businessType, budget } = link.reduced ? NO_ANSWERS : visit.answers;
  const content = readText(link.content, SOURCE_LIMIT) || readText(link.source, SOURCE_LIMIT) || 'cta';
  return [
    ['utm_source', readStored(visit, 'utm_source') || page],
    ['utm_medium', readStored(visit, 'utm_medium') || 'web'],
    ['utm_campaign', readStored(visit, 'utm_campaign') || 'marketing_automation'],
    ['utm_content', [content, buildBusinessCode(businessType), buildBudgetCode(budget), page].join('_')],
    ['utm_term', readStored(visit, 'utm_term')],
  ];
}

function buildDetails({ answers, ...visit }: Visit): Parameter[] {
  const pages = visit.journeyPages.slice(0, JOURNEY_PAGES_SENT).map(buildPageName);
  const challenges = buildChallengeCodes(answers.challenges).slice(0, CHALLENGES_SENT);
  const stored = (['gclid', 'fbclid', 'campaign_id', 'ad_group_id', 'ad_id'] as const).map(
    (name): Parameter => [name, readStored(visit, name)],
  );
  return [
    ['journey_pages', pages.join('-')],
    ['session_time', buildSeconds(visit.sessionTime)],
    ['entry_page', visit.entryPage && buildPageName(visit.entryPage)],
    ['assessment_type', answers.businessType && buildBusinessCode(answers.businessType)],
    ['revenue_range', buildRevenueCode(answers.revenue)],
    ['challenges', challenges.join(',')],
    ...stored,
  ];
}

function readStored({ campaign }: Pick<Visit, 'campaign'>, name: keyof Visit['campaign']): string {
  return readText(campaign[name], CAMPAIGN_VALUE_LIMIT);
}

/** A clock that jumped can make any number; a session longer than a year is one of those. */
function buildSeconds(seconds: number | null): string {
  return seconds !== null && seconds >= 0 && seconds < 31_536_000 ? String(Math.floor(seconds)) : '';
}
