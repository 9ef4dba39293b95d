import { expect, it } from 'vitest';
import { readSamplePlans } from '../../../test/support/sample-content.ts';
import { buildFigures, fillFigures } from './figures.ts';

const figures = buildFigures(
  readSamplePlans(),
  new Map([['hub-agencies', { figure: '1,000+', wording: 'agencies', evidence: '' }]]),
);

it.each([
  ['Flat {price:unlimited}/month', 'Flat $297/month'],
  ['{plan:starter}, {subaccounts:starter} sub-accounts', 'Starter, 3 sub-accounts'],
  ['{trial:days} days, {guarantee:days} days', '14 days, 30 days'],
  ['Trusted by {claim:hub-agencies} Agencies', 'Trusted by 1,000+ Agencies'],
  ['{claim:hub-agencies} {claim:hub-agencies.wording}', '1,000+ agencies'],
  ['{claim:hub-agencies.status}', 'No source published yet'],
  ['{stack:crm-seats} of {stack:total}', '$450 of $1,492'],
  ['{stack:saving} ({stack:saving-percent}), {stack:saving-year} a year', '$1,195 (80%), $14,340 a year'],
  ['{price:starter.year}', '$1,164'],
  ['Step {step} of {steps}', 'Step {step} of {steps}'],
])('%j reads %j', (text, filled) => {
  expect(fillFigures({ deep: [{ text }] }, figures, () => undefined)).toEqual({ deep: [{ text: filled }] });
});

it('a name without a figure is reported and stays', () => {
  const missing: unknown[] = [];
  const content = { lines: ['', '{price:gold}'] };
  expect(fillFigures(content, figures, (name, path) => missing.push([name, path]))).toEqual(content);
  expect(missing).toEqual([['price:gold', ['lines', 1]]]);
});
