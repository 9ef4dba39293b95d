import { NO_ANSWERS, parseAnswers } from './answers.ts';
import { parseCampaign } from './campaign.ts';
import type { OutboundLink } from './outbound.ts';
import { SOURCE_LIMIT } from './outbound.ts';
import { buildPageName } from './page-name.ts';
import { parseJson } from './parse-json.ts';
import { readPath, readText } from './read-text.ts';
import { parseStoredVisit } from './stored-visit.ts';
import { JOURNEY_PAGES_SENT, UNKNOWN_VISIT, type Visit } from './visit.ts';

/** What a request to the redirect says. */
export interface GoLink extends Omit<OutboundLink, 'clickId' | 'reduced'> {
  /** Token made at the moment of the click (UUID); empty when the link carried none. */
  readonly clickToken: string;
  readonly visit: Visit;
  /** Whether the link carried anything of the visit. */
  readonly hasVisit: boolean;
  /** Whether the redirect page sent the browser here itself, with what its storage held. */
  readonly isAgain: boolean;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Reads the query of a link to the redirect. Every value is cleaned and bounded, unknown parameters are
 * ignored, of several values of one name the first that is not empty counts. Never throws.
 */
export function parseGoLink(query: string, reduced: boolean): GoLink {
  const given = new URLSearchParams(query);
  const read: Read = (name, max) => {
    for (const value of given.getAll(name)) {
      const text = readText(value, max);
      if (text) return text;
    }
    return '';
  };
  const carried = parseCarried(read, query, reduced);
  const stored = given.get('stored');
  const visit = stored && !reduced ? parseStoredVisit(stored, carried.page) : carried;
  const token = read('click', 36).toLowerCase();
  return {
    pageKey: given.getAll('page').find(Boolean) ?? '',
    source: read('source', SOURCE_LIMIT),
    content: read('content', SOURCE_LIMIT),
    clickToken: UUID.test(token) ? token : '',
    visit,
    hasVisit: visit.session !== '' || Object.keys(visit.campaign).length > 0 || visit.entryPage !== '',
    isAgain: given.has('again'),
  };
}

type Read = (name: string, max: number) => string;

function parseCarried(read: Read, query: string, reduced: boolean): Visit {
  const campaign = parseCampaign(query, reduced);
  const page = readPath(read('from', 512));
  if (reduced) return { ...UNKNOWN_VISIT, page, campaign };
  const session = read('session', 64);
  const entryPage = readPath(read('entry_page', 512));
  const pages = read('journey_pages', 3000).split(' ').map(readPath).filter(Boolean);
  const seconds = read('session_time', 12);
  const answers = read('answers', 2000);
  return {
    session: /^[\w-]+$/.test(session) ? session : '',
    page,
    campaign,
    journeyPages: pages.slice(0, JOURNEY_PAGES_SENT).map(buildPageName),
    entryPage: entryPage && buildPageName(entryPage),
    sessionTime: /^\d{1,9}$/.test(seconds) ? Number(seconds) : null,
    answers: answers ? parseAnswers(parseJson(answers)) : NO_ANSWERS,
  };
}
