const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats the UTC day of an ISO 8601 instant as `November 12, 2026`; empty when the text is not an instant. */
export function formatLongDate(instant: string): string {
  return formatDate(instant, LONG);
}

/** Formats the UTC day of an ISO 8601 instant as `Nov 12, 2026`; empty when the text is not an instant. */
export function formatShortDate(instant: string): string {
  return formatDate(instant, SHORT);
}

function formatDate(instant: string, format: Intl.DateTimeFormat): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? '' : format.format(time);
}
