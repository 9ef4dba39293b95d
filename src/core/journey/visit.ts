import type { Answers } from './answers.ts';
import { NO_ANSWERS } from './answers.ts';
import type { Campaign } from './campaign.ts';

/** What is known of a visit at the moment of a click, whether a link carried it or storage held it. */
export interface Visit {
  /** Random id of the session; empty when unknown. */
  readonly session: string;
  /** Path of the page that carries the link; empty when unknown. */
  readonly page: string;
  /** The campaign in force. */
  readonly campaign: Campaign;
  /** Page names, in the order of the visit. */
  readonly journeyPages: readonly string[];
  /** Page name; empty when unknown. */
  readonly entryPage: string;
  /** Whole seconds since the entry; null when unknown. */
  readonly sessionTime: number | null;
  readonly answers: Answers;
}

/** How many pages of the journey, and how many challenges, a link carries. */
export const JOURNEY_PAGES_SENT = 5;
export const CHALLENGES_SENT = 3;

export const UNKNOWN_VISIT: Visit = {
  session: '',
  page: '',
  campaign: {},
  journeyPages: [],
  entryPage: '',
  sessionTime: null,
  answers: NO_ANSWERS,
};
