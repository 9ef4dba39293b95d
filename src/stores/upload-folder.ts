import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createPrivateFolder, discard, move, openWhole, type WholeFile } from './disk.ts';

/** Of a name on the disk: a character has at most three bytes, and a name 255. */
const MAX_NAME_LENGTH = 80;
const CHUNK_BYTES = 600_000;

/** The name of a sent file without folders and control characters, and the end of a long one. */
const cleanName = (name: string) =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(-MAX_NAME_LENGTH)
    .replace(/^\.+/, '') || 'file';

/**
 * The folder of a machine in which uploaded files wait, each in a folder of its own. What arrives is the process's until
 * it is kept under a key; what nobody keeps is removed. Every method rejects with the error of the file system.
 */
export class UploadFolder {
  readonly #folder: string;
  /** Folders that requests are using. */
  readonly #used = new Set<string>();
  readonly #received = new WeakMap<File, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins a file that arrives, under the name that its sender gave it. */
  async begin(sentName: string): Promise<ArrivingFile> {
    const name = cleanName(sentName);
    const key = `arriving-${randomUUID()}`;
    this.#used.add(key);
    createPrivateFolder(this.#folder);
    createPrivateFolder(path.join(this.#folder, key));
    const file = await openWhole(this.locate(key, name));
    return {
      write: file.write,
      finish: () => this.#finish(key, name, file),
      discard: async () => {
        await file.discard();
        await this.#discard(key);
      },
    };
  }

  async #finish(key: string, name: string, whole: WholeFile): Promise<File> {
    await whole.finish();
    const file = new File([await openAsBlob(this.locate(key, name))], name);
    this.#received.set(file, key);
    return file;
  }

  /** Keeps a file that has arrived under a key, in place of another one. Once this resolves, it outlasts a loss of power. */
  async keep(file: File, key: string): Promise<void> {
    const from = this.#received.get(file);
    if (from === undefined) throw new TypeError('The file has not arrived here.');
    this.#used.add(key);
    this.#received.set(file, key);
    move(path.join(this.#folder, from), path.join(this.#folder, key));
    this.#used.delete(from);
  }

  /** Removes what of a form was not kept; its request has ended. */
  async release(form: FormData): Promise<void> {
    for (const value of form.values()) {
      const key = typeof value === 'string' ? undefined : this.#received.get(value);
      if (key?.startsWith('arriving-')) await this.#discard(key);
      else if (key !== undefined) this.#used.delete(key);
    }
  }

  /** Where the file of a key is. */
  locate(key: string, name: string): string {
    return path.join(this.#folder, key, name);
  }

  has(key: string, name: string): boolean {
    return existsSync(this.locate(key, name));
  }

  /** Reads the bytes of a kept file, at most 600,000 at once. */
  read(key: string, name: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.locate(key, name), { highWaterMark: CHUNK_BYTES });
  }

  async remove(key: string): Promise<void> {
    await discard(path.join(this.#folder, key));
  }

  /** Removes what an ended process has left, and what is kept under a key that `readKeys` does not name. */
  async removeOthers(readKeys: () => Promise<ReadonlySet<string>>): Promise<void> {
    const found = existsSync(this.#folder) ? await readdir(this.#folder) : [];
    const unused = found.filter((key) => !this.#used.has(key));
    if (unused.length === 0) return;
    // Read after the folder: what a request keeps meanwhile was not found.
    const keys = await readKeys();
    for (const key of unused) if (!keys.has(key)) await this.remove(key);
  }

  async #discard(key: string): Promise<void> {
    await this.remove(key);
    this.#used.delete(key);
  }
}

/** A file whose bytes arrive. One of `finish` and `discard` ends it. */
export interface ArrivingFile {
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Resolves once all bytes are on the disk. */
  readonly finish: () => Promise<File>;
  readonly discard: () => Promise<void>;
}
