import { expect, it } from 'vitest';
import { AMOUNTS, calibrate } from './support/calibration.ts';

// The errors of so few sites are added; `npm run bench -- calibration` has more, and writes the table in docs/attribution.md.
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
