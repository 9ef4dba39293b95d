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
 * Computes a calculator: a count multiplied by its amount, or the amounts and charges added, minus the plan and what is
 * charged on top of it. A field that is empty or not a number counts as 0.
 */
export function calculateSavings(calculator: CalculatorFigures, texts: CalculatorTexts): Savings {
  const items = buildItems(calculator, texts);
  const usage = buildCharges(calculator, texts, 'plan').filter(({ cents }) => cents > 0);
  const currentCents = addCents(items);
  const planCents = calculator.plan.monthlyCents + addCents(usage);
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
      { kind: 'minus', label: `${calculator.plan.name} plan`, cents: calculator.plan.monthlyCents },
      ...usage.map((line) => ({ ...line, kind: 'minus' as const })),
      { kind: 'result', label: 'Savings per month', cents: monthlyCents },
      {
        kind: 'year',
        label: `${formatDollars(monthlyCents)} × ${calculator.months} months`,
        cents: annualCents,
      },
    ],
  };
}

const addCents = (lines: readonly SumStep[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

function buildItems(calculator: CalculatorFigures, texts: CalculatorTexts): SumStep[] {
  const { fields } = calculator;
  const amounts = fields.filter(({ kind }) => kind === 'amount');
  const count = fields.find(({ kind, chargeMicros }) => kind === 'count' && chargeMicros === undefined);
  const [amount] = amounts;
  const charges = buildCharges(calculator, texts, 'tools');
  if (count === undefined || amount === undefined) {
    const lines = amounts.map((field) => ({
      kind: 'item' as const,
      label: field.label,
      cents: readField(field, texts),
    }));
    return [...charges, ...lines];
  }
  const many = readField(count, texts);
  const cost = readField(amount, texts);
  const label = `${formatHundredths(many)} ${count.unit} × ${formatDollars(cost)}`;
  return [...charges, { kind: 'item', label, cents: Math.round((many * cost) / 100) }];
}

/** The lines of one side whose prices are known: those that no field changes, then counts with a charge. */
function buildCharges(
  { base, fields }: CalculatorFigures,
  texts: CalculatorTexts,
  side: 'tools' | 'plan',
): SumStep[] {
  const fixed = base.filter((line) => line.side === side);
  const counted = fields.flatMap((field): SumStep[] => {
    const { chargeMicros, included, unit } = field;
    if (chargeMicros === undefined || field.side !== side) return [];
    const many = readField(field, texts) / 100;
    const paid = Math.max(0, many - included);
    const label = `${paid.toLocaleString('en-US')}${included === 0 ? '' : ' extra'} ${unit} × $${chargeMicros / 1_000_000}`;
    return [{ kind: 'item', label, cents: Math.round((paid * chargeMicros) / 10_000) }];
  });
  return [...fixed.map(({ label, cents }): SumStep => ({ kind: 'item', label, cents })), ...counted];
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
