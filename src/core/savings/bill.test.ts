import { expect, it } from 'vitest';
import { readShippedPlans } from '../../../test/support/shipped-content.ts';
import { buildBill } from './bill.ts';

it('the stack of six against the Unlimited plan leaves $1,195 a month', () => {
  const bill = buildBill(readShippedPlans(), 'unlimited');
  expect(bill).toMatchObject({ stack: '$1,492', plan: '$297', rest: '$1,195', year: '$14,340' });
  expect(bill?.lines.map(({ amount }) => amount)).toEqual(['$450', '$297', '$299', '$96', '$150', '$200']);
});

it('a plan that costs more than the stack leaves nothing', () => {
  const plans = readShippedPlans();
  const dear = plans.plans.map((plan) => ({ ...plan, monthlyCents: 1_000_000 }));
  expect(buildBill({ ...plans, plans: dear }, 'starter')).toMatchObject({ rest: '$0', year: '$0' });
});

it('a plan that does not exist makes no bill', () => {
  expect(buildBill(readShippedPlans(), 'gold')).toBeNull();
});
