import type { Brand } from '../brand/brand.schema.ts';
import type { TextPath } from '../claims/placeholders.ts';
import type { Page } from '../page.schema.ts';
import type { ImageField } from './image-field.schema.ts';

/** An image of the content folder in the sizes and formats that the site serves. */
export interface ContentImage {
  /** Path of the site. Every browser shows this file: the SVG itself, else a JPEG or PNG. */
  readonly src: string;
  /** Pixels of the original; units for SVG. */
  readonly width: number;
  readonly height: number;
  /** `srcset` values by MIME type, best first; empty for SVG. */
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
}

/** The point of an image that stays visible when it is cropped, in percent from the left and from the top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** Every image in `content/images/` by its path below that folder, such as `articles/crm-basics.svg`. */
export interface ImageCatalog {
  readonly images: ReadonlyMap<string, ContentImage>;
  /** What was listed: the folder as it is, or what was converted by the last build and since. */
  readonly origin: 'folder' | 'build';
  /** What was drawn for the site: addresses with a hash, by those without. Left out: nothing. */
  readonly drawn?: ReadonlyMap<string, string> | undefined;
  /** The styles of the brand's own heading font. */
  readonly fontStyles?: string | undefined;
}

/** A catalog without images. */
export const NO_IMAGES: ImageCatalog = { images: new Map(), origin: 'folder' };

/** File extensions of images that the site converts or copies. */
export const IMAGE_EXTENSIONS = ['svg', 'png', 'jpg', 'jpeg', 'webp', 'avif'] as const;

/** The image that is shown when a page without one is shared, where the folder has it. */
export const FALLBACK_CARD_IMAGE = 'signpost.svg';

/** A part of an image is a file of its own, whose name has the left, top, width and height of the part in pixels. */
const CROPPED = /^(.+)-crop-(\d{1,5}-\d{1,5}-\d{1,5}-\d{1,5})(\.\w+)$/;

/** The path of a part of an image. */
export const buildCropPath = (original: string, area: readonly number[]): string =>
  original.replace(/(?=\.\w+$)/, `-crop-${area.join('-')}`);

/** What an image is a part of, and which; null for an image that is whole. */
export function readCrop(path: string) {
  const [, name, area, extension] = CROPPED.exec(path) ?? [];
  return name === undefined || area === undefined
    ? null
    : { original: `${name}${extension}`, area: area.split('-').map(Number) };
}

/** Any folder directly below the content folder: references are relative to a file in one. */
const BASE = 'https://site.invalid/content/folder/';
const FOLDER = '/content/images/';

/** Whether an image address is relative to a content file: neither a path of the site nor another host. */
export function isContentReference(address: string): boolean {
  return !/^(?:[a-z][a-z\d+.-]*:|[/\\#])/i.test(address.trim());
}

/** Why an image cannot be shown. */
export interface ImageFault {
  /** Continues a sentence that begins with the field. */
  readonly problem: string;
  /** true: the reference is right, and the image is shown when the file is there. */
  readonly needsBuild: boolean;
}

/** Finds the image that a content file refers to, such as `../images/photo.jpg`. */
export function findContentImage(
  reference: string,
  catalog: ImageCatalog,
): { readonly image: ContentImage } | ImageFault {
  const refuse = (problem: string) => ({ problem, needsBuild: false });
  const path = resolveImageReference(reference);
  if (path === null) {
    return refuse(`must be a picture of the site, such as ../images/photo.jpg; it is ${reference}`);
  }
  // macOS writes letters and their marks apart.
  const image =
    catalog.images.get(path) ??
    (/[^\p{ASCII}]/u.test(path)
      ? [...catalog.images].find(([name]) => name.normalize() === path.normalize())?.[1]
      : undefined);
  if (image !== undefined) return { image };
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (!IMAGE_EXTENSIONS.some((known) => known === extension)) {
    return refuse(`names ${path}, which is not an image file (${IMAGE_EXTENSIONS.join(', ')})`);
  }
  if (catalog.origin === 'folder') return refuse(`names content/images/${path}, which does not exist`);
  const reason = 'which is not there: add the file, unless it is being converted';
  return { problem: `names content/images/${path}, ${reason}`, needsBuild: true };
}

/** The path below `content/images/` of what a problem of `findContentImage` says is not there; null for another one. */
export const readMissingImage = (problem: string): string | null =>
  /names content\/images\/(.+), which is not there: /.exec(problem)?.[1] ?? null;

/** The path below `content/images/` that a reference of a content file names; null for everything outside of it. */
export function resolveImageReference(reference: string): string | null {
  if (!isContentReference(reference) || !URL.canParse(reference, BASE)) return null;
  const { pathname, search, hash } = new URL(reference, BASE);
  if (!pathname.startsWith(FOLDER) || search !== '' || hash !== '') return null;
  try {
    return decodeURIComponent(pathname.slice(FOLDER.length));
  } catch {
    return null;
  }
}

/** The images of a page from top to bottom: those of its hero and of its sections. */
export function listPageImages({ sections }: Page): readonly ImageField[] {
  return sections.flatMap((section) => {
    if (section.type === 'image') return [section.image];
    if (section.type === 'cards') return section.items.flatMap(({ image }) => image ?? []);
    if (section.type !== 'hero') return [];
    const { figure } = section;
    return figure?.kind === 'image' || figure?.kind === 'timeline' ? (figure.image ?? []) : [];
  });
}

/** Every file that an `image` of an unchecked page document names, with the path of the name. */
export function listImageReferences(
  raw: unknown,
  path: TextPath = [],
): readonly { readonly path: TextPath; readonly src: string }[] {
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.entries(raw).flatMap(([key, value]: [string, unknown]) => {
    const at = [...path, Array.isArray(raw) ? Number(key) : key];
    const src = key === 'image' && typeof value === 'object' && value !== null && Reflect.get(value, 'src');
    return typeof src === 'string' ? [{ path: [...at, 'src'], src }] : listImageReferences(value, at);
  });
}

/** The path of the brand's own favicon; null without one. */
export function findBrandFavicon({ favicon }: Brand, images: ImageCatalog): string | null {
  const found = favicon === undefined ? null : findContentImage(favicon, images);
  return found !== null && 'image' in found ? found.image.src : null;
}
