import { buildCompletedEvent } from '../../core/assessment/completed-event.ts';
import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import type { Assessment } from '../../core/content/assessment.schema.ts';
import { isBot } from '../../core/journey/bots.ts';
import { buildSiteEvent } from '../../core/journey/build-site-event.ts';
import type { EventStore } from '../../core/journey/event-store.ts';
import { createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import type { HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

export interface AssessmentsOptions extends JsonPostOptions {
  readonly store: Pick<EventStore, 'append'>;
  /** Wall clock in ms since 1970. */
  readonly clock: { now(): number };
  readonly assessment: Pick<Assessment, 'questions' | 'outcomes' | 'fallback'>;
}

/** `POST /api/assessments`: takes one finished assessment, answers 202 when it is on disk. The same id again changes nothing. */
export function createAssessmentsHandler(options: AssessmentsOptions): HttpHandler {
  const { store, clock, assessment } = options;
  return createJsonPost(options, async (body, call) => {
    const submission = parseSubmission(body, assessment.questions);
    if (typeof submission === 'string') {
      return buildProblem('invalid-request', call.requestId, { detail: submission });
    }
    const event = buildSiteEvent(buildCompletedEvent(assessment, submission), {
      now: clock.now(),
      gpc: call.header('sec-gpc') === '1',
      flags: isBot(call.header('user-agent')) ? ['bot'] : [],
    });
    const { stored, duplicates } = await store.append([event]);
    return {
      status: 202,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({ stored, duplicates }),
    };
  });
}
