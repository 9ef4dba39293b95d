import type { Assessment, Outcome } from '../content/assessment.schema.ts';
import type { AssessmentAnswers } from './answers.ts';

/** The part of the assessment that decides. What a platform pays is not in it, and not known here. */
export type Rules = Pick<Assessment, 'questions' | 'outcomes' | 'fallback'>;

/** The one outcome for a business type (a label); the fallback for a type that no outcome names. */
export function recommend({ questions, outcomes, fallback }: Rules, businessType: string): Outcome {
  const type = questions
    .find(({ field }) => field === 'businessType')
    ?.options.find(({ label }) => label === businessType)?.key;
  const outcome =
    outcomes.find(({ businessTypes }) => type !== undefined && businessTypes.includes(type)) ??
    outcomes.find(({ key }) => key === fallback);
  if (outcome === undefined) throw new Error(`[assessment:rules] there is no outcome "${fallback}"`);
  return outcome;
}

/** Label of the assessment's events: `{businessType}_to_{platform}`. */
export function buildConversionLabel(answers: AssessmentAnswers, { platform }: Outcome): string {
  return `${answers.businessType}_to_${platform}`;
}
