import type { AssessmentAnswers } from '../../src/core/assessment/answers.ts';
import type { Question } from '../../src/core/content/assessment.schema.ts';

/** Every complete set of answers: each single choice with each non-empty choice of several. */
export function* listAllAnswers(questions: readonly Question[]): Generator<AssessmentAnswers> {
  const labels = (field: string) =>
    questions.find((question) => question.field === field)?.options.map(({ label }) => label) ?? [];
  const challenges = labels('challenges');
  for (const businessType of labels('businessType')) {
    for (const revenue of labels('revenue')) {
      for (const budget of labels('budget')) {
        for (let bits = 1; bits < 2 ** challenges.length; bits++) {
          const chosen = challenges.filter((_, index) => bits & (1 << index));
          yield { businessType, revenue, challenges: chosen, budget };
        }
      }
    }
  }
}
