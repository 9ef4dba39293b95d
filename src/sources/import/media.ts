import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IMAGE_EXTENSIONS } from '../../core/pages/content-image.ts';

/** The files of the former site's uploads. */
export interface Media {
  /** The bytes of an image by its address; null: there is no such file. */
  readonly find: (address: string) => { readonly name: string; readonly read: () => Uint8Array } | null;
}

const IMAGE = new RegExp(String.raw`\.(?:${IMAGE_EXTENSIONS.join('|')})$`, 'i');
/** WordPress stores sizes of an image beside it: `photo-1024x695.jpg`, and the reduced original `photo-scaled.jpg`. */
const SIZE = /-(?:\d{1,5}x\d{1,5}|scaled)(?=\.[a-z]+$)/i;

/** Opens a folder of uploads, such as `wp-content/uploads` or one that contains it. */
export function openMediaFolder(root: string): Media {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => IMAGE.test(name));
  return createMedia(names, (name) => readFileSync(path.join(root, name)));
}

/** Creates media from names of files and the function that reads one. */
function createMedia(names: readonly string[], read: (name: string) => Uint8Array): Media {
  const known = new Map(names.map((name) => [trimRoot(name.split(path.sep).join('/')), name]));
  return {
    find(address) {
      const wanted = parseMediaPath(address);
      if (wanted === null) return null;
      // The original has every size: the site makes its own.
      const name = [wanted.replace(SIZE, ''), wanted].find((candidate) => known.has(candidate));
      const file = name === undefined ? undefined : known.get(name);
      return name === undefined || file === undefined ? null : { name, read: () => read(file) };
    },
  };
}

/** The path of an image below the folder of uploads; null for what is no image. */
export function parseMediaPath(address: string): string | null {
  if (!URL.canParse(address, 'https://site.invalid')) return null;
  try {
    const wanted = trimRoot(
      decodeURIComponent(new URL(address, 'https://site.invalid').pathname).normalize('NFC'),
    );
    return IMAGE.test(wanted) && !/[\\\p{Cc}]|(?:^|\/)\.\.?(?:\/|$)/u.test(wanted) ? wanted : null;
  } catch {
    return null;
  }
}

const trimRoot = (name: string) =>
  name
    .normalize('NFC')
    .replace(/^\/+/, '')
    .replace(/^(?:.*\/)?wp-content\/uploads\//, '')
    .replace(/^(?:.*\/)?uploads\//, '')
    .replace(/^(?:.*\/)?content\/images\//, '');
