import { DAY_MS } from '../../core/clock.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { SnoozeChoice } from '../../core/console/task.ts';

/** Whether a text is a calendar day that exists, `YYYY-MM-DD`, between the years 2000 and 2100. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
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

/** Presets of the range in the order of the menu. */
export const RANGE_PRESETS = [
  { key: '28d', name: 'Last 28 days' },
  { key: '3mo', name: 'Last 3 months' },
  { key: '12mo', name: 'Last 12 months' },
  { key: 'year', name: 'This year' },
  { key: 'all', name: 'All' },
] as const;

export const DEFAULT_RANGE = '12mo';
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
  switch (key) {
    case '28d':
      return until(addDays(today, -27));
    case '3mo':
      return until(addDays(addMonths(today, -3), 1));
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

/** The months of a range, the first and the last one as far as they are in it. */
export function listMonths({ from, to }: DayRange) {
  const months: { readonly month: string; readonly from: string; readonly to: string }[] = [];
  for (let start = `${from.slice(0, 8)}01`; start <= to; start = addMonths(start, 1)) {
    const end = addDays(addMonths(start, 1), -1);
    const days = { from: start < from ? from : start, to: end > to ? to : end };
    months.push({ month: start.slice(0, 7), ...days });
  }
  return months;
}

/** The months that a chart draws: whole ones, and the last one, which is open. Days before them are in its table alone. */
export const listDrawn = <Month extends { readonly from: string }>(months: readonly Month[]) =>
  months.filter(({ from }, index) => from.endsWith('-01') || index === months.length - 1);
