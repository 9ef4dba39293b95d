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

/** Formats the UTC day of an ISO 8601 instant as `November 12, 2026`; empty when the text is not an instant. */
export function formatLongDate(instant: string): string {
  return formatDate(instant, (month) => month);
}

/** Formats the UTC day of an ISO 8601 instant as `Nov 12, 2026`; empty when the text is not an instant. */
export function formatShortDate(instant: string): string {
  return formatDate(instant, (month) => month.slice(0, 3));
}

function formatDate(instant: string, formatMonth: (month: string) => string): string {
  const day = new Date(instant);
  const month = MONTHS[day.getUTCMonth()];
  return month === undefined ? '' : `${formatMonth(month)} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}
