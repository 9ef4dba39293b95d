import { parseText } from '../text/parse-text.ts';
import { type Answers, normalizeOptionName } from './answers.ts';
import type { Question } from './assessment.schema.ts';

/** Answers in the codes that partners receive; empty where unanswered. */
export type AnswerCodes = Answers;

export const NO_ANSWER_CODES: AnswerCodes = { businessType: '', budget: '', revenue: '', challenges: [] };

/** Every code that an option may have, by question. */
export const ANSWER_CODES: Readonly<Record<Question['field'], readonly string[]>> = {
  businessType: ['agency', 'ecommerce', 'creator', 'local', 'saas', 'business'],
  budget: ['budget_low', 'budget_mid', 'budget_high', 'budget_enterprise'],
  revenue: ['under-5k', '5k-25k', '25k-100k', '100k-plus'],
  challenges: ['leads', 'email', 'clients', 'funnels', 'integration', 'costs'],
};

/** Codes of an answer that has no code of its own, and of no answer. */
export const UNKNOWN_BUSINESS = 'business';
export const UNKNOWN_BUDGET = 'budget_unspecified';

const MAX_NAME_LENGTH = 64;
const MAX_CHALLENGES = 12;

/** Parses answers as a link or session storage carries them (an object by field) into codes. Never throws. */
export type ParseAnswerCodes = (record: unknown) => AnswerCodes;

/** Creates the parser for these questions: an option is named by its key, label, retired label or code. */
export function createAnswerCodeParser(questions: readonly Question[]): ParseAnswerCodes {
  const codes = new Map(questions.map((question) => [question.field, buildCodes(question)]));
  const parseOne = (field: Question['field'], value: unknown, fallback = ''): string => {
    const name = parseText(value, MAX_NAME_LENGTH);
    return name && (codes.get(field)?.get(normalizeOptionName(name)) || fallback);
  };
  const challengeOrder = [...new Set(codes.get('challenges')?.values())];
  return (record) => {
    const { businessType, budget, revenue, challenges } = Object(record);
    const listed: unknown[] = Array.isArray(challenges) ? challenges.slice(0, MAX_CHALLENGES) : [];
    const answered = new Set(listed.map((value) => parseOne('challenges', value)));
    return {
      businessType: parseOne('businessType', businessType, UNKNOWN_BUSINESS),
      budget: parseOne('budget', budget, UNKNOWN_BUDGET),
      revenue: parseOne('revenue', revenue),
      challenges: challengeOrder.filter((code) => code !== '' && answered.has(code)),
    };
  };
}

/** The code by each normalized name of a question's options. */
function buildCodes({ options, retired }: Question): ReadonlyMap<string, string> {
  const all = [...options, ...retired];
  const names = [
    ...all.map(({ code = '' }) => [code, code]),
    ...all.map(({ label, code = '' }) => [label, code]),
    ...options.map(({ key, code = '' }) => [key, code]),
  ] as const;
  return new Map(names.map(([name = '', code = '']) => [normalizeOptionName(name), code]));
}
