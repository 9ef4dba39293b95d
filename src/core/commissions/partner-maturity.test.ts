import { expect, it } from 'vitest';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import type { ReportedCommission } from './commission-report.ts';
import { foldCommission } from './fold-commission.ts';
import { buildPartnerMaturity } from './partner-maturity.ts';

const WEEK = 7 * 86_400_000;
const NOW = 200 * WEEK;

/** Commissions whose clicks were some weeks ago and which arose some weeks later. */
const create = (count: number, weeksAgo: number, delay: number): ReportedCommission[] =>
  Array.from({ length: count }, () => {
    const clickTime = NOW - weeksAgo * WEEK;
    const fact = buildSampleFact({ status: 'approved', eventTime: clickTime + delay * WEEK });
    return {
      commission: foldCommission([{ ...fact, sequence: 1 }]),
      journey: buildSampleJourney({ clickTime }),
    };
  });

const single = { isRecurring: false, now: NOW };

it('gives a partner with twenty conversions its own curve', () => {
  const own = [...create(10, 10, 0), ...create(10, 10, 1)];
  const maturity = buildPartnerMaturity(own, [...own, ...create(50, 10, 5)], single);
  expect(maturity).toMatchObject({ conversions: 20, isPooled: false });
  expect(maturity?.curve.shares.slice(0, 3)).toEqual([0.5, 1, 1]);
});

it('uses the conversions of all partners for one with fewer, and says so', () => {
  const own = create(19, 10, 0);
  const maturity = buildPartnerMaturity(own, [...own, ...create(19, 10, 1)], single);
  expect(maturity).toMatchObject({ conversions: 19, isPooled: true });
  expect(maturity?.curve.shares[0]).toBe(0.5);
});

it('has no curve with fewer than five conversions of all partners, whose clicks are known', () => {
  const unmatched = create(9, 10, 0).map((entry) => ({ ...entry, journey: null }));
  expect(buildPartnerMaturity([], [...create(4, 10, 0), ...unmatched], single)).toBeNull();
  expect(buildPartnerMaturity([], create(5, 10, 0), single)).toMatchObject({
    isPooled: true,
    conversions: 0,
  });
});

it('waits a year for the commissions of a recurring program, and no longer', () => {
  const own = [...create(20, 120, 0), ...create(20, 120, 80)];
  const recurring = buildPartnerMaturity(own, own, { isRecurring: true, now: NOW });
  expect([recurring?.curve.horizonWeeks, recurring?.curve.shares[0]]).toEqual([52, 1]);
  const once = buildPartnerMaturity(own, own, single);
  expect([once?.curve.horizonWeeks, once?.curve.shares[0]]).toEqual([104, 0.5]);
});
