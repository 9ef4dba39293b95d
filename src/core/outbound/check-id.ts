/**
 * Returns the day (`YYYY-MM-DD`) of the check of a link that an id names, such as `lc-20261103-9f2c61aa`; null when it is not
 * one. A page can say when the check was without looking it up.
 */
export function parseCheckDay(id: string): string | null {
  const [, year, month, date] = /^lc-(\d{4})(\d{2})(\d{2})-[0-9a-f]{8}$/.exec(id) ?? [];
  const day = `${year}-${month}-${date}`;
  return Number.isNaN(Date.parse(day)) ? null : day;
}
