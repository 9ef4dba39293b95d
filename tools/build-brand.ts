// Writes the site's icons to public/: node tools/build-brand.ts
// The output is committed. Run it after a change of the mark or its colors.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { drawBrandMark, drawIcon } from '../src/content-files/drawn/brand-icons.ts';
import { ICONS } from '../src/content-files/drawn/plan.ts';
import { BRAND_PATHS } from '../src/core/pages/brand/brand-paths.ts';

const PUBLIC = path.resolve(import.meta.dirname, '../public');
/** Search engines ask for a multiple of 48 px; browsers scale it to their 16 and 32. */
const FAVICON_SIZE = 48;
const DAY = { ink: '#161e2c', accent: '#2454b3' };
const NIGHT = { ink: '#eeebe4', accent: '#84b7f9' };

/** The favicon follows the color scheme of the browser's own surface. */
function buildFavicon(): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Signpost</title>',
    `<style>.i{fill:${DAY.ink}}.a{fill:${DAY.accent}}`,
    `@media(prefers-color-scheme:dark){.i{fill:${NIGHT.ink}}.a{fill:${NIGHT.accent}}}</style>`,
    `<path class="i" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path class="a" d="${BRAND_PATHS.left}"/></svg>\n`,
  ].join('');
}

/** The favicon for browsers that show no SVG there, such as Safari: a bitmap cannot follow the color scheme. */
function buildDayMark(): string {
  const size = `width="${FAVICON_SIZE}" height="${FAVICON_SIZE}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 32 32">${drawBrandMark(DAY)}</svg>`;
}

async function writePng(name: string, svg: string): Promise<void> {
  const png = await sharp(Buffer.from(svg)).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(path.join(PUBLIC, name), png);
}

await writeFile(path.join(PUBLIC, 'favicon.svg'), buildFavicon());
await writePng('favicon.png', buildDayMark());
for (const { name } of ICONS) await writeFile(path.join(PUBLIC, name), await drawIcon(name, {}));
