import { BRAND_PATHS } from '../../src/ui/brand-paths.ts';
import { buildArt, choosePalette } from '../art/build-art.ts';
import type { Palette } from '../art/palette.ts';
import { box, HEIGHT, line, n, turned, WIDTH } from '../art/shapes.ts';
import { deriveArtSpec } from './article-art.ts';
import { LINE_HEIGHT, layOutTitle } from './lay-out-title.ts';
import type { OgFont } from './og-font.ts';
import type { OgItem } from './og-item.ts';

const MARGIN = 64;
const RIGHT = WIDTH - MARGIN;
const TOP = 150;
/** Between letters, in em. */
const TRACKING = -0.012;
const CARD = { x: 672, y: 356, width: 464, height: 243.6 };

const escapeText = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');

/** Width of a text in em, near enough for characters of faces that are not at hand. */
function measureText(text: string, font: OgFont): number {
  let width = 0;
  for (const character of text) {
    width += TRACKING;
    width +=
      font.advance(character) ??
      (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\p{Extended_Pictographic}]/u.test(
        character,
      )
        ? 1
        : 0.62);
  }
  return width;
}

function drawText(
  text: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  font: OgFont,
  end = false,
): string {
  const anchor = end ? ' text-anchor="end"' : '';
  return `<text x="${n(x)}" y="${n(y)}" font-family="${font.family}, sans-serif" font-size="${size}" font-weight="640" letter-spacing="${n(size * TRACKING)}" fill="${fill}"${anchor}>${escapeText(text)}</text>`;
}

/** Whether writing on the ground is lighter than the ground. */
const isDeep = ({ on, sheet }: Palette) => on.ink !== sheet.ink;

/** The head of a receipt: whose it is at the left, what it is about at the right, and the rule under both. */
function drawHead(palette: Palette, siteName: string, kicker: string, font: OgFont): string {
  const { on, ground } = palette;
  const mark = `<svg x="${MARGIN}" y="46" width="44" height="44" viewBox="0 0 32 32"><path fill="${on.ink}" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/><path fill="${isDeep(palette) ? on.spark : on.main}" d="${BRAND_PATHS.left}"/></svg>`;
  return (
    box(0, 0, WIDTH, HEIGHT, ground) +
    mark +
    drawText(siteName, MARGIN + 58, 79, 31, on.ink, font) +
    drawText(kicker, RIGHT, 79, 31, on.ink, font, true) +
    line(MARGIN, 112, RIGHT, 112, on.ink, 5)
  );
}

/** The picture as a print with a white border. */
function drawPrint(art: string, { paper, shade }: Palette): string {
  const { x, y, width, height } = CARD;
  const picture = art
    .replace('<svg ', `<svg x="${x}" y="${y}" `)
    .replace(/width="1200" height="630"/, `width="${width}" height="${height}"`);
  return turned(
    -2,
    x + width / 2,
    y + height / 2,
    box(x - 2, y - 2, width + 28, height + 28, shade, 4) +
      box(x - 14, y - 14, width + 28, height + 28, paper, 4) +
      picture,
  );
}

/** The sharing image of a page or an article, an SVG of 1,200 by 630 whose text needs `font`. */
export function buildOgImage(item: OgItem, siteName: string, font: OgFont): string {
  const art = item.art ?? deriveArtSpec(item.name);
  const palette = choosePalette(art.seed);
  const room = {
    height: HEIGHT - TOP - 50,
    widthBetween: (_top: number, bottom: number) =>
      TOP + bottom > CARD.y - 34 ? CARD.x - 50 - MARGIN : RIGHT - MARGIN,
  };
  const { size, lines } = layOutTitle(item.title, room, (text) => measureText(text, font));
  const title = lines.map(({ text }, index) =>
    drawText(
      text,
      MARGIN - size * 0.04,
      TOP + size * (0.86 + index * LINE_HEIGHT),
      size,
      palette.on.ink,
      font,
    ),
  );
  const last = lines.at(-1);
  const foot = TOP + size * (0.86 + (lines.length - 1) * LINE_HEIGHT);
  const marker = last
    ? box(
        MARGIN - 8,
        foot - size * 0.3,
        last.width + 16,
        size * 0.38,
        isDeep(palette) ? palette.on.rule : palette.on.spark,
      )
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${drawHead(palette, siteName, item.kicker, font)}${marker}${drawPrint(buildArt(art), palette)}${title.join('')}</svg>`;
}
