/** Writes whole cents as people write dollars: `$1,195`, `$99.50`, `−$47`. */
export function formatDollars(cents: number): string {
  const [whole = '0', rest = '00'] = (Math.abs(cents) / 100).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '\u2212' : ''}$${grouped}${rest === '00' ? '' : `.${rest}`}`;
}
