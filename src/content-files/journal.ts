import { hash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';

/** Where an import has what it needs between two runs, below the content folder. */
const FOLDER = '.import';
const JOURNAL = `${FOLDER}/journal.json`;
const WRITTEN = `${FOLDER}/written.json`;
const STAGED = `${FOLDER}/staged`;
const BEFORE = `${FOLDER}/before`;

/** SHA-256 of each file that an import wrote, by its path below the content folder. */
const writtenSchema = z.record(z.string(), z.string());
const journalSchema = z.strictObject({
  pid: z.int(),
  host: z.string(),
  files: z.array(z.strictObject({ file: z.string(), existed: z.boolean() })),
});

/** What happens to a file: `edited` and `taken` files stay as they are, and so does a `removed` one. */
export type FileOutcome = 'created' | 'updated' | 'unchanged' | 'edited' | 'taken' | 'removed';

/** A file that an import writes. */
export interface StagedFile {
  /** Path below the content folder. */
  readonly file: string;
  readonly outcome: FileOutcome;
}

/** Why files cannot be written together, or why nothing was changed; the message is for the operator. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

const fingerprint = (data: string | Uint8Array) => hash('sha256', data, 'hex');

/**
 * Collects the files of an import beside the content, and puts all of them into it at once. What was edited since an
 * earlier import stays.
 */
export class ImportWriter {
  readonly #root: string;
  readonly #written: Readonly<Record<string, string>>;
  readonly #next: Record<string, string>;
  readonly #files: StagedFile[] = [];

  /** Rolls back what an import that was killed has left. */
  constructor(root: string) {
    if (!recoverImport(root))
      throw new JournalError('Another import is being written: try again when it is done.');
    this.#root = root;
    rmSync(path.join(root, STAGED), { recursive: true, force: true });
    rmSync(path.join(root, BEFORE), { recursive: true, force: true });
    const parsed = writtenSchema.safeParse(
      parseJson(readIfThere(path.join(root, WRITTEN))?.toString() ?? '{}'),
    );
    if (!parsed.success)
      throw new JournalError(`${WRITTEN} is damaged: remove it to import everything again.`);
    this.#written = parsed.data;
    this.#next = { ...parsed.data };
  }

  /** What an earlier import wrote. */
  isOwn(file: string): boolean {
    return Object.hasOwn(this.#written, file);
  }

  get files(): readonly StagedFile[] {
    return this.#files;
  }

  /** Adds a file; it is not in the content before `commit`. */
  add(file: string, data: string | Uint8Array): FileOutcome {
    const next = fingerprint(data);
    const outcome = this.#decide(file, next);
    this.#files.push({ file, outcome });
    if (outcome === 'created' || outcome === 'updated') {
      const staged = path.join(this.#root, STAGED, file);
      mkdirSync(path.dirname(staged), { recursive: true });
      writeFileSync(staged, data);
    }
    if (outcome !== 'taken' && outcome !== 'edited' && outcome !== 'removed') this.#next[file] = next;
    return outcome;
  }

  #decide(file: string, next: string): FileOutcome {
    const known = Object.hasOwn(this.#written, file) ? this.#written[file] : undefined;
    const present = readIfThere(path.join(this.#root, file));
    if (present === null) return known === undefined ? 'created' : 'removed';
    const current = fingerprint(present);
    if (current === next) return 'unchanged';
    if (known === undefined) return 'taken';
    return known === current ? 'updated' : 'edited';
  }

  /** Removes what was collected; the content is as it was. */
  discard(): void {
    for (const folder of [STAGED, BEFORE])
      rmSync(path.join(this.#root, folder), { recursive: true, force: true });
  }

  /**
   * Puts the files into the content. When the process ends in between, the next look at the folder puts everything back.
   */
  commit(): void {
    const changed = this.#files.filter(({ outcome }) => outcome === 'created' || outcome === 'updated');
    if (changed.length === 0) {
      this.discard();
      return;
    }
    const root = this.#root;
    writeParts(path.join(root, STAGED, 'written.json'), listWritten(this.#next));
    const files = [...changed.map(({ file }) => file), WRITTEN];
    const existing = new Set(files.filter((file) => existsSync(path.join(root, file))));
    for (const file of existing) {
      const before = path.join(root, BEFORE, file);
      mkdirSync(path.dirname(before), { recursive: true });
      copyFileSync(path.join(root, file), before);
    }
    writeDurably(path.join(root, JOURNAL), listJournal(files, existing));
    try {
      for (const file of files) {
        const target = path.join(root, file);
        mkdirSync(path.dirname(target), { recursive: true });
        renameSync(path.join(root, STAGED, file === WRITTEN ? 'written.json' : file), target);
      }
    } catch (error) {
      // A full disk, for example: a running site reads nothing while the journal is there.
      putBack(
        root,
        files.map((file) => ({ file, existed: existing.has(file) })),
      );
      throw error;
    }
    rmSync(path.join(root, JOURNAL));
    this.discard();
  }
}

/**
 * Writes and removes (null) small content files in their order, all of them or none: when the process ends in between, the
 * next look at the folder puts everything back. `findChange` is called right before that and prevents it with what it
 * returns, null excepted.
 */
export function writeTogether<Change>(
  root: string,
  files: ReadonlyMap<string, string | null>,
  findChange: () => Change | null,
): Change | null {
  if (!recoverImport(root))
    throw new JournalError('An import is being written. Nothing was changed: try again when it is done.');
  const clear = () => {
    for (const folder of [STAGED, BEFORE]) rmSync(path.join(root, folder), { recursive: true, force: true });
  };
  const stage = (folder: string, file: string, text: string | Buffer) => {
    const target = path.join(root, folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeParts(target, [text.toString()]);
    const stats = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stats !== undefined) chmodSync(target, stats.mode & 0o777);
  };
  clear();
  const existing = new Set<string>();
  try {
    for (const [file, text] of files) {
      const before = readIfThere(path.join(root, file));
      if (before !== null) existing.add(file);
      if (before !== null) stage(BEFORE, file, before);
      if (text !== null) stage(STAGED, file, text);
    }
    const change = findChange();
    if (change !== null) {
      clear();
      return change;
    }
    writeDurably(path.join(root, JOURNAL), listJournal([...files.keys()], existing));
  } catch (error) {
    clear();
    throw error;
  }
  try {
    for (const [file, text] of files) {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      if (text === null) rmSync(target);
      else renameSync(path.join(root, STAGED, file), target);
    }
  } catch (error) {
    putBack(
      root,
      [...files.keys()].map((file) => ({ file, existed: existing.has(file) })),
    );
    throw error;
  }
  rmSync(path.join(root, JOURNAL));
  clear();
  return null;
}

// Lists of 70,000 files, written in parts: whole, as text and as bytes, they would take 40 MB.

function* listWritten(written: Readonly<Record<string, string>>): Generator<string> {
  let start = '{';
  for (const file of Object.keys(written).sort()) {
    yield `${start}\n ${JSON.stringify(file)}: ${JSON.stringify(written[file])}`;
    start = ',';
  }
  yield `${start === '{' ? start : '\n'}}\n`;
}

function* listJournal(files: readonly string[], existing: ReadonlySet<string>): Generator<string> {
  let start = `{"pid":${process.pid},"host":${JSON.stringify(os.hostname())},"files":[`;
  for (const file of files) {
    yield `${start}${JSON.stringify({ file, existed: existing.has(file) })}`;
    start = ',';
  }
  yield ']}';
}

/**
 * Puts the content back when a process ended while it wrote an import. Returns false while a process is writing one, so
 * that the folder is not read yet.
 */
export function recoverImport(root: string): boolean {
  const text = readIfThere(path.join(root, JOURNAL));
  if (text === null) return true;
  const journal = journalSchema.safeParse(parseJson(text.toString()));
  // A journal that is not complete was written before the first file.
  if (journal.success) {
    if (isRunning(journal.data, statSync(path.join(root, JOURNAL)).mtimeMs)) return false;
    putBack(root, journal.data.files);
  }
  rmSync(path.join(root, JOURNAL), { force: true });
  return true;
}

function putBack(root: string, files: z.infer<typeof journalSchema>['files']): void {
  for (const { file, existed } of files) {
    const [before, target] = [path.join(root, BEFORE, file), path.join(root, file)];
    if (!existed) rmSync(target, { force: true });
    else if (existsSync(before)) copyFileSync(before, target);
  }
  rmSync(path.join(root, JOURNAL), { force: true });
}

/** A process may have the id of one that ended: then it began after the journal. */
function isRunning({ pid, host }: z.infer<typeof journalSchema>, writtenAt: number): boolean {
  if (host !== os.hostname()) return false;
  if (pid === process.pid) return writtenAt >= Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a file so that it is complete or missing after a failure. */
function writeDurably(file: string, parts: Iterable<string>): void {
  const part = `${file}.part`;
  writeParts(part, parts);
  renameSync(part, file);
}

const PART_LENGTH = 2 ** 16;

/** Writes the parts of a file and waits until it is on the disk. */
export function writeParts(file: string, parts: Iterable<string>): void {
  const handle = openSync(file, 'w');
  try {
    let text = '';
    for (const part of parts) {
      text += part;
      if (text.length < PART_LENGTH) continue;
      writeFileSync(handle, text);
      text = '';
    }
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
