import sharp, { type Sharp } from 'sharp';
import type { ImageVariant, SourceImage } from './content-images.ts';
import { ImageFilesError } from './image-files-error.ts';

/** More effort saves 5 % of the bytes of an AVIF for ten times the time. */
const ENCODERS: Readonly<Record<ImageVariant['format'], (image: Sharp, source: SourceImage) => Sharp>> = {
  avif: (image, { path }) =>
    image.avif({ quality: 55, effort: 1, chromaSubsampling: isPhoto(path) ? '4:2:0' : '4:4:4' }),
  webp: (image) => image.webp({ quality: 75, effort: 2 }),
  jpg: (image) => image.jpeg({ quality: 78 }),
  png: (image) => image.png({ palette: true, effort: 5 }),
};

/** Colors at half the resolution do not show in photos; they do at the edges of text in screenshots. */
const isPhoto = (path: string) => /\.jpe?g$/i.test(path);

/**
 * Converts an image into some of its variants: turned as its camera meant, in sRGB, without metadata such as the
 * place where a photo was taken. Throws `ImageFilesError` when the file cannot be decoded.
 */
export async function encodeImage(
  source: SourceImage,
  variants: readonly ImageVariant[],
): Promise<readonly { readonly name: string; readonly data: Buffer }[]> {
  const largest = Math.max(...variants.map(({ width }) => width));
  try {
    const decoded = await sharp(source.file)
      .autoOrient()
      .resize(largest)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const files = [];
    for (const { name, format, width } of variants) {
      const image = sharp(decoded.data, { raw: decoded.info }).resize(width);
      files.push({ name, data: await ENCODERS[format](image, source).toBuffer() });
    }
    return files;
  } catch (error) {
    const reason = `is damaged: ${error instanceof Error ? error.message : String(error)}`;
    throw new ImageFilesError([{ path: source.path, reason }], error);
  }
}
