import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { IMAGE_EXTENSIONS } from '../../core/pages/content-image.ts';
import { recoverImport } from '../import/write-import.ts';

/** Time and size of each content file by its path below the folder. */
type Signatures = ReadonlyMap<string, string>;

/** How long a folder has to stay the same before its edits are applied: an editor writes a file in several steps. */
const SETTLE_MS = 300;
/** How much longer than a look the pause after it is at least, so that large folders cost little. */
const PAUSE_FACTOR = 10;
/** Files whose state is read concurrently. */
const BATCH = 50;
const CONTENT_FILE = new RegExp(`\\.(?:md|yaml|csv|${IMAGE_EXTENSIONS.join('|')})$`, 'i');

/**
 * Looks for changed content files now and then. It compares times and sizes instead of waiting for events of the file
 * system, which do not arrive from mounted volumes and network folders.
 */
export class ContentWatcher {
  readonly #root: string;
  readonly #intervalMs: number;
  #applied: Signatures;
  #seen: Signatures;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(root: string, intervalMs: number, signatures: Signatures) {
    this.#root = root;
    this.#intervalMs = intervalMs;
    this.#applied = signatures;
    this.#seen = signatures;
  }

  /** Remembers the present state of a folder: open it before its files are read. Rejects when there is no folder. */
  static async open(root: string, intervalMs: number): Promise<ContentWatcher> {
    return new ContentWatcher(root, intervalMs, await readSignatures(root));
  }

  /** Calls `onChange` with the changed, new and removed files, once they stay the same for a moment. */
  start(onChange: (files: readonly string[]) => void): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look(onChange), this.#intervalMs);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #look(onChange: (files: readonly string[]) => void): Promise<void> {
    const began = performance.now();
    // A folder that is being replaced can be missing for a moment, and an import is read when it is complete.
    const isComplete = recoverImport(this.#root);
    const found = isComplete ? await readSignatures(this.#root).catch(() => this.#seen) : this.#seen;
    if (this.#isClosed) return;
    const isSettled = listDifferences(found, this.#seen).length === 0;
    this.#seen = found;
    const changed = isSettled ? listDifferences(found, this.#applied) : [];
    if (changed.length > 0) {
      this.#applied = found;
      onChange(changed);
    }
    const lookMs = performance.now() - began;
    const pause = isSettled ? Math.max(this.#intervalMs, lookMs * PAUSE_FACTOR) : Math.max(SETTLE_MS, lookMs);
    this.#timer = setTimeout(() => void this.#look(onChange), pause);
    this.#timer.unref();
  }
}

async function readSignatures(root: string): Promise<Signatures> {
  const names = await readdir(root, { recursive: true });
  const files = names.filter((name) => CONTENT_FILE.test(name) && !name.startsWith('.')).sort();
  const signatures = new Map<string, string>();
  for (let start = 0; start < files.length; start += BATCH) {
    await Promise.all(
      files.slice(start, start + BATCH).map(async (name) => {
        // A file that is removed in between is missing in the next look too.
        const found = await stat(path.join(root, name)).catch(() => null);
        if (found !== null) signatures.set(name, `${found.mtimeMs} ${found.size} ${found.ino}`);
      }),
    );
  }
  return signatures;
}

function listDifferences(one: Signatures, other: Signatures): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}
