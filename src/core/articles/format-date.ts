const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Writes the day of an ISO 8601 instant in long US form: `November 12, 2026`; empty when it is no instant. */
export function formatLongDate(instant: string): string {
  return format(LONG, instant);
}

/** Writes the day of an ISO 8601 instant in short US form: `Nov 12, 2026`; empty when it is no instant. */
export function formatShortDate(instant: string): string {
  return format(SHORT, instant);
}

function format(form: Intl.DateTimeFormat, instant: string): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? '' : form.format(time);
}
