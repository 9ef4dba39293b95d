import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { FocalPoint } from '../../core/pages/images/content-image.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import type { SourceImage } from '../check-image.ts';
import { drawBrandMark } from './brand-icons.ts';
import type { OgFont } from './og-font.ts';

/** A title in lines, `size` in pixels. */
export interface TitleLayout {
  readonly size: number;
  readonly lines: readonly { readonly text: string; readonly width: number }[];
}

export interface TitleRoom {
  readonly height: number;
  /** Width of the room between two heights, measured from its top. */
  widthBetween(top: number, bottom: number): number;
}

type Measure = (text: string) => number;

const SIZES = [92, 84, 76, 70, 64, 58, 52, 46, 40] as const;
/** Two lines of at least this size are better than three larger ones. */
const COMPACT_FROM = 70;
const LINE_HEIGHT = 1.08;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Splits after spaces, and anywhere between the characters of scripts that write without them. */
function splitWords(title: string): string[] {
  return title
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((word) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word)
        ? splitGraphemes(word)
        : [`${word} `],
    )
    .map((word, index, all) => (index === all.length - 1 ? word.trimEnd() : word));
}

const splitGraphemes = (word: string) => [...graphemes.segment(word)].map(({ segment }) => segment);

function fill(words: readonly string[], size: number, room: TitleRoom, measure: Measure) {
  const lines: { text: string; width: number }[] = [];
  let line = '';
  const limit = () => {
    const top = lines.length * size * LINE_HEIGHT;
    return room.widthBetween(top, top + size * LINE_HEIGHT);
  };
  const close = () => {
    lines.push({ text: line.trimEnd(), width: measure(line.trimEnd()) * size });
    line = '';
  };
  for (const word of words) {
    if (line !== '' && measure((line + word).trimEnd()) * size > limit()) close();
    if (measure(word.trimEnd()) * size > limit()) return undefined;
    line += word;
  }
  close();
  return lines.length * size * LINE_HEIGHT <= room.height ? lines : undefined;
}

/** The same number of lines, as even in length as they can be. */
function balance(
  words: readonly string[],
  size: number,
  lines: TitleLayout['lines'],
  room: TitleRoom,
  measure: Measure,
): TitleLayout['lines'] {
  for (let share = 0.4; share < 1; share += 0.04) {
    const narrow = {
      ...room,
      widthBetween: (top: number, bottom: number) => room.widthBetween(top, bottom) * share,
    };
    const even = fill(words, size, narrow, measure);
    if (even && even.length === lines.length) return even;
  }
  return lines;
}

/** The largest size at which a title fits its room; the longest ones are cut with an ellipsis. `measure` in em. */
export function layOutTitle(title: string, room: TitleRoom, measure: Measure): TitleLayout {
  const words = splitWords(title);
  const fits = SIZES.flatMap((size) => {
    const lines = fill(words, size, room, measure);
    return lines ? [{ size, lines }] : [];
  });
  const compact = fits.find(({ size, lines }) => lines.length <= 2 && size >= COMPACT_FROM);
  const best = compact ?? fits[0];
  if (best) return { size: best.size, lines: balance(words, best.size, best.lines, room, measure) };
  const size = SIZES[SIZES.length - 1] ?? 40;
  const letters = splitGraphemes(title.replace(/\s+/gu, ' ').trim());
  for (let count = letters.length; count > 0; count -= 1) {
    const cut = `${letters.slice(0, count).join('').trimEnd()}${ELLIPSIS}`;
    const lines =
      fill(splitWords(cut), size, room, measure) ?? fill(splitGraphemes(cut), size, room, measure);
    if (lines) return { size, lines };
  }
  return { size, lines: [] };
}

/** What a sharing image shows. */
interface OgItem {
  readonly title: string;
  /** Topic, at the upper right; may be empty. */
  readonly kicker: string;
  /** A figure in the place of the image. */
  readonly figure?: { readonly figure: string; readonly label: string } | undefined;
}

