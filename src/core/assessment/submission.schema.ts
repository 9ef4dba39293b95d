import { z } from 'zod';
import type { EventParts } from '../events/build-site-event.ts';
import { addFree, ENTRY_FIELDS, type ParsedWireEvent, rejectEntry } from '../events/wire-event.schema.ts';
import { ASSESSMENT_PATH } from '../paths.ts';
import { type Answers, listUnanswered, parseAnswers } from './answers.ts';
import { buildConversionLabel, type Rules, recommendPlatform } from './recommend-platform.ts';

const submissionSchema = z.object({ ...ENTRY_FIELDS, answers: z.record(z.string(), z.unknown()) });

/**
 * Parses a finished assessment as a page sends it among its events: `id`, `session` and `time` as of an event, and
 * `answers` by field. Null for an entry without `answers`, which is no assessment.
 */
export function parseSubmission(entry: unknown, assessment: Rules): ParsedWireEvent | null {
  if (typeof entry !== 'object' || entry === null || !('answers' in entry)) return null;
  const result = submissionSchema.safeParse(entry);
  if (!result.success) {
    const field = String(result.error.issues[0]?.path[0]);
    return rejectEntry(entry, 'invalid-field', `${field} is missing or invalid.`);
  }
  const { id, session, time } = result.data;
  const answers = parseAnswers(result.data.answers, assessment.questions);
  const [unanswered] = listUnanswered(answers, assessment.questions);
  if (unanswered !== undefined) {
    return rejectEntry(
      entry,
      'invalid-field',
      `answers.${unanswered.field} names none of the options of its question.`,
    );
  }
  const parts = buildCompletedEvent(assessment, answers, { id, session });
  // Null is flagged as a wrong clock; undefined would stand for an event that the server saw itself.
  const flags = addFree([], result.data);
  return {
    ok: true,
    flags,
    parts: { ...parts, ...(flags.length > 0 && { page: '' }), clientTime: time ?? null },
  };
}

/** Builds the event that stores finished answers and the recommendation; `session` is empty for a posted form. */
export function buildCompletedEvent(
  rules: Rules,
  answers: Answers,
  { id, session }: { readonly id: string; readonly session: string },
): EventParts<'assessment_completed'> {
  const outcome = recommendPlatform(rules, answers.businessType);
  return {
    id,
    name: 'assessment_completed',
    session,
    page: ASSESSMENT_PATH,
    label: buildConversionLabel(answers, outcome),
    value: 1,
    data: {
      business_type: answers.businessType,
      revenue: answers.revenue,
      challenges: answers.challenges,
      budget: answers.budget,
      platform: outcome.platform,
    },
  };
}
