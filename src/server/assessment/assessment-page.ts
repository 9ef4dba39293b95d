import {
  type Answers,
  isAnswered,
  listUnanswered,
  NO_ANSWERS,
  parseAnswers,
  parseView,
} from '../../core/assessment/answers.ts';
import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import { buildCompletedEvent } from '../../core/assessment/submission.schema.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import { readPostedForm } from '../http/request-body.ts';
import { readVisitorSignals, type VisitorSignals } from '../http/visitor-signals.ts';
import type { Site } from '../site.ts';

/**
 * Reads a request to `/assessment`. A form that cannot be parsed counts as one without answers; a complete one is
 * stored, and its result does not wait for a store that fails. The status is 200, or 422 for unanswered questions.
 */
export async function readAssessmentRequest(site: Site, request: Request) {
  const { questions } = site.content.read().assessment;
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
      return { status: 200, view: { name: 'step' as const, step }, answers, posted: false, gpc: visitor.gpc };
    return { status: 422, view: { name: 'form' as const }, answers, posted: true, gpc: visitor.gpc };
  }
  await storeAssessment(site, answers, visitor);
  return { status: 200, view: { name: 'results' as const }, answers, posted: true, gpc: visitor.gpc };
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

/**
 * Stores the answers of a posted form; pages with scripts send them among their events. Resolves when they are on disk,
 * or after a short wait; never rejects.
 */
async function storeAssessment(site: Site, answers: Answers, visitor: VisitorSignals): Promise<void> {
  const { clock, newId } = site;
  const { assessmentQueue } = site.visitors;
  const content = site.content.read();
  const parts = buildCompletedEvent(content.assessment, answers, { id: newId(), session: '' });
  await assessmentQueue.add(buildSiteEvent(parts, { now: clock.now(), ...visitor }));
}
