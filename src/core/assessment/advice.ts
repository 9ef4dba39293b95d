import { type Answers, listChosen } from './answers.ts';
import type { Assessment, Outcome } from './assessment.schema.ts';
import { type Rules, recommend } from './recommend-platform.ts';

/** What a result says beyond the platform: one line for each answer that does not decide. */
export interface Advice {
  readonly outcome: Outcome;
  /** In the order of the options. */
  readonly challenges: readonly { readonly label: string; readonly text: string }[];
  /** On the budget, then on the pace. */
  readonly plan: readonly { readonly label: string; readonly text: string }[];
}

/** Builds a result from answers. */
export function buildAdvice(assessment: Rules & Pick<Assessment, 'revenueNotes'>, answers: Answers): Advice {
  const outcome = recommend(assessment, answers.businessType);
  const lines = (field: keyof Answers, texts: Readonly<Record<string, string>>) =>
    assessment.questions
      .filter((question) => question.field === field)
      .flatMap((question) => listChosen(answers, question))
      .map(({ key, label }) => ({ label, text: texts[key] ?? '' }));
  return {
    outcome,
    challenges: lines('challenges', outcome.challenges),
    plan: [...lines('budget', outcome.budgets), ...lines('revenue', assessment.revenueNotes)],
  };
}
