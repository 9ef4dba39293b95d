import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleCalculator } from '../../../test/support/sample-content.ts';
import { calculateSavings } from './calculate-savings.ts';
import {
  buildLinkedQuery,
  fillExample,
  hasLinkedTexts,
  isSameTexts,
  parseLinkedTexts,
  parseStoredTexts,
} from './calculator-texts.ts';

const trial = readSampleCalculator('trial');
const roi = readSampleCalculator('roi');
const NO_QUERY = new URLSearchParams();

describe('the fields of the specification', () => {
  it('the trial page: defaults and bounds', () => {
    expect(parseLinkedTexts(trial, NO_QUERY)).toEqual({ tools: '5', cost: '150' });
    expect(trial.fields.map(({ min, max }) => [min, max])).toEqual([
      [1, 20],
      [10, 1000],
    ]);
  });

  it('the ROI page: five costs without defaults, with placeholders', () => {
    expect(Object.keys(parseLinkedTexts(roi, NO_QUERY))).toEqual(
      'crmCost emailCost funnelCost schedulingCost otherCost'.split(' '),
    );
    expect(roi.fields.map(({ placeholder }) => placeholder)).toEqual([99, 79, 147, 25, 150]);
    expect(Object.values(parseLinkedTexts(roi, NO_QUERY)).join('')).toBe('');
  });
});

describe('links', () => {
  it.each([
    ['', { tools: '5', cost: '150' }],
    ['tools=8', { tools: '8', cost: '150' }],
    ['tools=&cost=1%2C000', { tools: '', cost: '1000' }],
    ['tools=-5&cost=abc', { tools: '-5', cost: 'abc' }],
    ['tools=%E2%88%925&cost=1.234', { tools: '\u22125', cost: '1.234' }],
    [`tools=${'x'.repeat(50)}`, { tools: 'x'.repeat(40), cost: '150' }],
    [`tools=${'0'.repeat(50)}7`, { tools: '7', cost: '150' }],
    ['tools=%EF%BC%95&cost=1e308', { tools: '5', cost: '1000000' }],
    ['tools=3&tools=9', { tools: '3', cost: '150' }],
  ])('%j puts %o into the fields', (query, texts) => {
    expect(parseLinkedTexts(trial, new URLSearchParams(query))).toEqual(texts);
  });

  it('a link that carries none of the inputs is not a linked result', () => {
    expect(hasLinkedTexts(trial, new URLSearchParams('utm_source=x'))).toBe(false);
    expect(hasLinkedTexts(trial, new URLSearchParams('cost='))).toBe(true);
  });

  it('a link gives the same result as the fields it was made from, whatever they hold', async () => {
    const text = fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String));
    await forAll(1, [fc.array(text, { minLength: 5, maxLength: 5 })], (typed) => {
      const texts = Object.fromEntries(roi.fields.map(({ name }, index) => [name, typed[index] ?? '']));
      const linked = parseLinkedTexts(roi, new URLSearchParams(buildLinkedQuery(roi, texts)));
      expect(calculateSavings(roi, linked)).toEqual(calculateSavings(roi, texts));
      expect(isSameTexts(roi, linked, texts)).toBe(true);
    });
  });
});

it('the placeholders of the ROI page are an example of $403 a month, of which nothing counts beside what is sent', () => {
  expect(calculateSavings(roi, fillExample(roi, {})).monthlyCents).toBe(403_00);
  for (const query of ['crmCost=99', 'crmCost=99&emailCost=&funnelCost=&schedulingCost=']) {
    const sent = parseLinkedTexts(roi, new URLSearchParams(query));
    expect(calculateSavings(roi, sent).monthlyCents).toBe(2_00);
    expect(buildLinkedQuery(roi, sent)).toBe('crmCost=99&emailCost=&funnelCost=&schedulingCost=&otherCost=');
  }
  expect(fillExample(trial, { tools: '', cost: '9' })).toEqual({ tools: '', cost: '9' });
});

describe('stored inputs', () => {
  it.each([[null], ['x'], [[]], [{ tools: '5' }], [{ tools: 5, cost: '1' }]])('%j are refused', (stored) =>
    expect(parseStoredTexts(trial, stored)).toBeNull(),
  );

  it('are cleaned, and nothing else is taken over', () =>
    expect(parseStoredTexts(trial, { tools: '<i>', cost: '1,000', evil: 'x' })).toEqual({
      tools: '',
      cost: '1000',
    }));
});
