import { readText } from './read-text.ts';

/** What a visitor answered in the assessment, as labels or codes; empty when not answered. */
export interface Answers {
  readonly businessType: string;
  readonly budget: string;
  readonly revenue: string;
  readonly challenges: readonly string[];
}

export const NO_ANSWERS: Answers = { businessType: '', budget: '', revenue: '', challenges: [] };

const readLabel = (value: unknown) => readText(value, 64);

/** Reads the stored results (`assessment_results`); what is no answer is empty. */
export function parseAnswers(record: unknown): Answers {
  const { businessType, budget, revenue, challenges } = Object(record);
  return {
    businessType: readLabel(businessType),
    budget: readLabel(budget),
    revenue: readLabel(revenue),
    challenges: Array.isArray(challenges) ? challenges.slice(0, 12).map(readLabel).filter(Boolean) : [],
  };
}
