import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fromBuffer } from '@capsizecss/unpack';
import { create, type Font } from 'fontkitten';
import { ContentError } from '../../core/pages/content.ts';
import { storeWhole } from '../../stores/disk.ts';
import { type DrawnFont, isMissingPackage, type PreparedImage } from '../image-thread.ts';
import { readBrandSettings } from '../read-content.ts';
import { hashDrawn, nameDrawn } from './plan.ts';

/** A display font of the operator's own. */
export interface BrandFont {
  readonly file: string;
  readonly source: Buffer;
  /** Value of `font-weight` in `@font-face`. */
  readonly weights: string;
  /** The font at the weight of headings: static and uncompressed, with all of its characters. */
  readonly heading: Buffer;
  readonly metrics: FontMetrics;
}

const FAMILY = 'Brand';
/** Every page loads the font. */
const MAX_BYTES = 100_000;
const HEADING_WEIGHT = 640;
const DAMAGED = 'is damaged, or is a collection of fonts';
/** What names, headings and totals need at least. */
const REQUIRED = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:?$%-'];

/** Reads the font file that `brand.yaml` names; null without one. Throws `ContentError` when it cannot be used. */
export async function readBrandFont(contentDir: string): Promise<BrandFont | null> {
  const { displayFont } = readBrandSettings(contentDir);
  if (!displayFont.endsWith('.woff2')) return null;
  const name = displayFont.slice('../'.length);
  const refuse = (reason: string) =>
    new ContentError([
      { file: 'brand.yaml', field: 'field displayFont', reason: `names content/${name}, which ${reason}` },
    ]);
  const file = await realpath(path.join(contentDir, name)).catch(() => null);
  if (file === null) throw refuse('does not exist');
  if (!file.startsWith((await realpath(contentDir)) + path.sep)) throw refuse('is a link out of content/');
  const source = await readFile(file);
  const problem = findProblem(source);
  if (problem !== null) throw refuse(problem);
  try {
    return { file, source, ...(await convertFont(source)) };
  } catch (error) {
    if (isMissingPackage(error)) throw error;
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Writes the font of the brand as pages load it and as sharing images are drawn with it; null without one. Throws
 * `ContentError` when it cannot be used.
 */
export async function prepareFont(contentDir: string, folder: string): Promise<DrawnFont | null> {
  const font = await readBrandFont(contentDir);
  if (font === null) return null;
  const address = `/fonts/brand.${hashDrawn(font.source)}.woff2`;
  const heading = nameDrawn(address).replace('.woff2', '.ttf');
  await storeWhole(path.join(folder, nameDrawn(address)), font.source);
  await storeWhole(path.join(folder, heading), font.heading);
  return { address, heading, styles: buildBrandFontStyles(font, address) };
}

/** Checks a font that an operator has sent; TrueType and OpenType become WOFF2. */
export async function readSentFont(content: Uint8Array): Promise<PreparedImage> {
  const given = Buffer.from(content);
  const isPlain = ['00010000', '74727565', '4f54544f'].includes(given.toString('hex', 0, 4));
  const refused = isPlain ? findExcess(given, 20 * MAX_BYTES) : findProblem(given);
  if (refused !== null) return { reason: refused };
  try {
    parseFont(given);
    const { default: subsetFont } = await import('subset-font');
    const all = { keepAllGlyphs: true, targetFormat: 'woff2' } as const;
    const source = isPlain ? await subsetFont(given, '', all).catch(() => null) : given;
    if (source === null) return { reason: DAMAGED };
    const problem = findProblem(source);
    if (problem !== null) return { reason: problem };
    await convertFont(source);
    return { content: source, extension: 'woff2' };
  } catch (error) {
    if (isMissingPackage(error)) throw error;
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Why the file cannot be used, before it is decoded. */
function findProblem(source: Buffer): string | null {
  if (source.toString('latin1', 0, 4) !== 'wOF2') {
    return 'is not in the WOFF2 format: convert it, a new file ending is not enough';
  }
  return findExcess(source, MAX_BYTES);
}

function findExcess(source: Buffer, max: number): string | null {
  const [size, limit] = [source.length, MAX_BYTES].map((bytes) => Math.ceil(bytes / 1000));
  return source.length > max
    ? `has ${size} kB; the limit is ${limit} kB: every page loads it, so keep only the characters you use`
    : null;
}

async function convertFont(source: Buffer): Promise<Omit<BrandFont, 'file' | 'source'>> {
  const { default: subsetFont } = await import('subset-font');
  const { missing, wght, axes } = parseFont(source);
  if (missing.length > 0) throw new Error(`lacks the characters ${missing.join(' ')}`);
  // A face of one weight stands for every weight, so that browsers do not draw it bold a second time.
  const weights = wght === undefined ? '1 1000' : `${wght.min} ${wght.max}`;
  try {
    const heading = await subsetFont(source, '', {
      keepAllGlyphs: true,
      noHinting: true,
      targetFormat: 'sfnt',
      variationAxes: axes,
    });
    return { weights, heading, metrics: await readFontMetrics(heading) };
  } catch (cause) {
    throw new Error('cannot be converted for sharing images', { cause });
  }
}

function parseFont(source: Buffer) {
  try {
    const font = create(source);
    if ('fonts' in font) throw new Error('a collection of fonts');
    const missing = REQUIRED.filter((one) => !font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0));
    return { missing, wght: font.variationAxes['wght'], axes: buildAxes(font) };
  } catch (cause) {
    throw new Error(DAMAGED, { cause });
  }
}

/** One value for each axis of a variable font. */
function buildAxes({ variationAxes }: Font): Record<string, number> {
  return Object.fromEntries(
    Object.entries(variationAxes).flatMap(([tag, axis]) => {
      if (axis === undefined) return [];
      const wanted = tag === 'wght' ? HEADING_WEIGHT : axis.default;
      return [[tag, Math.min(axis.max, Math.max(axis.min, wanted))]];
    }),
  );
}

/** Builds the styles that put the font in the place of the shipped one. `address`: of the file. */
export function buildBrandFontStyles({ weights, metrics }: BrandFont, address: string): string {
  return `@font-face {
  font-family: "${FAMILY}";
  src: url("${address}") format("woff2");
  font-weight: ${weights};
  font-style: normal;
  font-display: optional;
}
${buildFallbackFaces(FAMILY, metrics).join('\n')}
:root {
  --font-display: "${FAMILY}", "${FAMILY} Fallback", "${FAMILY} Fallback Roboto", system-ui, sans-serif;
}`;
}

/** Vertical metrics and mean width of a font, in em; `descent` is positive downwards. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly meanAdvance: number;
}

/** A font of the visitor's system that shows text until the site's font arrives. */
interface SystemFace {
  /** Follows the name of the site's font in the name of the fallback. */
  readonly suffix: string;
  readonly isBold: boolean;
  /** Full and PostScript names, and those of fonts with the same widths. */
  readonly local: readonly string[];
  /** Mean width of a character in English text, in em. */
  readonly meanAdvance: number;
}

/** Widths from Capsize metrics 4.3.0, measured on the fonts, 2,048 units per em. */
const SYSTEM_FACES: readonly SystemFace[] = [
  {
    suffix: 'Fallback',
    isBold: false,
    local: ['Arial', 'Liberation Sans', 'Arimo'],
    meanAdvance: 913 / 2048,
  },
  {
    suffix: 'Fallback',
    isBold: true,
    local: ['Arial Bold', 'Liberation Sans Bold', 'Arimo Bold'],
    meanAdvance: 983 / 2048,
  },
  { suffix: 'Fallback Roboto', isBold: false, local: ['Roboto', 'Roboto-Regular'], meanAdvance: 911 / 2048 },
  { suffix: 'Fallback Roboto', isBold: true, local: ['Roboto Bold', 'Roboto-Bold'], meanAdvance: 926 / 2048 },
];

/** Reads the metrics of a static font file; characters count as often as English uses them. */
export async function readFontMetrics(font: Buffer): Promise<FontMetrics> {
  const { ascent, descent, lineGap, unitsPerEm, xWidthAvg } = await fromBuffer(font);
  return {
    ascent: ascent / unitsPerEm,
    descent: -descent / unitsPerEm,
    lineGap: lineGap / unitsPerEm,
    meanAdvance: xWidthAvg / unitsPerEm,
  };
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/**
 * Builds `@font-face` rules with which text in a system font takes the space of the site's font. `regular`: of a font
 * that has weights; the metrics of a font without are those of its bold.
 */
export function buildFallbackFaces(family: string, bold: FontMetrics, regular?: FontMetrics): string[] {
  return SYSTEM_FACES.flatMap(({ suffix, isBold, local, meanAdvance }) => {
    const font = isBold ? bold : regular;
    if (font === undefined) return [];
    const weights = regular === undefined ? '400 700' : isBold ? '550 700' : '400 549';
    const size = font.meanAdvance / meanAdvance;
    return `@font-face {
  font-family: "${family} ${suffix}";
  src:
    ${local.map((name) => `local("${name}")`).join(',\n    ')};
  font-weight: ${weights};
  size-adjust: ${percent(size)};
  ascent-override: ${percent(font.ascent / size)};
  descent-override: ${percent(font.descent / size)};
  line-gap-override: ${percent(font.lineGap / size)};
}
`;
  });
}
