import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { DECORATION_MARK } from '../core/articles/markdown-words.ts';
import { buildCropPath, resolveImageReference } from '../core/pages/images/content-image.ts';
import { IMAGE_DESCRIPTIONS, parseImageDescriptions } from '../core/pages/images/image-field.schema.ts';
import { buildSlug } from '../core/text/slug.ts';
import { parseHtml } from '../sources/articles/html/html-text.ts';
import { findBodyExcess, renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import { createFolder, explainWriteFailure, remove, writeWhole } from '../stores/disk.ts';
import { splitMarkdown } from './edit-yaml.ts';
import { checkImageFile, isImageName } from './image-folder.ts';
import { ImageThread, ImageThreadError, type PrepareJob } from './image-thread.ts';
import { parseYaml } from './parse-yaml.ts';
import { findFileStats, readTextFile } from './read-text-file.ts';

/** A place in the content that shows an image. */
export interface ImageUse {
  /** Path below the content folder. */
  readonly file: string;
  /** What the image shows, as the place says; null where it says nothing, such as in a favicon. */
  readonly alt: string | null;
}

/** What adding, replacing or removing an image did; `problem` is a sentence, and then nothing was changed. */
export type ImageChange = { readonly path: string } | { readonly problem: string };

const NOTHING = 'Nothing was changed.';
const MAX_NAME_LENGTH = 60;
const MAX_FOLDERS = 500;

/** The images of the content folder as files, which operators add, replace and remove. */
export class ImageStore {
  readonly #content: string;
  readonly #root: string;
  readonly #thread: ImageThread;
  /** The images that each file shows, as it was. */
  #shown: ReadonlyMap<
    string,
    {
      readonly state: string;
      readonly images: readonly { readonly image: string; readonly alt: string | null }[];
    }
  > = new Map();

  /** `content`: the content folder. */
  constructor(content: string, thread = new ImageThread()) {
    this.#content = content;
    this.#root = path.join(content, 'images');
    this.#thread = thread;
  }

  /** Lists the images by path. */
  list() {
    return this.#listEntries()
      .filter((entry) => !entry.isDirectory && isImageName(path.basename(entry.name)))
      .flatMap(({ name }) => {
        const stats = findFileStats(path.join(this.#root, name));
        if (stats === undefined || !stats.isFile()) return [];
        const { size: bytes, mtimeMs, ino } = stats;
        return [{ path: name, bytes, changedAt: mtimeMs, version: `${mtimeMs} ${bytes} ${ino}` }];
      });
  }

  /** Lists the folders that an image can be added to; the first is that of images itself. */
  listFolders(): readonly string[] {
    const folders = this.#listEntries().filter((entry) => entry.isDirectory);
    return ['', ...folders.map(({ name }) => name).slice(0, MAX_FOLDERS)];
  }

  /**
   * Adds an image: its type is that of its content, its name that of the file in a form that is right in addresses. It
   * never takes the place of another file. `folder` is one of `listFolders`; `isNumbered`: a name that is taken gets a number.
   */
  async add(
    file: File,
    { folder, name, isNumbered = false }: { folder: string; name: string; isNumbered?: boolean },
  ): Promise<ImageChange> {
    const prepared = await this.#prepare(file);
    if ('problem' in prepared) return prepared;
    if (!this.listFolders().includes(folder))
      return { problem: `There is no folder of this name. ${NOTHING}` };
    const given = name.trim() === '' ? path.parse(file.name).name : name;
    const slug = buildSlug(given).slice(0, MAX_NAME_LENGTH).replace(/-+$/, '') || 'image';
    const build = (end: string) => [folder, `${slug}${end}.${prepared.extension}`].filter(Boolean).join('/');
    const taken = new Set(isNumbered ? this.list().map((image) => image.path.toLowerCase()) : []);
    let number = 1;
    while (taken.has(build(number === 1 ? '' : `-${number}`))) number += 1;
    return this.#write(build(number === 1 ? '' : `-${number}`), prepared.content, null);
  }

  /** Adds a font of the brand; the same one is there once. The path begins with its folder. */
  async addFont(file: File): Promise<ImageChange> {
    const prepared = await this.#prepare(file, 'woff2');
    if ('problem' in prepared) return prepared;
    const slug = buildSlug(path.parse(file.name).name).slice(0, MAX_NAME_LENGTH).replace(/-+$/, '') || 'font';
    const folder = path.join(this.#content, 'fonts');
    try {
      createFolder(folder);
      if (realpathSync(folder) !== path.join(realpathSync(this.#content), 'fonts'))
        return { problem: `The folder content/fonts/ is a link. ${NOTHING}` };
      for (let number = 1; ; number += 1) {
        const name = `${slug}${number === 1 ? '' : `-${number}`}.woff2`;
        const target = path.join(folder, name);
        const known = lstatSync(target, { throwIfNoEntry: false });
        if (known === undefined)
          return writeWhole(target, prepared.content, true, () => null) ?? { path: `fonts/${name}` };
        if (known.isFile() && readFileSync(target).equals(prepared.content)) return { path: `fonts/${name}` };
      }
    } catch (error) {
      return { problem: explainWriteFailure(error) };
    }
  }

  /** Adds a part of an image, in its format: left, top, width and height in pixels. The original stays. */
  async crop(image: string, area: readonly number[]): Promise<ImageChange> {
    if (!this.#has(image)) return { problem: `There is no such image any more. ${NOTHING}` };
    const [left = -1, top = -1, width = 0, height = 0] = area;
    const isPart = area.length === 4 && area.every(Number.isInteger) && left >= 0 && top >= 0;
    if (!isPart || width < 1 || height < 1) return { problem: `This is no part of an image. ${NOTHING}` };
    const cropped = buildCropPath(image, area);
    if (this.#has(cropped)) return { path: cropped };
    const problem = await checkImageFile(this.#root, image);
    if (problem !== null) return { problem: `The image ${problem}. ${NOTHING}` };
    const file = new File([readFileSync(path.join(this.#root, image))], image);
    const prepared = await this.#prepare(file, readFormat(image), { left, top, width, height });
    return 'problem' in prepared ? prepared : this.#write(cropped, prepared.content, null);
  }

  /** Puts another image in the place of one, in its format, unless the file was changed since `version`. */
  async replace(image: string, file: File, version: string): Promise<ImageChange> {
    if (!this.#has(image)) return { problem: `There is no such image any more. ${NOTHING}` };
    const prepared = await this.#prepare(file, readFormat(image));
    return 'problem' in prepared ? prepared : this.#write(image, prepared.content, version);
  }

  /** Removes an image that nothing uses, unless the file was changed since `version`. */
  remove(image: string, version: string): ImageChange {
    if (!this.#has(image)) return { problem: `There is no such image any more. ${NOTHING}` };
    const uses = this.readUses().get(image) ?? [];
    if (uses.length > 0) {
      const files = [...new Set(uses.map(({ file }) => `content/${file}`))].join(', ');
      return { problem: `The image is used by ${files}. Show another image there first. ${NOTHING}` };
    }
    const changed = this.#findChange(image, version);
    if (changed !== null) return changed;
    try {
      remove(path.join(this.#root, image));
      return { path: image };
    } catch (error) {
      return { problem: explainWriteFailure(error) };
    }
  }

  /** Reads where the content shows each image; each file is read once while it is not changed. */
  readUses(): ReadonlyMap<string, readonly ImageUse[]> {
    const names = readdirSync(this.#content, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => /\.(?:yaml|md|csv)$/.test(name) && name !== IMAGE_DESCRIPTIONS)
      .sort();
    const known = this.#shown;
    this.#shown = new Map(
      names.map((name) => {
        const stats = findFileStats(path.join(this.#content, name));
        const state = `${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`;
        const last = known.get(name);
        return [name, last?.state === state ? last : { state, images: this.#listShown(name) }];
      }),
    );
    const uses = [...this.#shown].flatMap(([file, { images }]) =>
      images.map(({ image, alt }) => ({ image, use: { file, alt } })),
    );
    return new Map(
      [...Map.groupBy(uses, ({ image }) => image)].map(([image, own]) => [image, own.map(({ use }) => use)]),
    );
  }

  /** Reads what each image shows, as `images.yaml` says; nothing of a file that cannot be read. */
  readDescriptions(): ReadonlyMap<string, string> {
    const read = readTextFile(this.#content, IMAGE_DESCRIPTIONS);
    const parsed = 'text' in read ? parseYaml(read.text) : read;
    const descriptions = 'value' in parsed ? parseImageDescriptions(parsed.value) : undefined;
    return new Map(Object.entries(descriptions ?? {}));
  }

  #listEntries() {
    try {
      return readdirSync(this.#root, { recursive: true, withFileTypes: true })
        .map((entry) => ({
          name: path.relative(this.#root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
          isDirectory: entry.isDirectory(),
        }))
        .filter(({ name }) => !name.split('/').some((part) => part.startsWith('.')))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch {
      // The folder is created with the first image.
      return [];
    }
  }

  #has = (image: string) => this.list().some((one) => one.path === image);

  #listShown(name: string) {
    const read = readTextFile(this.#content, name);
    if (!('text' in read) || !read.text.includes('images/')) return [];
    return listReferences(name, read.text).flatMap(({ src, alt }) => {
      const image = resolveImageReference(src);
      return image === null ? [] : [{ image, alt }];
    });
  }

  async #prepare(file: File, extension: string | null = null, area?: PrepareJob['area']) {
    try {
      const content = new Uint8Array(await file.arrayBuffer());
      const prepared = await this.#thread.run({ kind: 'prepare', content, extension, area });
      return 'reason' in prepared ? { problem: `The file ${prepared.reason}. ${NOTHING}` } : prepared;
    } catch (error) {
      if (!(error instanceof ImageThreadError)) throw error;
      return { problem: `The file ${error.message}. ${NOTHING}` };
    }
  }

  #write(image: string, content: Uint8Array, opened: string | null): ImageChange {
    try {
      if (!image.includes('/')) createFolder(this.#root);
      const target = this.#findTarget(image);
      if (target === null)
        return { problem: `The folder of the image leads out of content/images/. ${NOTHING}` };
      const problem = writeWhole(target, content, opened === null, () => this.#findChange(image, opened));
      return problem ?? { path: image };
    } catch (error) {
      return { problem: explainWriteFailure(error) };
    }
  }

  /** The file that is written; null when a link leads out of the folder of images. */
  #findTarget(image: string): string | null {
    const full = path.join(this.#root, image);
    if (lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() === true) return null;
    const folder = realpathSync(path.dirname(full));
    const root = realpathSync(this.#root);
    return folder === root || folder.startsWith(root + path.sep)
      ? path.join(folder, path.basename(full))
      : null;
  }

  #findChange(image: string, version: string | null): { readonly problem: string } | null {
    const stats = lstatSync(path.join(this.#root, image), { throwIfNoEntry: false });
    if (version === null) {
      return stats === undefined
        ? null
        : {
            problem: `There is a file content/images/${image} already: choose another name, or replace that image.`,
          };
    }
    const current = stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    return current === version
      ? null
      : { problem: `The image was changed meanwhile, perhaps in another tab: look at it again. ${NOTHING}` };
  }
}

const readFormat = (image: string) => path.extname(image).slice(1).toLowerCase().replace('jpeg', 'jpg');

/** Every image that a content file names, with what the place says about it. */
function listReferences(
  file: string,
  text: string,
): readonly { readonly src: string; readonly alt: string | null }[] {
  if (file.endsWith('.csv')) return listMentions(text);
  const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
  const parsed = parseYaml(parts?.front ?? text);
  // A file that cannot be read may still show what its text mentions.
  const fields = 'value' in parsed ? listFields(parsed.value) : listMentions(parts?.front ?? text);
  return parts === null ? fields : [...fields, ...listBodyImages(parts.body)];
}

function listFields(value: unknown): { readonly src: string; readonly alt: string | null }[] {
  if (typeof value === 'string') return value.includes('images/') ? [{ src: value, alt: null }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const { src, alt, ...rest } = { ...value } as Readonly<Record<string, unknown>>;
  const own = typeof src === 'string' && typeof alt === 'string' ? [{ src, alt }] : listFields(src);
  return [...own, ...Object.values(rest).flatMap(listFields)];
}

function listBodyImages(markdown: string): ReturnType<typeof listReferences> {
  // Most texts have none: to render 2,000 of them takes seconds.
  if (!markdown.includes('images/')) return [];
  // Such an article is not shown, and its images are used all the same.
  if (findBodyExcess(markdown) !== null) return listMentions(markdown);
  const found: { src: string; alt: string | null }[] = [];
  parseHtml(renderMarkdown(markdown), {
    onopentag(name, { src = '', alt = '' }) {
      if (name === 'img') found.push({ src, alt });
    },
    oncomment(text) {
      const last = found.at(-1);
      if (last?.alt === '' && `<!--${text}-->` === DECORATION_MARK) last.alt = null;
    },
  });
  return found;
}

const listMentions = (text: string) =>
  [...text.matchAll(/\.\.\/images\/[^\s,;"'<>()[\]{}]+/g)].map(([src]) => ({ src, alt: null }));
