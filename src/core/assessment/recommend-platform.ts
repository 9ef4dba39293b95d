import { type Answers, listChosen } from './answers.ts';
import type { Assessment, Outcome } from './assessment.schema.ts';

/** The part of the assessment that decides. What a platform pays is not in it, and not known here. */
export type Rules = Pick<Assessment, 'questions' | 'outcomes' | 'fallback'>;

/** Returns the one outcome for a business type (an option key), or the fallback for a type that no outcome lists. */
export function recommendPlatform({ outcomes, fallback }: Rules, businessType: string): Outcome {
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

/**
 * Builds what a result says beyond the platform: the key of the plan that fits the budget, the reasons that come with it,
 * those of dearer plans by plan, a line for each challenge in order of the options, and notes on budget and revenue.
 */
export function buildAdvice(
  assessment: Rules & { readonly revenueNotes: Assessment['revenueNotes'] },
  answers: Answers,
) {
  const outcome = recommendPlatform(assessment, answers.businessType);
  const { budgets, challenges } = outcome;
  const plan = budgets[answers.budget]?.plan;
  const lines = (field: keyof Answers, getText: (key: string) => string | undefined) =>
    assessment.questions
      .filter((question) => question.field === field)
      .flatMap((question) => listChosen(answers, question))
      .map(({ key, label }) => ({ label, text: getText(key) ?? '' }));
  const reached = listReachedPlans(assessment, outcome, answers);
  const isOwn = (reason: Outcome['reasons'][number]) => reason.plan === undefined || reason.plan === plan;
  const dearer = outcome.reasons.filter((reason) => !isOwn(reason) && reached.includes(reason.plan));
  const plans = [...new Set(dearer.flatMap((reason) => reason.plan ?? []))];
  return {
    outcome,
    plan,
    cost: budgets[answers.budget]?.cost,
    reasons: outcome.reasons.filter(isOwn).map(({ text }) => text),
    dearer: plans.map((key) => ({
      plan: key,
      reasons: dearer.filter((reason) => reason.plan === key).map(({ text }) => text),
    })),
    challenges: lines('challenges', (key) => challenges[key]),
    notes: [
      ...lines('budget', (key) => budgets[key]?.text),
      ...lines('revenue', (key) => assessment.revenueNotes[key]),
    ],
  };
}

/** The plans of this budget and of larger ones. What is special about a smaller plan is no reason for a reader with more. */
function listReachedPlans({ questions }: Rules, { budgets }: Outcome, { budget }: Answers) {
  const options = questions.find(({ field }) => field === 'budget')?.options ?? [];
  const at = options.findIndex(({ key }) => key === budget);
  return options.slice(Math.max(at, 0)).map(({ key }) => budgets[key]?.plan);
}

/** One platform in the table of all of them. */
export type ComparisonRow = ReturnType<typeof buildComparison>[number];

/** Builds the table that shows the whole rule, the recommended platform first. */
export function buildComparison(rules: Rules, answers: Answers) {
  const chosen = recommendPlatform(rules, answers.businessType);
  const options = rules.questions.find(({ field }) => field === 'businessType')?.options ?? [];
  const rows = rules.outcomes.map((outcome) => ({
    platform: outcome.platform,
    kind: outcome.kind,
    types: options
      .filter(({ key }) => outcome.businessTypes.includes(key))
      .map(({ key, label }) => ({ label, yours: key === answers.businessType })),
    stops: outcome.stops,
    chosen: outcome === chosen,
  }));
  return rows.sort((one, other) => Number(other.chosen) - Number(one.chosen));
}
