import { DAY_MS } from '../../core/clock.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { SnoozeChoice } from '../../core/console/task.ts';
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

/** The day on which a task that is snoozed on a day (`YYYY-MM-DD`) returns: with its first minute, before the morning. */
export function getReturnDay(choice: SnoozeChoice, today: string): string {
  return choice === 'month' ? addMonths(today, 1) : addDays(today, choice === 'week' ? 7 : 1);
}

/**
 * Presets of the range in the order of the menu. `months`: the
 * preset is that many months of the calendar, perhaps not over yet, or for `12mo` the last ones up to today.
 */
export const RANGE_PRESETS = [
  { key: 'today', name: 'Today', short: 'Today', months: null },
  { key: 'yesterday', name: 'Yesterday', short: 'Yesterday', months: null },
  { key: '7d', name: 'Last 7 days', short: '7 d', months: null },
  { key: '28d', name: 'Last 28 days', short: '28 d', months: null },
  { key: '30d', name: 'Last 30 days', short: '30 d', months: null },
  { key: '91d', name: 'Last 91 days', short: '91 d', months: null },
  { key: 'month', name: 'This month', short: 'Month', months: 1 },
  { key: 'last-month', name: 'Last month', short: 'Last month', months: 1 },
  { key: 'quarter', name: 'This quarter', short: 'Quarter', months: 3 },
  { key: 'last-quarter', name: 'Last quarter', short: 'Last quarter', months: 3 },
  { key: 'year', name: 'This year', short: 'Year', months: 12 },
  { key: 'last-year', name: 'Last year', short: 'Last year', months: 12 },
  { key: '12mo', name: 'Last 12 months', short: '12 mo', months: 12 },
  { key: 'all', name: 'All time', short: 'All', months: null },
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
  const quarterStart = addMonths(monthStart, -((Number(today.slice(5, 7)) - 1) % 3));
  const yearStart = `${today.slice(0, 5)}01-01`;
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
    case 'quarter':
      return until(quarterStart);
    case 'last-quarter':
      return { from: addMonths(quarterStart, -3), to: addDays(quarterStart, -1) };
    case 'year':
      return until(yearStart);
    case 'last-year':
      return { from: addMonths(yearStart, -12), to: addDays(yearStart, -1) };
    case '12mo':
      return until(addDays(addMonths(today, -12), 1));
    case 'all':
      return allTime ?? until(today);
    default:
      return null;
  }
}

const isMonthStart = (day: string) => day.endsWith('-01');
const isWholeMonths = ({ from, to }: DayRange) => isMonthStart(from) && isMonthStart(addDays(to, 1));

function countMonths({ from, to }: DayRange): number {
  const [first = 0, last = 0] = [from, to].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  );
  return last - first + 1;
}

/** A range that may be a preset: its key, or `custom`. */
type NamedRange = DayRange & { readonly range?: string };

/** The months of a preset that is made of months, and of whole months that were chosen by their days; null for others. */
function findMonths({ range = CUSTOM_RANGE, ...days }: NamedRange): number | null {
  const preset = RANGE_PRESETS.find(({ key }) => key === range);
  if (preset !== undefined) return preset.months;
  return isWholeMonths(days) ? countMonths(days) : null;
}

/**
 * The period before or after one: months, quarters and years are those of the calendar, other periods are as long as the
 * given one. No day is between two neighbors, except that a period that is not over is followed by the next of its kind.
 */
export function buildNeighborRange(period: NamedRange, direction: -1 | 1): DayRange {
  const { from, to } = period;
  const months = findMonths(period);
  const days = countDays(from, to);
  if (direction === -1) {
    return { from: months === null ? addDays(from, -days) : addMonths(from, -months), to: addDays(from, -1) };
  }
  if (months === null) return { from: addDays(from, days), to: addDays(to, days) };
  if (!isMonthStart(from)) return { from: addDays(to, 1), to: addMonths(to, months) };
  return { from: addMonths(from, months), to: addDays(addMonths(from, 2 * months), -1) };
}

/** The same days a number of months earlier; whole months stay whole, and days that a month does not have are left out. */
function goBackMonths({ from, to }: DayRange, months: number): DayRange {
  const end = isWholeMonths({ from, to })
    ? addDays(addMonths(addDays(to, 1), -months), -1)
    : addMonths(to, -months);
  return { from: addMonths(from, -months), to: end };
}

/**
 * The days that a period is compared with. `previous`: for months, quarters and years those before them, as far as the
 * period goes (the first 20 days of a month with the first 20 of the month before); for less than a week the same
 * weekdays of the week before; else as many days as the period has, right before it. `year`: the same dates a year
 * before. Null without a comparison.
 */
export function buildComparedRange({
  compare,
  ...period
}: NamedRange & { readonly compare: ConsoleQuery['compare'] }): DayRange | null {
  if (compare === 'none') return null;
  if (compare === 'year') return goBackMonths(period, 12);
  const { range = CUSTOM_RANGE, from, to } = period;
  const isPartOfMonth = range === CUSTOM_RANGE && isMonthStart(from) && countMonths(period) === 1;
  const months = isPartOfMonth ? 1 : findMonths(period);
  if (months !== null) {
    return isMonthStart(from)
      ? goBackMonths({ from, to }, months)
      : { from: addMonths(from, -months), to: addDays(from, -1) };
  }
  const days = Math.max(7, countDays(from, to));
  return { from: addDays(from, -days), to: addDays(to, -days) };
}
