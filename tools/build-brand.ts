// Writes the site's icons to public/: node tools/build-brand.ts
// The output is committed. Run it after a change of the mark or its colors.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { BRAND_PATHS } from '../src/ui/brand-paths.ts';

const PUBLIC = path.resolve(import.meta.dirname, '../public');
/** Search engines ask for a multiple of 48 px; browsers scale it to their 16 and 32. */
const FAVICON_SIZE = 48;
/** Share of the side that stays empty around the mark. Launchers crop a maskable icon to a circle of 80 %. */
const INSET = { touch: 0.2, maskable: 0.19 };
const DAY = { ink: '#161e2c', accent: '#2454b3' };
const NIGHT = { ink: '#eeebe4', accent: '#84b7f9' };
const TILE = { background: '#2454b3', ink: '#fbf9f3', accent: '#f8e277' };

const drawMark = (fill: { readonly ink: string; readonly accent: string }) =>
  `<path fill="${fill.ink}" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path fill="${fill.accent}" d="${BRAND_PATHS.left}"/>`;

/** The favicon follows the color scheme of the browser's own surface. */
function buildFavicon(): string {
  const style = `.i{fill:${DAY.ink}}.a{fill:${DAY.accent}}@media(prefers-color-scheme:dark){.i{fill:${NIGHT.ink}}.a{fill:${NIGHT.accent}}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Signpost</title><style>${style}</style><path class="i" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path class="a" d="${BRAND_PATHS.left}"/></svg>\n`;
}

/** The favicon for browsers that show no SVG there, such as Safari: a bitmap cannot follow the color scheme. */
function buildDayMark(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${FAVICON_SIZE}" height="${FAVICON_SIZE}" viewBox="0 0 32 32">${drawMark(DAY)}</svg>`;
}

/** The mark on a blue square of `size` pixels. */
function buildTile(size: number, inset: number): string {
  const scale = (1 - 2 * inset) * (size / 32);
  const move = inset * size;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><path fill="${TILE.background}" d="M0 0h${size}v${size}H0z"/><g transform="translate(${move} ${move}) scale(${scale})">${drawMark(TILE)}</g></svg>`;
}

async function writePng(name: string, svg: string): Promise<void> {
  const png = await sharp(Buffer.from(svg)).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(path.join(PUBLIC, name), png);
}

await writeFile(path.join(PUBLIC, 'favicon.svg'), buildFavicon());
await writePng('favicon.png', buildDayMark());
await writePng('apple-touch-icon.png', buildTile(180, INSET.touch));
for (const size of [192, 512]) await writePng(`icons/maskable-${size}.png`, buildTile(size, INSET.maskable));
