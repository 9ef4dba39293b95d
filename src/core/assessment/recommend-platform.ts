import type { Answers } from './answers.ts';
import type { Assessment, Outcome } from './assessment.schema.ts';

/** The part of the assessment that decides. What a platform pays is not in it, and not known here. */
export type Rules = Pick<Assessment, 'questions' | 'outcomes' | 'fallback'>;

/** Returns the one outcome for a business type (an option key), or the fallback for a type that no outcome lists. */
export function recommend({ outcomes, fallback }: Rules, businessType: string): Outcome {
  const outcome =
    outcomes.find(({ businessTypes }) => businessTypes.includes(businessType)) ??
    outcomes.find(({ key }) => key === fallback);
  if (outcome === undefined)
    throw new Error(`[assessment:rules] the fallback "${fallback}" is not the key of an outcome`);
  return outcome;
}

/** Builds the label of the assessment's events, `{businessType}_to_{platform}`: `agency_to_GoHighLevel`. */
export function buildConversionLabel(answers: Answers, { platform }: Outcome): string {
  return `${answers.businessType}_to_${platform}`;
}
