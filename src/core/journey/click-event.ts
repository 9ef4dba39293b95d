import type { Partner } from '../partners/partner.ts';
import { buildBudgetCode, buildBusinessCode, buildChallengeCodes, buildRevenueCode } from './answer-codes.ts';
import type { EventParts } from './build-site-event.ts';
import type { GoLink } from './go-link.ts';
import type { EventDatum } from './site-event.ts';

/** What is known of a visitor who is being sent to a partner, for `buildSiteEvent`. `id` is the click id that goes out. */
export function buildClickParts(click: {
  readonly id: string;
  readonly partner: Partner;
  /** Page key of the destination that was used. */
  readonly pageKey: string;
  readonly link: GoLink;
  /** Path of the page that carried the link. */
  readonly page: string;
}): EventParts {
  const { id, partner, pageKey, link, page } = click;
  return {
    id,
    name: 'affiliate_redirect',
    session: link.visit.session,
    page,
    label: `${partner.key}_${pageKey}`,
    value: 1,
    data: buildData(partner, pageKey, link),
    campaign: link.visit.campaign,
  };
}

function buildData(partner: Partner, pageKey: string, link: GoLink): Record<string, EventDatum> {
  const { visit, source, content } = link;
  const { answers } = visit;
  const challenges = buildChallengeCodes(answers.challenges);
  const revenue = buildRevenueCode(answers.revenue);
  return {
    partner: partner.key,
    destination: pageKey,
    ...(source && { source }),
    ...(content && { content }),
    ...(visit.journeyPages.length > 0 && { journey_pages: visit.journeyPages }),
    ...(visit.entryPage && { entry_page: visit.entryPage }),
    ...(visit.sessionTime !== null && { session_time: visit.sessionTime }),
    ...(answers.businessType && { assessment_type: buildBusinessCode(answers.businessType) }),
    ...(answers.budget && { budget: buildBudgetCode(answers.budget) }),
    ...(revenue && { revenue_range: revenue }),
    ...(challenges.length > 0 && { challenges }),
  };
}
