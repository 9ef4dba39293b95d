import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { DurableEventQueue } from '../events/durable-event-queue.ts';
import type { Events } from '../events/events.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';
import { createAssessmentStore, type StoreAssessment } from './assessment-page.ts';

/** How long a posted form waits for the disk before its result is shown. */
const MAX_WAIT_MS = 250;

/**
 * Creates the store of posted forms: a durable queue in front of the event store, before which it is closed. Pages with
 * scripts send assessments among their events.
 */
export function createAssessments(options: {
  readonly events: Pick<Events, 'fastStore'>;
  readonly platform: Pick<Platform, 'eventQueue'>;
  readonly content: Pick<Content, 'assessment'>;
  readonly clock: Clock;
  readonly log: Log;
}): { readonly store: StoreAssessment; readonly queue: DurableEventQueue } {
  const { events, content, platform, clock, log } = options;
  const queue = new DurableEventQueue({
    name: 'assessments',
    store: events.fastStore,
    newId: randomUUID,
    log,
    budgetMs: MAX_WAIT_MS,
    ...platform.eventQueue,
  });
  const store = createAssessmentStore({
    append: async (event) => {
      await queue.add(event);
    },
    getRules: () => content.assessment,
    clock,
    newId: randomUUID,
  });
  return { store, queue };
}
