import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkitten';
import subsetFont from 'subset-font';
import { createFolder, storeWhole } from '../../../src/stores/disk.ts';
import type { BrandFont } from '../font/brand-font.ts';

/** The display face as the images need it: static, uncompressed, with all the letters it has. */
export interface OgFont {
  readonly family: string;
  readonly files: readonly string[];
  /** Advance of a character in em; undefined: the face does not have it. */
  advance(character: string): number | undefined;
}

const PACKAGE = path.dirname(
  fileURLToPath(import.meta.resolve('@fontsource-variable/bricolage-grotesque/package.json')),
);
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const;
/** A headline of 50 to 90 px, as heavy as the site's. */
const AXES = { opsz: 48, wght: 640 };

/** Opens the brand's own face, or the shipped one. `dir`: where the renderer finds the files. */
export async function openOgFont(dir: string, own: BrandFont | null): Promise<OgFont> {
  createFolder(dir);
  const files = own === null ? await openShippedFace(dir) : [await writeOwnFace(dir, own)];
  const fonts = files.map(({ data }) => create(data)).filter((font) => 'unitsPerEm' in font);
  return {
    family: fonts[0]?.familyName ?? 'Bricolage Grotesque',
    files: files.map(({ file }) => file),
    advance: (character) => {
      const code = character.codePointAt(0) ?? 0;
      const font = fonts.find((one) => one.hasGlyphForCodePoint(code));
      return font && font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
    },
  };
}

async function writeOwnFace(dir: string, { heading: data }: BrandFont) {
  const file = path.join(dir, `brand-${createHash('sha256').update(data).digest('hex').slice(0, 10)}.ttf`);
  await storeWhole(file, data);
  return { file, data };
}

/** Cuts the shipped face, or takes it from the folder. */
async function openShippedFace(dir: string) {
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  return Promise.all(SUBSETS.map((subset) => openSubset(dir, subset, version)));
}

async function openSubset(dir: string, subset: string, version: string) {
  const file = path.join(dir, `bricolage-${subset}-${version}-${AXES.opsz}-${AXES.wght}.ttf`);
  try {
    return { file, data: await readFile(file) };
  } catch {
    const source = await readFile(
      path.join(PACKAGE, 'files', `bricolage-grotesque-${subset}-opsz-normal.woff2`),
    );
    const data = await subsetFont(source, '', {
      keepAllGlyphs: true,
      targetFormat: 'sfnt',
      variationAxes: AXES,
      noHinting: true,
    });
    await storeWhole(file, data);
    return { file, data };
  }
}
