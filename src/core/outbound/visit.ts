import { type Attribution, hasCampaign } from '../events/attribution.ts';
import type { Campaign } from '../events/campaign.ts';
import { type Journey, readSessionSeconds } from '../events/journey.ts';

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
  /** Path; empty when unknown. */
  readonly entryPage: string;
  /** Paths of the first pages, in the order of the first visit. */
  readonly journeyPages: readonly string[];
  /** Whole seconds since the entry; null when unknown. */
  readonly sessionTime: number | null;
  /** Answers of the assessment as the browser stores them (JSON); empty when unknown. */
  readonly answers: string;
}

/** How many pages of the journey a link carries. */
export const MAX_JOURNEY_PAGES = 5;

export const UNKNOWN_VISIT: Visit = {
  session: '',
  page: '',
  firstTouch: {},
  lastTouch: {},
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
): Omit<Visit, 'page' | 'answers'> {
  const { last, session = '', ...firstTouch } = attribution;
  return {
    session,
    firstTouch,
    lastTouch: last ?? firstTouch,
    entryPage: journey?.entryPage ?? '',
    journeyPages: journey?.pageVisits.slice(0, MAX_JOURNEY_PAGES) ?? [],
    sessionTime: journey && readSessionSeconds(journey, now),
  };
}

/** Whether a link carried more of the visit than the page that it is on. */
export function isVisitKnown({ session, firstTouch, entryPage }: Visit): boolean {
  return session !== '' || hasCampaign(firstTouch) || entryPage !== '';
}
