/** Written by `npm run page-schema`: the illustrations that content may name. */
export const ILLUSTRATION_NAMES = [
  'blank-signpost',
  'invoice-fold',
  'one-tab',
  'rating-ledger',
  'signpost-routes',
  'two-weeks',
] as const;
