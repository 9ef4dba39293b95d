import type { WeekStart } from '../../core/console/operator.ts';
import { addDays, addMonths, countDays } from './console-days.ts';
import type { ConsoleQuery } from './console-query.ts';

/** Presets of the range in the order of the menu; `letter` chooses one on the keyboard, as in Plausible. */
export const RANGE_PRESETS = [
  { key: 'today', name: 'Today', short: 'Today', letter: 'd' },
  { key: 'yesterday', name: 'Yesterday', short: 'Yesterday', letter: 'e' },
  { key: '7d', name: 'Last 7 days', short: '7 d', letter: 'w' },
  { key: '28d', name: 'Last 28 days', short: '28 d', letter: 'f' },
  { key: '30d', name: 'Last 30 days', short: '30 d', letter: 't' },
  { key: '91d', name: 'Last 91 days', short: '91 d', letter: 'n' },
  { key: 'month', name: 'This month', short: 'Month', letter: 'm' },
  { key: 'last-month', name: 'Last month', short: 'Last month', letter: 'p' },
  { key: 'year', name: 'This year', short: 'Year', letter: 'y' },
  { key: '12mo', name: 'Last 12 months', short: '12 mo', letter: 'l' },
  { key: 'all', name: 'All time', short: 'All', letter: 'a' },
] as const;

export const DEFAULT_RANGE = '28d';
export const CUSTOM_RANGE = 'custom';

/** First and last day, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** What the days of a preset depend on. */
export interface RangeContext {
  /** Today in the site's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** The day of the oldest event or commission; null without any. */
  readonly firstDay: string | null;
  readonly weekStart: WeekStart;
}

/** The days of a preset; null for an unknown key. */
export function buildPresetRange(
  key: string,
  { today, firstDay }: Pick<RangeContext, 'today' | 'firstDay'>,
): DayRange | null {
  const until = (from: string): DayRange => ({ from, to: today });
  const monthStart = `${today.slice(0, 8)}01`;
  switch (key) {
    case 'today':
      return until(today);
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case '7d':
    case '28d':
    case '30d':
    case '91d':
      return until(addDays(today, 1 - Number.parseInt(key, 10)));
    case 'month':
      return until(monthStart);
    case 'last-month':
      return { from: addMonths(monthStart, -1), to: addDays(monthStart, -1) };
    case 'year':
      return until(`${today.slice(0, 5)}01-01`);
    case '12mo':
      return until(addDays(addMonths(today, -12), 1));
    case 'all':
      return until(firstDay !== null && firstDay < today ? firstDay : today);
    default:
      return null;
  }
}

/** The period before or after one, of the same length; whole months stay whole months. */
export function buildNeighborRange({ from, to }: DayRange, direction: -1 | 1): DayRange {
  const isWholeMonths = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  if (!isWholeMonths) {
    const days = countDays(from, to) * direction;
    return { from: addDays(from, days), to: addDays(to, days) };
  }
  const after = addDays(to, 1);
  const months =
    (Number(after.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
    Number(after.slice(5, 7)) -
    Number(from.slice(5, 7));
  return direction === 1
    ? { from: after, to: addDays(addMonths(after, months), -1) }
    : { from: addMonths(from, -months), to: addDays(from, -1) };
}

/**
 * The days that a period is compared with: the nearest earlier ones on the same weekdays, or the same dates a year
 * before. Null without a comparison.
 */
export function buildComparedRange({
  from,
  to,
  compare,
}: Pick<ConsoleQuery, 'from' | 'to' | 'compare'>): DayRange | null {
  if (compare === 'none') return null;
  if (compare === 'year') return { from: addMonths(from, -12), to: addMonths(to, -12) };
  const days = Math.ceil(countDays(from, to) / 7) * 7;
  return { from: addDays(from, -days), to: addDays(to, -days) };
}
