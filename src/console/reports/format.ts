import { DAY_MS } from '../../core/clock.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { CUSTOM_RANGE } from './range.ts';

/** The console speaks American English. */
const LOCALE = 'en-US';
const MINUS = '−';
/** What is not known, or cannot be divided. */
export const NO_FIGURE = '–';

const formatters = new Map<string, Intl.NumberFormat>();

function getFormatter(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.NumberFormat(LOCALE, options);
  formatters.set(key, formatter);
  return formatter;
}

const setMinus = (text: string) => text.replace('-', MINUS);

/** Formats minor units exactly, for example `$1,204.50`. */
export function formatMoney(amount: number, currency: string): string {
  const decimal = Number(formatDecimalAmount(Math.round(amount), currency));
  return setMinus(getFormatter(currency, { style: 'currency', currency }).format(decimal));
}

/** Formats minor units for a sentence or an axis: without cents from $100 on, exactly below. */
export function formatShortMoney(amount: number, currency: string): string {
  const decimal = Number(formatDecimalAmount(Math.round(amount), currency));
  if (Math.abs(decimal) < 100 && !Number.isInteger(decimal)) return formatMoney(amount, currency);
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return setMinus(getFormatter(`${currency} short`, options).format(decimal));
}

/** Formats a count with separators. */
export function formatNumber(count: number): string {
  return setMinus(getFormatter('count', { maximumFractionDigits: 0 }).format(count));
}

/** Formats a count with what is counted, `1 click` or `1,200 clicks`; `one`: its singular, with `s` for more. */
export function formatCount(count: number, one: string): string {
  return `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Formats a share from 0 to 1: whole percent from 20 % on, one digit below; all and nothing only where it is so. */
export function formatShare(share: number | null): string {
  if (share === null) return NO_FIGURE;
  if (share > 0 && share < 0.0005) return '< 0.1%';
  if (share >= 0.995 && share < 1) {
    const options = { style: 'percent', maximumFractionDigits: 1, roundingMode: 'floor' } as const;
    return getFormatter('share nearly whole', options).format(share);
  }
  const digits = share !== 0 && Math.abs(share) < 0.1995 ? 1 : 0;
  return getFormatter(`share ${digits}`, { style: 'percent', maximumFractionDigits: digits }).format(share);
}

/** Formats a share from 0 to 1 for a column, always with one digit, so that the figures are aligned. */
export function formatColumnShare(share: number | null): string {
  if (share === null) return NO_FIGURE;
  const options = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return getFormatter('column share', options).format(share);
}

/** Formats an estimated share from 0 to 1 as whole percent: a digit more would be a pretense. */
export function formatRoughShare(share: number): string {
  return getFormatter('rough share', { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** Formats a day for an axis or a list: `Nov 20`, with the year when it is not that of `today`. */
export function formatDay(day: string, today = day): string {
  const isOtherYear = day.slice(0, 4) !== today.slice(0, 4);
  return (isOtherYear ? DAY_OF_YEAR : DAY).format(new Date(`${day}T00:00:00Z`));
}

const DAY_OPTIONS = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const DAY = new Intl.DateTimeFormat(LOCALE, DAY_OPTIONS);
const DAY_OF_YEAR = new Intl.DateTimeFormat(LOCALE, { ...DAY_OPTIONS, year: 'numeric' });

/** The month of a day, `November`. */
export const nameMonth = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(LOCALE, { month: 'long', timeZone: 'UTC' });

/** Formats a period: `Oct 24 – Nov 20`, `Nov 20`, or with years when it does not end in the year of `today`. */
export function formatPeriod(from: string, to: string, today = to): string {
  if (from === to) return formatDay(from, today);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${formatDay(from, isOneYear ? from : '')} – ${formatDay(to, isOneYear ? today : '')}`;
}

/** Formats a period that was chosen: with its year where no preset says that it ends now. */
export function formatChosenPeriod({ range, from, to }: Record<'range' | 'from' | 'to', string>): string {
  return formatPeriod(from, to, range === CUSTOM_RANGE ? '' : to);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Creating a formatter takes longer than formatting a page of times. */
const timeFormatters = new Map<string, Intl.DateTimeFormat>();

/** Formats a moment (ms since 1970) to the minute, for example `Nov 18, 2026, 03:12`. */
export function formatTime(time: number, timeZone: string): string {
  const formatter =
    timeFormatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...DAY_OPTIONS,
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      hourCycle: 'h23',
    });
  timeFormatters.set(timeZone, formatter);
  return formatter.format(time);
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
