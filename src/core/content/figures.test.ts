import { expect, it } from 'vitest';
import { readShippedPlans } from '../../../test/support/shipped-content.ts';
import { buildFigures, fillFigures } from './figures.ts';

const figures = buildFigures(readShippedPlans(), new Map([['hub-agencies', { figure: '1,000+' }]]));

it.each([
  ['Flat {price:unlimited}/month', 'Flat $297/month'],
  ['{plan:starter}, {subaccounts:starter} sub-accounts', 'Starter, 3 sub-accounts'],
  ['{trial:days} days, {guarantee:days} days', '14 days, 30 days'],
  ['Trusted by {claim:hub-agencies} Agencies', 'Trusted by 1,000+ Agencies'],
  ['Step {step} of {steps}', 'Step {step} of {steps}'],
])('%j reads %j', (text, filled) => {
  expect(fillFigures({ deep: [{ text }] }, figures, () => undefined)).toEqual({ deep: [{ text: filled }] });
});

it('a name without a figure is reported and stays', () => {
  const missing: string[] = [];
  expect(fillFigures('{price:gold}', figures, (name) => missing.push(name))).toBe('{price:gold}');
  expect(missing).toEqual(['price:gold']);
});
