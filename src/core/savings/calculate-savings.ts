import type { Calculator, CalculatorField, SavingsSettings } from './calculators.schema.ts';
import { formatDollars, formatHundredths, parseAmount } from './parse-amount.ts';

/** The texts of the fields, as typed, by field name. */
export type CalculatorTexts = Readonly<Record<string, string>>;

/** One line of the sum as it is shown. `cents` of a `minus` line are positive. */
export interface SumStep {
  readonly kind: 'item' | 'total' | 'minus' | 'result' | 'year';
  readonly label: string;
  readonly cents: number;
}

/** The result of a calculator. Whole cents, never NaN, infinite or -0. */
export interface Savings {
  /** What the tools cost a month. */
  readonly currentCents: number;
  readonly planCents: number;
  /** current − plan, at least 0. */
  readonly monthlyCents: number;
  readonly annualCents: number;
  readonly steps: readonly SumStep[];
}

/**
 * Computes a calculator: a count multiplied by its amount, or the amounts added, minus the plan.
 * A field that is empty or not a number counts as 0.
 */
export function calculateSavings(calculator: Calculator, texts: CalculatorTexts): Savings {
  const items = buildItems(calculator, texts);
  const currentCents = items.reduce((sum, { cents }) => sum + cents, 0);
  const planCents = calculator.plan.monthlyCents;
  const monthlyCents = Math.max(0, currentCents - planCents);
  const annualCents = monthlyCents * calculator.months;
  return {
    currentCents,
    planCents,
    monthlyCents,
    annualCents,
    steps: [
      ...items,
      ...(items.length > 1 ? [{ kind: 'total', label: 'Your tools', cents: currentCents } as const] : []),
      { kind: 'minus', label: `${calculator.plan.name} plan`, cents: planCents },
      { kind: 'result', label: 'Savings per month', cents: monthlyCents },
      {
        kind: 'year',
        label: `${formatDollars(monthlyCents)} × ${calculator.months} months`,
        cents: annualCents,
      },
    ],
  };
}

function buildItems({ fields }: Calculator, texts: CalculatorTexts): SumStep[] {
  const amounts = fields.filter(({ kind }) => kind === 'amount');
  const count = fields.find(({ kind }) => kind === 'count');
  const [amount] = amounts;
  if (count === undefined || amount === undefined) {
    return amounts.map((field) => ({ kind: 'item', label: field.label, cents: readField(field, texts) }));
  }
  const many = readField(count, texts);
  const cost = readField(amount, texts);
  const label = `${formatHundredths(many)} ${count.unit} × ${formatDollars(cost)}`;
  return [{ kind: 'item', label, cents: Math.round((many * cost) / 100) }];
}

function readField({ name }: CalculatorField, texts: CalculatorTexts): number {
  return (Object.hasOwn(texts, name) ? parseAmount(texts[name] ?? '') : null) ?? 0;
}

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
export function buildBill(savings: SavingsSettings, planKey: string): Bill | null {
  const plan = savings.plans.find(({ key }) => key === planKey);
  if (plan === undefined) return null;
  const sum = savings.stack.reduce((total, { monthlyCents }) => total + monthlyCents, 0);
  const rest = Math.max(0, sum - plan.monthlyCents);
  return {
    lines: savings.stack.map(({ name, monthlyCents }) => ({ name, amount: formatDollars(monthlyCents) })),
    stack: formatDollars(sum),
    plan: formatDollars(plan.monthlyCents),
    rest: formatDollars(rest),
    year: formatDollars(rest * savings.months),
  };
}
