import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import { createAssessmentsHandler } from './api/assessments.ts';
import { createAssessmentKeeper, type KeepAssessment } from './assessment-keeper.ts';
import type { Events } from './compose-events.ts';
import { createClickKeeper } from './go/click-keeper.ts';
import type { HttpHandler } from './http/message.ts';
import type { Log } from './log.ts';

/** How long a posted form waits for the disk before its result is shown, in ms. */
const BUDGET_MS = 250;

/** What the process does with finished assessments. */
export interface Assessments {
  /** `POST /api/assessments`. */
  readonly handler: HttpHandler;
  readonly keep: KeepAssessment;
  /** Writes what waits in memory, as far as the store allows. */
  close(): Promise<void>;
}

/** Puts the endpoint and the keeper of posted forms over the store of events. */
export function createAssessments(options: {
  readonly events: Events;
  readonly content: Pick<Content, 'assessment'>;
  readonly clock: Clock;
  readonly log: Log;
}): Assessments {
  const { events, clock, log } = options;
  const { assessment } = options.content;
  const keeper = createClickKeeper({ store: events.store, newId: randomUUID, log, budgetMs: BUDGET_MS });
  return {
    handler: createAssessmentsHandler({ ...events, clock, assessment }),
    keep: createAssessmentKeeper({ keep: keeper.keep, rules: assessment, clock, newId: randomUUID }),
    close: () => keeper.close(),
  };
}
