import type { Campaign } from './campaign.ts';
import { type Journey, readSessionSeconds } from './journey.ts';

/** Longest query that a decorated link gets; servers and proxies refuse addresses from 8 kB on. */
export const LINK_QUERY_LIMIT = 4000;

/** What a link takes along of the visit. Whatever is not known, or withheld, is empty. */
export interface Luggage {
  /** Token that tells a repeated click from a new one (UUID). */
  readonly click: string;
  readonly session: string;
  /** Path of the page that carries the link. */
  readonly page: string;
  /** The campaign in force. */
  readonly campaign: Campaign;
  readonly journey: Journey | null;
  /** The stored results of the assessment, as they are stored. */
  readonly answers: string;
  /** ms since 1970. */
  readonly now: number;
}

/**
 * Puts the visit on the query of a link to the redirect. What the query holds already stays (the author's
 * `page`, `source` and `content`); what does not fit into the limit is left out, in this order of importance.
 */
export function buildLinkQuery(search: string, luggage: Luggage): string {
  const { click, session, page, campaign, journey, answers, now } = luggage;
  const query = new URLSearchParams(search);
  const parameters = {
    click,
    session,
    from: page,
    ...campaign,
    ...(journey && {
      session_time: `${readSessionSeconds(journey, now)}`,
      entry_page: journey.entryPage,
      // A path holds no space.
      journey_pages: journey.pageVisits.slice(0, 5).join(' '),
    }),
    answers,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) continue;
    query.set(name, value);
    if (`${query}`.length > LINK_QUERY_LIMIT) query.delete(name);
  }
  return `?${query}`;
}
