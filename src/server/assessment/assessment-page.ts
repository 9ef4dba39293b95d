import { randomUUID } from 'node:crypto';
import {
  type Answers,
  isAnswered,
  listUnanswered,
  NO_ANSWERS,
  parseAnswers,
} from '../../core/assessment/answers.ts';
import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import { parseView } from '../../core/assessment/assessment-view.ts';
import type { Rules } from '../../core/assessment/recommend-platform.ts';
import { buildCompletedEvent } from '../../core/assessment/submission.schema.ts';
import type { Clock } from '../../core/clock.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import type { Content } from '../../core/pages/content.ts';
import { DurableEventQueue } from '../events/durable-event-queue.ts';
import type { Events } from '../events/events.ts';
import { readPostedForm } from '../http/request-body.ts';
import { readVisitorSignals, type VisitorSignals } from '../http/visitor-signals.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';

/** Stores answers of a posted form. Resolves when they are on disk, or after a short wait; never rejects. */
export type StoreAssessment = (answers: Answers, visitor: VisitorSignals) => Promise<void>;

/** Creates the store of posted answers over `append`, which waits no longer than a visitor should and never rejects. */
export function createAssessmentStore(options: {
  readonly append: (event: SiteEvent) => Promise<void>;
  readonly getRules: () => Rules;
  readonly clock: { now(): number };
  readonly newId: () => string;
}): StoreAssessment {
  return (answers, visitor) => {
    const parts = buildCompletedEvent(options.getRules(), answers, { id: options.newId(), session: '' });
    return options.append(buildSiteEvent(parts, { now: options.clock.now(), ...visitor }));
  };
}

/** What `/assessment` shows in response to a request: the view of its address, or the result of a posted form. */
export interface AssessmentPage {
  /** 200, or 422 for a form with unanswered questions. */
  readonly status: number;
  readonly view: ReturnType<typeof parseView> | { readonly name: 'form' };
  readonly answers: Answers;
  readonly posted: boolean;
  /** Whether the form came with `Sec-GPC: 1`. */
  readonly gpc: boolean;
}

/**
 * Reads a request to `/assessment`. A form that cannot be parsed counts as one without answers; a complete one is
 * stored, and its result does not wait for a store that fails.
 */
export async function readAssessmentRequest(
  request: Request,
  { questions }: Pick<Assessment, 'questions'>,
  store: StoreAssessment,
): Promise<AssessmentPage> {
  const wanted = parseView(new URL(request.url).searchParams.get('step'), questions.length);
  if (request.method !== 'POST') {
    const view = wanted;
    return { status: 200, view, answers: NO_ANSWERS, posted: false, gpc: false };
  }
  const form = await readPostedForm(request);
  const fields = Object.fromEntries(questions.map(({ field }) => [field, form.getAll(field)]));
  const answers = parseAnswers(fields, questions);
  const visitor = readVisitorSignals(request);
  if (listUnanswered(answers, questions).length > 0) {
    const step = findStep(wanted, answers, questions);
    if (step !== null)
      return { status: 200, view: { name: 'step', step }, answers, posted: false, gpc: visitor.gpc };
    return { status: 422, view: { name: 'form' }, answers, posted: true, gpc: visitor.gpc };
  }
  await store(answers, visitor);
  return { status: 200, view: { name: 'results' }, answers, posted: true, gpc: visitor.gpc };
}

/**
 * The step after one whose Continue was clicked before the page was hydrated, or the same while it has no answer.
 * Answers of steps before it may be in the browser only. Null: the whole form was posted.
 */
function findStep(
  wanted: ReturnType<typeof parseView>,
  answers: Answers,
  questions: Assessment['questions'],
): number | null {
  if (wanted.name === 'intro') return null;
  const current = wanted.name === 'step' ? Math.max(1, wanted.step - 1) : questions.length;
  const question = questions[current - 1];
  const isNext = wanted.name === 'step' && question !== undefined && isAnswered(answers, question);
  return isNext ? wanted.step : current;
}

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
