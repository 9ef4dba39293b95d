import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseArticleFile } from '../content-files/articles/article-file.ts';
import { type ContentJournal, JournalError } from '../content-files/journal.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { createFolder, explainWriteFailure, writeWhole } from '../stores/disk.ts';
import { MoveInError } from './former-item.ts';

/**
 * SHA-256 of each file that moving in has written, by its path below the content folder. Also keys that were given: by
 * `partners/KEY.yaml TARGET` that of the destination of an address, by `products NUMBER` that of a product, by `posts NAME SITE ID` the slug
 * of a post, and by `paths NAME SITE ID` the paths that it has had.
 */
const writtenSchema = z.record(z.string(), z.string());
const WRITTEN = '.import/written.json';
const REMEMBERED = '.import/written';

/** What happens to a file: `edited` and `taken` files stay as they are, and so does a `removed` one; `cleared`: one of the sample. */
export type FileOutcome = 'created' | 'updated' | 'unchanged' | 'edited' | 'taken' | 'removed' | 'cleared';

/** A file that moving in writes. */
export interface MovedFile {
  /** Path below the content folder. */
  readonly file: string;
  readonly outcome: FileOutcome;
}

/**
 * Collects the files of a former site beside the content, and puts all of them into it at once. What was edited since an
 * earlier run stays.
 */
export class MovedFiles {
  readonly #root: string;
  readonly #staged: ReturnType<ContentJournal['begin']>;
  readonly #written: Readonly<Record<string, string>>;
  /** What is recorded as written with this import. */
  readonly #next: Record<string, string> = {};
  /** SHA-256 of each file as it was when its outcome was decided; null: there was none. */
  readonly #found = new Map<string, string | null>();
  readonly #files: MovedFile[] = [];
  /** Files of the sample, which count as gone. */
  readonly #cleared = new Set<string>();

  /** Throws `JournalError` while the content is held. */
  constructor(root: string, journal: ContentJournal) {
    this.#root = root;
    this.#staged = journal.begin();
    this.#written = readWritten(root);
  }

