import { DAY_MS, WEEK_MS } from '../clock.ts';

/** Whether the runtime knows an IANA time zone, for example `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

/** Creating a formatter takes longer than everything else that a row of an import needs. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/**
 * The difference between local time in a zone and UTC at a moment (ms since 1970); in ms, positive east of Greenwich.
 */
function getOffset(time: number, timeZone: string): number {
  const parts = getFormatter(timeZone).formatToParts(time);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  );
  return local - Math.floor(time / 1000) * 1000;
}

/** A time in which the difference to UTC stays the same. */
export interface OffsetSpan {
  /** End, exclusive, in ms since 1970. */
  readonly until: number;
  /** ms; positive east of Greenwich. */
  readonly offset: number;
}

/** The differences between local time and UTC from one moment to another (ms since 1970, both inclusive). */
export function getOffsets(from: number, to: number, timeZone: string): readonly OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let offset = getOffset(from, timeZone);
  for (let time = from; time < to; ) {
    const next = Math.min(time + WEEK_MS, to);
    const after = getOffset(next, timeZone);
    if (after !== offset) spans.push({ until: findChange(time, next, timeZone), offset });
    offset = after;
    time = next;
  }
  return [...spans, { until: Number.MAX_SAFE_INTEGER, offset }];
}

/** The first moment after `before` at which the offset is that of `after`; to the second, as zones change. */
function findChange(before: number, after: number, timeZone: string): number {
  const last = getOffset(after, timeZone);
  let [low, high] = [Math.floor(before / 1000), Math.ceil(after / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (getOffset(middle * 1000, timeZone) === last) high = middle;
    else low = middle;
  }
  return high * 1000;
}

/**
 * The moment (ms since 1970) of a local time in a zone. `local` is what `Date.UTC` gives for the local fields. In the
 * hour that a change to winter time repeats it is the earlier moment; in the hour that a change to summer time skips
 * it is the moment that the same clock would show without the change.
 */
export function toUtc(local: number, timeZone: string): number {
  return findUtc(local, timeZone) ?? local - getOffset(local - DAY_MS, timeZone);
}

/** The same moment; null in the hour that the clock skips. */
function findUtc(local: number, timeZone: string): number | null {
  const candidates = [
    local - getOffset(local - DAY_MS, timeZone),
    local - getOffset(local + DAY_MS, timeZone),
  ];
  const exact = candidates.filter((time) => time + getOffset(time, timeZone) === local);
  return exact.length > 0 ? Math.min(...exact) : null;
}

/**
 * Writes a local time in a zone (`2026-03-12T09:00`) as a moment with its offset, `2026-03-12T09:00:00+01:00`. null: it is no
 * time, or the change to summer time skips it.
 */
export function formatInstant(local: string, timeZone: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null;
  const asUtc = Date.parse(`${local}:00Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local)) return null;
  const time = toUtc(asUtc, timeZone);
  const minutes = getOffset(time, timeZone) / 60_000;
  if (time + minutes * 60_000 !== asUtc) return null;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = [hours, rest].map((part) => String(Math.round(part)).padStart(2, '0')).join(':');
  return `${local}:00${minutes < 0 ? '-' : '+'}${offset}`;
}

/** The local time of a moment (ms since 1970) in a zone, `2026-03-12T09:00`. */
export function getLocalMinute(time: number, timeZone: string): string {
  return new Date(time + getOffset(time, timeZone)).toISOString().slice(0, 16);
}

/** The local calendar day (`2026-11-20`) of a moment (ms since 1970) in a zone. */
export function getLocalDay(time: number, timeZone: string): string {
  return new Date(time + getOffset(time, timeZone)).toISOString().slice(0, 10);
}

/** Zones change at full quarters of an hour. */
const QUARTER_MS = 900_000;
const MAX_QUARTERS = 100_000;

/** Creates a function that returns the number since 1970 of the local day of a moment; what it has asked it remembers. */
export function createDayCounter(timeZone: string): (time: number) => number {
  const offsets = new Map<number, number>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    const offset = offsets.get(quarter) ?? getOffset(quarter * QUARTER_MS, timeZone);
    if (offsets.size > MAX_QUARTERS) offsets.clear();
    offsets.set(quarter, offset);
    return Math.floor((time + offset) / DAY_MS);
  };
}

/** Of some 50 years: schedules name the same days again and again. */
const MAX_NAMES = 20_000;
const dayNames = new Map<number, string>();

/** The day (`2026-11-20`) of a number of days since 1970. */
export function nameDay(day: number): string {
  const known = dayNames.get(day);
  if (known !== undefined) return known;
  const name = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (dayNames.size >= MAX_NAMES) dayNames.clear();
  dayNames.set(day, name);
  return name;
}

/** The day (`2026-11-20`) a number of days after another one. */
export const addDays = (day: string, days: number) => nameDay(Date.parse(day) / DAY_MS + days);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * How the numbers of a date such as `03/04/2026` can be read; `year-first` is that of short years, as `26/10/25`, and `year-day` that of
 * `2026-20-11`, as Kyrgyz has it.
 */
export const DAY_ORDERS = ['month-first', 'day-first', 'year-first', 'year-day'] as const;

/** `unknown`: a date has to say so itself. */
export type DayOrder = (typeof DAY_ORDERS)[number] | 'unknown';

/** Time zones differ by at most 26 hours. */
export const MAX_AHEAD_MS = 26 * 3_600_000;
const MAX_AGE_MS = 3_653 * DAY_MS;

/** Why a commission or a cost that is known at `now` cannot be of a time (ms since 1970); null when it can. */
export const findTimeProblem = (time: number, now: number) =>
  time > now + MAX_AHEAD_MS ? 'is ahead' : time < now - MAX_AGE_MS ? 'is more than ten years ago' : null;

/**
 * Parses a date or a date and time as networks write them: ISO 8601, `2026-11-20 13:05:00`, `2026/11/20`,
 * `11/20/2026`, `11/20/26`, `20.11.2026 13:05`, `Nov 20, 2026 1:05:00 PM PST`, `20 November 2026`, or seconds or
 * milliseconds since 1970; also what databases, mail and the usual languages write by themselves: `20-NOV-2026`, `20261120T130500Z`,
 * `Fri, 20 Nov 2026 13:05:00 +0100`, `Fri Nov 20 2026 13:05:00 GMT+0100 (CET)`. Fractions of seconds count to the millisecond. Without an offset of its own it is a local time
 * in `timeZone`. Null for anything else, and for days and times of a clock that do not exist.
 */
export function parseDate(text: string, timeZone: string, order: DayOrder): number | null {
  const swapped = order === 'year-day' ? text.trim().replace(YEAR_FIRST, '$1-$3-$2') : text.trim();
  const value = REWRITTEN.reduce((known, [written, by]) => known.replace(written, by), swapped);
  if (/^\d{10}(\.\d+)?$/.test(value)) return Math.floor(Number(value) * 1000);
  if (/^\d{13}$/.test(value)) return Number(value);
  const [date = '', time = ''] = splitDateTime(value);
  const day = parseDay(date, order);
  if (day === null) return null;
  if (time === '') return toUtc(day, timeZone);
  const match =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([ap]m)?\s*(z|[a-z]{3,4}|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
      time,
    );
  if (match === null) return null;
  const [, hours = '', minutes = '', seconds = '0', fraction = '', half = '', offset = ''] = match;
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = day + ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  if (offset === '') {
    const time = findUtc(local, timeZone);
    return time === null ? null : milliseconds + time;
  }
  const ms = parseOffset(offset);
  return ms === null ? null : milliseconds + local - ms;
}

/** A date whose second number is nearly always the month; a time behind `T` makes it that of ISO 8601. */
export const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})(?![\dT])/;

/** Spellings of the same date: the name of a weekday and of a zone beside its offset say nothing more. */
const REWRITTEN: readonly (readonly [written: RegExp, by: string])[] = [
  [/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i, ''],
  [/\s*(?:\([^()]*\)|\[[^[\]]*\])$/, ''],
  [/\s(?:GMT|UTC)(?=[+-]\d)/i, ''],
  [/^([a-z]{3} \d{1,2}) (\d{2}:\d{2}:\d{2} [a-z]{3,4}) (\d{4})$/i, '$1, $3 $2'],
  [/^(\d{4})(\d{2})(\d{2})(?=$|T)/, '$1-$2-$3'],
  [/(?<=T\d{2})(\d{2})(\d{2})(?=$|[.,Z+-])/i, ':$1:$2'],
];

function splitDateTime(value: string): readonly string[] {
  const match =
    /^(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}\/\d{1,2}\/\d{2}|.*?\d{4})(?:[T\s,]+(\d{1,2}:\d{2}.*))?$/.exec(
      value,
    );
  return match === null ? [] : [match[1] ?? '', match[3] ?? ''];
}

/** The day as `Date.UTC` gives it; null when there is no such day. */
function parseDay(date: string, order: DayOrder): number | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(date);
  if (iso) return buildDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const short = order === 'year-first' && /^(\d{2})\/(\d{1,2})\/(\d{2})$/.exec(date);
  if (short) return buildDay(2000 + Number(short[1]), Number(short[2]), Number(short[3]));
  const full = date.replace(/^(\d{1,2}\/\d{1,2}\/)(\d{2})$/, '$120$2');
  const numbers = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(full);
  if (numbers) {
    const [first, second, year] = [Number(numbers[1]), Number(numbers[3]), Number(numbers[4])];
    // A dot is never used with the month first.
    if (order === 'unknown' && numbers[2] !== '.' && isAmbiguousDay(date)) return null;
    const isDayFirst = order === 'day-first' || numbers[2] === '.' || (order === 'unknown' && first > 12);
    return isDayFirst ? buildDay(year, second, first) : buildDay(year, first, second);
  }
  const words =
    /^(?:([a-z]{3,9})\.?\s+(\d{1,2})|(\d{1,2})(?:\.?\s+|-)([a-z]{3,9})\.?),?[\s-]\s*(\d{4})$/i.exec(date);
  if (words === null) return null;
  const month = MONTHS.indexOf((words[1] ?? words[4] ?? '').slice(0, 3).toLowerCase()) + 1;
  return buildDay(Number(words[5]), month, Number(words[2] ?? words[3]));
}

/** Whether a text begins with a date that can begin with the day or the month, or with the day or a short year. */
export function isAmbiguousDay(text: string): boolean {
  const [, first, second, year] = /^\s*(\d{1,2})[/-](\d{1,2})[/-](\d{2,4})/.exec(text) ?? [];
  const isShort = year?.length === 2 && Number(first) > 15 && Number(first) <= 31 && Number(year) <= 31;
  return Number(second) <= 12 && (isShort || (Number(first) <= 12 && Number(first) !== Number(second)));
}

function buildDay(year: number, month: number, day: number): number | null {
  const time = Date.UTC(year, month - 1, day);
  const date = new Date(time);
  const isSame = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return isSame && date.getUTCDate() === day ? time : null;
}

/** Hours of the zone names of RFC 5322 and of Europe; other names belong to several zones. */
const ZONE_HOURS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    Z: 0,
    UTC: 0,
    GMT: 0,
    EST: -5,
    EDT: -4,
    CST: -6,
    CDT: -5,
    MST: -7,
    MDT: -6,
    PST: -8,
    PDT: -7,
  }).concat(Object.entries({ WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3 })),
);

/** ms; null for an offset that no zone has, and for the name of a zone that is not known. */
function parseOffset(text: string): number | null {
  const match = /^([+-])(\d{2}):?([0-5]\d)?$/.exec(text);
  if (match !== null) {
    const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
    // From the Line Islands to Baker Island.
    return match[1] === '+' && minutes <= 14 * 60
      ? minutes * 60_000
      : match[1] === '-' && minutes <= 12 * 60
        ? -minutes * 60_000
        : null;
  }
  const hours = ZONE_HOURS.get(text.toUpperCase());
  return hours === undefined ? null : hours * 3_600_000;
}
