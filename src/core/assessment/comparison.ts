import type { Answers } from './answers.ts';
import { type Rules, recommend } from './recommend-platform.ts';

/** One platform in the table of all of them. */
export interface ComparisonRow {
  readonly platform: string;
  readonly kind: string;
  /** The business types that lead to it, as labels; `yours` marks the visitor's. */
  readonly types: readonly { readonly label: string; readonly yours: boolean }[];
  readonly stops: string;
  readonly chosen: boolean;
}

/** Builds the table that shows the whole rule, the recommended platform first. */
export function buildComparison(rules: Rules, answers: Answers): ComparisonRow[] {
  const chosen = recommend(rules, answers.businessType);
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
