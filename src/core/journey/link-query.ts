import type { Visit } from './visit.ts';

/** Longest query that a decorated link gets; servers and proxies refuse addresses from 8 kB on. */
export const LINK_QUERY_LIMIT = 4000;

/**
 * Puts the visit on the query of a link to the redirect. What the query holds already stays (the author's
 * `page`, `source` and `content`); what does not fit into the limit is left out, the least important last.
 * `click` is the token that tells a repeated click from a new one (UUID).
 */
export function buildLinkQuery(search: string, visit: Visit, click: string): string {
  const query = new URLSearchParams(search);
  const { answers } = visit;
  const parameters: Readonly<Record<string, string | undefined>> = {
    click,
    session: visit.session,
    from: visit.page,
    ...visit.campaign,
    session_time: visit.sessionTime?.toString(),
    entry_page: visit.entryPage,
    journey_pages: visit.journeyPages.join('-'),
    assessment_type: answers.businessType,
    budget: answers.budget,
    revenue_range: answers.revenue,
    challenges: answers.challenges.join(),
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) continue;
    query.set(name, value);
    if (`${query}`.length > LINK_QUERY_LIMIT) query.delete(name);
  }
  return `?${query}`;
}
