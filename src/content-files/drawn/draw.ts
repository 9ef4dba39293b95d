import sharp from 'sharp';
import { readImage, type SourceImage } from '../check-image.ts';
import { drawIcon } from './brand-icons.ts';
import { buildOgCard, readPrint } from './og-card.ts';
import { openOgFont } from './og-font.ts';
import type { DrawnImage, FileDrawing } from './plan.ts';

/** Flat colors and text need few; a photograph needs all that a palette can have. */
const COLORS = { drawing: 64, photograph: 256 };

/**
 * Draws a file. `images`: the folder of the images; `fonts`: the files of the heading font. Rejects where an
 * image is not the planned one any more, and with a code of Node's where the renderer is not installed.
 */
export async function draw(drawing: FileDrawing, images: string, fonts: readonly string[]): Promise<Buffer> {
  if (drawing.kind === 'icon') {
    const favicon = await readDrawn(images, drawing.favicon);
    return drawIcon(drawing.name, { ...drawing, favicon: favicon?.file });
  }
  if (drawing.kind === 'cover') {
    const cover = await readDrawn(images, drawing.image);
    return sharp(cover?.file).resize(1200, 630, { fit: 'cover' }).png().toBuffer();
  }
  const { title, kicker, figure, site } = drawing;
  // Without it, nothing else of a card has to be read.
  const { renderAsync } = await import('@resvg/resvg-js');
  const font = await openOgFont(fonts);
  const source = await readDrawn(images, drawing.image);
  const print = source && (await readPrint({ source, focus: drawing.image?.focus }));
  const logo = await readLogo(await readDrawn(images, site.logo));
  const svg = buildOgCard({ title, kicker, figure }, { ...site, logo }, font, print);
  const isForeign = [...(title + kicker + site.name)].some((one) => font.advance(one) === undefined);
  const card = await renderAsync(svg, {
    // System fonts are read only for scripts that the display font lacks: reading them takes longer than drawing.
    font: { fontFiles: [...font.files], loadSystemFonts: isForeign, defaultFontFamily: font.family },
  });
  const isPhotograph = source !== null && source.copy === null;
  const colours = isPhotograph ? COLORS.photograph : COLORS.drawing;
  return sharp(card.pixels, { raw: { width: card.width, height: card.height, channels: 4 } })
    .removeAlpha()
    .png({ palette: true, colours, dither: isPhotograph ? 1 : 0, effort: 1, compressionLevel: 9 })
    .toBuffer();
}

async function readDrawn(images: string, image: DrawnImage | null): Promise<SourceImage | null> {
  if (image === null) return null;
  const source = await readImage(images, image.path);
  if ('reason' in source) throw new Error(`content/images/${image.path} ${source.reason}`);
  if (source.image.src !== image.src) throw new Error(`content/images/${image.path} has changed meanwhile`);
  return source;
}

async function readLogo(source: SourceImage | null): Promise<string | undefined> {
  if (source === null) return undefined;
  const png = await sharp(source.file).resize(176, 176, { fit: 'inside' }).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
