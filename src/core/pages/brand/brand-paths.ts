/** The signpost in a box of 32: edges on even units, so that they fall on whole pixels at 16. */
export const BRAND_PATHS = {
  post: 'M14 2h4v28h-4z',
  right: 'M6 4h18l6 4-6 4H6z',
  left: 'M26 14H8l-6 4 6 4h18z',
} as const;