  /** Whether an earlier run wrote a file. */
  isOwn(file: string): boolean {
    return Object.hasOwn(this.#written, file);
  }

  /** Whether a file is byte for byte as an earlier run wrote it. */
  isAsWritten(file: string): boolean {
    return this.isOwn(file) && this.#written[file] === readHash(path.join(this.#root, file));
  }

  get files(): readonly MovedFile[] {
    return this.#files;
  }

  /** Adds a file; it is not in the content before `commit`. Throws `MoveInError` when it cannot be written. */
  add(file: string, data: string | Uint8Array): FileOutcome {
    const next = hash('sha256', data, 'hex');
    const outcome = this.#decide(file, next);
    this.#files.push({ file, outcome });
    if (outcome === 'created' || outcome === 'updated') explain(() => this.#staged.add(file, data));
    if (outcome !== 'taken' && outcome !== 'edited' && outcome !== 'removed') this.#next[file] = next;
    return outcome;
  }

  /** Removes a file of the sample, or puts another one in its place. Throws `MoveInError` when it cannot be written. */
  clear(file: string, data: string | Uint8Array | null): void {
    const current = this.#readHash(file);
    const isSame = data !== null && current === hash('sha256', data, 'hex');
    const outcome = isSame
      ? 'unchanged'
      : data === null
        ? 'cleared'
        : current === null
          ? 'created'
          : 'updated';
    this.#files.push({ file, outcome });
    if (!isSame) explain(() => this.#staged.add(file, data));
    if (data === null) this.#cleared.add(file);
  }

  /**
   * Adds a file that holds what an operator has edited since; with `isEdited`, it counts as edited at the next import too.
   * Throws `MoveInError` when it cannot be written.
   */
  addMerged(file: string, text: string, isEdited = false): FileOutcome {
    const next = hash('sha256', text, 'hex');
    const current = this.#readHash(file);
    const same = isEdited ? 'edited' : 'unchanged';
    const outcome = current === next ? same : current === null ? 'created' : 'updated';
    this.#files.push({ file, outcome });
    if (outcome !== same) explain(() => this.#staged.add(file, text));
    if (!isEdited) this.#next[file] = next;
    return outcome;
  }

  /** A file as an earlier import and the operator have left it; empty without one. `isUnrecorded` recognizes others by their text. */
  readOwn(file: string, isUnrecorded: (text: string) => boolean) {
    const current = this.#readHash(file);
    const text = current === null ? '' : readFileSync(path.join(this.#root, file), 'utf8');
    if (current === null || !(this.isOwn(file) || isUnrecorded(text))) return { text: '', isEdited: false };
    return { text, isEdited: current !== this.#written[file] };
  }

  /** The address in an article's file as it is now, as paths are compared; null without one. */
  readAddress(file: string): string | null {
    const parsed = parseArticleFile(path.basename(file), readFileSync(path.join(this.#root, file), 'utf8'));
    return 'problems' in parsed ? null : (parsed.file.front.address ?? null);
  }

  /** The keys of earlier imports by what they stand for, of `place`: a partner's file, or `products`. */
  readKeys(place: string): ReadonlyMap<string, string> {
    const own = Object.entries(this.#written).filter(([name]) => name.startsWith(`${place} `));
    return new Map(own.map(([name, key]) => [name.slice(place.length + 1), key]));
  }

  /** Records keys for the next import, which has to give the same ones. */
  recordKeys(place: string, keys: ReadonlyMap<string, string>): void {
    for (const [what, key] of keys) this.#next[`${place} ${what}`] = key;
  }

  /** The text of `remember` in an earlier run; null without one. */
  recall(name: string): string | null {
    const file = path.join(this.#root, REMEMBERED, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** Stores beside the content what the next run has to know. Throws `MoveInError` when it cannot be written. */
  remember(name: string, text: string): void {
    if (this.recall(name) !== text) explain(() => this.#staged.add(`${REMEMBERED}/${name}`, text));
  }

  #decide(file: string, next: string): FileOutcome {
    const known = this.isOwn(file) ? this.#written[file] : undefined;
    const current = this.#cleared.has(file) ? null : this.#readHash(file);
    if (current === null) return known === undefined ? 'created' : 'removed';
    if (current === next) return 'unchanged';
    if (known === undefined) return 'taken';
    return known === current ? 'updated' : 'edited';
  }

  #readHash(file: string): string | null {
    const current = readHash(path.join(this.#root, file));
    // What was read first: a change since then ends the import.
    if (!this.#found.has(file)) this.#found.set(file, current);
    return current;
  }

  /** Throws `MoveInError` when a file is another one than its outcome was decided for. */
  #checkUnchanged(): null {
    for (const { file, outcome } of this.#files) {
      if (outcome !== 'created' && outcome !== 'updated' && outcome !== 'cleared') continue;
      if (readHash(path.join(this.#root, file)) !== this.#found.get(file))
        throw new MoveInError(`content/${file} was changed meanwhile. Nothing was imported: try again.`);
    }
    return null;
  }

  /** Removes what was collected; the content is as it was. */
  discard(): void {
    this.#staged.discard();
  }

  /**
   * Puts the files into the content. What was written is recorded only when all of it is there. Throws `MoveInError` when
   * something cannot be written.
   */
  commit(): void {
    explain(() => void this.#staged.commit(() => this.#checkUnchanged()));
    const file = path.join(this.#root, WRITTEN);
    try {
      const written = { ...readWritten(this.#root), ...this.#next };
      createFolder(path.dirname(file));
      writeWhole(file, listWritten(written));
    } catch (error) {
      throw new MoveInError(
        `Everything was imported, but ${WRITTEN} could not be written. Free some space and import again, so that later edits are recognized.`,
        { cause: error },
      );
    }
  }
}

function readWritten(root: string): Readonly<Record<string, string>> {
  const file = path.join(root, WRITTEN);
  const parsed = writtenSchema.safeParse(parseJson(existsSync(file) ? readFileSync(file, 'utf8') : '{}'));
  if (parsed.success) return parsed.data;
  throw new JournalError(`${WRITTEN} is damaged: remove it to import everything again.`);
}

const readHash = (file: string): string | null =>
  existsSync(file) ? hash('sha256', readFileSync(file), 'hex') : null;

/** Writes, and says in a sentence why that is impossible. */
function explain(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new MoveInError(explainWriteFailure(error), { cause: error });
  }
}

// Lists of 70,000 files are written in parts: whole, as text and as bytes, they would take 40 MB.
function* listWritten(written: Readonly<Record<string, string>>): Generator<string> {
  let start = '{';
  for (const file of Object.keys(written).sort()) {
    yield `${start}\n ${JSON.stringify(file)}: ${JSON.stringify(written[file])}`;
    start = ',';
  }
  yield `${start === '{' ? start : '\n'}}\n`;
}
