import type { ContentUpdate } from '../../core/outbound/content-updates.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';

/** The address of the form of a content file. `extra` are its parameters, such as `view`. */
export function buildFileAddress(file: string, extra: Readonly<Record<string, string>> = {}): string {
  return buildConsoleAddress('content', {}, { rest: file.split('/'), extra });
}

/** Where the form of a file opens at what is wrong. */
export function buildPlaceAddress({ file, at, line }: Pick<ContentUpdate, 'file' | 'at' | 'line'>): string {
  return buildFileAddress(file, at ? { at } : line === undefined ? {} : { line: String(line) });
}

/** The part of the address of images below that of content. */
export const IMAGES_VIEW = 'images';

/** The address of the images, or of one by its path below `content/images/`. */
export function buildImagesAddress(image = '', extra: Readonly<Record<string, string>> = {}): string {
  const rest = [IMAGES_VIEW, ...image.split('/').filter(Boolean)];
  return buildConsoleAddress('content', {}, { rest, extra });
}