/** The site that the cards belong to. */
interface OgSite {
  readonly name: string;
  /** Colors of the brand, such as `#2454b3`; undefined: the shipped ones. */
  readonly accent?: string | undefined;
  readonly ground?: string | undefined;
  /** Data address of the logo; undefined: the shipped mark. */
  readonly logo?: string | undefined;
}

/** Pixels, as Open Graph recommends. */
const WIDTH = 1200;
const HEIGHT = 630;
const COLORS = {
  background: '#f0e9db',
  shade: '#ddd2bd',
  paper: '#fffdf8',
  ink: '#161e2c',
  accent: '#2454b3',
  marker: '#f8de68',
};
const MARGIN = 64;
const RIGHT = WIDTH - MARGIN;
const TOP = 150;
/** Space between letters, in em. */
const TRACKING = -0.012;
const PRINT = { x: 672, y: 356, width: 464, height: 244, border: 14 };
/** The print is drawn turned: it needs more pixels than it covers. */
const PRINT_SCALE = 2;
/** Of what a figure counts: ten pixels where a card is 300 wide. */
const LABEL_SIZE = 42;

/** Builds the sharing image of a page as SVG. `imageAddress`: what the print shows; null for a card without one. */
export function buildOgCard(item: OgItem, site: OgSite, font: OgFont, imageAddress: string | null): string {
  const { figure } = item;
  const isShared = figure !== undefined || imageAddress !== null;
  const room = {
    height: HEIGHT - TOP - 50,
    widthBetween: (_top: number, bottom: number) =>
      isShared && TOP + bottom > PRINT.y - 34 ? PRINT.x - 50 - MARGIN : RIGHT - MARGIN,
  };
  const { size, lines } = layOutTitle(item.title, room, (text) => measureText(text, font));
  const baseline = (index: number) => TOP + size * (0.86 + index * LINE_HEIGHT);
  const title = lines.map(({ text }, index) =>
    drawText(text, { x: MARGIN - size * 0.04, y: baseline(index), size }, font),
  );
  const last = lines.at(-1);
  const marker =
    last === undefined
      ? ''
      : drawBox(
          {
            x: MARGIN - 8,
            y: baseline(lines.length - 1) - size * 0.3,
            width: last.width + 16,
            height: size * 0.38,
          },
          COLORS.marker,
        );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    drawBox({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, site.ground ?? COLORS.background),
    drawHead(site, item.kicker, font),
    marker,
    figure ? drawFigure(figure, font) : imageAddress === null ? '' : drawPrint(imageAddress),
    ...title,
    '</svg>',
  ].join('');
}

