import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import {
  describeSourceChange,
  findSourceChanges,
  getChanceOfDifference,
  type SourceVisits,
} from './source-changes.ts';

const known = (source: string, visits: number, before: number): SourceVisits => ({
  source,
  visits,
  before,
  isKnown: true,
});

/** The exact probability by the sum of its terms. */
function sumTail(count: number, sum: number, share: number, isUpper: boolean): number {
  let [term, tail] = [(1 - share) ** sum, 0];
  for (let value = 0; value <= sum; value++) {
    if (isUpper ? value >= count : value <= count) tail += term;
    term *= ((sum - value) / (value + 1)) * (share / (1 - share));
  }
  return tail;
}

it('computes the probability that two counts of the same rate differ so much', async () => {
  const count = fc.integer({ min: 0, max: 60 });
  await forAll(1, [count, count, fc.constantFrom(0.5, 0.25, 0.6)], (now, before, share) => {
    const tails = [true, false].map((isUpper) => sumTail(now, now + before, share, isUpper));
    expect(getChanceOfDifference(now, before, share)).toBeCloseTo(Math.min(1, 2 * Math.min(...tails)), 9);
  });
});

it.each([
  ['a source that is new', [{ ...known('a', 10, 0), isKnown: false }], 'a is new, with 10 visits.'],
  ['too few visits of a new source', [{ ...known('a', 9, 0), isKnown: false }], ''],
  ['a source that comes back', [known('a', 30, 0)], 'a sent more visitors: 30 visits, 0 before.'],
  ['a source that stops', [known('a', 0, 30)], 'a sent fewer visitors: 0 visits, 30 before.'],
  ['a difference that may be chance', [known('a', 40, 25)], ''],
  ['a difference beyond chance', [known('a', 60, 25)], 'a sent more visitors: 60 visits, 25 before.'],
  ['a certain difference of less than a quarter', [known('a', 12_000, 10_000)], ''],
  ['a certain decrease of less than a quarter', [known('a', 10_000, 12_000)], ''],
  ['few visits', [known('a', 19, 0)], ''],
  ['as many visits as are compared', [known('a', 20, 0)], 'a sent more visitors: 20 visits, 0 before.'],
] as const)('finds changes: %s', (_, sources, expected) => {
  expect(findSourceChanges(sources).map(describeSourceChange).join(' ')).toBe(expected);
});

it('is stricter the more sources it compares', () => {
  const changed = known('a', 48, 22);
  const others = Array.from({ length: 50 }, (_, index) => known(`b${index}`, 30, 30));
  expect(findSourceChanges([changed]).map(({ source }) => source)).toEqual(['a']);
  expect(findSourceChanges([changed, ...others])).toEqual([]);
});

it('compares periods of different lengths by their days, the largest difference first', () => {
  const sources = [known('same', 100, 300), known('more', 100, 100), known('fewer', 100, 900)];
  expect(findSourceChanges(sources, 0.25).map(({ source, kind }) => [source, kind])).toEqual([
    ['fewer', 'fewer'],
    ['more', 'more'],
  ]);
});
