import { BRAND_PATHS } from '../../../src/ui/brand-paths.ts';

/** The mark of the brand as SVG paths in a box of 32: post and right arm in ink, left arm in the accent color. */
export function drawBrandMark(fill: { readonly ink: string; readonly accent: string }): string {
  return [
    `<path fill="${fill.ink}" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/>`,
    `<path fill="${fill.accent}" d="${BRAND_PATHS.left}"/>`,
  ].join('');
}
