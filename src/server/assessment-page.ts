import {
  type AssessmentAnswers,
  listUnanswered,
  NO_ANSWERS,
  parseAnswers,
} from '../core/assessment/answers.ts';
import { parseView } from '../core/assessment/assessment-view.ts';
import type { Assessment } from '../core/content/assessment.schema.ts';
import type { KeepAssessment } from './assessment-keeper.ts';

/** What `/assessment` answers to one request: a view of the address, or what a posted form came to. */
export interface AssessmentAnswer {
  /** 200, or 422 for a form that lacks answers. */
  readonly status: number;
  readonly view: ReturnType<typeof parseView> | { readonly name: 'form' };
  readonly answers: AssessmentAnswers;
  readonly posted: boolean;
  /** Whether the form came with `Sec-GPC: 1`. */
  readonly reduced: boolean;
}

/**
 * Answers `/assessment`. A form that cannot be read counts as one without answers; a complete one is kept,
 * and its result does not wait for a store that fails.
 */
export async function readAssessmentRequest(
  request: Request,
  { questions }: Pick<Assessment, 'questions'>,
  keep: KeepAssessment,
): Promise<AssessmentAnswer> {
  if (request.method !== 'POST') {
    const step = new URL(request.url).searchParams.get('step');
    return {
      status: 200,
      view: parseView(step, questions.length),
      answers: NO_ANSWERS,
      posted: false,
      reduced: false,
    };
  }
  const fields = await request.formData().catch(() => new FormData());
  const answers = parseAnswers(
    Object.fromEntries(questions.map(({ field }) => [field, fields.getAll(field)])),
    questions,
  );
  const isComplete = listUnanswered(answers, questions).length === 0;
  const reduced = request.headers.get('sec-gpc') === '1';
  if (isComplete) {
    await keep(answers, { gpc: reduced, userAgent: request.headers.get('user-agent') ?? '' });
  }
  return {
    status: isComplete ? 200 : 422,
    view: { name: isComplete ? 'results' : 'form' },
    answers,
    posted: true,
    reduced,
  };
}
