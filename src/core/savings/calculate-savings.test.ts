import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleCalculator, readSampleSavings } from '../../../test/support/sample-content.ts';
import { buildBill, calculateSavings, type Savings } from './calculate-savings.ts';
import { parseLinkedTexts } from './calculator-texts.ts';

const savings = readSampleSavings();
const trial = readSampleCalculator('trial');
const roi = readSampleCalculator('roi');

const roiTexts = (values: readonly string[]) =>
  Object.fromEntries(roi.fields.map(({ name }, index) => [name, values[index] ?? '']));

/** Texts of every kind that a field, a clipboard or a link can hold. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom(
    '',
    '-5',
    '-0',
    '1e308',
    '1e999',
    '-1e999',
    'NaN',
    'Infinity',
    '1,000',
    '５',
    '0x10',
    '<b>5</b>',
  ),
);

function figures({ steps, ...savings }: Savings): number[] {
  return [...Object.values(savings), ...steps.map(({ cents }) => cents)];
}

describe('the trial calculator', () => {
  it.each([
    { tools: '5', cost: '150', monthly: 453_00, annual: 5_436_00 },
    { tools: '1', cost: '297', monthly: 0, annual: 0 },
    { tools: '1', cost: '297.01', monthly: 1, annual: 12 },
    { tools: '20', cost: '1000', monthly: 19_703_00, annual: 236_436_00 },
    { tools: '2.5', cost: '150', monthly: 78_00, annual: 936_00 },
    { tools: '25', cost: '2000', monthly: 49_703_00, annual: 596_436_00 },
    { tools: '', cost: '150', monthly: 0, annual: 0 },
    { tools: '-5', cost: '-150', monthly: 0, annual: 0 },
    { tools: '５', cost: '1,000', monthly: 4_703_00, annual: 56_436_00 },
  ])('$tools tools at $cost leave $monthly cents a month', ({ tools, cost, monthly, annual }) => {
    const savings = calculateSavings(trial, { tools, cost });
    expect(savings.monthlyCents).toBe(monthly);
    expect(savings.annualCents).toBe(annual);
  });

  it('starts at 5 tools of $150 and shows the sum in steps', () =>
    expect(calculateSavings(trial, parseLinkedTexts(trial, new URLSearchParams())).steps).toEqual([
      { kind: 'item', label: '5 tools × $150', cents: 750_00 },
      { kind: 'minus', label: 'Unlimited plan', cents: 297_00 },
      { kind: 'result', label: 'Savings per month', cents: 453_00 },
      { kind: 'year', label: '$453 × 12 months', cents: 5_436_00 },
    ]));
});

describe('the ROI calculator', () => {
  it.each([
    { typed: ['99', '79', '147', '25', '150'], total: 500_00, annual: 4_836_00 },
    { typed: ['97'], total: 97_00, annual: 0 },
    { typed: ['98'], total: 98_00, annual: 12_00 },
    { typed: [], total: 0, annual: 0 },
    { typed: ['', 'abc', '10', '', '90'], total: 100_00, annual: 36_00 },
  ])('$typed add up to $total cents and save $annual cents a year', ({ typed, total, annual }) => {
    const savings = calculateSavings(roi, roiTexts(typed));
    expect(savings.currentCents).toBe(total);
    expect(savings.annualCents).toBe(annual);
  });
});

describe('any text in the fields', () => {
  const texts = fc.tuple(anyText, anyText, anyText, anyText, anyText);

  it('every figure is a whole number, and never -0', () =>
    forAll(4, [texts], (typed) => {
      const all = [
        ...figures(calculateSavings(trial, { tools: typed[0], cost: typed[1] })),
        ...figures(calculateSavings(roi, roiTexts(typed))),
      ];
      return all.every((figure) => Number.isSafeInteger(figure) && !Object.is(figure, -0));
    }));

  it('savings are at least 0, annual is 12 times monthly, and the lines add up', () =>
    forAll(1, [texts], (typed) => {
      for (const savings of [
        calculateSavings(trial, { tools: typed[0], cost: typed[1] }),
        calculateSavings(roi, roiTexts(typed)),
      ]) {
        const items = savings.steps.filter(({ kind }) => kind === 'item');
        expect(savings.monthlyCents).toBe(Math.max(0, savings.currentCents - savings.planCents));
        expect(savings.annualCents).toBe(savings.monthlyCents * 12);
        expect(savings.steps.filter(({ cents }) => cents < 0)).toEqual([]);
        expect(items.reduce((sum, { cents }) => sum + cents, 0)).toBe(savings.currentCents);
      }
    }));

  it('a higher cost never lowers the saving', async () => {
    const cents = fc.integer({ min: 0, max: 200_000_000 });
    const write = (value: number) => (value / 100).toFixed(2);
    await forAll(1, [cents, cents, cents], (tools, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const trialAt = (cost: number) => calculateSavings(trial, { tools: write(tools), cost: write(cost) });
      const roiAt = (cost: number) => calculateSavings(roi, roiTexts([write(tools), write(cost)]));
      expect(trialAt(high).monthlyCents).toBeGreaterThanOrEqual(trialAt(low).monthlyCents);
      expect(roiAt(high).monthlyCents).toBeGreaterThanOrEqual(roiAt(low).monthlyCents);
    });
  });

  it('inherited names are no input', () => {
    const inherited = Object.create({ tools: '5', cost: '150' });
    expect(calculateSavings(trial, inherited).currentCents).toBe(0);
  });
});

it('the stack of six against the Unlimited plan leaves $1,195 a month', () => {
  const bill = buildBill(savings, 'unlimited');
  expect(bill).toMatchObject({ stack: '$1,492', plan: '$297', rest: '$1,195', year: '$14,340' });
  expect(bill?.lines.map(({ amount }) => amount)).toEqual(['$450', '$297', '$299', '$96', '$150', '$200']);
});

it('a plan that costs more than the stack leaves nothing', () => {
  const dear = savings.plans.map((plan) => ({ ...plan, monthlyCents: 1_000_000 }));
  expect(buildBill({ ...savings, plans: dear }, 'starter')).toMatchObject({ rest: '$0', year: '$0' });
});

it('a plan that does not exist makes no bill', () => expect(buildBill(savings, 'gold')).toBeNull());
