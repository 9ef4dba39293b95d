/** @module-tag rest */
import { expect, it } from 'vitest';
import { AMOUNTS, calibrate, type SaidWords, simulateVerdicts } from './support/calibration.ts';
import { IS_FULL_LENGTH } from './support/cases.ts';

// The errors of so few sites are added.
it.each(Object.keys(AMOUNTS))('ranges hold the truth in 8 of 10 cases: %s amounts', (amounts) => {
  const many = calibrate({ amounts, isBursty: false, clicks: 1_500 }, 8, 11);
  for (const { share } of [many.year, many.young, many.coming]) {
    expect(share).toBeGreaterThan(0.66);
    expect(share).toBeLessThan(0.93);
  }
  const few = calibrate({ amounts, isBursty: true, clicks: 600 }, 40, 12);
  for (const { share, shown } of [few.year, few.young, few.coming]) {
    expect(shown).toBeGreaterThan(100);
    expect(share).toBeGreaterThan(0.71);
  }
});

const RUNS = IS_FULL_LENGTH ? 500 : 60;
const PAYS = [0.4, 0.6, 0.8, 1, 1.25, 1.6, 2.5];

it.each([8, 20, 60])(
  'of campaigns of a year strict words are right in 95 of 100 cases and soft ones in 80: %s customers at break-even',
  (customers) => {
    const all = PAYS.map((pays, index) => simulateVerdicts(pays, customers, RUNS, 3 + index));
    const share = (...words: readonly (keyof SaidWords)[]) => {
      const sum = (get: 'said' | 'right') =>
        all.reduce((total, said) => total + words.reduce((part, word) => part + said[word][get], 0), 0);
      return sum('said') === 0 ? 1 : sum('right') / sum('said');
    };
    expect(share('loses', 'earns')).toBeGreaterThanOrEqual(0.95);
    expect(share('probably-loses', 'probably-earns')).toBeGreaterThanOrEqual(0.8);
    // Who brings less than half or more than double is told.
    expect((all[0]?.loses.said ?? 0) / RUNS).toBeGreaterThan(0.6);
    expect((all[6]?.earns.said ?? 0) / RUNS).toBeGreaterThan(0.9);
  },
);
