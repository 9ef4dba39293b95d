import type { Answers } from '../../../src/core/assessment/answers.ts';
import type { Assessment } from '../../../src/core/assessment/assessment.schema.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Answers every question; the first options of a question are chosen more often. */
export function pickDemoAnswers({ questions }: Assessment, random: SeededRandom): Answers {
  const pickKey = (field: string) => {
    const options = questions.find((question) => question.field === field)?.options ?? [];
    return random.pickWeighted(options, (option) => 1 / (2 + options.indexOf(option))).key;
  };
  const challenges = [pickKey('challenges'), pickKey('challenges')];
  return {
    businessType: pickKey('businessType'),
    revenue: pickKey('revenue'),
    challenges: [...new Set(challenges)],
    budget: pickKey('budget'),
  };
}
