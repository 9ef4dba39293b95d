import { buildRange, type Estimate } from './rank-by-earnings.ts';

/** What some customers paid in a month: counts, and amounts in minor units of one currency. */
export interface CustomerMonth {
  /** First payments, and what they came to. */
  readonly found: number;
  readonly foundAmount: number;
  /** Payments of customers who were there before. */
  readonly stayed: number;
  readonly stayedAmount: number;
}

/** Money that is likely to come, to which that of others can be added. */
export interface LikelyMoney {
  readonly mean: number;
  /** What chance adds. */
  readonly variance: number;
  /** The standard error from the share of customers who stay, which all money of the same customers has in common. */
  readonly error: number;
}

export const NOTHING_LIKELY: LikelyMoney = { mean: 0, variance: 0, error: 0 };

/** Adds money of the same customers; that of others has no error in common. */
export const addLikely = (all: readonly LikelyMoney[]): LikelyMoney => ({
  mean: sum(all, (one) => one.mean),
  variance: sum(all, (one) => one.variance),
  error: sum(all, (one) => one.error),
});

/** Adds money of different customers. */
export const addIndependent = (all: readonly LikelyMoney[]): LikelyMoney => ({
  ...addLikely(all),
  variance: sum(all, ({ variance, error }) => variance + error ** 2),
  error: 0,
});

/** The 80 % range of what comes. */
export const buildLikelyRange = ({ mean, variance, error }: LikelyMoney): Estimate =>
  buildRange(mean, variance + error ** 2);

/** New customers come as in so many months before. */
const PACE_MONTHS = 6;

function sum<Row>(rows: readonly Row[], get: (row: Row, index: number) => number): number {
  return rows.reduce((all, row, index) => all + get(row, index), 0);
}

/** How many times as much as chance alone would some counts differ from what was likely; at least 1. */
function getDispersion(pairs: readonly (readonly [count: number, mean: number, variance: number])[]): number {
  const known = pairs.filter(([, , variance]) => variance > 0);
  if (known.length < 2) return 1;
  return Math.max(
    1,
    sum(known, ([count, mean, variance]) => (count - mean) ** 2 / variance) / (known.length - 1),
  );
}

/**
 * Projects what the customers of the last of some months will pay in later ones, if as many stay as did so far, and what new
 * ones will bring in `ahead` months, if as many come. `spread`: the mean of the squares of amounts by the square of their mean;
 * `booked`: what of the first month is here already.
 */
export function projectCustomers(
  months: readonly CustomerMonth[],
  { ahead, spread, booked }: Readonly<Record<'ahead' | 'spread' | 'booked', number>>,
) {
  const paying = months.map(({ found, stayed }) => found + stayed);
  const before = sum(paying.slice(0, -1), (count) => count);
  const stayed = sum(months.slice(1), (month) => month.stayed);
  const rate = before === 0 ? 0 : Math.min(1, stayed / before);
  // Nobody left so far, but somebody may.
  const usual = rate === 0 ? 0 : (stayed + 0.5) / (Math.max(before, stayed) + 1);
  const leaving = getDispersion(
    months.slice(1).map((month, index) => {
      const count = paying[index] ?? 0;
      return [month.stayed, count * rate, count * usual * (1 - usual)];
    }),
  );
  const rateError = before === 0 ? 0 : Math.sqrt((leaving * usual * (1 - usual)) / before);
  const customers = paying.at(-1) ?? 0;
  const amount = (months.at(-1)?.foundAmount ?? 0) + (months.at(-1)?.stayedAmount ?? 0);
  return {
    customers,
    leaving: 1 - rate,
    fresh: projectNew(months, { ahead, rate, rateError, spread }),
    /** What they pay in the months from one to before another one; 0 is the first. */
    getLater(from: number, to: number): LikelyMoney {
      const ages = listAges(to).slice(from);
      const alive = sum(ages, (age) => rate ** age);
      const square = sum(ages, (age, index) => (2 * index + 1) * rate ** age);
      return {
        mean: amount * alive - (from === 0 && to > 0 ? Math.min(booked, amount * rate) : 0),
        variance: (amount ** 2 * spread * leaving * (square - alive ** 2)) / Math.max(1, customers),
        error: amount * sum(ages, (age) => age * rate ** (age - 1)) * rateError,
      };
    },
  };
}

const listAges = (count: number) => Array.from({ length: Math.max(0, count) }, (_, index) => index + 1);

/** What customers bring who come from now on: those of each month until the last one. */
function projectNew(
  months: readonly CustomerMonth[],
  { ahead, rate, rateError, spread }: Readonly<Record<'ahead' | 'rate' | 'rateError' | 'spread', number>>,
): LikelyMoney {
  const ages = listAges(ahead);
  const recent = months.slice(-PACE_MONTHS);
  const found = sum(recent, (month) => month.found);
  if (found === 0) return NOTHING_LIKELY;
  const pace = found / recent.length;
  const usual = sum(months, (month) => month.found) / months.length;
  const dispersion = getDispersion(months.map((month) => [month.found, usual, usual]));
  const each = sum(recent, (month) => month.foundAmount) / found;
  // Payments of a customer with so many months left, the first one included: their number, its square and its slope.
  const counts = ages.map((left) => sum(ages.slice(0, left), (age) => rate ** (age - 1)));
  const squares = ages.map((left) => sum(ages.slice(0, left), (age) => (2 * age - 1) * rate ** (age - 1)));
  const slopes = ages.map((left) => sum(ages.slice(1, left), (_, index) => (index + 1) * rate ** index));
  const payments = sum(counts, (count) => count);
  return {
    mean: pace * each * payments,
    variance:
      pace *
      dispersion *
      spread *
      each ** 2 *
      (sum(squares, (square) => square) + payments ** 2 / recent.length),
    error: pace * each * sum(slopes, (slope) => slope) * rateError,
  };
}
