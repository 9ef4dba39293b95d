import type { EventData, EventParts } from '../events/build-site-event.ts';
import { buildPageName } from '../events/site-path.ts';
import type { OutboundClick } from './build-outbound-url.ts';
import type { OutboundLink } from './link-query.ts';
import type { Partner } from './partner.ts';

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
