import type { Answers } from '../../src/core/assessment/answers.ts';
import type { Question } from '../../src/core/assessment/assessment.schema.ts';

/** Every complete set of answers: each single choice with each non-empty choice of several. */
export function* listAllAnswers(questions: readonly Question[]): Generator<Answers> {
  const keys = (field: string) =>
    questions.find((question) => question.field === field)?.options.map(({ key }) => key) ?? [];
  const challenges = keys('challenges');
  for (const businessType of keys('businessType')) {
    for (const revenue of keys('revenue')) {
      for (const budget of keys('budget')) {
        for (let bits = 1; bits < 2 ** challenges.length; bits++) {
          const chosen = challenges.filter((_, index) => bits & (1 << index));
          yield { businessType, revenue, challenges: chosen, budget };
        }
      }
    }
  }
}
