import { formatDollars } from './format-dollars.ts';
import type { Plans } from './plans.schema.ts';

export interface BillLine {
  readonly name: string;
  readonly amount: string;
}

/** The bills of the stack against one plan, as they are written. */
export interface Bill {
  readonly lines: readonly BillLine[];
  readonly stack: string;
  readonly plan: string;
  readonly rest: string;
  readonly year: string;
}

/** Builds the sum of the stack against a plan; null when there is no such plan. */
export function buildBill(plans: Plans, planKey: string): Bill | null {
  const plan = plans.plans.find(({ key }) => key === planKey);
  if (plan === undefined) return null;
  const sum = plans.stack.reduce((total, { monthlyCents }) => total + monthlyCents, 0);
  const rest = Math.max(0, sum - plan.monthlyCents);
  return {
    lines: plans.stack.map(({ name, monthlyCents }) => ({ name, amount: formatDollars(monthlyCents) })),
    stack: formatDollars(sum),
    plan: formatDollars(plan.monthlyCents),
    rest: formatDollars(rest),
    year: formatDollars(rest * plans.months),
  };
}
