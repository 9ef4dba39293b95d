import { type Answers, NO_ANSWERS } from './answers.ts';
import { type Journey, readSessionSeconds } from './journey.ts';
import { buildPageName } from './page-name.ts';
import { campaignInForce, type Touches } from './touches.ts';
import { JOURNEY_PAGES_SENT, type Visit } from './visit.ts';

/** Sums up what a browser's session storage holds of a visit, for a link on `page` pressed at `now` (ms). */
export function buildVisit(stored: {
  readonly touches: Touches;
  readonly journey: Journey | null;
  readonly answers: Answers;
  readonly page: string;
  readonly now: number;
  /** Global Privacy Control: the campaign alone. */
  readonly reduced: boolean;
}): Visit {
  const { touches, page, now, reduced } = stored;
  const journey = reduced ? null : stored.journey;
  return {
    session: touches.session ?? '',
    page,
    campaign: campaignInForce(touches),
    journeyPages: (journey?.pageVisits ?? []).slice(0, JOURNEY_PAGES_SENT).map(buildPageName),
    entryPage: journey ? buildPageName(journey.entryPage) : '',
    sessionTime: journey && readSessionSeconds(journey, now),
    answers: reduced ? NO_ANSWERS : stored.answers,
  };
}
