import { constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { JudgedAt } from '../core/pages/claims/content-rules.ts';
import type { TextPath } from '../core/pages/claims/placeholders.ts';
import type { Content, ContentProblem } from '../core/pages/content.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import { isArticleSlug } from '../core/text/slug.ts';
import { createFolder, explainWriteFailure, writeWhole } from '../stores/disk.ts';
import { listArticleSlugs, readArticleText } from './articles/read-article-files.ts';
import {
  type CopyFinding,
  checkAmountText,
  checkCopyText,
  checkQuotationText,
  checkReviewText,
} from './check-copy.ts';
import { checkRuleText, findUnpublishable, type PublishedAt } from './check-rules.ts';
import type { Repair } from './content-folder.ts';
import { ParsedFiles } from './content-folder.ts';
import { hasDrafts, Piece } from './edit/piece.ts';
import { CONSOLE_REDIRECTS, type RedirectTexts } from './edit/plan-redirects.ts';
import { ContentJournal, JournalError } from './journal.ts';
import { findKeyOf, findKind, isOfKind } from './kinds.ts';
import { isNetworkFile, NETWORK_REFUSED } from './networks.ts';
import { hashText, parseYaml } from './parse-yaml.ts';
import type { PayeeChange } from './payee.ts';
import { type FolderContents, readFolderContents } from './read-content.ts';
import { isRedirectFile, readRedirectFiles } from './read-redirects.ts';
import { findFileStats, listFilesBelow, readTextFile } from './read-text-file.ts';

/** The text of a content file, with the hash by which a later version is told from it. */
export interface ContentText {
  readonly text: string;
  readonly hash: string;
}

/** The text of a file as an operator is writing it: part of the form, so that the server stores nothing of it. */
export interface ContentDraft {
  readonly text: string;
  /** Hash of the file that was opened; empty for a new file. */
  readonly opened: string;
  readonly problems: readonly ContentProblem[];
  /** The file that is there instead of the one that was opened; null: it was not changed meanwhile. */
  readonly current: ContentText | null;
  /** What the operator has to confirm before it is saved: somebody else would be paid. */
  readonly payee?: PayeeChange;
  /** The address of the field that is opened, such as `sections.2`; left out: that of the request. */
  readonly at?: string;
}

/** What saving a content file did. Nothing was written unless it is `saved`. */
export type SavedContent =
  | { readonly outcome: 'saved'; readonly hash: string }
  /** The file is another one than the one that was opened; null: it is gone. */
  | { readonly outcome: 'changed'; readonly current: ContentText | null }
  | { readonly outcome: 'invalid'; readonly problems: readonly ContentProblem[] }
  /** A text may not be public. `reason` is a sentence. */
  | { readonly outcome: 'refused'; readonly file: string; readonly reason: string }
  /** `reason` is a sentence. */
  | { readonly outcome: 'failed'; readonly reason: string };

/** What a change is judged by before it is written. */
export interface Saving extends PublishedAt {
  /** Whether pages name articles of this folder. */
  readonly hasArticleFiles: boolean;
  /** Else the file of a network is refused. */
  readonly mayWriteNetworks?: boolean;
}

/** A file that is written, or removed (null), together with others. */
export interface FileChange {
  /** Path below the content folder: a file that can be edited, or one of redirects. */
  readonly file: string;
  readonly text: string | null;
  /** Hash of the text that is replaced; null: there is no such file. */
  readonly opened: string | null;
}

/** What `saveTogether` did. Nothing was written unless it is `saved`. */
export type SavedTogether =
  | { readonly outcome: 'saved' }
  /** A file is another one than the one that was read. */
  | { readonly outcome: 'changed'; readonly file: string }
  | Extract<SavedContent, { readonly outcome: 'invalid' | 'refused' | 'failed' }>;

/** YAML files that are edited: one folder deep at most, so that no name leads out of the content folder. */
const EDITABLE = /^(?!articles\/)(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9_-]{0,99}\.yaml$/;
const MAX_BYTES = 2_000_000;
const NO_FILES: ReadonlySet<string> = new Set();

/** Whether a path below the content folder can be that of a file which is edited: of an article, as the site reads it. */
function isEditableFile(file: string): boolean {
  const slug = findKeyOf('article', file);
  return slug === null ? EDITABLE.test(file) : isArticleSlug(slug);
}

/** The line of a file that names its address; empty without one. */
const findAddressLine = (text: string) => /^['"]?address['"]?[ \t]*:.*$/m.exec(text)?.[0].trim() ?? '';

/** The files of the content folder, read and written one by one. Every method works on the folder as it is now. */
export class ContentFiles {
  /** What writes several files at once. */
  readonly journal: ContentJournal;
  readonly #root: string;
  readonly #readImages: () => ImageCatalog;
  readonly #parsed: ParsedFiles;

  /** `readImages` returns the images that content may show. */
  constructor(
    root: string,
    readImages: () => ImageCatalog,
    journal = new ContentJournal(root),
    parsed = new ParsedFiles(root),
  ) {
    this.#root = root;
    this.journal = journal;
    this.#readImages = readImages;
    this.#parsed = parsed;
  }

  /** Lists the files that can be edited, by path. */
  list() {
    return listFilesBelow(this.#root)
      .filter(isEditableFile)
      .sort()
      .flatMap((file) => {
        const stats = findFileStats(path.join(this.#root, file));
        return stats?.isFile() ? [{ file, changedAt: stats.mtimeMs }] : [];
      });
  }

  /** Reads a file; `problem` continues a sentence that begins with it. */
  read(file: string): ContentText | { readonly problem: string } {
    if (!isEditableFile(file)) return { problem: 'is not a content file that can be edited' };
    const folder = path.dirname(path.join(this.#root, file));
    if (existsSync(folder) && this.#findTarget(file) === null)
      return { problem: 'leads out of the content folder' };
    const read = readTextFile(this.#root, file);
    return 'problem' in read ? read : { text: read.text, hash: hashText(read.text) };
  }

  /** Why files cannot be written, as a sentence; null when they can. */
  async findWriteProblem(): Promise<string | null> {
    try {
      await access(this.#root, constants.W_OK);
      return null;
    } catch (error) {
      return explainWriteFailure(error);
    }
  }

  /**
   * Checks the folder with the text of one file as the site reads it; returns what is wrong with that file, and what it
   * makes wrong in others. Images that the next build makes are no problem. `hasArticleFiles`: pages name articles of
   * this folder.
   */
  check(file: string, text: string, hasArticleFiles: boolean): readonly ContentProblem[] {
    const fault = findTextFault(file, text);
    if (fault !== null) return [fault];
    return file.endsWith('.md')
      ? this.#checkArticle(file, text)
      : this.readYaml(file, text, { hasArticleFiles }).problems;
  }

  #checkArticle(file: string, text: string): readonly ContentProblem[] {
    const slugs = listArticleSlugs(path.join(this.#root, 'articles'));
    const articles =
      findAddressLine(text) === '' ? undefined : new Set([...slugs, path.basename(file, '.md')]);
    const own = { files: this.#parsed, articles, held: new Map([[file, text]]) };
    const { content } = readFolderContents(this.#root, own);
    const read = readArticleText(path.basename(file), text, {
      partners: content === null ? undefined : new Set(content.partners.keys()),
      authors: content?.authors,
      images: this.#readImages(),
    });
    const images = read.images.flatMap(({ field, reason, needsBuild, written }) => {
      const before = written === '' ? -1 : text.indexOf(written);
      const line = before === -1 ? '' : `line ${text.slice(0, before).split('\n').length}, `;
      return needsBuild ? [] : [{ field: line + field, reason }];
    });
    const problems = [...read.problems, ...images].map(({ field, reason }) => ({ file, field, reason }));
    return [...problems, ...this.#listNewClashes(content, [{ file, text }])];
  }

  /** Why changed pieces cannot have the address that they name from now on; one that stays in the file is no problem. */
  #listNewClashes(
    content: Content | null,
    changes: readonly { readonly file: string; readonly text: string | null }[],
  ): readonly ContentProblem[] {
    return (content?.addressClashes ?? []).filter(({ file }) => {
      const change = changes.find((one) => one.file === file);
      if (change === undefined) return false;
      const before = readTextFile(this.#root, file);
      return findAddressLine(change.text ?? '') !== findAddressLine('text' in before ? before.text : '');
    });
  }

  /** Finds what the copy of a text should not have; content that is shown has the figures that it may name. */
  findCopyFindings(file: string, text: string, content: Content, at: JudgedAt): CopyFinding[] {
    return [
      ...checkCopyText(file, text),
      ...checkAmountText(file, text, content),
      ...checkQuotationText(this.#root, file, text),
      ...checkReviewText(file, text, content),
      ...checkRuleText(file, text, content, at),
    ];
  }

  /** Parses the text of an article and checks it against content that is shown. */
  readArticle(file: string, text: string, { partners, authors, figures, aged, products }: Content) {
    const known = { partners: new Set(partners.keys()), authors, figures, aged, products };
    return readArticleText(path.basename(file), text, { ...known, images: this.#readImages() });
  }

  /**
   * Reads the folder with the text of one YAML file, as the site would show it, without other pages that are invalid; the
   * content is null when something else is wrong. The problems are those of `check`; those of `others` were there before.
   * `now`, in ms since 1970: prices that are too old then are not shown. `repair`: the content has the file with what is wrong
   * repaired.
   */
  readYaml(
    file: string,
    text: string,
    {
      hasArticleFiles,
      now,
      repair,
    }: { readonly hasArticleFiles: boolean; readonly now?: number; readonly repair?: Repair | undefined },
  ): {
    readonly content: Content | null;
    readonly problems: readonly ContentProblem[];
    readonly others: readonly ContentProblem[];
  } {
    const fault = findTextFault(file, text);
    const parsed = parseYaml(text);
    if (fault !== null || 'problem' in parsed) {
      const { line = null, problem: reason = '' } = 'problem' in parsed ? parsed : {};
      const field = line === null ? '' : `line ${line}`;
      return { content: null, problems: [fault ?? { file, field, reason }], others: [] };
    }
    const slugs = listArticleSlugs(path.join(this.#root, 'articles'));
    const references = {
      images: this.#readImages(),
      articles: hasArticleFiles ? new Set(slugs) : undefined,
      now,
      files: this.#parsed,
    };
    const read = (value: unknown, leftOut: ReadonlySet<string>, again?: Repair) =>
      readFolderContents(this.#root, {
        ...references,
        held: new Map([[file, value]]),
        leftOut,
        repair: again,
      });
    const after = read(parsed.value, NO_FILES, repair);
    const { content } = after;
    const repaired = after.repaired.map((problem) => addLine(problem, parsed.findLine));
    const found = listFaults(after);
    if (found.length === 0)
      return {
        content,
        problems: [...repaired, ...this.#listNewClashes(content, [{ file, text }])],
        others: [],
      };
    // What was wrong with other files before does not keep this one from being corrected.
    const before = listFaults(readFolderContents(this.#root, references));
    const known = new Set(before.map(describeProblem));
    const problems = found
      .filter((problem) => problem.file === file || !known.has(describeProblem(problem)))
      .map((problem) => (problem.file === file ? addLine(problem, parsed.findLine) : problem));
    const others = before.filter((problem) => problem.file !== file);
    const isRight = problems.length === 0;
    const own = found.filter((problem) => problem.file === file);
    const drawn = isRight ? after.documents.get(file) : content === null ? repair?.(own) : undefined;
    const all = [...repaired, ...problems];
    if (drawn === undefined) return { content, problems: all, others };
    const pages = others.map((problem) => problem.file).filter((name) => isOfKind(name, 'page'));
    return { content: read(drawn, new Set(pages)).content, problems: all, others };
  }

  /**
   * Writes a file, unless it is invalid, may not be public, or is another one than was opened. `opened`: the hash of the file
   * that was opened; null for a new one. A reader finds the old file or the new one, whatever happens meanwhile.
   */
  save(file: string, text: string, opened: string | null, saving: Saving): SavedContent {
    const refused = this.#refuse([{ file, opened }], saving);
    if (refused !== null) return refused;
    const changed = this.#findChange(file, opened);
    if (changed !== null) return changed;
    const problems = this.check(file, text, saving.hasArticleFiles);
    if (problems.length > 0) return { outcome: 'invalid', problems };
    const fault = this.findUnpublishable([{ file, text, opened }], saving);
    if (fault !== null) return fault;
    try {
      // A site has no folder for what it has none of.
      if (opened === null) createFolder(path.dirname(path.join(this.#root, file)));
      const target = this.#findTarget(file);
      return target === null
        ? {
            outcome: 'failed',
            reason: `content/${file} is in a folder that leads out of the content folder.`,
          }
        : this.#write(file, target, text, opened);
    } catch (error) {
      return { outcome: 'failed', reason: explainWriteFailure(error) };
    }
  }

  /** Why no file can be written, or not these. Every way to write asks here. */
  #refuse(changes: readonly Pick<FileChange, 'file' | 'opened'>[], { mayWriteNetworks = false }: Saving) {
    const fail = (reason: string) => ({ outcome: 'failed', reason }) as const;
    const wrong = changes.find(
      ({ file, opened }) => !isEditableFile(file) || (opened === null && findKind(file) === null),
    );
    if (wrong !== undefined) return fail(`content/${wrong.file} is not a content file that can be edited.`);
    if (!mayWriteNetworks && changes.some(({ file }) => isNetworkFile(file))) return fail(NETWORK_REFUSED);
    const hold = this.journal.look();
    return hold && fail(`${hold.reason} Nothing was changed.`);
  }

  /** Reads the files of redirects with their lines. */
  readRedirects(): RedirectTexts {
    const lines = readRedirectFiles(this.#root, []);
    const texts = new Map<string, ContentText>();
    for (const file of new Set([CONSOLE_REDIRECTS, ...lines.map((line) => line.file)])) {
      const read = readTextFile(this.#root, file);
      if ('text' in read) texts.set(file, { text: read.text, hash: hashText(read.text) });
    }
    return { lines, texts };
  }

  /**
   * Writes and removes files in their order, all of them or none, whatever happens meanwhile; unless the content would be
   * invalid, a text may not be public, or one of them is another one than was read.
   */
  saveTogether(changes: readonly FileChange[], saving: Saving): SavedTogether {
    const refused = this.#refuse(
      changes.filter(({ file }) => !isRedirectFile(file)),
      saving,
    );
    if (refused !== null) return refused;
    const findChanged = (): SavedTogether | null => {
      const changed = changes.find(({ file, opened }) => this.#readHash(file) !== opened);
      return changed === undefined ? null : { outcome: 'changed', file: changed.file };
    };
    const changed = findChanged();
    if (changed !== null) return changed;
    const problems = this.checkTogether(changes, saving.hasArticleFiles);
    if (problems.length > 0) return { outcome: 'invalid', problems };
    const fault = this.findUnpublishable(changes, saving);
    if (fault !== null) return fault;
    try {
      for (const { file } of changes) {
        const full = path.join(this.#root, file);
        const isLink = lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() === true;
        if (isLink || (existsSync(path.dirname(full)) && this.#findTarget(file) === null))
          return { outcome: 'failed', reason: `content/${file} is a link: change it in a shell.` };
      }
      const staged = this.journal.begin();
      try {
        for (const { file, text } of changes) staged.add(file, text);
        return staged.commit(findChanged) ?? { outcome: 'saved' };
      } finally {
        staged.discard();
      }
    } catch (error) {
      return {
        outcome: 'failed',
        reason: error instanceof JournalError ? error.message : explainWriteFailure(error),
      };
    }
  }

  /** Finds the first text that may not be public as it would be written; null without one. */
  findUnpublishable(changes: readonly FileChange[], at: PublishedAt) {
    const read = (file: string) => {
      const found = readTextFile(this.#root, file);
      return 'text' in found ? found.text : null;
    };
    // A piece that is renamed is removed in the same change.
    const gone = changes.find(({ file, text }) => text === null && hasDrafts(file));
    for (const { file, text } of changes) {
      const old = read(file) ?? (gone === undefined ? null : read(gone.file));
      const before = old === null ? null : new Piece(file, old);
      const reason = text === null ? null : findUnpublishable(before, new Piece(file, text), at);
      if (reason !== null) return { outcome: 'refused', file, reason } as const;
    }
    return null;
  }

  /** Finds what changes would make wrong that is right now. */
  checkTogether(changes: readonly FileChange[], hasArticleFiles: boolean): readonly ContentProblem[] {
    const faults = changes.flatMap(({ file, text }) => findTextFault(file, text ?? '') ?? []);
    const held = new Map<string, unknown>();
    const slugs = new Set(listArticleSlugs(path.join(this.#root, 'articles')));
    const known = hasArticleFiles ? new Set(slugs) : undefined;
    for (const { file, text } of changes) {
      const parsed = text !== null && file.endsWith('.yaml') ? parseYaml(text) : { value: text ?? undefined };
      if ('problem' in parsed) faults.push({ file, field: '', reason: parsed.problem });
      else held.set(file, parsed.value);
      const slug = path.basename(file, '.md');
      if (!file.endsWith('.md')) continue;
      if (text === null) slugs.delete(slug);
      else slugs.add(slug);
    }
    if (faults.length > 0) return faults;
    const images = this.#readImages();
    const read = (documents: ReadonlyMap<string, unknown>, articles: ReadonlySet<string> | undefined) =>
      readFolderContents(this.#root, { images, articles, held: documents, files: this.#parsed });
    const after = read(held, hasArticleFiles ? slugs : undefined);
    const found = listFaults(after);
    const before = found.length === 0 ? [] : listFaults(read(new Map(), known));
    const old = new Set(before.map(describeProblem));
    const articles = changes.flatMap(({ file, text }) =>
      text === null || !file.endsWith('.md')
        ? []
        : readArticleText(path.basename(file), text, {
            images,
            authors: after.content?.authors,
            partners: after.content === null ? undefined : new Set(after.content.partners.keys()),
          }).problems.map(({ field, reason }) => ({ file, field, reason })),
    );
    return [
      ...found.filter((problem) => !old.has(describeProblem(problem))),
      ...this.#listNewClashes(after.content, changes),
      ...articles,
    ];
  }

  /** Null: there is no such file. */
  #readHash(file: string): string | null {
    const read = readTextFile(this.#root, file);
    return 'text' in read ? hashText(read.text) : null;
  }

  #findChange(file: string, opened: string | null): SavedContent | null {
    const isThere = lstatSync(path.join(this.#root, file), { throwIfNoEntry: false }) !== undefined;
    if (!isThere) return opened === null ? null : { outcome: 'changed', current: null };
    const read = this.read(file);
    if ('problem' in read) return { outcome: 'failed', reason: `content/${file} ${read.problem}.` };
    return read.hash === opened ? null : { outcome: 'changed', current: read };
  }

  /** The file that is written: where a link leads; null when that is outside of the content folder. */
  #findTarget(file: string): string | null {
    const full = path.join(this.#root, file);
    const root = realpathSync(this.#root);
    const target = existsSync(full)
      ? realpathSync(full)
      : path.join(realpathSync(path.dirname(full)), path.basename(full));
    return target.startsWith(root + path.sep) ? target : null;
  }

  #write(file: string, target: string, text: string, opened: string | null): SavedContent {
    const changed = writeWhole(target, text, opened === null, () => this.#findChange(file, opened));
    return changed ?? { outcome: 'saved', hash: hashText(text) };
  }
}

/** Why a text can be that of no content file, whatever is in it. */
function findTextFault(file: string, text: string): ContentProblem | null {
  if (Buffer.byteLength(text) > MAX_BYTES)
    return { file, field: '', reason: `is larger than ${MAX_BYTES / 1_000_000} MB` };
  return text.includes('\0') ? { file, field: '', reason: 'has a character that no text has (NUL)' } : null;
}

/** What an operator has to correct; images that are still converted are no fault. */
const listFaults = ({ problems, warnings }: FolderContents) => [...problems, ...warnings];

const describeProblem = ({ file, field, reason }: ContentProblem) =>
  `${file} ${field.replace(/^line \d+(, )?/, '')} ${reason}`;

function addLine(problem: ContentProblem, findLine: (path: TextPath) => number | null): ContentProblem {
  const line = problem.path === undefined ? null : findLine(problem.path);
  if (line === null) return problem;
  return { ...problem, field: [`line ${line}`, problem.field].filter(Boolean).join(', ') };
}
