import path from 'node:path';
import { type Content, ContentError, type ContentProblem } from '../../core/pages/content.ts';
import type { ImageCatalog } from '../../core/pages/content-image.ts';
import type { ArticleFiles } from '../articles/files/article-folder.ts';
import { openArticleFolder } from '../articles/files/read-article-files.ts';
import { type CollectedUses, createClaimUsesReader } from './collect-claim-uses.ts';
import type { ContentDocuments } from './content-folder.ts';
import {
  type ContentReferences,
  type FixedContent,
  readContentDocuments,
  readFixedContent,
  readFolderContents,
} from './read-content.ts';

/** Where the content comes from: the content folder, or the build, which has read and checked it. */
export interface ContentSource {
  /** Returns the checked content with its documents. Throws `ContentError`. `articles`: slugs that pages may name. */
  read(articles?: ReadonlySet<string>): ReturnType<typeof readContentDocuments>;
  /** Returns edited content as it can be shown. Throws `ContentError`. */
  readEdits(shown: ShownContent, articles?: ReadonlySet<string>): EditedContent;
  /** Returns what a running site keeps until its next start. Throws `ContentError`. */
  readFixed(): FixedContent;
  /** Returns the images of the build, the same object until they change. Throws `ContentError` without any. */
  readImages(): ImageCatalog;
  /** Creates a reader of the places where content files name claims, which have these keys. */
  createClaimUsesReader(keys: ReadonlySet<string>): () => CollectedUses;
  readonly articles: ArticleFiles;
}

/** Opens the content folder, which is read again with every call. */
export function openFolderContent(root: string, readImages: () => ImageCatalog): ContentSource {
  return {
    read: (articles) => readContentDocuments(root, { images: readImages(), articles }),
    readEdits: (shown, articles) => readEdits(root, { images: readImages(), articles }, shown),
    readFixed: () => readFixedContent(root),
    readImages,
    createClaimUsesReader: (keys) => createClaimUsesReader(root, keys),
    articles: openArticleFolder(path.join(root, 'articles')),
  };
}

export interface ShownContent {
  readonly fixed: FixedContent;
  readonly documents: ContentDocuments;
}

/** Edited content as it can be shown. */
export interface EditedContent {
  readonly content: Content;
  /** What was shown of each file, for the next edit. */
  readonly documents: ContentDocuments;
  /** Why files are not shown as they are: they name images that the next build makes, or files that wait. */
  readonly waiting: readonly ContentProblem[];
}

/**
 * Reads the content folder of a running site. A file that names an image which is not in the build stays as it is
 * shown, and so does a file that names what is new in it; all others are shown as they are. Throws `ContentError` with
 * everything that is wrong.
 */
export function readEdits(root: string, references: ContentReferences, shown: ShownContent): EditedContent {
  const { fixed } = shown;
  const waiting: ContentProblem[] = [];
  let held: ContentDocuments = new Map();
  for (;;) {
    const read = readFolderContents(root, { ...references, fixed, held });
    const isFirst = held.size === 0;
    if (isFirst && read.problems.length > 0) throw new ContentError(read.problems);
    // What is wrong only since other files are held waits for them.
    const found = [...read.problems, ...read.waits];
    if (found.length === 0 && read.content !== null) {
      return { content: read.content, documents: read.documents, waiting };
    }
    const added = found.filter(({ file }) => !held.has(file));
    if (added.length === 0) throw new ContentError(found);
    waiting.push(...added);
    held = new Map([...held, ...added.map(({ file }) => [file, shown.documents.get(file)] as const)]);
  }
}
