import sharp from 'sharp';
import { BRAND_PATHS } from '../../core/pages/brand/brand-paths.ts';
import { ICONS } from './plan.ts';

/** The mark of the brand as SVG paths in a box of 32: post and right arm in ink, left arm in the accent color. */
export function drawBrandMark(fill: { readonly ink: string; readonly accent: string }): string {
  return [
    `<path fill="${fill.ink}" d="${BRAND_PATHS.post}${BRAND_PATHS.right}"/>`,
    `<path fill="${fill.accent}" d="${BRAND_PATHS.left}"/>`,
  ].join('');
}

const TILE = { background: '#2454b3', ink: '#fbf9f3', accent: '#f8e277' };
const BACKGROUND = '#fbf9f4';

/** What the icons show; without either: the shipped mark on the shipped accent. */
export interface IconBrand {
  readonly accent?: string | undefined;
  readonly ground?: string | undefined;
  /** File of the favicon. */
  readonly favicon?: string | undefined;
}

/** Draws an icon of home screens and of the web app manifest: the brand's favicon on its background, or the mark on the accent. */
export async function drawIcon(name: string, { accent, ground, favicon }: IconBrand): Promise<Buffer> {
  const { size, inset } = ICONS.find((icon) => icon.name === name) ?? ICONS[0];
  const icon =
    favicon === undefined
      ? sharp(Buffer.from(drawTile(size, inset, accent ?? TILE.background)))
      : await drawFavicon(favicon, size, inset, ground ?? BACKGROUND);
  const png = await icon.png({ palette: true, effort: 10 }).toBuffer();
  return name.endsWith('.ico') ? wrapIcon(png, size) : png;
}

/** A file in the ICO format with one image. */
function wrapIcon(png: Buffer, size: number): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, size, size, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(png.length, 14);
  return Buffer.concat([head, png]);
}

/** The mark on a square of `size` pixels. */
function drawTile(size: number, inset: number, background: string): string {
  const scale = (1 - 2 * inset) * (size / 32);
  const move = inset * size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">`,
    `<path fill="${background}" d="M0 0h${size}v${size}H0z"/>`,
    `<g transform="translate(${move} ${move}) scale(${scale})">${drawBrandMark(TILE)}</g>`,
    '</svg>',
  ].join('');
}

async function drawFavicon(file: string, size: number, inset: number, background: string) {
  const side = Math.round(size * (1 - 2 * inset));
  const density = file.endsWith('.svg') ? 600 : undefined;
  const mark = await sharp(file, density === undefined ? {} : { density })
    .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
  return sharp({ create: { width: size, height: size, channels: 4, background } }).composite([
    { input: mark },
  ]);
}
