/** Whether a campaign pays for itself: the rule, without words. `test/calibration.test.ts` tries it. */
import { buildComingRange, type ComingMoney, type Estimate } from './rank-by-earnings.ts';

/** As many customers have to be expected, or seen, before anything is said. */
export const ENOUGH_CUSTOMERS = 5;
/** Of 20 cases, 19 lie within so many standard deviations of the middle. */
const Z_95 = 1.96;

/** What is said of a campaign: strict words are right in 95 of 100 cases, soft ones in 80. */
export type VerdictWord = 'early' | 'loses' | 'probably-loses' | 'open' | 'probably-earns' | 'earns';

/** What a campaign leaves in the end, 12 months after its clicks; minor units. */
export interface CampaignEnd {
  /** In 8 of 10 cases. */
  readonly left: Estimate;
  /** In 19 of 20. */
  readonly sure: Estimate;
}

/**
 * The end of clicks that have brought an amount and cost another one. `undecided`: the variance of the amount, because some of it
 * is pending.
 */
export function buildEnd(coming: ComingMoney, amount: number, undecided: number, cost: number): CampaignEnd {
  const build = (z?: number): Estimate => {
    const { low, mean, high } = buildComingRange({ ...coming, undecided }, z);
    const [from, to] = [Math.max(0, amount + low), Math.max(0, amount + high)];
    return { low: from - cost, mean: amount + mean - cost, high: to - cost };
  };
  return { left: build(), sure: build(Z_95) };
}

/** `seen`: customers so far. `expected`: what the clicks would have brought by now at the site's average, or at break-even. */
export function judge(
  { left, sure }: CampaignEnd,
  { seen, expected }: { readonly seen: number; readonly expected: number },
): VerdictWord {
  if (seen < ENOUGH_CUSTOMERS && expected < ENOUGH_CUSTOMERS) return 'early';
  if (left.high < 0) return sure.high < 0 ? 'loses' : 'probably-loses';
  if (left.low > 0) return sure.low > 0 ? 'earns' : 'probably-earns';
  return 'open';
}
