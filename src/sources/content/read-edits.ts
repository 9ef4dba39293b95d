import type { Content } from '../../core/pages/content.ts';
import { ContentError, type ContentProblem } from '../../core/pages/content-error.ts';
import type { ContentDocuments } from './content-folder.ts';
import { type ContentReferences, type FixedContent, readFolderContents } from './read-content.ts';

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
