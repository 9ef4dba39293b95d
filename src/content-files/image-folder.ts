import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Content, ContentError } from '../core/pages/content.ts';
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
import { explainMissingBuild } from './content-folder.ts';
import { type DrawnArticle, nameDrawn, type PlannedFile, planDrawn } from './drawn/plan.ts';
import { ImageThread, ImageThreadError, isMissingPackage } from './image-thread.ts';

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
  const drawn = {
    drawn: converted?.drawn === undefined ? build.drawn : new Map(Object.entries(converted.drawn)),
    fontStyles: converted?.drawn === undefined ? build.fontStyles : converted.font?.styles,
  };
  if (converted?.build === build.hash) {
    return {
      images: new Map(entries.flatMap(([name, { image }]) => (image === null ? [] : [[name, image]]))),
      origin: 'build',
      ...drawn,
    };
  }
  const own = entries.flatMap(([name, { image, isConverted }]) =>
    image !== null && isConverted ? ([[name, image]] as const) : [],
  );
  return { images: new Map([...build.images, ...own]), origin: 'build', ...drawn };
}

type Build = ImageCatalog & { readonly hash: string };

/** The builds that were read: while another version is installed, the program that runs goes on with its own. */
const builds = new Map<string, Build>();

function readBuild({ builtList }: ImagePlaces): Build {
  if (existsSync(builtList)) {
    const text = readFileSync(builtList, 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    builds.set(builtList, { ...parseImageManifest(JSON.parse(text)), hash });
  }
  const build = builds.get(builtList);
  if (build !== undefined) return build;
  throw new ContentError([{ file: 'images', field: '', reason: explainMissingBuild(builtList) }]);
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

/** How long images that are ready wait for others, in ms. */
const PUBLISH_MS = 2_000;
/** How many times as long as it takes to show them: with thousands of pieces that is seconds. */
const PUBLISH_PART = 20;

/** Builds a function that publishes what is done of many now and then, for a small part of the time. */
export function pace(publish: () => Promise<void>, now = () => performance.now()): () => Promise<void> {
  let next = now() + PUBLISH_MS;
  return async () => {
    const began = now();
    if (began < next) return;
    await publish();
    const ended = now();
    next = ended + Math.max(PUBLISH_MS, PUBLISH_PART * (ended - began));
  };
}

const SERVED = /\.(?:svg|avif|webp|jpg|png|ico|woff2|ttf)$/;

/** What is drawn. */
interface DrawnContent {
  readonly content: Parameters<typeof planDrawn>[0];
  readonly articles: readonly DrawnArticle[];
}

/** What the site has drawn. */
type Drawn = Required<Pick<ConvertedImages, 'drawn' | 'font'>>;

/**
 * The images of the content folder of a running site: converts those that the build does not have, in a thread, and
 * serves them from the data folder under the names that the next build gives them. So are sharing images, icons and the
 * heading font of the brand, which are drawn of the content.
 */
export class ImageFolder {
  readonly #places: ImagePlaces;
  readonly #thread: ImageThread;
  readonly #builtNames: ReadonlySet<string>;
  readonly #convertedNames: Set<string>;
  #known: ReadonlyMap<string, KnownImage> | undefined;
  #written = '';
  #failure = '';
  #drawn: Drawn;
  /** What is not drawn, and why. */
  #undrawn: readonly string[] = [];
  #isPruned = false;
  /** How many looks through the folder wait: drawing lets them pass. */
  #waiting = 0;
  #last: Promise<boolean> = Promise.resolve(false);
  #isClosed = false;
  /** Returns the images that content may show, the same object until they change. Throws `ContentError`. */
  readonly readImages: () => ImageCatalog;

  constructor(places: ImagePlaces, thread = new ImageThread()) {
    this.#places = places;
    this.#thread = thread;
    this.#builtNames = new Set(listServed(places.built));
    this.#convertedNames = new Set(listServed(places.converted));
    const { drawn, font } = readConverted(places) ?? {};
    this.#drawn = { drawn: drawn ?? {}, font: font ?? null };
    this.readImages = createImageReader(places);
  }

  /** The file behind an address of the site that was converted since the build; undefined: there is no such file. */
  findFile(address: string): string | undefined {
    const shown = Object.hasOwn(this.#drawn.drawn ?? {}, address) ? this.#drawn.drawn?.[address] : undefined;
    const asked = shown ?? address;
    const name = asked.startsWith(IMAGES_PREFIX) ? asked.slice(IMAGES_PREFIX.length) : nameDrawn(asked);
    if (this.#convertedNames.has(name)) return path.join(this.#places.converted, name);
    return shown === undefined ? undefined : this.#locateBuilt(shown);
  }

  /**
   * Looks through the folder and converts what is new, the newest first. Resolves with whether content can show other
   * images than before, and calls `onPublished` with the first of many. Never rejects.
   */
  refresh(onPublished: () => void = () => undefined): Promise<boolean> {
    this.#waiting += 1;
    return this.#runNext(() => {
      this.#waiting -= 1;
      return this.#refresh(onPublished);
    });
  }

  /**
   * Draws the sharing images, the icons and the heading font that the content needs and that are not there. Resolves with
   * whether pages name others than before, and calls `onPublished` with the first of many. `read`: reads the content when its turn comes. Never rejects.
   */
  async draw(read: () => Promise<DrawnContent>, onPublished: () => void = () => undefined): Promise<boolean> {
    let isLeft = false;
    const isChanged = await this.#runNext(async () => {
      const done = await this.#draw(await read(), onPublished);
      isLeft = done.isLeft;
      return done.isChanged;
    });
    return isLeft ? (await this.draw(read, onPublished)) || isChanged : isChanged;
  }

  #runNext(work: () => Promise<boolean>): Promise<boolean> {
    const run = async () => {
      try {
        this.#failure = '';
        return await work();
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
    const all = [...files, ...this.#undrawn];
    return this.#failure === '' ? all : [...all, `new images cannot be shown: ${this.#failure}`];
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
    const publish = pace(async () => {
      await this.#publish(build.hash, known);
      onPublished();
    });
    for (const [name, { signature }] of changed.sort(([, one], [, other]) => other.time - one.time)) {
      if (this.#isClosed) return false;
      const image = known.get(name)?.image ?? null;
      known.set(name, { signature, image, problem: '', ...(await this.#look(name, image, build)) });
      this.#known = known;
      await publish();
    }
    this.#known = known;
    await this.#publish(build.hash, known);
    if (isFirst) await this.#removeUnused(known);
    return !isDeepStrictEqual(before.images, this.readImages().images);
  }

  async #draw({ content, articles }: DrawnContent, onPublished: () => void) {
    const before = this.readImages();
    const build = readBuild(this.#places);
    const problems = new Set<string>();
    const font = await this.#prepareFont(content.brand, problems);
    const planned = planDrawn(content, articles, font?.heading ?? null);
    // Until a file is drawn, the one before it is shown.
    const drawn = Object.fromEntries(
      planned.flatMap(({ plain, address }) => {
        const shown = [address, before.drawn?.get(plain) ?? ''].find((one) => this.#isDrawn(one));
        return shown === undefined ? [] : [[plain, shown]];
      }),
    );
    const publish = async () => {
      this.#drawn = { drawn: { ...drawn }, font };
      await this.#publish(build.hash, this.#known ?? this.#readFormer());
    };
    const publishSome = pace(async () => {
      await publish();
      onPublished();
    });
    let isLeft = false;
    for (const file of planned) {
      if (drawn[file.plain] === file.address) continue;
      if (this.#isClosed) return { isChanged: false, isLeft: false };
      // Who has uploaded an image waits for it.
      isLeft = this.#waiting > 0;
      if (isLeft) break;
      const problem = await this.#drawFile(file, problems);
      if (problem === null) drawn[file.plain] = file.address;
      else {
        delete drawn[file.plain];
        problems.add(problem);
      }
      await publishSome();
    }
    this.#undrawn = [...problems];
    await publish();
    if (!this.#isPruned && !isLeft) {
      await this.#removeUnused(this.#known ?? this.#readFormer());
      this.#isPruned = true;
    }
    const list = ({ drawn: shown, fontStyles }: ImageCatalog) => [shown, fontStyles ?? ''];
    return { isChanged: !isDeepStrictEqual(list(before), list(this.readImages())), isLeft };
  }

  /** Draws a file; returns why that is not possible, or null. `problems`: of those before it. */
  async #drawFile(
    { plain, address, drawing }: PlannedFile,
    problems: ReadonlySet<string>,
  ): Promise<string | null> {
    if (drawing.kind === 'card' && problems.has(NO_RENDERER)) return NO_RENDERER;
    if (this.#isDrawn(address)) return null;
    const { source, converted } = this.#places;
    const name = nameDrawn(address);
    try {
      createPrivateFolder(converted);
      await this.#thread.run({
        kind: 'draw',
        drawing,
        source,
        fonts: drawing.kind === 'card' ? listCardFonts(drawing.font, this.#places) : [],
        target: path.join(converted, name),
      });
      this.#convertedNames.add(name);
      return null;
    } catch (error) {
      return isMissingPackage(error) ? NO_RENDERER : `${plain} ${explain(error)}`;
    }
  }

  /** Prepares the heading font of the brand; null without one. */
  async #prepareFont({ displayFont }: Content['brand'], problems: Set<string>): Promise<Drawn['font']> {
    if (!displayFont.endsWith('.woff2')) return null;
    const { source, converted } = this.#places;
    const contentDir = path.dirname(source);
    const file = path.join(contentDir, displayFont.slice('../'.length));
    const { mtimeMs = 0, size = 0, ino = 0 } = (await stat(file).catch(() => null)) ?? {};
    const signature = `${displayFont} ${mtimeMs} ${size} ${ino}`;
    const { font: known } = this.#drawn;
    if (
      known?.signature === signature &&
      listFontNames(known).every((name) => this.#convertedNames.has(name))
    )
      return known;
    try {
      createPrivateFolder(converted);
      const font = await this.#thread.run({ kind: 'font', contentDir, converted });
      if (font === null) return null;
      for (const name of listFontNames(font)) this.#convertedNames.add(name);
      return { signature, ...font };
    } catch (error) {
      problems.add(isMissingPackage(error) ? NO_FONT_TOOL : `the heading font ${explain(error)}`);
      return null;
    }
  }

  #locateBuilt = (address: string) => path.join(path.dirname(this.#places.builtList), 'client', address);

  #isDrawn(address: string): boolean {
    const name = nameDrawn(address);
    return name !== '' && (this.#convertedNames.has(name) || existsSync(this.#locateBuilt(address)));
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
    const list: ConvertedImages = { build, images: Object.fromEntries(images), ...this.#drawn };
    const text = JSON.stringify(list);
    if (text === this.#written) return;
    const file = listConverted(this.#places);
    createPrivateFolder(this.#places.converted);
    await storeWhole(file, text);
    this.#written = text;
  }

  /** Removes files that nothing names any more, and parts of files of a process that was killed. */
  async #removeUnused(known: ReadonlyMap<string, KnownImage>): Promise<void> {
    const { converted } = this.#places;
    const { drawn = {}, font } = this.#drawn;
    const named = new Set([
      ...[...known.values()].flatMap(({ image }) => listNames(image)),
      ...Object.values(drawn).map(nameDrawn),
      ...(font ? listFontNames(font) : []),
    ]);
    for (const name of await readdir(converted)) {
      const isUsed = named.has(name) && !this.#builtNames.has(name);
      if (isUsed || !(SERVED.test(name) || name.endsWith('.part'))) continue;
      this.#convertedNames.delete(name);
      await discard(path.join(converted, name));
    }
  }
}

const NO_RENDERER = 'sharing images are not drawn: the optional package @resvg/resvg-js is not installed';
const NO_FONT_TOOL =
  "the brand's heading font is not shown: the optional package subset-font is not installed";

const listFontNames = ({ address, heading }: { readonly address: string; readonly heading: string }) => [
  nameDrawn(address),
  heading,
];

/** The files of the heading font: of the brand, or of the shipped one, which a build cuts for sharing images. */
function listCardFonts(own: string | null, { builtList, converted }: ImagePlaces): readonly string[] {
  if (own !== null) return [path.join(converted, own)];
  const folder = path.join(path.dirname(builtList), 'card-fonts');
  // Without them, those of the system are used.
  return (existsSync(folder) ? readdirSync(folder) : []).sort().map((name) => path.join(folder, name));
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
