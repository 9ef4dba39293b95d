import { parseAnswers } from './answers.ts';
import { buildVisit } from './build-visit.ts';
import { parseCampaign } from './campaign.ts';
import { parseJourney } from './journey.ts';
import type { OutboundLink } from './outbound.ts';
import { SOURCE_LIMIT } from './outbound.ts';
import { buildPageName } from './page-name.ts';
import { readPath, readText } from './read-text.ts';
import { parseTouches } from './touches.ts';
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
  const read = (name: string, max: number) => {
    for (const value of given.getAll(name)) {
      const text = readText(value, max);
      if (text) return text;
    }
    return '';
  };
  const carried = parseCarried(read, query, reduced);
  const stored = given.get('stored');
  const visit = stored && !reduced ? parseStored(stored, carried) : carried;
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
  const entryPage = read('entry_page', 200);
  const seconds = read('session_time', 12);
  return {
    session: /^[\w-]+$/.test(session) ? session : '',
    page,
    campaign,
    journeyPages: readList(read('journey_pages', 1100), '-').slice(0, JOURNEY_PAGES_SENT).map(buildPageName),
    entryPage: entryPage && buildPageName(entryPage),
    sessionTime: /^\d{1,9}$/.test(seconds) ? Number(seconds) : null,
    answers: parseAnswers({
      businessType: read('assessment_type', 64),
      budget: read('budget', 64),
      revenue: read('revenue_range', 64),
      challenges: readList(read('challenges', 800), ','),
    }),
  };
}

const readList = (text: string, separator: string) => text.split(separator).filter(Boolean);

/** Session storage as the redirect page read it in the same tab: the three records as they were stored. */
function parseStored(text: string, carried: Visit): Visit {
  const [touches, journey, answers, now] = parseStoredParts(text).map(parseJson);
  const record = parseJourney(journey);
  const visit = buildVisit({
    touches: parseTouches(touches, false),
    journey: record,
    answers: parseAnswers(answers),
    page: carried.page || (record?.currentPage ?? ''),
    now: typeof now === 'number' ? now : (record?.entryTime ?? 0),
    reduced: false,
  });
  return /^[\w-]*$/.test(visit.session) ? visit : { ...visit, session: '' };
}

function parseStoredParts(text: string): readonly unknown[] {
  const parts = parseJson(text);
  return Array.isArray(parts) ? parts : [];
}

function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
