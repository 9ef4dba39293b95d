import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { plansSchema } from './plans.schema.ts';

const text = readFileSync('content/plans.yaml', 'utf8');

function problemsOf(changed: string): string[] {
  const result = plansSchema.safeParse(parse(changed));
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it('the shipped file holds the prices and terms of the specification', () => {
  const plans = plansSchema.parse(parse(text));
  expect(plans.plans).toEqual([
    {
      key: 'starter',
      name: 'Starter',
      monthlyCents: 97_00,
      subAccounts: 3,
      audience: 'For small businesses and solopreneurs',
    },
    {
      key: 'unlimited',
      name: 'Unlimited',
      monthlyCents: 297_00,
      subAccounts: 'unlimited',
      audience: 'For agencies',
    },
  ]);
  expect([plans.trial.days, plans.guarantee.days, plans.months]).toEqual([14, 30, 12]);
  expect(plans.calculators['trial']?.plan.key).toBe('unlimited');
  expect(plans.calculators['roi']?.plan.key).toBe('starter');
});

it('the name of a plan is text in what a calculator says, whatever characters it has', () => {
  const plans = plansSchema.parse(parse(text.replace('name: Unlimited', () => "name: 'Pro $& $$'")));
  expect(plans.calculators['trial']?.copy.compared).toContain('Pro $& $$');
});

it.each([
  [
    'a price that is not whole cents',
    'monthly: 297\n    sub',
    'monthly: 297.005\n    sub',
    'must be whole cents',
  ],
  ['a price below nothing', 'monthly: 97', 'monthly: -97', 'plans.starter.monthly'],
  ['a plan that is not there', 'plan: starter', 'plan: basic', 'there is no plan "basic"'],
  ['a default out of bounds', 'default: 5', 'default: 50', 'default must lie between min and max'],
  ['bounds the wrong way round', 'max: 20', 'max: 0.5', 'max must be above min'],
  ['a field twice', 'name: emailCost', 'name: crmCost', 'two fields have the same name'],
  [
    'two counts',
    'name: cost\n        label: Average cost per tool\n        kind: amount',
    'name: cost\n        label: x\n        kind: count',
    'a count needs exactly one amount beside it',
  ],
  ['an unknown line', 'months: 12', 'months: 12\nmonth: 1', 'month'],
])('%s is refused with the field and the reason', (_, from, to, reason) => {
  expect(text).toContain(from);
  expect(problemsOf(text.replace(from, to)).join('\n')).toContain(reason);
});
