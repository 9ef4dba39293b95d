import { isAged, SEE_PRICE } from '../products/price.ts';
import { compareStack } from '../products/totals.ts';
import type { CalculatorField, CalculatorFigures, SavingsSettings } from './calculators.schema.ts';
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
  /** The monthly saving less what the calculator's usage costs, at least 0; the same when it names no usage. */
  readonly netCents: number;
  readonly steps: readonly SumStep[];
}

/**
 * Computes a calculator: a count multiplied by its amount, or the amounts added, minus the plan. A field that is empty or
 * not a number counts as 0.
 */
export function calculateSavings(calculator: CalculatorFigures, texts: CalculatorTexts): Savings {
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
    netCents: Math.max(0, monthlyCents - calculator.usageCents),
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

function buildItems({ fields }: CalculatorFigures, texts: CalculatorTexts): SumStep[] {
  const amounts = fields.filter(({ kind }) => kind === 'amount');
  const count = fields.find(({ kind }) => kind === 'count');
  const [amount] = amounts;
  if (count === undefined || amount === undefined) {
    return amounts.map((field) => ({ kind: 'item', label: field.label, cents: readField(field, texts) }));
  }
  const many = readField(count, texts);
  const cost = readField(amount, texts);
  const unit = many === 100 ? count.unit.replace(/s$/, '') : count.unit;
  const label = `${formatHundredths(many)} ${unit} × ${formatDollars(cost)}`;
  return [{ kind: 'item', label, cents: Math.round((many * cost) / 100) }];
}

function readField({ name }: CalculatorField, texts: CalculatorTexts): number {
  return (Object.keys(texts).includes(name) ? parseAmount(texts[name] ?? '') : null) ?? 0;
}

export interface BillLine {
  readonly name: string;
  readonly amount: string;
}

/** The bills of the stack against one plan, as they are written. */
export type Bill = NonNullable<ReturnType<typeof buildBill>>;

/** Builds the sum of the stack against a plan; null if no plan has the key. `now`: `see price` past the price's age. */
export function buildBill(savings: SavingsSettings, planKey: string, now?: number) {
  const { plans, product, months } = savings;
  const plan = plans.find(({ key }) => key === planKey);
  const offer = product?.offers.find(({ key }) => key === planKey);
  if (plan === undefined || product === undefined || offer === undefined) return null;
  const { totalCents, savingCents, netCents } = compareStack(savings, plan.monthlyCents);
  const isHidden = isAged(product, offer, now);
  const show = (cents: number) => (isHidden ? SEE_PRICE : formatDollars(Math.max(0, cents)));
  const write = (cents: number) => ({ rest: show(cents), year: show(cents * months) });
  return {
    lines: savings.stack.map(({ name, monthlyCents }) => ({ name, amount: formatDollars(monthlyCents) })),
    stack: formatDollars(totalCents),
    plan: show(plan.monthlyCents),
    ...write(savingCents),
    net: savings.stackUsage === undefined ? undefined : write(netCents),
  };
}
