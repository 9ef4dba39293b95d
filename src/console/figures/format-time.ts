import { DAY_MS } from '../../core/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Creating a formatter takes longer than formatting a page of times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${Object.keys(options).join()}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', { ...options, timeZone, hourCycle: 'h23' });
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a moment (ms since 1970) to the minute, for example `Nov 18, 2026, 03:12`. */
export function formatTime(time: number, timeZone: string): string {
  const options = {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return getFormatter(timeZone, options).format(time);
}

/** Formats the time of the day to the second, for example `03:12:07`. */
export function formatClockTime(time: number, timeZone: string): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return getFormatter(timeZone, options).format(time);
}

/** Formats a length of time in ms in its largest unit: `40 min`, `9 h`, `47 d`; one digit below ten days. */
export function formatDuration(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  const days = ms / DAY_MS;
  return `${days < 10 ? Math.round(days * 10) / 10 : Math.round(days)} d`;
}

/** Formats how long ago a moment was, for example `9 h ago`, in whole days from two on; `now` for moments ahead. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  if (age < MINUTE_MS) return 'now';
  return `${age < 2 * DAY_MS ? formatDuration(age) : `${Math.round(age / DAY_MS)} d`} ago`;
}
