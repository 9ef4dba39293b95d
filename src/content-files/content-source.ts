import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Content, ContentError, type ContentProblem } from '../core/pages/content.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { createPrivateFolder, remove, writePrivateFile } from '../stores/disk.ts';
import type { ArticleFiles } from './articles/article-folder.ts';
import { openArticleFolder } from './articles/read-article-files.ts';
import { type CopyFinding, checkAmounts, checkCodes, checkCopy } from './check-copy.ts';
import { checkRules } from './check-rules.ts';
import { type CollectedUses, createClaimUsesReader } from './collect-claim-uses.ts';
import { ContentFiles, type ContentText } from './content-files.ts';
import { type ContentDocuments, type KnownFiles, ParsedFiles } from './content-folder.ts';
import { ImageStore } from './image-store.ts';
import { ContentJournal } from './journal.ts';
import { isOfKind } from './kinds.ts';
import { type ContentReferences, readFolderContents } from './read-content.ts';
import { isBeingConverted, readTextFile } from './read-text-file.ts';

/** The texts of content files, which nothing changes before the next build. */
export interface BuiltFiles {
  list(): readonly { readonly file: string; readonly changedAt: null }[];
  /** `problem` continues a sentence that begins with the file. */
  read(file: string): ContentText | { readonly problem: string };
}

