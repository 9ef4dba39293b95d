const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Writes the day of an ISO 8601 instant in long US form: `November 12, 2026`; empty when it is no instant. */
export function formatLongDate(instant: string): string {
  return formatDate(instant, (month) => month);
}

/** Writes the day of an ISO 8601 instant in short US form: `Nov 12, 2026`; empty when it is no instant. */
export function formatShortDate(instant: string): string {
  return formatDate(instant, (month) => month.slice(0, 3));
}

function formatDate(instant: string, write: (month: string) => string): string {
  const day = new Date(instant);
  const month = MONTHS[day.getUTCMonth()];
  return month === undefined ? '' : `${write(month)} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}
