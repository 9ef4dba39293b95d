import type { Question } from '../content/assessment.schema.ts';
import { type AssessmentAnswers, listChosen, parseAnswers } from './answers.ts';

/** Writes answers as the fragment of a link, without `#`: `businessType=agency&revenue=growing&…`. */
export function buildAnswersFragment(answers: AssessmentAnswers, questions: readonly Question[]): string {
  return questions
    .map(({ field, options }) => {
      const chosen = listChosen(answers, field);
      const keys = options.filter(({ label }) => chosen.includes(label)).map(({ key }) => key);
      return `${field}=${keys.join(',')}`;
    })
    .join('&');
}

/** Reads answers from a fragment, with or without `#`; null when it carries none. */
export function parseAnswersFragment(
  fragment: string,
  questions: readonly Question[],
): AssessmentAnswers | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  if (!questions.some(({ field }) => given.has(field))) return null;
  const labels = questions.map(({ field, options }) => {
    const keys = (given.get(field) ?? '').split(',');
    return [field, options.filter(({ key }) => keys.includes(key)).map(({ label }) => label)];
  });
  return parseAnswers(Object.fromEntries(labels), questions);
}
