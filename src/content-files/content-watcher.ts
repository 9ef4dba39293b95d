import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { IMAGE_EXTENSIONS } from '../core/pages/images/content-image.ts';
import { ContentJournal } from './journal.ts';

/** Time and size of each content file by its path below the folder. */
type Signatures = ReadonlyMap<string, string>;

/** How long a folder has to stay the same before its edits are applied: an editor writes a file in several steps. */
const SETTLE_MS = 300;
/** How soon after an event of the file system the folder is looked at: a change of a file has several events. */
const EVENT_MS = 50;
/** How long the pause between two looks is at least for each file, so that large folders cost little. */
const PAUSE_MS_PER_FILE = 1;
/** Files whose state is read concurrently. */
const BATCH = 50;
const CONTENT_FILE = new RegExp(`\\.(?:md|yaml|csv|${IMAGE_EXTENSIONS.join('|')})$`, 'i');

/**
 * Looks for changed content files now and then, and soon after each event of the file system. It compares times and
 * sizes, because no events arrive from network folders and some mounted volumes.
 */
export class ContentWatcher {
  readonly #root: string;
  readonly #intervalMs: number;
  readonly #journal: ContentJournal;
  readonly #applied: Map<string, string>;
  readonly #folders = new Map<string, FSWatcher>();
  #seen: Signatures;
  /** Files that were changing: who has read the folder meanwhile has them, also when they are as before again. */
  readonly #changing = new Set<string>();
  #onChange: (files: readonly string[]) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the next look is due and when the last one ended, in ms of `performance.now()`. */
  #nextLook = Number.POSITIVE_INFINITY;
  #lastLook = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  /** An event has arrived during the look. */
  #isStirred = false;
  #isClosed = false;
  #problem: string | null = null;

  private constructor(root: string, intervalMs: number, journal: ContentJournal, signatures: Signatures) {
    this.#root = root;
    this.#journal = journal;
    this.#intervalMs = intervalMs;
    this.#applied = new Map(signatures);
    this.#seen = signatures;
  }

  /** Remembers the present state of a folder: open it before its files are read. Rejects when there is no folder. */
  static async open(
    root: string,
    intervalMs: number,
    journal = new ContentJournal(root),
  ): Promise<ContentWatcher> {
    // A folder in it that cannot be read is reported by the first look.
    const found = await readSignatures(root).catch((error: unknown) => {
      if (readCode(error) === 'ENOENT') throw error;
      return new Map();
    });
    return new ContentWatcher(root, intervalMs, journal, found);
  }

  /** Why edits are not looked for at the moment, as a sentence; null when they are. */
  readProblem(): string | null {
    return this.#problem;
  }

  /** Calls `onChange` with the changed, new and removed files, once they stay the same for a moment. */
  start(onChange: (files: readonly string[]) => void): void {
    if (this.#isClosed) return;
    this.#onChange = onChange;
    this.#watchFolders();
    this.#lookIn(this.#intervalMs);
  }

  /** Leaves the present state of files to the caller, who reads them after this. */
  async skip(files: readonly string[]): Promise<void> {
    this.#take(files, await readStates(this.#root, files));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const folder of this.#folders.values()) folder.close();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#nextLook = performance.now() + ms;
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#isStirred = false;
    // Several files that are written together are read when all of them are there.
    const hold = this.#journal.look();
    this.#problem = hold === null || hold.kind === 'busy' ? null : hold.reason;
    const found = hold === null ? await this.#readState() : this.#seen;
    this.#isLooking = false;
    if (this.#isClosed) return;
    const isSettled = listDifferences(found, this.#seen).length === 0;
    this.#seen = found;
    for (const file of listDifferences(found, this.#applied)) this.#changing.add(file);
    // What changed before the writing began is a part of it.
    const changed = isSettled && hold === null ? [...this.#changing] : [];
    if (changed.length > 0) {
      this.#take(changed, found);
      this.#onChange(changed);
    }
    this.#watchFolders();
    this.#lastLook = performance.now();
    const pause = Math.max(this.#intervalMs, found.size * PAUSE_MS_PER_FILE);
    this.#lookIn(isSettled && !this.#isStirred ? pause : SETTLE_MS);
  }

  /** A folder that is being replaced can be missing for a moment. */
  async #readState(): Promise<Signatures> {
    try {
      return await readSignatures(this.#root);
    } catch (error) {
      const code = readCode(error);
      const where = error instanceof Error && 'path' in error ? error.path : this.#root;
      if (code !== 'ENOENT')
        this.#problem = `Edits are not shown, because ${where} cannot be read (${code}).`;
      return this.#seen;
    }
  }

  #take(files: readonly string[], found: Signatures): void {
    for (const file of files) {
      this.#changing.delete(file);
      const state = found.get(file);
      if (state === undefined) this.#applied.delete(file);
      else this.#applied.set(file, state);
    }
  }

  /** Watches the folders that have content, as far as the system does that. */
  #watchFolders(): void {
    const folders = new Set(['.', ...[...this.#seen.keys()].flatMap(listFolders)]);
    for (const [folder, watcher] of this.#folders) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) if (!this.#folders.has(folder)) this.#watchFolder(folder);
  }

  #watchFolder(folder: string): void {
    const forget = () => {
      this.#folders.get(folder)?.close();
      this.#folders.delete(folder);
    };
    try {
      const watcher = watch(path.join(this.#root, folder), { persistent: false }, (event, name) => {
        // A folder that was replaced has to be watched again.
        if (event === 'rename' && (name === null || path.extname(name) === '')) forget();
        if (name === null || path.extname(name) === '' || CONTENT_FILE.test(name)) this.#stir();
      });
      watcher.on('error', forget);
      this.#folders.set(folder, watcher);
    } catch {
      // Too many folders are watched on this machine, or it is gone: the folder is looked at now and then.
    }
  }

  /** Brings the next look forward, though never closer to the last one than the time in which edits settle. */
  #stir(): void {
    this.#isStirred = true;
    const now = performance.now();
    const due = Math.max(now + EVENT_MS, this.#lastLook + SETTLE_MS);
    if (!this.#isLooking && !this.#isClosed && due < this.#nextLook) this.#lookIn(due - now);
  }
}

const readCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

async function readSignatures(root: string): Promise<Signatures> {
  const names = await readdir(root, { recursive: true });
  return readStates(root, names.filter((name) => CONTENT_FILE.test(name) && !name.startsWith('.')).sort());
}

/** What an edit changes about a file, or what takes it from the site's user. */
const SIGNED = ['mtimeMs', 'size', 'ino', 'mode', 'uid'] as const;

async function readStates(root: string, files: readonly string[]): Promise<Signatures> {
  const states = new Map<string, string>();
  for (let start = 0; start < files.length; start += BATCH) {
    await Promise.all(
      files.slice(start, start + BATCH).map(async (name) => {
        // A file that is removed in between is missing in the next look too.
        const found = await stat(path.join(root, name)).catch(() => null);
        if (found !== null) states.set(name, SIGNED.map((field) => found[field]).join(' '));
      }),
    );
  }
  return states;
}

/** The folders around a file below the content folder, such as `images` and `images/team`. */
function listFolders(file: string): string[] {
  const parts = path.dirname(file).split(path.sep);
  return parts.map((_, index) => parts.slice(0, index + 1).join(path.sep));
}

function listDifferences(one: Signatures, other: Signatures): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}
