import { readText } from './read-text.ts';

/** What a visitor answered in the assessment, as labels or codes; empty when not answered. */
export interface Answers {
  readonly businessType: string;
  readonly budget: string;
  readonly revenue: string;
  readonly challenges: readonly string[];
}

export const NO_ANSWERS: Answers = { businessType: '', budget: '', revenue: '', challenges: [] };

/** Reads the stored results (`assessment_results`); what is no answer is empty. */
export function parseAnswers(record: unknown): Answers {
  const given = Object(record);
  return {
    businessType: readText(given.businessType, 64),
    budget: readText(given.budget, 64),
    revenue: readText(given.revenue, 64),
    challenges: (Array.isArray(given.challenges) ? given.challenges : [])
      .slice(0, 12)
      .map((value: unknown) => readText(value, 64))
      .filter(Boolean),
  };
}
