// Builds the fonts of the site from the published variable fonts: node tools/build-font.ts
// The output is committed. Run it, then `npm run fix`, after an update of the font or a change of its characters.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { buildFallbackFaces, readFontMetrics } from '../src/content-files/drawn/brand-font.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** What is cut from a published variable font. Every first visit loads both files. */
interface Cut {
  readonly family: string;
  readonly name: string;
  readonly source: string;
  readonly axes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  readonly characters: string;
}

/** Kerning, and the tabular lining figures of prices and totals. */
const FEATURES = ['kern', 'tnum', 'lnum'];
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

/** Every character of the display font: ASCII, Latin-1 letters, typographic punctuation, currencies, arithmetic signs. */
const CHARACTERS = [
  range(0x20, 0x7e),
  [...range(0xc0, 0xff)].filter((character) => !'×÷'.includes(character)).join(''),
  'Œœ\u00a0–—‘’“”•…€£¥©®°±·×÷−½¼¾',
].join('');

/** Text also has quotations, and the signs of other languages that are written in Latin letters. */
const TEXT_CHARACTERS = `${CHARACTERS}¡¢ª«»¿ŠšŽžŸ‚„†≈≠≤≥←→`;

const CUTS: readonly Cut[] = [
  {
    family: 'Bricolage',
    name: 'bricolage-grotesque',
    source: 'bricolage-grotesque-latin-opsz-normal.woff2',
    // Drawn for 28 px: tight enough for headlines, still open in a card's title. One weight for headings, names and totals.
    axes: { opsz: 28, wght: 640 },
    characters: CHARACTERS,
  },
  {
    family: 'Hanken',
    name: 'hanken-grotesk',
    source: 'hanken-grotesk-latin-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
    characters: TEXT_CHARACTERS,
  },
];

/** Cuts one font, and returns its styles. */
async function buildFont({ family, name, source, axes, characters }: Cut, folder: string): Promise<string> {
  const home = path.dirname(fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/package.json`)));
  const font = await readFile(path.join(home, 'files', source));
  const cut = (targetFormat: 'woff2' | 'sfnt', variationAxes: Cut['axes']) =>
    subsetFont(font, characters, { keepFeatures: FEATURES, noHinting: true, targetFormat, variationAxes });
  const measure = async (wght: number) => readFontMetrics(await cut('sfnt', { ...axes, wght }));
  const woff2 = await cut('woff2', axes);
  const hash = createHash('sha256').update(woff2).digest('hex').slice(0, 8);
  const file = `${family.toLowerCase()}-${hash}.woff2`;
  await writeFile(path.join(folder, file), woff2);
  await copyFile(path.join(home, 'LICENSE'), path.join(folder, `LICENSE-${family.toLowerCase()}.txt`));
  console.log(`${file} ${woff2.length} bytes`);
  const fallbacks =
    typeof axes['wght'] === 'number'
      ? buildFallbackFaces(family, await measure(axes['wght']))
      : buildFallbackFaces(family, await measure(650), await measure(400));
  return `@font-face {
  font-family: "${family}";
  src: url("/fonts/${file}") format("woff2");
  font-weight: 400 700;
  font-style: normal;
  font-display: optional;
}

${fallbacks.join('\n')}`;
}

const fonts = path.join(ROOT, 'public', 'fonts');
await mkdir(fonts, { recursive: true });
const previous = (await readdir(fonts)).filter((name) => name.endsWith('.woff2'));
await Promise.all(previous.map((name) => rm(path.join(fonts, name))));
const styles = await Promise.all(CUTS.map((cut) => buildFont(cut, fonts)));
await writeFile(
  path.join(ROOT, 'src', 'styles', 'font.css'),
  `/* Written by tools/build-font.ts. Text in a fallback font takes the space that it takes in the site's font. */
${styles.join('\n')}`,
);
