/** Builds the time (ms since 1970) before which events are too old to keep: `months` calendar months before `now`. */
export function buildRetentionLimit(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // 31 May minus 3 months is no 31 February: the last day of that month instead.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
