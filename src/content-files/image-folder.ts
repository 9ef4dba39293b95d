import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ContentError } from '../core/pages/content.ts';
import {
  type ContentImage,
  IMAGE_EXTENSIONS,
  type ImageCatalog,
} from '../core/pages/images/content-image.ts';
import {
  type ConvertedImages,
  parseConvertedImages,
  parseImageManifest,
} from '../core/pages/images/image-field.schema.ts';
import { IMAGES_PREFIX } from '../core/paths.ts';
import { buildSlug } from '../core/text/slug.ts';
import { createPrivateFolder, discard, storeWhole } from '../stores/disk.ts';
import { ImageThread, ImageThreadError } from './image-thread.ts';

/** Why an image cannot be used; `reason` follows the path in the message: `is larger than 20 MB`. */
export interface UnusableImage {
  /** Path below `content/images/`. */
  readonly path: string;
  readonly reason: string;
}

/** What an image may have at most, in bytes. */
const MAX_IMAGE_BYTES = 20_000_000;
/** Changes when the same image shall give other files. */
const RECIPE = 'images 1';

/** Lists the images of a folder by their path below it, sorted. */
export async function listImagePaths(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && isImageName(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** Whether a file of this name counts as an image. */
export function isImageName(name: string): boolean {
  const extension = path.extname(name).slice(1).toLowerCase();
  return !name.startsWith('.') && IMAGE_EXTENSIONS.some((known) => known === extension);
}

/** Why an image cannot be read; null when it can. A link may lead to another file of the folder, not out of it. */
export async function checkImageFile(root: string, name: string): Promise<string | null> {
  const target = await realpath(path.join(root, name)).catch(() => null);
  if (target === null) return 'is a link to a file that does not exist';
  if (!target.startsWith((await realpath(root)) + path.sep))
    return 'is a link to a file outside of content/images/';
  const found = await stat(target);
  if (!found.isFile()) return 'is not a file';
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  return found.size > MAX_IMAGE_BYTES
    ? `has ${megabytes(found.size)}; the limit is ${megabytes(MAX_IMAGE_BYTES)}`
    : null;
}

/** Begins the hash of an image's content and of how it is converted. */
export const startImageHash = (): Hash => createHash('sha256').update(RECIPE).update('\0');

/**
 * The name of an image's files without ending; `hash` is that of its content. It is the same in a path, in `srcset`, in a
 * header and on a disk, whichever alphabet the image is named in.
 */
export function buildImageBase(name: string, hash: string): string {
  const plain = buildSlug(path.parse(name).name)
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/^-+|-+$/g, '');
  return `${plain || 'image'}.${hash.slice(0, 10)}`;
}

async function readImageBase(root: string, name: string): Promise<string> {
  const hash = startImageHash();
  for await (const chunk of createReadStream(path.join(root, name))) hash.update(chunk);
  return buildImageBase(name, hash.digest('hex'));
}

/** Where the images of a running site are. */
export interface ImagePlaces {
  /** `images/` of the content folder. */
  readonly source: string;
  /** The files that the build has converted. */
  readonly built: string;
  /** The list of those. */
  readonly builtList: string;
  /** The files that were converted since then, with their list. */
  readonly converted: string;
}

const listConverted = ({ converted }: ImagePlaces) => path.join(converted, 'images.json');

/**
 * Creates a reader of the images that content may show: those of the folder when it was looked through last; until that
 * was done for a new build, those of the build and those that were converted since. The same object until they change.
 * It throws `ContentError` when there is no list of the build.
 */
export function createImageReader(places: ImagePlaces): () => ImageCatalog {
  let catalog: ImageCatalog | undefined;
  let readState = '';
  return () => {
    const state = [places.builtList, listConverted(places)]
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((found) => `${found?.mtimeMs} ${found?.size} ${found?.ino}`)
      .join();
    if (catalog === undefined || state !== readState) {
      catalog = readLists(places);
      readState = state;
    }
    return catalog;
  };
}

function readLists(places: ImagePlaces): ImageCatalog {
  const build = readBuild(places);
  const converted = readConverted(places);
  const entries = Object.entries(converted?.images ?? {});
  if (converted?.build === build.hash) {
    return {
      images: new Map(entries.flatMap(([name, { image }]) => (image === null ? [] : [[name, image]]))),
      origin: 'build',
    };
  }
  const own = entries.flatMap(([name, { image, isConverted }]) =>
    image !== null && isConverted ? ([[name, image]] as const) : [],
  );
  return { images: new Map([...build.images, ...own]), origin: 'build' };
}

function readBuild({ builtList }: ImagePlaces) {
  if (!existsSync(builtList)) {
    const reason = `the build has no list of images (${builtList}): run "npm run build"`;
    throw new ContentError([{ file: 'images', field: '', reason }]);
  }
  const text = readFileSync(builtList, 'utf8');
  return { ...parseImageManifest(JSON.parse(text)), hash: createHash('sha256').update(text).digest('hex') };
}

/** What earlier processes have converted; null: nothing, or what they have written is damaged. */
function readConverted(places: ImagePlaces): ConvertedImages | null {
  try {
    return parseConvertedImages(JSON.parse(readFileSync(listConverted(places), 'utf8')));
  } catch {
    return null;
  }
}

/** An image of the folder as it was looked at last. */
interface KnownImage {
  /** Time, size and inode of the file; empty: it has to be looked at again. */
  readonly signature: string;
  /** What is shown: the image of the file, or the one before it while the file cannot be used. */
  readonly image: ContentImage | null;
  /** Why the file is not what is shown; empty when it is. */
  readonly problem: string;
}

/** How long images that are ready wait at most for others, in ms. */
const PUBLISH_MS = 2_000;
const SERVED = /\.(?:svg|avif|webp|jpg|png)$/;

/**
 * The images of the content folder of a running site: converts those that the build does not have, in a thread, and
 * serves them from the data folder under the names that the next build gives them.
 */
export class ImageFolder {
  readonly #places: ImagePlaces;
  readonly #thread: ImageThread;
  readonly #builtNames: ReadonlySet<string>;
  readonly #convertedNames: Set<string>;
  #known: ReadonlyMap<string, KnownImage> | undefined;
  #written = '';
  #failure = '';
  #last: Promise<boolean> = Promise.resolve(false);
  #isClosed = false;
  /** Returns the images that content may show, the same object until they change. Throws `ContentError`. */
  readonly readImages: () => ImageCatalog;

  constructor(places: ImagePlaces, thread = new ImageThread()) {
    this.#places = places;
    this.#thread = thread;
    this.#builtNames = new Set(listServed(places.built));
    this.#convertedNames = new Set(listServed(places.converted));
    this.readImages = createImageReader(places);
  }

  /** The file behind an address of the site that was converted since the build; undefined: there is no such file. */
  findFile(address: string): string | undefined {
    const name = address.startsWith(IMAGES_PREFIX) ? address.slice(IMAGES_PREFIX.length) : '';
    return this.#convertedNames.has(name) ? path.join(this.#places.converted, name) : undefined;
  }

  /**
   * Looks through the folder and converts what is new, the newest first. Resolves with whether content can show other
   * images than before, and calls `onPublished` with the first of many. Never rejects.
   */
  refresh(onPublished: () => void = () => undefined): Promise<boolean> {
    const run = async () => {
      try {
        this.#failure = '';
        return await this.#refresh(onPublished);
      } catch (error) {
        this.#failure = explain(error);
        return false;
      }
    };
    this.#last = this.#last.then(run);
    return this.#last;
  }

  /** Returns why images are not shown as they are in the folder, a line each. */
  readProblems(): readonly string[] {
    const files = [...(this.#known ?? [])].flatMap(([name, { problem, image }]) => {
      const rest = image === null ? '' : ', so the image before it is shown';
      return problem === '' ? [] : [`content/images/${name} ${problem}${rest}`];
    });
    files.sort();
    return this.#failure === '' ? files : [...files, `new images cannot be shown: ${this.#failure}`];
  }

  /** Ends the thread; images in work are converted after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  async #refresh(onPublished: () => void): Promise<boolean> {
    const { source } = this.#places;
    if (!existsSync(source)) return false;
    const before = this.readImages();
    const build = readBuild(this.#places);
    const isFirst = this.#known === undefined;
    const former = this.#known ?? this.#readFormer();
    const files = await listSignatures(source);
    const known = new Map([...former].filter(([name]) => files.has(name)));
    const changed = [...files].filter(([name, { signature }]) => known.get(name)?.signature !== signature);
    // Until it is looked at, an image is shown as it was, or as the build has it.
    for (const [name] of changed) {
      const { signature = '', image, problem = '' } = known.get(name) ?? {};
      known.set(name, { signature, image: image ?? build.images.get(name) ?? null, problem });
    }
    let published = performance.now();
    for (const [name, { signature }] of changed.sort(([, one], [, other]) => other.time - one.time)) {
      if (this.#isClosed) return false;
      const image = known.get(name)?.image ?? null;
      known.set(name, { signature, image, problem: '', ...(await this.#look(name, image, build)) });
      this.#known = known;
      if (performance.now() - published < PUBLISH_MS) continue;
      await this.#publish(build.hash, known);
      onPublished();
      published = performance.now();
    }
    this.#known = known;
    await this.#publish(build.hash, known);
    if (isFirst) await this.#removeUnused(known);
    return !isDeepStrictEqual(before.images, this.readImages().images);
  }

  /** What is known from the process before, as far as its files are there. */
  #readFormer(): ReadonlyMap<string, KnownImage> {
    const entries = Object.entries(readConverted(this.#places)?.images ?? {});
    return new Map(
      entries
        .filter(([, { image }]) => listNames(image).every((name) => this.#isServed(name)))
        .map(([name, { signature, image }]) => [name, { signature, image, problem: '' }]),
    );
  }

  #isServed(name: string): boolean {
    return this.#builtNames.has(name) || this.#convertedNames.has(name);
  }

  /** Finds what is to be shown of a file, or why it cannot be shown. `shown`: what was shown of it before. */
  async #look(name: string, shown: ContentImage | null, build: ImageCatalog): Promise<Partial<KnownImage>> {
    const { source, built, converted } = this.#places;
    const problem = await checkImageFile(source, name);
    if (problem !== null) return { problem };
    const start = `${IMAGES_PREFIX}${await readImageBase(source, name)}.`;
    const same = [shown, build.images.get(name)].find((image) => image?.src.startsWith(start));
    if (same !== undefined && listNames(same).every((file) => this.#isServed(file))) return { image: same };
    try {
      createPrivateFolder(converted);
      const done = await this.#thread.run({ kind: 'convert', source, name, built, converted });
      if ('reason' in done) return { problem: done.reason };
      for (const file of done.written) this.#convertedNames.add(file);
      return { image: done.image };
    } catch (error) {
      const isFinal = error instanceof ImageThreadError && error.code === 'timeout';
      // A disk that is full now may have space later.
      return { problem: explain(error), ...(isFinal ? {} : { signature: '' }) };
    }
  }

  /** Writes what content may show where every thread reads it. */
  async #publish(build: string, known: ReadonlyMap<string, KnownImage>): Promise<void> {
    const images = [...known].map(([name, { signature, image, problem }]) => {
      const isConverted = listNames(image).some((file) => !this.#builtNames.has(file));
      return [name, { signature: problem === '' ? signature : '', image, isConverted }] as const;
    });
    const text = JSON.stringify({ build, images: Object.fromEntries(images) } satisfies ConvertedImages);
    if (text === this.#written) return;
    const file = listConverted(this.#places);
    createPrivateFolder(this.#places.converted);
    await storeWhole(file, text);
    this.#written = text;
  }

  /** Removes files that nothing names any more, and parts of files of a process that was killed. */
  async #removeUnused(known: ReadonlyMap<string, KnownImage>): Promise<void> {
    const { converted } = this.#places;
    const named = new Set([...known.values()].flatMap(({ image }) => listNames(image)));
    for (const name of await readdir(converted)) {
      const isUsed = named.has(name) && !this.#builtNames.has(name);
      if (isUsed || !(SERVED.test(name) || name.endsWith('.part'))) continue;
      this.#convertedNames.delete(name);
      await discard(path.join(converted, name));
    }
  }
}

/** Earlier versions could leave empty files after a power cut. */
const listServed = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder).filter((name) => SERVED.test(name) && statSync(path.join(folder, name)).size > 0)
    : [];

/** Time, size and inode of each image, with its time of change in ms. */
async function listSignatures(root: string) {
  const found = new Map<string, { readonly signature: string; readonly time: number }>();
  for (const name of await listImagePaths(root)) {
    // A broken link has a problem and no time.
    const { mtimeMs = 0, size = 0, ino = 0 } = (await stat(path.join(root, name)).catch(() => null)) ?? {};
    found.set(name, { signature: `${mtimeMs} ${size} ${ino}`, time: mtimeMs });
  }
  return found;
}

/** The names of the files that are served of an image. */
function listNames(image: ContentImage | null): readonly string[] {
  if (image === null) return [];
  const addresses = image.sources.flatMap(({ srcset }) =>
    srcset.split(', ').map((one) => one.split(' ', 1)[0]),
  );
  return [image.src, ...addresses].map((address = '') => address.slice(IMAGES_PREFIX.length));
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'cannot be converted: the disk is full';
  return error instanceof Error ? error.message : String(error);
}
