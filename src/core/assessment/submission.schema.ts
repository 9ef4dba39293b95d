import { z } from 'zod';
import type { Question } from '../content/assessment.schema.ts';
import { type AssessmentAnswers, listUnanswered, parseAnswers } from './answers.ts';

/** Finished answers as a browser posts them to `/api/assessments`. */
export interface AssessmentSubmission {
  /** UUID made once, when the assessment was finished; every retry sends the same. */
  readonly id: string;
  /** Random id of the browser session; empty when the browser could not keep one. */
  readonly session: string;
  /** The browser's clock in ms since 1970, as sent. */
  readonly time: unknown;
  readonly answers: AssessmentAnswers;
}

const submissionSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  session: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,64}$/)
    .default(''),
  time: z.unknown(),
  answers: z.record(z.string(), z.unknown()),
});

/** Reads a posted submission; a text says what is wrong with it, without repeating what was sent. */
export function parseSubmission(
  body: unknown,
  questions: readonly Question[],
): AssessmentSubmission | string {
  const result = submissionSchema.safeParse(body);
  if (!result.success) {
    const field = String(result.error.issues[0]?.path[0] ?? '');
    return field === '' ? 'The body has to be an object.' : `${field} does not have the form that it takes.`;
  }
  const { id, session, time } = result.data;
  const answers = parseAnswers(result.data.answers, questions);
  const [open] = listUnanswered(answers, questions);
  if (open !== undefined) return `answers.${open.field} holds none of the options of its question.`;
  // Without a time there is no clock to trust: null is flagged, undefined would not be.
  return { id, session, time: time ?? null, answers };
}
