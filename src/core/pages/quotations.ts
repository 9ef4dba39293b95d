/**
 * The quotations that a block shows: those of customers when there are any, else the samples, unless the site hides
 * them.
 */
export function listShownQuotations<T extends { readonly sample: boolean }>(
  quotations: readonly T[],
  samples: 'show' | 'hide',
): readonly T[] {
  const real = quotations.filter(({ sample }) => !sample);
  return real.length > 0 || samples === 'hide' ? real : quotations;
}
