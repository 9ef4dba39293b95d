import path from 'node:path';
import { type Content, ContentError, type ContentProblem } from '../core/pages/content.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import type { ArticleFiles } from './articles/article-folder.ts';
import { openArticleFolder } from './articles/read-article-files.ts';
import { type CopyFinding, checkAmounts, checkCopy } from './check-copy.ts';
import { type CollectedUses, createClaimUsesReader } from './collect-claim-uses.ts';
import { ContentFiles, type ContentText } from './content-files.ts';
import { type ContentDocuments, type KnownFiles, ParsedFiles } from './content-folder.ts';
import { ImageStore } from './image-store.ts';
import { ContentJournal } from './journal.ts';
import { type ContentReferences, type readContentDocuments, readFolderContents } from './read-content.ts';

/** The texts of content files, which nothing changes before the next build. */
export interface BuiltFiles {
  list(): readonly { readonly file: string; readonly changedAt: null }[];
  /** `problem` continues a sentence that begins with the file. */
  read(file: string): ContentText | { readonly problem: string };
}

/** Where the content comes from: the content folder, or the build, which has read and checked it. */
export interface ContentSource {
  /**
   * Returns the content that a site starts with: pages that are invalid are left out. Throws `ContentError` when another
   * file is invalid. `articles`: slugs that pages may name.
   */
  readStart(articles?: ReadonlySet<string>): StartContent;
  /** Returns edited content as it can be shown. Throws `ContentError`. */
  readEdits(shown: ShownContent, articles?: ReadonlySet<string>): EditedContent;
  /** Returns the images of the build, the same object until they change. Throws `ContentError` without any. */
  readImages(): ImageCatalog;
  /** Returns the places where content files name these claims; reads the files again only after a change. */
  readClaimUses(claims: Content['claims']): CollectedUses;
  readonly articles: ArticleFiles;
  /** What was parsed of the content folder. */
  readonly known: KnownFiles;
  /** Finds texts to replace, and amounts of money without a source; again only after a change. */
  checkCopy(content: Content): readonly CopyFinding[];
  /** The texts of the files that a build has read; null: they are in the content folder. */
  readonly builtFiles: BuiltFiles | null;
  /** The files of the content folder; null: the content is part of the build. */
  readonly files: ContentFiles | null;
  /** The images of the content folder as files; null: they are part of the build. */
  readonly imageStore: ImageStore | null;
}

/**
 * Opens the content folder, which is read again with every call. Puts back what a process has left that was killed. `now`: ms
 * since 1970, by which prices are too old to be shown; left out: all are shown. `known`: what another thread has parsed.
 */
export function openFolderContent(
  root: string,
  readImages: () => ImageCatalog,
  now?: () => number,
  journal = new ContentJournal(root),
  known?: KnownFiles,
): ContentSource {
  journal.look();
  const parsed = new ParsedFiles(root, known);
  const files = new ContentFiles(root, readImages, journal, parsed);
  const refer = (articles: ReadonlySet<string> | undefined) => ({
    images: readImages(),
    articles,
    now: now?.(),
    files: parsed,
  });
  return {
    readStart: (articles) => readStart(root, refer(articles)),
    readEdits: (shown, articles) => readEdits(root, refer(articles), shown),
    readImages,
    readClaimUses: createClaimUsesReader(root, parsed),
    articles: openArticleFolder(path.join(root, 'articles')),
    known: parsed.known,
    checkCopy: createCopyCheck(root, files, parsed),
    builtFiles: null,
    files,
    imageStore: new ImageStore(root),
  };
}

/** Checks the copy of a folder again only when a file, or what it is compared with, has changed. */
function createCopyCheck(root: string, files: ContentFiles, parsed: ParsedFiles): ContentSource['checkCopy'] {
  let last: {
    readonly state: string;
    readonly figures: unknown;
    readonly found: readonly CopyFinding[];
  } | null = null;
  return (content) => {
    const state = files
      .list()
      .map(({ file, changedAt }) => `${file} ${changedAt}`)
      .join();
    if (last?.state === state && last.figures === content.figures) return last.found;
    const found = [...checkCopy(root, 'placeholders'), ...checkAmounts(root, content, parsed)];
    last = { state, figures: content.figures, found };
    return found;
  };
}

export interface ShownContent {
  readonly documents: ContentDocuments;
  /** Files of pages that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

/** Content, and what is wrong with the pages that are left out of it. */
interface StartContent extends ReturnType<typeof readContentDocuments> {
  readonly leftOut: readonly ContentProblem[];
}

/** Reads the content folder for a start, which a page that is invalid does not prevent. Throws `ContentError`. */
export function readStart(root: string, references: ContentReferences): StartContent {
  const leftOut: ContentProblem[] = [];
  for (;;) {
    const files = listFiles(leftOut);
    const { content, documents, problems, waits } = readFolderContents(root, {
      ...references,
      leftOut: files,
    });
    const found = [...new Set([...problems, ...waits])];
    if (found.length === 0 && content !== null) return { content, documents, leftOut };
    const isPage = found.every(({ file }) => file.startsWith('pages/') && !files.has(file));
    if (found.length === 0 || !isPage) throw new ContentError([...leftOut, ...found]);
    leftOut.push(...found);
  }
}

const listFiles = (problems: readonly ContentProblem[]) => new Set(problems.map(({ file }) => file));

/** Edited content as it can be shown. */
export interface EditedContent {
  readonly content: Content;
  /** What was shown of each file, for the next edit. */
  readonly documents: ContentDocuments;
  /** Why files are not shown as they are: they name images that the next build makes, or files that wait. */
  readonly waiting: readonly ContentProblem[];
  /** Why pages that were left out before still are. */
  readonly leftOut: readonly ContentProblem[];
}

/**
 * Reads the content folder of a running site. A file that names an image which is not there stays as it is
 * shown, and so does a file that names what is new in it; all others are shown as they are. A page that is left out
 * stays so until it is valid. Throws `ContentError` with everything else that is wrong.
 */
export function readEdits(root: string, references: ContentReferences, shown: ShownContent): EditedContent {
  const waiting: ContentProblem[] = [];
  const leftOut: ContentProblem[] = [];
  let held: ContentDocuments = new Map();
  for (;;) {
    const files = listFiles(leftOut);
    const read = readFolderContents(root, { ...references, held, leftOut: files });
    const still = read.problems.filter(({ file }) => shown.leftOut.has(file) && !files.has(file));
    leftOut.push(...still);
    if (still.length > 0) continue;
    const isFirst = held.size === 0;
    if (isFirst && read.problems.length > 0) throw new ContentError(read.problems);
    // What is wrong only since other files are held waits for them.
    const found = [...read.problems, ...read.waits];
    if (found.length === 0 && read.content !== null) {
      return { content: read.content, documents: read.documents, waiting, leftOut };
    }
    const added = found.filter(({ file }) => !held.has(file));
    if (added.length === 0) throw new ContentError(found);
    waiting.push(...added);
    held = new Map([...held, ...added.map(({ file }) => [file, shown.documents.get(file)] as const)]);
  }
}
