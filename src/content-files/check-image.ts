import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os, { availableParallelism } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { ContentImage, ImageCatalog } from '../core/pages/images/content-image.ts';
import { IMAGES_PREFIX } from '../core/paths.ts';
import {
  buildImageBase,
  checkImageFile,
  listImagePaths,
  startImageHash,
  type UnusableImage,
} from './image-folder.ts';
import type { PreparedImage, PrepareJob } from './image-thread.ts';
import { checkSvg, cleanSvg } from './svg.ts';

/** Thrown when images cannot be used; the message names each file and what is wrong with it. */
export class ImageFilesError extends Error {
  readonly code = 'wrong-images';
  constructor(problems: readonly UnusableImage[], cause?: unknown) {
    const count = problems.length === 1 ? '1 image' : `${problems.length} images`;
    const lines = problems.map(({ path, reason }) => `  content/images/${path} ${reason}`);
    super([`[images] ${count} cannot be used:`, ...lines].join('\n'), { cause });
    this.name = 'ImageFilesError';
  }
}

const MAX_PIXELS = 50_000_000;
/** For decoding, and for each file that is written. */
const MAX_SECONDS = 20;
/** Widths in pixels; an image is never enlarged. */
const WIDTHS = [480, 800, 1200, 1600] as const;
/** Width of the file for browsers and feed readers without AVIF and WebP. */
const FALLBACK_WIDTH = 1200;
/** What `sharp` calls the format of a file, by extension. */
const FORMATS: Readonly<Record<string, string>> = { jpg: 'jpeg', avif: 'heif' };

/** A file that an image is converted to; `name` holds the hash of its content, `width` is in pixels. */
export interface ImageVariant {
  readonly name: string;
  readonly format: 'avif' | 'webp' | 'jpg' | 'png';
  readonly width: number;
}

/** An image of the content folder: what pages refer to, and the files that the site serves of it. */
export interface SourceImage {
  /** Path below `content/images/`. */
  readonly path: string;
  readonly file: string;
  /** Hash of the content and of how it is converted. */
  readonly key: string;
  readonly image: ContentImage;
  /** Name of the file that is served as it is; null for images that are converted. */
  readonly copy: string | null;
  readonly variants: readonly ImageVariant[];
}

/**
 * Reads every image below `images/` of a content folder, in order of their paths. Throws one `ImageFilesError` for all
 * problems.
 */
export async function readContentImages(contentDir: string): Promise<readonly SourceImage[]> {
  const root = path.join(contentDir, 'images');
  if (!existsSync(root)) return [];
  const paths = await listImagePaths(root);
  const read = await mapBounded(paths, availableParallelism(), (name) => readImage(root, name));
  const problems = read.filter((one) => 'reason' in one);
  if (problems.length > 0) throw new ImageFilesError(problems);
  return read.filter((one) => 'image' in one);
}

/** The images by their path, for content that refers to them. */
export function buildImageCatalog(images: readonly SourceImage[]): ImageCatalog {
  return { images: new Map(images.map(({ path: name, image }) => [name, image])), origin: 'folder' };
}

const readExtension = (name: string) => path.extname(name).slice(1).toLowerCase();

/** Reads an image and plans its files; `given` is its content, where that was read before. */
export async function readImage(
  root: string,
  name: string,
  given?: Buffer,
): Promise<SourceImage | UnusableImage> {
  const problem = await checkImageFile(root, name);
  if (problem !== null) return { path: name, reason: problem };
  const file = path.join(root, name);
  const content = given ?? (await readFile(file));
  const size = await readSize(name, content);
  if ('reason' in size) return { path: name, reason: size.reason };
  const key = startImageHash().update(content).digest('hex').slice(0, 32);
  const base = buildImageBase(name, key);
  return { path: name, file, key, ...(size.format === 'svg' ? planSvg(base, size) : planRaster(base, size)) };
}

