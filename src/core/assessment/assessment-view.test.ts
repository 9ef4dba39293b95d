import { describe, expect, it } from 'vitest';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import {
  type AssessmentView,
  buildViewAddress,
  computeProgress,
  NO_ANSWERS,
  parseView,
  resolveView,
} from './answers.ts';

const { questions } = readSampleAssessment();
const two = { ...NO_ANSWERS, businessType: 'other', revenue: 'growing' };
const done = { ...two, challenges: ['integration'], budget: '1000-plus' };
const step = (number: number): AssessmentView => ({ name: 'step', step: number });

describe('addresses', () => {
  it.each([
    [null, { name: 'intro' }],
    ['', { name: 'intro' }],
    ['0', { name: 'intro' }],
    ['5', { name: 'intro' }],
    ['2.5', { name: 'intro' }],
    ['<b>', { name: 'intro' }],
    ['1', step(1)],
    ['4', step(4)],
    ['results', { name: 'results' }],
  ] as const)('step=%j is %o', (text, view) => expect(parseView(text, 4)).toEqual(view));

  it.each([[{ name: 'intro' } as const], [step(3)], [{ name: 'results' } as const]])(
    '%o has its own',
    (view) => {
      const url = new URL(buildViewAddress(view), 'http://x');
      expect(url.pathname).toBe('/assessment');
      expect(parseView(url.searchParams.get('step'), 4)).toEqual(view);
    },
  );
});

describe('how far the answers lead', () => {
  it.each([
    [step(4), NO_ANSWERS, step(1)],
    [step(1), NO_ANSWERS, step(1)],
    [step(2), two, step(2)],
    [step(3), two, step(3)],
    [step(4), two, step(3)],
    [{ name: 'results' } as const, two, step(3)],
    [{ name: 'results' } as const, done, { name: 'results' }],
    [step(2), done, step(2)],
    [{ name: 'intro' } as const, done, { name: 'intro' }],
  ])('%o', (wanted, answers, shown) => expect(resolveView(wanted, answers, questions)).toEqual(shown));
});

it('progress is the step by four, in per cent', () =>
  expect([1, 2, 3, 4].map((one) => computeProgress(one, 4))).toEqual([25, 50, 75, 100]));
