import { isDeepStrictEqual } from 'node:util';
import { type Article, type ArticleSummary, compareNewestFirst } from '../../core/articles/article.ts';
import type { Author } from '../../core/articles/author.schema.ts';
import type { FieldProblem } from '../../core/articles/front-matter.schema.ts';
import {
  DELETION_WINDOW_MS,
  type HeldDeletions,
  HOLD_MS,
  limitDeletions,
} from '../../core/articles/held-deletions.ts';
import type { Addresses } from '../../core/pages/addresses.ts';
import type { AgedFigures, Figures } from '../../core/pages/claims/placeholders.ts';
import type { ImageCatalog } from '../../core/pages/images/content-image.ts';
import { buildDefaultPath } from '../../core/paths.ts';
import type { Product } from '../../core/products/product.ts';
import type { ProcessBody } from '../../sources/articles/article-mapper.ts';
import { type ArticleFile, buildFileSummary, renewArticle } from './article-file.ts';

/** What article files are read with. What they may name is neither checked nor filled in where it is left out. */
export interface ArticleFolderInput extends Partial<ArticleBylines> {
  readonly defaultAuthor: string;
  readonly files: ArticleFiles;
  /** Returns the images that articles may refer to, the same object until they change. */
  readonly readImages: () => ImageCatalog;
  readonly processBody: ProcessBody;
  /** Called at the start with what is wrong; without it, invalid files throw. */
  readonly onRead?: (read: ReadFiles) => void;
}

/** Who signs articles. */
export interface ArticleBylines {
  /** Author of articles that name none. */
  readonly defaultAuthor: string;
  /** Authors that articles may name by their key. */
  readonly authors: ReadonlyMap<string, Author>;
  /** What articles may name. */
  readonly figures: Figures;
  /** Those of them that are past their age. */
  readonly aged?: AgedFigures | undefined;
  /** Products that shortcodes may name. */
  readonly products: ReadonlyMap<string, Product>;
  /** Partners that articles may name and link to; the same object until one of them changes. */
  readonly partners: ReadonlyMap<string, unknown>;
  /** Addresses that articles have of their own. */
  readonly addresses?: Addresses;
  /** Former addresses: an article whose address is one of them was removed on purpose. */
  readonly redirects?: ReadonlyMap<string, unknown>;
}

/** Rendered articles that are kept: of 20 KB, they take 10 MB. */
const MAX_RENDERED = 200;

/** Edited files that were read and are not shown yet. */
export interface PreparedEdits extends Omit<ReadFiles, 'files'> {
  show(): void;
}

/** All article files, published or not. */
export class ArticleFolder {
  readonly #input: ArticleFolderInput;
  #partners: ReadonlyMap<string, unknown> | undefined;
  #defaultAuthor: string;
  #images: ImageCatalog;
  #addresses: Addresses;
  #files: readonly ArticleFile[] = [];
  #bySlug = new Map<string, ArticleFile>();
  #summaries = new Map<ArticleFile, ArticleSummary>();
  /** Those that were rendered last, the oldest first. */
  readonly #articles = new Map<ArticleFile, Promise<Article>>();
  /** When files were missed that are still shown; ms since 1970. */
  #held: ReadonlyMap<string, number> = new Map();
  /** When files of the last day were removed; ms since 1970. */
  readonly #removed = new Map<string, number>();

  /**
   * Reads the files. Throws `ArticleFilesError` when a file is invalid, unless `onRead` is given.
   */
  constructor(input: ArticleFolderInput) {
    this.#input = input;
    this.#partners = input.partners;
    this.#defaultAuthor = input.defaultAuthor;
    this.#images = input.readImages();
    this.#addresses = input.addresses ?? new Map();
    this.#read();
  }

  /** Returns the files, newest first; the same array until a file changes. */
  getFiles(): readonly ArticleFile[] {
    return this.#files;
  }

  getFile(slug: string): ArticleFile | null {
    return this.#bySlug.get(slug) ?? null;
  }

  /** Returns the summary of one of the files. */
  getSummary(file: ArticleFile): ArticleSummary {
    const known = this.#summaries.get(file);
    if (known) return known;
    const summary = buildFileSummary(
      file,
      this.#defaultAuthor,
      this.#images,
      this.#addresses.get(buildDefaultPath(file.slug)),
    );
    this.#summaries.set(file, summary);
    return summary;
  }

