import { BRAND_PATHS } from '../../src/ui/brand-paths.ts';

/** Colours of the mark on its blue tile. */
const TILE = { ground: '#2454b3', post: '#fbf9f3', right: '#fbf9f3', left: '#f8e277' };

/** The favicon: transparent, in ink by day and paper by night, as the browser's chrome is. */
export function buildFavicon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Signpost</title><style>.i{fill:#161e2c}.a{fill:#2454b3}@media(prefers-color-scheme:dark){.i{fill:#eeebe4}.a{fill:#84b7f9}}</style><path class="i" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path class="a" d="${BRAND_PATHS.left}"/></svg>\n`;
}

/** The mark on a blue tile; `inset` is the share of the side that stays empty all around. */
export function buildTile(size: number, inset: number): string {
  const scale = (1 - 2 * inset) * (size / 32);
  const move = inset * size;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><path fill="${TILE.ground}" d="M0 0h${size}v${size}H0z"/><g transform="translate(${move} ${move}) scale(${scale})"><path fill="${TILE.post}" d="${BRAND_PATHS.post}"/><path fill="${TILE.right}" d="${BRAND_PATHS.right}"/><path fill="${TILE.left}" d="${BRAND_PATHS.left}"/></g></svg>`;
}

/** The favicon in its day colours, for the bitmaps that cannot follow the colour scheme. */
export function buildDayMark(size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><path fill="#161e2c" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path fill="#2454b3" d="${BRAND_PATHS.left}"/></svg>`;
}
