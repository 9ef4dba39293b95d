/** @module-tag rest */
import { expect, it } from 'vitest';
import { AMOUNTS, CUSTOMERS, calibrate, calibrateOutlook, simulateVerdicts } from './support/calibration.ts';
import { IS_FULL_LENGTH } from './support/cases.ts';

// The errors of so few sites are added.
it.each(Object.keys(AMOUNTS))('80 %% ranges hold the truth for %s amounts', (amounts) => {
  const many = calibrate({ amounts, isBursty: false, clicks: 1_500 }, 8, 11);
  for (const { share } of [many.year, many.young, many.coming]) {
    expect(share).toBeGreaterThan(0.66);
    expect(share).toBeLessThan(0.93);
  }
  const few = calibrate({ amounts, isBursty: true, clicks: 100 }, 40, 12);
  for (const { share, shown } of [few.year, few.young, few.coming]) {
    expect(shown).toBeGreaterThan(100);
    expect(share).toBeGreaterThan(0.71);
  }
});

it.each(Object.keys(CUSTOMERS))('ranges hold in 8 of 10 cases what %s customers bring in a year', (kind) => {
  for (const seed of [31, 32, 33])
    for (const [money, { share, shown }] of Object.entries(calibrateOutlook(kind, 150, seed))) {
      if (shown === 0) continue;
      expect(share, `${money}, seed ${seed}`).toBeGreaterThan(0.7);
      expect(share, `${money}, seed ${seed}`).toBeLessThan(0.92);
    }
});

const RUNS = IS_FULL_LENGTH ? 1_500 : 150;

// Who looks every day gives chance 90 tries; customers are those that breaking even would have brought by then.
it.each([10, 20, 40, 80])(
  'of campaigns that break even, few are ever called losing or earning: %s customers',
  (customers) => {
    const { loses, earns } = simulateVerdicts(1, customers, 90, RUNS, 3);
    expect(loses).toBeLessThanOrEqual(0.1);
    expect(earns).toBeLessThanOrEqual(0.05);
  },
);

it('of campaigns that bring half or double, most are called so within 42 days once 40 customers were possible', () => {
  expect(simulateVerdicts(0.5, 40, 42, RUNS, 4).losesBy).toBeGreaterThanOrEqual(0.75);
  expect(simulateVerdicts(2, 40, 42, RUNS, 5).earnsBy).toBeGreaterThanOrEqual(0.75);
});
