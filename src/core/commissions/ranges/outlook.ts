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

/** Adds money of different customers. */
export const addIndependent = (all: readonly LikelyMoney[]): LikelyMoney => ({
  mean: sum(all, (one) => one.mean),
  variance: sum(all, ({ variance, error }) => variance + error ** 2),
  error: 0,
});

/** The 80 % range of what comes. */
export const buildLikelyRange = ({ mean, variance, error }: LikelyMoney): Estimate =>
  buildRange(mean, variance + error ** 2);

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
 * Projects what the customers of the last of some months will pay in later ones, if as many stay as did so far. `spread`: the
 * mean of the squares of amounts by the square of their mean; `booked`: what of the first month is here already, in minor units.
 */
export function projectCustomers(
  months: readonly CustomerMonth[],
  { spread, booked }: Readonly<Record<'spread' | 'booked', number>>,
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
