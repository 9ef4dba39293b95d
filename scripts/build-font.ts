// Makes the display face of the site from the published variable font: node scripts/build-font.ts
// Its output is committed; run it, then `npm run fix`, after an update of the font or a change of the characters.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { DISPLAY_CHARACTERS } from './font/characters.ts';
import { buildFallbackFace, SYSTEM_FACES } from './font/fallback-face.ts';
import { readFontMetrics } from './font/font-metrics.ts';
import { replaceKerning } from './font/sfnt.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PACKAGE = path.dirname(
  fileURLToPath(import.meta.resolve('@fontsource-variable/bricolage-grotesque/package.json')),
);
const SOURCE = path.join(PACKAGE, 'files', 'bricolage-grotesque-latin-opsz-normal.woff2');

/** Drawn for 28 px: tight enough for headlines, still open in a card's title. */
const OPTICAL_SIZE = 28;
const WEIGHTS = { min: 400, max: 700 };
/** The weight of headings, for which kerning and the fallback's width are exact. */
const HEADING_WEIGHT = 640;
const FEATURES = ['kern', 'tnum', 'lnum'];

async function cut(source: Buffer, weight: number | { min: number; max: number }): Promise<Buffer> {
  return subsetFont(source, DISPLAY_CHARACTERS, {
    targetFormat: 'sfnt',
    variationAxes: { opsz: OPTICAL_SIZE, wght: weight },
    keepFeatures: FEATURES,
    noHinting: true,
  });
}

function buildStyles(file: string, fallbacks: readonly string[]): string {
  return `/* Written by scripts/build-font.ts. The fallback faces take the display face's room until it arrives. */
@font-face {
  font-family: "Bricolage";
  src: url("${file}") format("woff2");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  font-style: normal;
  font-display: optional;
}

${fallbacks.join('\n')}`;
}

async function buildFont(): Promise<void> {
  const source = await readFile(SOURCE);
  const [variable, instance] = await Promise.all([cut(source, WEIGHTS), cut(source, HEADING_WEIGHT)]);
  const woff2 = await subsetFont(replaceKerning(variable, instance), '', {
    keepAllGlyphs: true,
    targetFormat: 'woff2',
  });
  const hash = createHash('sha256').update(woff2).digest('hex').slice(0, 8);
  const fonts = path.join(ROOT, 'public', 'fonts');
  await mkdir(fonts, { recursive: true });
  const old = (await readdir(fonts)).filter((name) => name.endsWith('.woff2'));
  await Promise.all(old.map((name) => rm(path.join(fonts, name))));
  const file = `/fonts/bricolage-${hash}.woff2`;
  const metrics = await readFontMetrics(instance);
  await writeFile(path.join(ROOT, 'public', file), woff2);
  await copyFile(path.join(PACKAGE, 'LICENSE'), path.join(fonts, 'LICENSE-bricolage.txt'));
  await writeFile(
    path.join(ROOT, 'src', 'styles', 'font.css'),
    buildStyles(
      file,
      SYSTEM_FACES.map((face) => buildFallbackFace(face, metrics)),
    ),
  );
  await writeFile(
    path.join(ROOT, 'src', 'styles', 'font-file.ts'),
    `/** Path of the display face, for the preload link. Written by scripts/build-font.ts. */\nexport const FONT_FILE = '${file}';\n`,
  );
  console.log(`${file} ${woff2.length} bytes`);
}

await buildFont();
