// Builds the display font of the site from the published variable font: node tools/build-font.ts
// The output is committed. Run it, then `npm run fix`, after an update of the font or a change of its characters.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { buildFallbackFaces, readFontMetrics } from '../scripts/build/font/brand-font.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PACKAGE = path.dirname(
  fileURLToPath(import.meta.resolve('@fontsource-variable/bricolage-grotesque/package.json')),
);
const SOURCE = path.join(PACKAGE, 'files', 'bricolage-grotesque-latin-opsz-normal.woff2');

/** Drawn for 28 px: tight enough for headlines, still open in a card's title. */
const OPTICAL_SIZE = 28;
/** One weight for headings, names and totals: the variable font has 7 kB more, and every first visit loads it. */
const WEIGHT = 640;
/** Kerning, and the tabular lining figures of prices and totals. */
const FEATURES = ['kern', 'tnum', 'lnum'];
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

/** Every character of the font: ASCII, Latin-1 letters, typographic punctuation, currencies, arithmetic signs. */
const CHARACTERS = [
  range(0x20, 0x7e),
  [...range(0xc0, 0xff)].filter((character) => !'×÷'.includes(character)).join(''),
  'Œœ\u00a0–—‘’“”•…€£¥©®°±·×÷−½¼¾',
].join('');

function buildStyles(file: string, fallbacks: readonly string[]): string {
  return `/* Written by tools/build-font.ts. Text in a fallback font takes the space that it takes in the display font. */
@font-face {
  font-family: "Bricolage";
  src: url("${file}") format("woff2");
  font-weight: 400 700;
  font-style: normal;
  font-display: optional;
}

${fallbacks.join('\n')}`;
}

async function buildFont(): Promise<void> {
  const source = await readFile(SOURCE);
  const subset = (targetFormat: 'woff2' | 'sfnt') =>
    subsetFont(source, CHARACTERS, {
      keepFeatures: FEATURES,
      noHinting: true,
      targetFormat,
      variationAxes: { opsz: OPTICAL_SIZE, wght: WEIGHT },
    });
  const woff2 = await subset('woff2');
  const metrics = await readFontMetrics(await subset('sfnt'));
  const hash = createHash('sha256').update(woff2).digest('hex').slice(0, 8);
  const file = `/fonts/bricolage-${hash}.woff2`;
  const fonts = path.join(ROOT, 'public', 'fonts');
  await mkdir(fonts, { recursive: true });
  const previous = (await readdir(fonts)).filter((name) => name.endsWith('.woff2'));
  await Promise.all(previous.map((name) => rm(path.join(fonts, name))));
  await writeFile(path.join(ROOT, 'public', file), woff2);
  await copyFile(path.join(PACKAGE, 'LICENSE'), path.join(fonts, 'LICENSE-bricolage.txt'));
  await writeFile(
    path.join(ROOT, 'src', 'styles', 'font.css'),
    buildStyles(file, buildFallbackFaces('Bricolage', metrics)),
  );
  console.log(`${file} ${woff2.length} bytes`);
}

await buildFont();
