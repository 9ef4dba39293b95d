import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSampleProducts } from '../../../test/support/sample-content.ts';
import { buildSavings, calculatorsSchema } from './calculators.schema.ts';

const text = readFileSync('content/calculators.yaml', 'utf8');
const products = readSampleProducts();

/** What is wrong with a file, by field. */
function problemsOf(changed: string): string[] {
  const result = calculatorsSchema.safeParse(parse(changed));
  if (!result.success) return result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const problems: string[] = [];
  buildSavings(result.data, products, (path, reason) => problems.push(`${path.join('.')}: ${reason}`));
  return problems;
}

const build = (changed: string, list = products) =>
  buildSavings(calculatorsSchema.parse(parse(changed)), list, () => undefined);

it('the shipped calculators compare with the plans of the specification', () => {
  const savings = build(text);
  expect(savings.plans.slice(0, 2)).toEqual([
    { key: 'starter', name: 'Starter', monthlyCents: 97_00 },
    { key: 'unlimited', name: 'Unlimited', monthlyCents: 297_00 },
  ]);
  expect(savings.calculators['trial']?.plan.key).toBe('unlimited');
  expect(savings.calculators['roi']?.plan.key).toBe('starter');
  expect(savings.months).toBe(12);
});

it('the name of a plan is text in what a calculator says, whatever characters it has', () => {
  const [key, highlevel] = [...products].find(([name]) => name === 'highlevel') ?? expect.fail();
  const offers = highlevel.offers.map((offer) => ({ ...offer, name: 'Pro $& $$' }));
  const savings = build(text, new Map([[key, { ...highlevel, offers }]]));
  expect(savings.calculators['trial']?.copy.compared).toContain('Pro $& $$');
});

it('a site has no calculators without the file', () =>
  expect(build('{}')).toMatchObject({ plans: [], stack: [], calculators: {} }));

it.each([
  ['an amount that is not whole cents', 'monthly: 450', 'monthly: 450.005', 'must be whole cents'],
  ['a plan that is not there', 'plan: starter', 'plan: basic', 'there is no plan "basic"'],
  ['a product that is not there', 'product: highlevel', 'product: low', 'no product is called "low"'],
  ['calculators without a product', 'product: highlevel', '', 'product: is missing'],
  ['a default out of bounds', 'default: 5', 'default: 50', 'default must lie between min and max'],
  ['bounds the wrong way round', 'max: 20', 'max: 0.5', 'max must be above min'],
  ['a field twice', 'name: emailCost', 'name: crmCost', 'two fields have the same name'],
  [
    'two counts',
    'name: cost\n        label: Average cost per tool\n        kind: amount',
    'name: cost\n        label: x\n        kind: count',
    'a count needs exactly one amount beside it',
  ],
  ['a former charge', 'name: crmCost,', 'name: crmCost, charge: hubspot.seat-professional,', 'charge'],
  ['an unknown line', 'months: 12', 'months: 12\nmonth: 1', 'month'],
])('%s is refused with the field and the reason', (_, from, to, reason) => {
  expect(text).toContain(from);
  expect(problemsOf(text.replace(from, to)).join('\n')).toContain(reason);
});