/** Reads an image as the data address that a print shows, cropped around its focal point. */
export async function readPrint({
  source,
  focus,
}: {
  readonly source: SourceImage;
  readonly focus: FocalPoint | undefined;
}): Promise<string> {
  if (source.copy !== null) {
    return `data:image/svg+xml;base64,${(await readFile(source.file)).toString('base64')}`;
  }
  const [width, height] = [PRINT.width * PRINT_SCALE, PRINT.height * PRINT_SCALE];
  const scale = Math.max(width / source.image.width, height / source.image.height);
  const covering = {
    width: Math.round(source.image.width * scale),
    height: Math.round(source.image.height * scale),
  };
  const { x = 50, y = 50 } = focus ?? {};
  const png = await sharp(source.file)
    .autoOrient()
    .resize({ ...covering, fit: 'fill' })
    .extract({
      width,
      height,
      left: Math.round(((covering.width - width) * x) / 100),
      top: Math.round(((covering.height - height) * y) / 100),
    })
    .flatten({ background: COLORS.paper })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** The name of the site at the left, the topic at the right, and a rule below both. */
function drawHead({ name, accent = COLORS.accent, logo }: OgSite, kicker: string, font: OgFont): string {
  const box = `x="${MARGIN}" y="46" width="44" height="44"`;
  const mark = `<svg ${box} viewBox="0 0 32 32">${drawBrandMark({ ink: COLORS.ink, accent })}</svg>`;
  const image = `<image href="${logo}" ${box} preserveAspectRatio="xMidYMid"/>`;
  return (
    (logo === undefined ? mark : image) +
    drawText(name, { x: MARGIN + 58, y: 79, size: 31 }, font) +
    drawText(kicker, { x: RIGHT, y: 79, size: 31 }, font, 'end') +
    drawBox({ x: MARGIN, y: 109.5, width: RIGHT - MARGIN, height: 5 }, COLORS.ink)
  );
}

/** An image as a photographic print: turned a little, with a white border and a hard shadow. */
function drawPrint(address: string): string {
  const { x, y, width, height, border } = PRINT;
  const [outerWidth, outerHeight] = [width + 2 * border, height + 2 * border];
  return [
    `<g transform="rotate(-2 ${x + width / 2} ${y + height / 2})">`,
    drawBox({ x: x - 2, y: y - 2, width: outerWidth, height: outerHeight }, COLORS.shade, 4),
    drawBox({ x: x - border, y: y - border, width: outerWidth, height: outerHeight }, COLORS.paper, 4),
    `<image href="${address}" x="${x}" y="${y}" width="${width}" height="${height}"`,
    ' preserveAspectRatio="xMidYMid slice"/>',
    '</g>',
  ].join('');
}

/** A figure and what it counts on paper: both are read where the card is 300 pixels wide. */
function drawFigure({ figure, label }: NonNullable<OgItem['figure']>, font: OgFont): string {
  const { x, y, width, height } = PRINT;
  const measure = (text: string) => measureText(text, font);
  const room = { height: 110, widthBetween: () => width - 40 };
  const parts = splitWords(label);
  const filled = fill(parts, LABEL_SIZE, room, measure) ?? [];
  const lines = balance(parts, LABEL_SIZE, filled, room, measure);
  const size = Math.min(lines.length > 1 ? 118 : 150, (width - 48) / measure(figure));
  const [middle, bottom] = [x + width / 2, y + height - 24];
  const words = lines.map(({ text }, index) => {
    const line = bottom - (lines.length - 1 - index) * LABEL_SIZE * LINE_HEIGHT;
    return drawText(text, { x: middle, y: line, size: LABEL_SIZE }, font, 'middle');
  });
  return [
    drawBox({ x: x + 8, y: y + 8, width, height }, COLORS.shade, 4),
    drawBox({ x, y, width, height }, COLORS.paper, 4),
    drawText(figure, { x: middle, y: y + 24 + size * 0.76, size }, font, 'middle'),
    ...words,
  ].join('');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function drawBox({ x, y, width, height }: Box, fill: string, radius = 0): string {
  const box = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  return `<rect ${box} rx="${radius}" fill="${fill}"/>`;
}

function drawText(
  text: string,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
  font: OgFont,
  anchor = 'start',
): string {
  const look = [
    `font-family="${font.family}, sans-serif" font-size="${size}" font-weight="640"`,
    `letter-spacing="${round(size * TRACKING)}" fill="${COLORS.ink}" text-anchor="${anchor}"`,
  ].join(' ');
  return `<text x="${round(x)}" y="${round(y)}" ${look}>${escapeXml(text)}</text>`;
}

/** Without the characters that XML 1.0 cannot contain even escaped. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
}

/** To a tenth of a pixel. */
const round = (value: number) => String(Math.round(value * 10) / 10);

/** Width of a text in em; estimated for characters that the font does not have. */
function measureText(text: string, font: OgFont): number {
  let width = 0;
  for (const character of text) {
    const isWide =
      /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\p{Extended_Pictographic}]/u.test(
        character,
      );
    width += TRACKING + (font.advance(character) ?? (isWide ? 1 : 0.62));
  }
  return width;
}
