import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';
import {
  createFolder,
  DISK,
  type Disk,
  explainPassing,
  PRIVATE_FILE,
  syncFile,
  writeDurably,
  writeWhole,
} from '../stores/disk.ts';

const fileSchema = z.strictObject({
  file: z.string(),
  existed: z.boolean(),
  removed: z.boolean().default(false),
});
/** Earlier versions named a process instead of an owner, and had one place for all files. */
const formerSchema = z
  .strictObject({ pid: z.int(), host: z.string(), files: z.array(fileSchema) })
  .transform(({ files }) => ({ owner: null, work: '.', files }));
const journalSchema = z.union([
  z.strictObject({
    owner: z.string(),
    work: z.string().regex(/^work-[0-9a-f]+$/),
    files: z.array(fileSchema),
  }),
  formerSchema,
]);
type Journal = z.infer<typeof journalSchema>;

/** Why content is neither read nor written at the moment. */
export interface JournalHold {
  /** `busy`: a process writes it; `foreign`: the journal is that of another site; `broken`: something cannot be read. */
  readonly kind: 'busy' | 'foreign' | 'broken';
  /** A sentence. */
  readonly reason: string;
}

/** Why files cannot be written together, or why nothing was changed; the message is for the operator. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

const FOLDER = '.import';
const JOURNAL = 'journal.json';
const UNDO = 'undo';
/** A process that writes renews its heartbeat; one without a heartbeat for so long has ended. */
const DEAD_MS = 60_000;
const BEAT_MS = 5_000;
/** What a killed process has collected and never written. */
const LEFTOVER_MS = 24 * 3_600_000;
const SETTLE_MS = 500;
/** Made with its first use: Workers refuse random values while modules load. */
let ownProcess: string | undefined;
const nameProcess = () => {
  ownProcess ??= randomBytes(16).toString('hex');
  return ownProcess;
};

const BUSY: JournalHold = {
  kind: 'busy',
  reason: 'Another change of the content is being written. Try again in a minute.',
};
const FOREIGN: JournalHold = {
  kind: 'foreign',
  reason:
    'Another site has begun to write into this content folder and has not finished. Edits are neither shown nor ' +
    'saved until it does, or until an operator finishes or undoes it in the console under Content.',
};

/**
 * Writes and removes several files of the content folder: all of them or none, whatever happens meanwhile. The files before
 * are kept and listed in a journal first. When a process ends in between, the next one of the same owner puts everything
 * back. The owner is a random number kept in DATA_DIR: neither a host nor a process has a name that lasts.
 */
export class ContentJournal {
  readonly #root: string;
  readonly #readOwner: () => string;
  readonly #disk: Disk;
  readonly #now: () => number;

  /** `readOwner` left out: the process alone is the owner. `now`: ms since 1970, by which the heartbeats are told. */
  constructor(root: string, readOwner = nameProcess, disk = DISK, now: () => number = Date.now) {
    this.#root = root;
    this.#readOwner = readOwner;
    this.#disk = disk;
    this.#now = now;
  }

