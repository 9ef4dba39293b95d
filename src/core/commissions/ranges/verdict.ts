/** Whether what was bought pays for itself: the rule, without words. `test/calibration.test.ts` tries it. */
import { DAY_MS, WEEK_MS } from '../../clock.ts';
import { getMatureShare, type MaturityCurve, PREDICTED_WEEKS } from './maturity.ts';
import { buildRange, type Estimate } from './rank-by-earnings.ts';

/** With less of its money, what clicks have brought says more about delays than about them: there is no single figure. */
export const MIN_RIPE_SHARE = 0.5;
/** As many customers have to be possible at break-even before anything is said. */
export const ENOUGH_CUSTOMERS = 5;
/** Break-even counts as this many customers, so that chance has to be overcome. */
const LINE_CUSTOMERS = 3;
/** Simulated: who looks daily for 90 days calls at most 10 of 100 campaigns that break even losing, and 5 earning. */
const STRICT_Z = 2.2;
/** Beyond as many days, waiting is no plan. */
const MAX_WAIT_DAYS = 180;
/** A strict word holds for as many days before it is said: an operator who looks every day gives chance many tries. */
export const HELD_DAYS = 3;

/** What some clicks earned, and what they would have earned by now on the line that they are judged by; minor units. */
export interface Evidence {
  readonly amount: number;
  readonly line: number;
  /** What a customer brings; see `getCustomerSize`. */
  readonly size: number;
  /** The variance of the amount, because some of it is pending. */
  readonly undecided: number;
}

export const hasEnough = ({ line, size }: Omit<Evidence, 'amount' | 'undecided'>) =>
  size > 0 && line >= ENOUGH_CUSTOMERS * size;

/** On which side of the line clicks are beyond chance, with the line itself as three customers; null: on either. */
function judgeStrictly({ amount, line, size, undecided }: Evidence): 'above' | 'below' | null {
  const added = LINE_CUSTOMERS * size;
  const range = buildRange(
    (amount + added) / (line + added),
    (size * (amount + added) + undecided) / (line + added) ** 2,
    STRICT_Z,
  );
  return range.low > 1 ? 'above' : range.high < 1 ? 'below' : null;
}

/** A verdict on a line: strict words hold for three days and agree with the range that is shown. */
export type VerdictWord = 'early' | 'loses' | 'probably-loses' | 'open' | 'probably-earns' | 'earns';

/** `evidence`: as of the last three days, today first. `range`: what each unit of the line is predicted to bring. */
export function judge(evidence: readonly Evidence[], range: Estimate | null): VerdictWord {
  const [today] = evidence;
  if (today === undefined || range === null || !hasEnough(today)) return 'early';
  if (range.low <= 1 && range.high >= 1) return 'open';
  const side = range.low > 1 ? 'above' : 'below';
  const isSure = evidence.length >= HELD_DAYS && evidence.every((one) => judgeStrictly(one) === side);
  if (side === 'above') return isSure ? 'earns' : 'probably-earns';
  return isSure ? 'loses' : 'probably-loses';
}

/** An amount that counts on a day, such as a cost; the day by its beginning, ms since 1970. */
export interface DayAmount {
  readonly time: number;
  readonly amount: number;
}

/** What days of a cost would have brought by now if it came back within half a year. */
export const sumRipe = (days: readonly DayAmount[], curve: MaturityCurve, now: number) => {
  const final = getMatureShare(curve, PREDICTED_WEEKS * WEEK_MS);
  return days.reduce(
    (sum, { time, amount }) =>
      sum + (time > now ? 0 : (amount * getMatureShare(curve, now - time - DAY_MS / 2)) / final),
    0,
  );
};

/**
 * In how many days there will be enough to judge, at as much a day as `daily`; null beyond half a year. `goal`: as much has to
 * be ripe.
 */
export function findWait(
  days: readonly DayAmount[],
  daily: number,
  goal: number,
  known: { curve: MaturityCurve; now: number },
) {
  const { curve, now } = known;
  const isEnough = (wait: number) => {
    const then = now + wait * DAY_MS;
    const added = Array.from({ length: wait }, (_, day) => ({ time: now + day * DAY_MS, amount: daily }));
    return sumRipe(days, curve, then) + sumRipe(added, curve, then) >= goal;
  };
  let [low, high] = [0, MAX_WAIT_DAYS];
  if (!isEnough(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How much of the line has to be ripe until the strict rule holds, if it goes on as it does; null where that is far away. */
export function findSure({ amount, line, size, undecided }: Evidence): number | null {
  if (line <= 0) return null;
  for (let factor = 1; factor < 50; factor *= 1.1) {
    const grown = { amount: amount * factor, line: line * factor, size, undecided: undecided * factor };
    if (judgeStrictly(grown) !== null) return grown.line;
  }
  return null;
}