/** Where the content comes from: the content folder, or the build, which has read and checked it. */
export interface ContentSource {
  /**
   * Returns the content that a site starts with, as `readShown` says. Throws `ContentError`. `articles`: slugs that pages may
   * name.
   */
  readStart(articles?: ReadonlySet<string>): ShownContent;
  /** Returns edited content as it can be shown; `last`: what is shown now. Throws `ContentError`. */
  readEdits(last: ContentDocuments, articles?: ReadonlySet<string>): ShownContent;
  /** Stores what is shown, for a start at which files are wrong; returns why that is impossible, or null. */
  remember(documents: ContentDocuments): string | null;
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

/** What a content folder is read with. */
interface FolderOptions {
  /** ms since 1970, by which prices are too old to be shown; left out: all are shown. */
  readonly now?: () => number;
  readonly journal?: ContentJournal;
  /** What another thread has parsed. */
  readonly known?: KnownFiles | undefined;
  /** Where the last valid content is stored; left out: nowhere. */
  readonly copyFile?: string;
}

/** Opens the content folder, which is read again with every call. Puts back what a process has left that was killed. */
export function openFolderContent(
  root: string,
  readImages: () => ImageCatalog,
  { now, journal = new ContentJournal(root), known, copyFile }: FolderOptions = {},
): ContentSource {
  journal.look();
  const last = copyFile === undefined ? null : new LastContent(copyFile, path.resolve(root));
  const parsed = new ParsedFiles(root, known);
  const files = new ContentFiles(root, readImages, journal, parsed);
  const refer = (articles: ReadonlySet<string> | undefined) => ({
    images: readImages(),
    articles,
    now: now?.(),
    files: parsed,
  });
  return {
    readStart: (articles) => readShown(root, refer(articles), last?.read(), true),
    readEdits: (shown, articles) => readShown(root, refer(articles), shown),
    remember: (documents) => last?.write(documents) ?? null,
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
    const found = [
      ...checkCopy(root, 'placeholders'),
      ...checkCodes(root, content),
      ...checkAmounts(root, content, parsed),
      // What depends on the address of the site is in the launch check.
      ...checkRules(root, content, { siteUrl: '', now: Date.now() }).filter(({ isError }) => isError),
    ];
    last = { state, figures: content.figures, found };
    return found;
  };
}

/** Content as it can be shown, whatever is wrong with files. */
export interface ShownContent {
  readonly content: Content;
  /** What is shown of each file: the next reading falls back to it. */
  readonly documents: ContentDocuments;
  /** Why files are shown as they were before. */
  readonly waiting: readonly ContentProblem[];
  /** Why files are not shown at all. */
  readonly leftOut: readonly ContentProblem[];
  /** What is wrong and keeps no file from being shown. */
  readonly warnings: readonly ContentProblem[];
}

/** Files without which there is no site. */
const isNeeded = (file: string) => /^(?:site|assessment|calculators|plans)\.yaml$/.test(file);

/** Files that are tried one by one for what has made others wrong; of more, none is shown as it is now. */
const MAX_TRIED = 20;

/**
 * Reads the content folder as it can be shown. A file that is wrong is shown as in `last`, what was shown before it was
 * changed, or left out when it is new; and so is a file whose change makes others wrong. All others are shown as they are.
 * `isStart`: images that are not there are left out of their pages, which otherwise wait for them. Throws `ContentError` with
 * everything that is wrong when a file that every page needs was never valid, or a partner at a first start.
 */
export function readShown(
  root: string,
  references: ContentReferences = {},
  last: ContentDocuments = new Map(),
  isStart = false,
): ShownContent {
  const held = new Map<string, unknown>();
  const reasons: ContentProblem[] = [];
  const { files = new ParsedFiles(root) } = references;
  const read = (more: ContentDocuments = new Map()) => {
    const all = new Map([...held, ...more]);
    const leftOut = [...all].filter(([file, value]) => value === undefined && isOfKind(file, 'page'));
    return readFolderContents(root, {
      ...references,
      files,
      held: all,
      leftOut: new Set(leftOut.map(([file]) => file)),
    });
  };
  for (;;) {
    const found = read();
    const isChanged = (file: string) =>
      !held.has(file) && (!last.has(file) || !isDeepStrictEqual(found.documents.get(file), last.get(file)));
    const waits = isStart ? [] : found.waits.filter(({ file }) => isChanged(file));
    const problems = [...found.problems, ...waits];
    if (problems.length === 0 && found.content !== null) {
      const { content, documents, warnings, unread } = found;
      const images = found.waits.filter(
        ({ file, reason }) => !held.has(file) && !isBeingConverted(root, reason),
      );
      const isLeftOut = ({ file }: ContentProblem) => held.get(file) === undefined && !file.endsWith('/');
      return {
        content,
        documents,
        waiting: reasons.filter((reason) => !isLeftOut(reason)),
        leftOut: reasons.filter(isLeftOut),
        warnings: [...warnings, ...unread, ...images],
      };
    }
    const changed = problems.filter(({ file }) => isChanged(file));
    const culprits = changed.length > 0 ? [] : findCulprits(last, found, isChanged, (more) => read(more));
    // Nothing else has changed, such as when the program is newer: the site does without the file.
    const rest =
      [...changed, ...culprits].length > 0
        ? []
        : problems.filter(({ file }) => held.get(file) ?? !held.has(file));
    const next = [...changed, ...culprits, ...rest];
    const missing = next.some(
      ({ file }) =>
        (isNeeded(file) && (rest.length > 0 || last.get(file) === undefined)) ||
        // Without a partner, its links would lead nowhere.
        (isOfKind(file, 'partner') && last.size === 0),
    );
    if (next.length === 0 || missing) throw new ContentError([...reasons, ...problems]);
    reasons.push(...next);
    for (const { file } of next) {
      held.set(file, rest.length > 0 ? undefined : last.get(file));
      // Of a folder that cannot be read, all files are shown as they were.
      if (file.endsWith('/'))
        for (const [name, value] of last) if (name.startsWith(file)) held.set(name, value);
    }
  }
}

/**
 * Finds the changed files that have made unchanged ones wrong, removed ones first: the first without whose change less is
 * wrong, or all of them.
 */
function findCulprits(
  last: ContentDocuments,
  { documents, problems }: ReturnType<typeof readFolderContents>,
  isChanged: (file: string) => boolean,
  read: (held: ContentDocuments) => ReturnType<typeof readFolderContents>,
): ContentProblem[] {
  const [first] = problems;
  const explain = (file: string): ContentProblem => ({
    file,
    field: '',
    reason: documents.has(file)
      ? `has changed, and ${first?.file} needs it as it was: ${first?.reason}`
      : `is gone, and ${first?.file} needs it: ${first?.reason}`,
  });
  const changed = [...new Set([...last.keys(), ...documents.keys()])]
    .filter(isChanged)
    .sort((one, other) => Number(documents.has(one)) - Number(documents.has(other)));
  if (changed.length <= MAX_TRIED) {
    const one = changed.find(
      (file) => read(new Map([[file, last.get(file)]])).problems.length < problems.length,
    );
    if (one !== undefined) return [explain(one)];
  }
  return changed.map(explain);
}

/** The file of the data folder that has what a content folder showed last. */
export const LAST_CONTENT_FILE = 'last-content.json';

/** What that file has. */
const copySchema = z.object({ folder: z.string(), documents: z.record(z.string(), z.unknown()) });

/** The last valid content of a folder, which outlives the process. */
class LastContent {
  readonly #file: string;
  readonly #folder: string;
  #written = '';

  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  /** Returns nothing without a copy of this folder, or when it is damaged. */
  read(): ContentDocuments {
    const read = readTextFile(path.dirname(this.#file), path.basename(this.#file));
    const copy = copySchema.safeParse(parseJson('text' in read ? read.text : ''));
    if (!copy.success || copy.data.folder !== this.#folder) return new Map();
    return new Map(Object.entries(copy.data.documents));
  }

  /**
   * Writes what is shown; returns why that is impossible, or null. An older copy is removed then: it may lead to a partner as
   * it was before an edit.
   */
  write(documents: ContentDocuments): string | null {
    const text = JSON.stringify({ folder: this.#folder, documents: Object.fromEntries(documents) });
    if (text === this.#written) return null;
    try {
      createPrivateFolder(path.dirname(this.#file));
      writePrivateFile(this.#file, text);
      this.#written = text;
      return null;
    } catch (error) {
      this.#written = '';
      try {
        remove(this.#file);
      } catch {
        // The disk takes nothing at all: what is said is the same.
      }
      const code = error instanceof Error && 'code' in error ? error.code : error;
      return `the last valid content cannot be stored in ${this.#file} (${code}): at a start, files that are wrong are left out`;
    }
  }
}
