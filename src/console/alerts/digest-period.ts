import { getLocalDay, toUtc } from '../../core/commissions/local-time.ts';
import type { DigestChoice, WeekStart } from '../../core/console/operator.ts';
import { addDays } from '../figures/console-days.ts';

/** How often a digest is sent. */
export type DigestFrequency = Exclude<DigestChoice, 'off'>;

/** The days that a digest is about, `YYYY-MM-DD`, both inclusive. */
export interface DigestPeriod {
  /** Identifies the digest. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

const FIRST_WEEKDAY: Readonly<Record<WeekStart, number>> = { sunday: 0, monday: 1 };
const DAYS: Readonly<Record<DigestFrequency, number>> = { daily: 1, weekly: 7 };

/**
 * Finds the digest that is due at a moment (ms since 1970): from `hour` (local time of the zone) of each day, or of
 * each first day of a week, until that day ends. It is about the days before. In the night in which the clock skips
 * the hour, it is due when the hour would have been; where the clock shows the hour twice, at the first. Null when no
 * digest is due.
 */
export function findDueDigest(
  now: number,
  {
    frequency,
    hour,
    timeZone,
    weekStart,
  }: {
    readonly frequency: DigestFrequency;
    readonly hour: number;
    readonly timeZone: string;
    readonly weekStart: WeekStart;
  },
): DigestPeriod | null {
  const today = getLocalDay(now, timeZone);
  const date = new Date(`${today}T00:00:00Z`);
  if (frequency === 'weekly' && date.getUTCDay() !== FIRST_WEEKDAY[weekStart]) return null;
  if (now < toUtc(date.getTime() + hour * 3_600_000, timeZone)) return null;
  return { key: `${frequency}:${today}`, from: addDays(today, -DAYS[frequency]), to: addDays(today, -1) };
}