  /** Renders the article of a file; again only when the file has changed, or `MAX_RENDERED` others were read since. */
  renderArticle(file: ArticleFile): Promise<Article> {
    const known = this.#articles.get(file);
    const article = known ?? this.#render(file);
    this.#articles.delete(file);
    this.#articles.set(file, article);
    const [oldest] = this.#articles.keys();
    if (oldest !== undefined && this.#articles.size > MAX_RENDERED) this.#articles.delete(oldest);
    if (known === undefined) article.catch(() => this.#articles.delete(file));
    return article;
  }

  #render(file: ArticleFile): Promise<Article> {
    return renderArticleFile(file, this.getSummary(file), this.#images, this.#input.processBody);
  }

  /** Reads the files and shows them as they are. Throws `ArticleFilesError`. */
  #read(): void {
    const images = this.#input.readImages();
    const { authors, figures, aged, products } = this.#input;
    const { onRead } = this.#input;
    const references = { partners: listKeys(this.#partners), authors, figures, aged, products, images };
    if (onRead === undefined) {
      this.#show(this.#input.files.read(references), images, this.#defaultAuthor, this.#partners);
      return;
    }
    const read = this.#input.files.readShown(references, null);
    onRead(read);
    this.#show(read.files, images, this.#defaultAuthor, this.#partners);
  }

  /**
   * Reads edited files at `now` (ms since 1970); nothing changes before `show` is called. When more shown files are gone than
   * `limitDeletions` allows for a day, they are still shown: the folder may be half copied or not mounted. `edited`: files
   * below the content folder that an operator has edited: one that is gone was removed on purpose; one that is there is taken
   * out.
   */
  prepareEdits(
    { defaultAuthor, authors, figures, aged, products, partners, addresses, redirects }: ArticleBylines,
    now: number,
    edited: Set<string>,
  ): PreparedEdits {
    const images = this.#input.readImages();
    const references = { partners: listKeys(partners), authors, figures, aged, products, images };
    const { files: read, ...wrong } = this.#input.files.readShown(references, this.#bySlug);
    const found = new Set(read.map(({ slug }) => slug));
    for (const slug of found) edited.delete(`articles/${slug}.md`);
    const missing = this.#listShown(now).filter(
      ({ slug }) =>
        !found.has(slug) && !redirects?.has(buildDefaultPath(slug)) && !edited.has(`articles/${slug}.md`),
    );
    const isHeld = missing.length > this.#countAllowedDeletions(now);
    const files = isHeld ? [...read, ...missing] : read;
    const show = () => {
      const since = (slug: string) => this.#held.get(slug) ?? now;
      this.#held = new Map(isHeld ? missing.map(({ slug }) => [slug, since(slug)]) : []);
      if (!isHeld) for (const { slug } of missing) this.#removed.set(slug, now);
      this.#show(files, images, defaultAuthor, partners, addresses);
    };
    return { ...wrong, show };
  }

  #countAllowedDeletions(now: number): number {
    for (const [slug, at] of this.#removed)
      if (at <= now - DELETION_WINDOW_MS || this.#bySlug.has(slug)) this.#removed.delete(slug);
    const removed = this.#removed.size;
    return limitDeletions(this.#listShown(now).length + removed) - removed;
  }

  /** Those that visitors see at `now`. */
  #listShown(now: number): readonly ArticleFile[] {
    const time = new Date(now).toISOString();
    return this.#files.filter((file) => isArticleShown(file, time));
  }

  /** The files that are gone and still shown; null without any. */
  getHeld(): HeldDeletions | null {
    if (this.#held.size === 0) return null;
    return { slugs: [...this.#held.keys()].sort(), since: Math.min(...this.#held.values()) };
  }

  /** Removes the held files; returns their slugs. */
  acceptDeletions(): readonly string[] {
    const slugs = [...this.#held.keys()];
    const files = this.#files.filter(({ slug }) => !this.#held.has(slug));
    this.#held = new Map();
    if (slugs.length > 0) this.#take(files);
    return slugs;
  }

  /** Removes the held files at `now` (ms since 1970) when they have been held for as long as they are. */
  acceptExpired(now: number): void {
    const held = this.getHeld();
    if (held !== null && held.since + HOLD_MS <= now) this.acceptDeletions();
  }

  /** An article is rendered again when what it is rendered with has changed. */
  #show(
    files: readonly ArticleFile[],
    images: ImageCatalog,
    defaultAuthor: string,
    partners: ReadonlyMap<string, unknown> | undefined,
    addresses: Addresses = this.#addresses,
  ): void {
    const isSame =
      images === this.#images &&
      defaultAuthor === this.#defaultAuthor &&
      partners === this.#partners &&
      isDeepStrictEqual(addresses, this.#addresses);
    this.#addresses = addresses;
    this.#partners = partners;
    this.#defaultAuthor = defaultAuthor;
    this.#images = images;
    this.#take(files.map((file) => (isSame ? this.#reuse(file) : renewArticle(file))));
  }

  /** The file that is known when nothing in it has changed, so that it is neither rendered nor indexed again. */
  #reuse(file: ArticleFile): ArticleFile {
    const known = this.#bySlug.get(file.slug);
    return known !== undefined && isDeepStrictEqual(known, file) ? known : file;
  }

  #take(files: readonly ArticleFile[]): void {
    const shown = new Set(files);
    for (const file of this.#articles.keys()) if (!shown.has(file)) this.#articles.delete(file);
    this.#summaries = new Map();
    this.#files = files.toSorted((a, b) => compareNewestFirst(this.getSummary(a), this.getSummary(b)));
    this.#bySlug = new Map(files.map((file) => [file.slug, file]));
  }
}

/** Whether visitors see a file at `now`, an instant in ISO 8601. */
export function isArticleShown({ front }: ArticleFile, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
}

/** Renders the body of a file. `images` are those that it may show. Rejects with `BodyProcessorError`. */
export async function renderArticleFile(
  file: ArticleFile,
  summary: ArticleSummary,
  images: ImageCatalog,
  processBody: ProcessBody,
): Promise<Article> {
  const render = (source: string) => processBody({ format: 'markdown', source, images });
  const { text: _, ...structured } = await render(file.markdown);
  const { short, sources, checked, updates } = file.front;
  const lines = short === undefined ? null : await render(`- ${short.join('\n- ')}`);
  const evidence = { short: lines?.content ?? '', sources, checked, updates };
  return { ...summary, ...structured, evidence };
}

const listKeys = (partners: ReadonlyMap<string, unknown> | undefined) => partners && new Set(partners.keys());

/** What article files may refer to. */
export interface ArticleReferences {
  /** Keys that `partner` may name; undefined: any. */
  readonly partners?: ReadonlySet<string> | undefined;
  /** Authors that `author` may name by their key; undefined: any. */
  readonly authors?: ReadonlyMap<string, Author> | undefined;
  /** What texts may name, such as `{product:kit.creator}`; undefined: names stay in the text. */
  readonly figures?: Figures | undefined;
  readonly aged?: AgedFigures | undefined;
  /** Products that shortcodes may name; undefined: any. */
  readonly products?: ReadonlyMap<string, Product> | undefined;
  readonly images: ImageCatalog;
}

export interface InvalidFile {
  readonly file: string;
  readonly problems: readonly FieldProblem[];
}

/** Article files as a site can show them. */
export interface ReadFiles {
  readonly files: readonly ArticleFile[];
  /** Files that are shown as they were before, because they are invalid or name an image that is not there yet. */
  readonly waiting: readonly InvalidFile[];
  /** Files of which nothing is shown. */
  readonly leftOut: readonly InvalidFile[];
  /** Files that are shown without an image that is not there. */
  readonly warnings: readonly InvalidFile[];
}

/** Where the article files come from: a folder, or the build, which has read and checked them. */
export interface ArticleFiles {
  /** Returns every file. Throws `ArticleFilesError` when one is invalid. */
  read(references: ArticleReferences): readonly ArticleFile[];
  /** Returns the files as they can be shown. `shown`: what is shown of them now, by slug; null: at a start. */
  readShown(references: ArticleReferences, shown: ReadonlyMap<string, ArticleFile> | null): ReadFiles;
  /** Lists the slugs of the files, valid or not. */
  listSlugs(): readonly string[];
}