  /**
   * Finds what keeps the content from being read and written; null: nothing. Puts back what a process of the same owner has
   * left that has ended. Never throws.
   */
  look(): JournalHold | null {
    try {
      const journal = this.#read();
      if (journal === null) return null;
      const isForeign = typeof journal.owner === 'string' && journal.owner !== this.#readOwner();
      if (isForeign) return FOREIGN;
      if (this.#isAlive()) return BUSY;
      const beat = this.#readBeat();
      try {
        this.#putBack(journal);
      } catch (error) {
        // It is tried again with every look.
        this.#beat(beat);
        throw error;
      }
      return null;
    } catch (error) {
      return { kind: 'broken', reason: explainHold(error) };
    }
  }

  /** Waits until no process of this owner writes any more: at most a minute after one has ended. */
  async settle(): Promise<void> {
    while (this.look()?.kind === 'busy') await wait(SETTLE_MS);
  }

  /** Does the rest of what another owner has begun, or undoes it. Throws `JournalError` with why not. */
  resolve(choice: 'finish' | 'undo'): void {
    const hold = this.look();
    if (hold === null) throw new JournalError('Nothing is unfinished any more.');
    if (hold.kind !== 'foreign') throw new JournalError(hold.reason);
    if (this.#isAlive()) throw new JournalError(BUSY.reason);
    try {
      const journal = this.#read();
      if (journal === null) throw new JournalError('Nothing is unfinished any more.');
      if (choice === 'undo') this.#putBack(journal);
      else this.#finish(journal);
    } catch (error) {
      throw error instanceof JournalError ? error : new JournalError(explainHold(error));
    }
  }

  /** Begins to collect files beside the content. Throws `JournalError` while the content is held. */
  begin(): StagedFiles {
    const hold = this.look();
    if (hold !== null) throw new JournalError(`${hold.reason} Nothing was changed.`);
    this.#removeLeftovers();
    const work = `work-${randomBytes(8).toString('hex')}`;
    return new StagedFiles(this.#root, work, this.#disk, (files, findChange) =>
      this.#commit(work, files, findChange),
    );
  }

  #commit<Change>(work: string, staged: readonly Staged[], findChange: () => Change | null): Change | null {
    const disk = this.#disk;
    const files = staged.map((one) => ({ ...one, existed: existsSync(path.join(this.#root, one.file)) }));
    for (const { file, existed } of files) {
      if (!existed) continue;
      const before = this.#locate(work, 'before', file);
      disk.mkdirSync(path.dirname(before), { recursive: true });
      disk.copyFileSync(path.join(this.#root, file), before);
      syncFile(before, disk);
    }
    const missing = files.find(
      ({ file, removed }) => !removed && !existsSync(this.#locate(work, 'staged', file)),
    );
    if (missing !== undefined)
      throw new JournalError(
        `${missing.file} was removed before it was in place. Nothing was changed: try again.`,
      );
    // A journal that is on the disk has all that it needs beside it, also after a power cut.
    for (const name of ['before', 'staged'])
      syncFolders(this.#root, path.join(FOLDER, work, name), files, disk);
    const change = findChange();
    if (change !== null) return change;
    const journal = { owner: this.#readOwner(), work, files };
    this.#write(journal);
    try {
      this.#apply(journal);
    } catch (error) {
      // A full disk, for example.
      if (error instanceof JournalError) throw error;
      if (!existsSync(this.#journal)) this.#write(journal);
      try {
        this.#putBack(journal);
      } catch {
        // Nobody writes any more: the next look tries it again.
        if (existsSync(this.#journal)) this.#beat(0);
      }
      throw error;
    }
    return null;
  }

  /** A journal that is there is never replaced, so that two processes cannot both begin. */
  #write(journal: Journal): void {
    this.#disk.mkdirSync(path.dirname(this.#journal), { recursive: true });
    try {
      writeDurably(this.#journal, listJournal(journal), 0o644, this.#disk);
    } catch (error) {
      if (readCode(error) === 'EEXIST') throw new JournalError(`${BUSY.reason} Nothing was changed.`);
      throw error;
    }
    this.#beat();
    syncFile(path.dirname(this.#journal), this.#disk);
  }

  #apply({ work, files }: Journal): void {
    const { ino } = statSync(this.#journal);
    let beat = this.#now();
    for (const { file, removed } of files) {
      if (this.#now() - beat >= BEAT_MS) {
        // A process that was stopped for a minute counts as dead: what it had written was put back meanwhile.
        if (statSync(this.#journal, { throwIfNoEntry: false })?.ino !== ino)
          throw new JournalError('Writing took too long and was put back. Nothing was changed: try again.');
        this.#beat();
        beat = this.#now();
      }
      const target = path.join(this.#root, file);
      const source = this.#locate(work, removed ? 'before' : 'staged', file);
      // A file in a folder whose name is not on the disk would be lost with it.
      createFolder(path.dirname(target), undefined, this.#disk);
      if (!existsSync(source)) continue;
      if (removed) this.#disk.rmSync(target, { force: true });
      else this.#disk.renameSync(source, target);
    }
    this.#close(work, files);
  }

  #finish(journal: Journal): void {
    if (existsSync(this.#locate(journal.work, UNDO)))
      throw new JournalError('It has been undone in part already: undo the rest.');
    this.#beat();
    this.#apply(journal);
  }

  #putBack({ work, files }: Journal): void {
    this.#beat();
    // What was put back cannot be finished any more.
    if (work !== '.') {
      this.#disk.mkdirSync(this.#locate(work, UNDO), { recursive: true });
      syncFile(this.#locate(work), this.#disk);
    }
    // An earlier version removed what it needs to put files back while a power cut could still bring its journal back.
    const needed = files.some(({ existed }) => existed) ? 'before' : 'staged';
    const isClosed = !existsSync(this.#locate(work, needed));
    for (const { file, existed } of files) {
      const target = path.join(this.#root, file);
      const before = this.#locate(work, 'before', file);
      if (!existed && !isClosed) this.#disk.rmSync(target, { force: true });
      else if (existsSync(before)) this.#disk.renameSync(before, target);
    }
    this.#close(work, files);
  }

  /** Ends a change that is in place. What could undo it goes once no power cut can bring its journal back. */
  #close(work: string, files: readonly Staged[]): void {
    syncFolders(this.#root, '', files, this.#disk);
    this.#disk.rmSync(this.#journal, { force: true });
    syncFile(path.dirname(this.#journal), this.#disk);
    for (const folder of work === '.' ? ['staged', 'before'] : [''])
      removeWork(this.#locate(work, folder), this.#disk);
  }

  get #journal(): string {
    return path.join(this.#root, FOLDER, JOURNAL);
  }

  #locate(work: string, ...names: readonly string[]): string {
    return path.join(this.#root, FOLDER, work, ...names);
  }

  #read(): Journal | null {
    const text = readIfThere(this.#journal);
    if (text === null) return null;
    const journal = journalSchema.safeParse(parseJson(text.toString()));
    // As long as a journal is not complete, no file is written.
    return journal.success ? journal.data : { owner: null, work: '.', files: [] };
  }

  /** The time is that of the process: the clock of a network folder may be another one. */
  #beat(time = this.#now()): void {
    const seconds = time / 1000;
    this.#disk.utimesSync(this.#journal, seconds, seconds);
  }

  #readBeat = (): number => statSync(this.#journal, { throwIfNoEntry: false })?.mtimeMs ?? 0;

  #isAlive(): boolean {
    return Math.abs(this.#now() - this.#readBeat()) < DEAD_MS;
  }

  #removeLeftovers(): void {
    const folder = path.join(this.#root, FOLDER);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.filter((one) => /^(?:staged|before|work-[0-9a-f]+)$/.test(one))) {
      const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
      if (stats !== undefined && this.#now() - stats.mtimeMs > LEFTOVER_MS)
        this.#disk.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

/** A file that is collected to be written, or removed. */
type Staged = Omit<Journal['files'][number], 'existed'>;
type Commit = <Change>(files: readonly Staged[], findChange: () => Change | null) => Change | null;

/** Files that wait beside the content until all of them are written. */
class StagedFiles {
  readonly #root: string;
  readonly #work: string;
  readonly #disk: Disk;
  readonly #commit: Commit;
  readonly #files: Staged[] = [];

  constructor(root: string, work: string, disk: Disk, commit: Commit) {
    this.#root = root;
    this.#work = path.join(root, FOLDER, work);
    this.#disk = disk;
    this.#commit = commit;
  }

  /** Adds a file, which keeps its mode; null: it is removed. */
  add(file: string, data: string | Uint8Array | null): void {
    this.#files.push({ file, removed: data === null });
    if (data === null) return;
    const staged = path.join(this.#work, 'staged', file);
    this.#disk.mkdirSync(path.dirname(staged), { recursive: true });
    // A file that is added twice is the second one.
    this.#disk.rmSync(staged, { force: true });
    const stats = statSync(path.join(this.#root, file), { throwIfNoEntry: false });
    writeDurably(staged, [data], (stats?.mode ?? 0o644) & 0o777, this.#disk);
  }

  /**
   * Writes everything in its order. `findChange` is called right before that and prevents it with what it returns, null
   * excepted. Throws when nothing was written.
   */
  commit<Change>(findChange: () => Change | null = () => null): Change | null {
    try {
      return this.#files.length === 0 ? null : this.#commit(this.#files, findChange);
    } finally {
      this.discard();
    }
  }

  /** Removes what was collected, unless a journal needs it. */
  discard(): void {
    const journal = readIfThere(path.join(this.#root, FOLDER, JOURNAL))?.toString() ?? '';
    if (!journal.includes(path.basename(this.#work))) removeWork(this.#work, this.#disk);
  }
}

/** Removes a folder of a change that has ended: what cannot be removed goes a day later. */
function removeWork(folder: string, disk: Disk): void {
  try {
    disk.rmSync(folder, { recursive: true, force: true });
  } catch {
    // As above.
  }
}

/** Creates a reader of the random number that owns the journals of a data folder, which is made when it is needed first. */
export function createOwnerReader(dataDir: string): () => string {
  const file = path.join(dataDir, 'journal-owner');
  let owner = '';
  return () => {
    owner ||= readOwner(file) || createOwner(file);
    return owner;
  };
}

const readOwner = (file: string) => readIfThere(file)?.toString() ?? '';

// Earlier versions could leave an empty file after a power cut.
function createOwner(file: string): string {
  createFolder(path.dirname(file));
  try {
    const findOwner = () => readOwner(file) || null;
    writeWhole(file, randomBytes(16).toString('hex'), !existsSync(file), findOwner, PRIVATE_FILE);
  } catch (error) {
    if (readCode(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

// Lists of 70,000 files are written in parts: whole, as text and as bytes, they would take 40 MB.
function* listJournal({ owner, work, files }: Journal): Generator<string> {
  let start = `{"owner":${JSON.stringify(owner)},"work":${JSON.stringify(work)},"files":[`;
  for (const file of files) {
    yield `${start}${JSON.stringify(file)}`;
    start = ',';
  }
  yield ']}';
}

const readCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (readCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Why content is held when something of the journal cannot be read, written or removed, as a sentence. */
function explainHold(error: unknown): string {
  const where =
    error instanceof Error && 'path' in error ? String(error.path) : 'the journal of the content folder';
  const passing = explainPassing(readCode(error));
  if (passing !== null) return `Edits are neither shown nor saved: at ${where}, ${passing}`;
  const user = process.getuid?.() ?? 'USER';
  return `Edits are neither shown nor saved, because ${where} cannot be used (${readCode(error) || error}): run “chown -R ${user}” on its folder as an administrator.`;
}

/** Waits until the names of files, whose paths are below a folder of the root, and of all folders above are on the disk. */
function syncFolders(root: string, below: string, files: readonly Staged[], disk: Disk): void {
  const folders = new Set<string>();
  for (const { file } of files) {
    let folder = path.dirname(path.join(below, file));
    for (; !folders.has(folder); folder = path.dirname(folder)) folders.add(folder);
  }
  for (const folder of folders)
    if (existsSync(path.join(root, folder))) syncFile(path.join(root, folder), disk);
}