interface ImageSize {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

async function readSize(name: string, content: Buffer): Promise<ImageSize | { readonly reason: string }> {
  const extension = readExtension(name);
  const expected = FORMATS[extension] ?? extension;
  const problem = expected === 'svg' ? checkSvg(content.toString('utf8')) : null;
  if (problem !== null) return { reason: problem };
  try {
    const {
      format,
      autoOrient,
      pages = 1,
      hasAlpha,
    } = await sharp(content, { limitInputPixels: false }).metadata();
    const { width, height } = autoOrient;
    if (format !== expected) return { reason: `is a file of the format ${format}, not ${extension}` };
    const tooLarge = findSizeProblem(format === 'svg' ? 0 : width * height, pages);
    if (tooLarge !== null) return { reason: tooLarge };
    return { format, width, height, hasAlpha };
  } catch (error) {
    return { reason: `is damaged: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What decoding and resizing take of a pixel, at most. */
const BYTES_PER_PIXEL = 8;

/** Bytes that the process may take beside what it has. */
function readMemoryLeft(): number {
  // 0: nothing bounds it but the machine.
  const bound = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(bound, os.totalmem()) - process.memoryUsage.rss();
}

/** Why there is too little memory to decode an image; null when there is enough. */
export function findMemoryProblem({ width, height }: ContentImage, left = readMemoryLeft()): string | null {
  const [needed, free] = [width * height * BYTES_PER_PIXEL, left].map((bytes) =>
    Math.max(0, Math.round(bytes / 1_048_576)),
  );
  return needed === undefined || free === undefined || needed < free
    ? null
    : `needs ${needed} MB of memory to be converted, and ${free} MB are left: make it smaller, or give the site more memory`;
}

/** Why an image of so many pixels and frames is not decoded; null when it is. */
function findSizeProblem(pixels: number, frames: number): string | null {
  if (frames > 1) return 'is animated: use a single frame, or a video';
  if (pixels <= MAX_PIXELS) return null;
  return `has ${Math.round(pixels / 1_000_000)} megapixels; the limit is ${MAX_PIXELS / 1_000_000}`;
}

type ServedFiles = Pick<SourceImage, 'image' | 'copy' | 'variants'>;

function planSvg(base: string, { width, height }: ImageSize): ServedFiles {
  const copy = `${base}.svg`;
  return { image: { src: IMAGES_PREFIX + copy, width, height, sources: [] }, copy, variants: [] };
}

function planRaster(base: string, size: ImageSize): ServedFiles {
  const largest = Math.min(size.width, Math.max(...WIDTHS));
  const widths = [...WIDTHS.filter((width) => width < largest), largest];
  const list = (format: 'avif' | 'webp') =>
    widths.map((width) => ({ name: `${base}-${width}.${format}`, format, width }));
  const format = size.hasAlpha ? 'png' : 'jpg';
  const fallback = {
    name: `${base}.${format}`,
    format,
    width: Math.min(size.width, FALLBACK_WIDTH),
  } as const;
  const sources = (['avif', 'webp'] as const).map((type) => ({
    type: `image/${type}`,
    srcset: list(type)
      .map(({ name, width }) => `${IMAGES_PREFIX}${name} ${width}w`)
      .join(', '),
  }));
  return {
    image: { src: IMAGES_PREFIX + fallback.name, width: size.width, height: size.height, sources },
    copy: null,
    variants: [...list('avif'), ...list('webp'), fallback],
  };
}

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
 * place where a photo was taken. `content`: what is read in place of its file. Throws `ImageFilesError` when the file cannot be decoded.
 */
export async function encodeImage(
  source: SourceImage,
  variants: readonly ImageVariant[],
  content: string | Buffer = source.file,
): Promise<readonly { readonly name: string; readonly data: Buffer }[]> {
  const largest = Math.max(...variants.map(({ width }) => width));
  try {
    const decoded = await sharp(content, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize(largest)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const files = [];
    for (const { name, format, width } of variants) {
      const image = sharp(decoded.data, { raw: decoded.info })
        .timeout({ seconds: MAX_SECONDS })
        .resize(width);
      files.push({ name, data: await ENCODERS[format](image, source).toBuffer() });
    }
    return files;
  } catch (error) {
    const reason = `is damaged: ${error instanceof Error ? error.message : String(error)}`;
    throw new ImageFilesError([{ path: source.path, reason }], error);
  }
}

/** Longest side of a photo that is added: twice the widest file that the site serves of it. */
const MAX_SIDE = 3_200;

/** What the first bytes of a format are, with the extension that its files get. */
const SIGNATURES: readonly { readonly pattern: RegExp; readonly extension: string }[] = [
  { pattern: /^\xff\xd8\xff/, extension: 'jpg' },
  { pattern: /^\x89PNG/, extension: 'png' },
  { pattern: /^RIFF[\s\S]{4}WEBP/, extension: 'webp' },
  { pattern: /^[\s\S]{4}ftyp(?:avif|avis|mif1)/, extension: 'avif' },
  // It has one frame, and PNG has its colors.
  { pattern: /^GIF8[79]a/, extension: 'png' },
  { pattern: /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!|svg|[a-z]+:svg)/i, extension: 'svg' },
];

/** Writes a photo as it is stored: better than what visitors get of it, and smaller than what cameras write. */
function encodeStored(image: Sharp, extension: string): Sharp {
  if (extension === 'jpg')
    return image.flatten({ background: '#fff' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  if (extension === 'webp') return image.webp({ quality: 90, effort: 2 });
  return extension === 'avif'
    ? image.avif({ quality: 75, effort: 1, chromaSubsampling: '4:4:4' })
    : image.png();
}

/**
 * Checks an image that was sent by what it contains, whatever its name, and writes it again: turned as its camera meant,
 * at most 3,200 pixels wide and high, in sRGB and without metadata; an SVG with what draws alone. What follows the image
 * in the file is lost. `wanted`: the extension of the format that it gets; null: that of its own. `area`: the part that is kept.
 */
export async function prepareImage(
  content: Uint8Array,
  wanted: string | null,
  area?: PrepareJob['area'],
): Promise<PreparedImage> {
  const given = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const start = given.subarray(0, 64).toString('latin1');
  const found = SIGNATURES.find(({ pattern }) => pattern.test(start));
  if (found === undefined) return { reason: 'is not a JPEG, PNG, WebP, AVIF, GIF or SVG image' };
  if (found.extension === 'svg') {
    if (area !== undefined) return { reason: 'is an SVG drawing, which has no pixels to crop' };
    return wanted === null || wanted === 'svg'
      ? prepareSvg(given)
      : { reason: 'is an SVG drawing, and the other is not' };
  }
  if (wanted === 'svg') return { reason: 'is not an SVG drawing, as the other is' };
  try {
    const { autoOrient, pages = 1 } = await sharp(given, { limitInputPixels: false }).metadata();
    const problem = findSizeProblem(autoOrient.width * autoOrient.height, pages);
    if (problem !== null) return { reason: problem };
    const { width, height } = autoOrient;
    if (area !== undefined && (area.left + area.width > width || area.top + area.height > height))
      return { reason: `has ${width} × ${height} pixels, and the part is outside of them` };
    const extension = wanted ?? found.extension;
    const image = sharp(given, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient();
    if (area !== undefined) image.extract(area);
    image.resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true });
    return { content: await encodeStored(image, extension).toBuffer(), extension };
  } catch (error) {
    return { reason: `is damaged: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Larger drawings are photos in disguise, and take seconds to read. */
const MAX_SVG_BYTES = 5_000_000;

async function prepareSvg(content: Buffer): Promise<PreparedImage> {
  if (content.length > MAX_SVG_BYTES)
    return { reason: `is an SVG drawing of more than ${MAX_SVG_BYTES / 1_000_000} MB` };
  const cleaned = cleanSvg(content.toString('utf8'));
  if ('problem' in cleaned) return { reason: cleaned.problem };
  const written = Buffer.from(cleaned.text);
  const size = await readSize('cleaned.svg', written);
  return 'reason' in size ? size : { content: written, extension: 'svg' };
}

/** Runs `work` on every item, at most `limit` at a time, and rejects with the first failure. Keeps the order. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const runWorker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runWorker));
  return results;
}
