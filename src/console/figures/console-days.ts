import { DAY_MS } from '../../core/clock.ts';
import type { WeekStart } from '../../core/console/operator.ts';

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
