import { IMAGE_EXTENSIONS } from '../core/pages/images/content-image.ts';
import { type FileTree, openFileTree } from './open-archive.ts';

/** The files of the former site's uploads. */
export interface Media {
  /** The bytes of an image by its address; null: there is no such file. */
  readonly find: (
    address: string,
  ) => { readonly name: string; readonly read: () => Promise<Uint8Array> } | null;
}

/** A GIF is converted when it is imported. */
const IMAGE = new RegExp(String.raw`\.(?:${[...IMAGE_EXTENSIONS, 'gif'].join('|')})$`, 'i');
/** WordPress stores sizes of an image beside it: `photo-1024x695.jpg`, and the reduced original `photo-scaled.jpg`. */
const SIZE = /-(?:\d{1,5}x\d{1,5}|scaled)(?=\.[a-z]+$)/i;

/** Opens a folder or ZIP archive of uploads, such as `wp-content/uploads` or one that contains it. */
export async function openMedia(location: string): Promise<Media> {
  return createMedia(await openFileTree(location));
}

/** The images among files. */
export function createMedia({ names, read }: FileTree): Media {
  const known = new Map(names.filter((name) => IMAGE.test(name)).map((name) => [trimRoot(name), name]));
  const getEnd = (name: string) => name.split('/').at(-1) ?? name;
  const byEnd = Map.groupBy(known.keys(), getEnd);
  return {
    find(address) {
      const wanted = parseMediaPath(address);
      if (wanted === null) return null;
      // The original has every size: the site makes its own.
      for (const candidate of [wanted.replace(SIZE, ''), wanted]) {
        // Folders may be named in another way, such as `static/` of Hugo; a name that is there once is that file.
        const same = byEnd.get(getEnd(candidate)) ?? [];
        const below = same.filter((name) => `/${name}`.endsWith(`/${candidate}`));
        const [only = '', ...others] = below.length > 0 ? below : same;
        const name = known.has(candidate) ? candidate : only;
        const file = known.get(name);
        if (file !== undefined && (name === candidate || others.length === 0))
          return { name, read: () => read(file) };
      }
      return null;
    },
  };
}

/** The address of an image in its original size. */
export const buildOriginalAddress = (address: string): string => {
  const [path = '', query] = address.split('?', 2);
  return `${path.replace(SIZE, '')}${query === undefined ? '' : `?${query}`}`;
};

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
    .replace(/^(?:.*\/)?content\/images\/(?:size\/w\d+(?:h\d+)?\/)?(?:format\/\w+\/)?/, '');
