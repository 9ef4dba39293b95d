import { formatDollars } from '../savings/format-dollars.ts';
import type { Plans } from '../savings/plans.ts';

/**
 * The bill of separate tools and what one plan leaves of it: `stack:crm-seats` a line, `stack:total` the sum,
 * `stack:saving`, `stack:saving-year` and `stack:saving-percent` against the plan of the trial calculator.
 */
export function buildStackFigures({ stack, months, calculators }: Plans): [string, string][] {
  const total = stack.reduce((sum, line) => sum + line.monthlyCents, 0);
  const saving = total - calculators.trial.plan.monthlyCents;
  return [
    ...stack.map((line): [string, string] => [
      `stack:${line.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      formatDollars(line.monthlyCents),
    ]),
    ['stack:count', String(stack.length)],
    ['stack:total', formatDollars(total)],
    ['stack:total-year', formatDollars(total * months)],
    ['stack:saving', formatDollars(saving)],
    ['stack:saving-year', formatDollars(saving * months)],
    ['stack:saving-percent', `${Math.round((saving / total) * 100)}%`],
  ];
}
