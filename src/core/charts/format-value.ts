/** A chart's value as read: `$2,400`, `73%`. */
export function formatValue(value: number, unit: '$' | '%'): string {
  const text = String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return unit === '$' ? `$${text}` : `${text}%`;
}
