/** With fewer clicks, what one of them earned says more about chance than about them. */
export const MIN_CLICKS = 50;

/** While less of the money of some clicks has usually arrived, they are young: no verdict, change or range is drawn from them. */
const YOUNG_SHARE = 0.5;

/** What one of some clicks earned, in whole minor units; null below 50 clicks and where clicks are not counted. */
export function getClickValue(earned: number, clicks: number | null): number | null {
  return clicks === null || clicks < MIN_CLICKS ? null : Math.round(earned / clicks);
}

/** What commissions of fewer weeks say about later ones is a guess. */
const KNOWN_WEEKS = 12;

/**
 * The share of the money of some clicks that has usually arrived: null without clicks, 0 while too little is known of how long money
 * takes. `curve`: null with hardly any commission.
 */
export function getArrivedShare(
  clicks: number,
  matureClicks: number,
  curve: { readonly horizonWeeks: number } | null,
): number | null {
  if (clicks === 0) return null;
  return curve === null || curve.horizonWeeks < KNOWN_WEEKS ? 0 : matureClicks / clicks;
}

/** Whether most of the money of clicks is still to come, as far as anybody knows. `arrived`: as of `getArrivedShare`. */
export const isYoung = (arrived: number | null) => arrived !== null && arrived < YOUNG_SHARE;
