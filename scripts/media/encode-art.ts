import sharp from 'sharp';
import type { Effort } from './effort.ts';

export const ART_WIDTHS = [480, 800, 1200] as const;
export const ART_FORMATS = ['avif', 'webp'] as const;

/** Changes when the same SVG shall give other files. */
export const ART_RECIPE = 'art 1: avif 60, webp 75';

const SETTINGS = {
  fast: { avif: { effort: 0, chromaSubsampling: '4:2:0' }, webp: { effort: 0 } },
  // Coloured edges are all there is in a flat drawing, so chroma keeps its full resolution.
  small: { avif: { effort: 2, chromaSubsampling: '4:4:4' }, webp: { effort: 5 } },
} as const;

export interface EncodedArt {
  readonly width: (typeof ART_WIDTHS)[number];
  readonly format: (typeof ART_FORMATS)[number];
  readonly data: Buffer;
}

/** Renders an SVG of 1,200 units in every width and format that pages offer. */
export async function encodeArt(svg: string, effort: Effort): Promise<EncodedArt[]> {
  const { avif, webp } = SETTINGS[effort];
  const whole = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const files: EncodedArt[] = [];
  for (const width of ART_WIDTHS) {
    const { data, info } =
      width === whole.info.width
        ? whole
        : await sharp(whole.data, { raw: whole.info })
            .resize(width)
            .raw()
            .toBuffer({ resolveWithObject: true });
    const open = () => sharp(data, { raw: info });
    files.push({
      width,
      format: 'avif',
      data: await open()
        .avif({ quality: 60, ...avif })
        .toBuffer(),
    });
    files.push({
      width,
      format: 'webp',
      data: await open()
        .webp({ quality: 75, ...webp })
        .toBuffer(),
    });
  }
  return files;
}
