import type { AssessmentAnswers } from '../core/assessment/answers.ts';
import { buildCompletedEvent } from '../core/assessment/completed-event.ts';
import type { Rules } from '../core/assessment/recommend.ts';
import { isBot } from '../core/journey/bots.ts';
import { buildSiteEvent } from '../core/journey/build-site-event.ts';
import type { SiteEvent } from '../core/journey/site-event.ts';

/** Keeps answers that came with a posted form. Resolves when they are on disk or the time budget is over; never rejects. */
export type KeepAssessment = (
  answers: AssessmentAnswers,
  visitor: { readonly gpc: boolean; readonly userAgent: string },
) => Promise<void>;

/** Creates the keeper over one that holds in memory what the store cannot take yet. */
export function createAssessmentKeeper(options: {
  readonly keep: (event: SiteEvent) => Promise<void>;
  readonly rules: Rules;
  readonly clock: { now(): number };
  readonly newId: () => string;
}): KeepAssessment {
  return (answers, { gpc, userAgent }) => {
    const parts = buildCompletedEvent(options.rules, { id: options.newId(), session: '', answers });
    return options.keep(
      buildSiteEvent(parts, { now: options.clock.now(), gpc, flags: isBot(userAgent) ? ['bot'] : [] }),
    );
  };
}
