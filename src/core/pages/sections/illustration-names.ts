/** The drawings that content may name; `src/ui/illustrations/` holds one component each. */
export const ILLUSTRATION_NAMES = [
  'blank-signpost',
  'invoice-fold',
  'one-tab',
  'rating-ledger',
  'signpost-routes',
  'two-weeks',
] as const;
