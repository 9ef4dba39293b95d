import { DAY_MS } from '../../core/clock.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { ConsoleQuery } from './query.ts';

/** Whether a text is a calendar day that exists, `YYYY-MM-DD`, between the years 2000 and 2100. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day that is a number of days later; earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day a number of months later; the last day of the month when there is no such day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The number of days from one day to another, both inclusive. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** The first day of the week of a day. */
export function getWeekStart(day: string, weekStart: WeekStart): string {
  const offset = weekStart === 'monday' ? 6 : 0;
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + offset) % 7));
}

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
  /** From the oldest event or commission to today, or to the newest of them; null when no one asked. */
  readonly allTime: DayRange | null;
  readonly weekStart: WeekStart;
}

/** The days of a preset; null for an unknown key. */
export function buildPresetRange(key: string, { today, allTime }: RangeContext): DayRange | null {
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
      return allTime ?? until(today);
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
