import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { COPIED_DATABASES, COPIED_NAMES, type CopiedDatabase, hashCopied } from './copied-data.ts';
import {
  buildSegmentName,
  type CopyTarget,
  hashSegment,
  openSegment,
  parseSegmentName,
  type SegmentBody,
} from './copy-segments.ts';
import {
  createOwnFolder,
  createPrivateFile,
  createPrivateFolder,
  move,
  remove,
  syncTree,
  writePrivateFile,
} from './disk.ts';
import { readJsonFile } from './private-files.ts';
import { finishCopy } from './sql/copy-tables.ts';
import { migrate, readSchemaVersion } from './sql/migrate.ts';
import { CREATED_SUFFIX } from './sql/quarantine.ts';

/** Segments that are read at a time, and that share a transaction. */
const READ_AT_ONCE = 8;
const SEGMENTS_PER_COMMIT = 64;

/** A copy that can be restored. */
interface RestoreOptions {
  readonly target: CopyTarget;
  readonly secret: string;
  readonly copy: string;
  /** The last segment to restore; the last one that is there when left out. */
  readonly upTo?: number;
  /** Whether a copy with a damaged or missing segment is restored up to it, instead of being refused. */
  readonly isPartAllowed?: boolean;
}

/** What was restored. */
export interface Restored {
  /** When the last segment was written, in ms since 1970. */
  readonly at: number;
  readonly segments: number;
  /** false: everything was not copied yet when the copy ended. */
  readonly isWhole: boolean;
  /** Why it ends before the last segment; left out where it does not. */
  readonly endedBy?: string;
}

/** Segments that are passed over one after the other: with another key, none can be read. */
const MAX_PASSED = 100;

/** A segment that is missing, damaged, replaced or encrypted with another key. */
class SegmentError extends Error {
  readonly sequence: number;
  constructor(sequence: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.sequence = sequence;
  }
}

const progressSchema = z.strictObject({ copy: z.string(), base: z.number(), sequence: z.number() });
const PROGRESS_FILE = 'restore.json';

/**
 * Restores a copy into a folder of its own, and goes on where an interrupted run has stopped. Throws when a segment is
 * missing, damaged or encrypted with another key, unless a part is allowed and there is one.
 */
export async function restoreCopy(options: RestoreOptions, folder: string): Promise<Restored> {
  let endedBy: SegmentError | null = null;
  let upTo = options.upTo ?? Number.MAX_SAFE_INTEGER;
  for (let tries = 0; ; tries += 1)
    try {
      const restored = await restoreUpTo({ ...options, upTo }, folder);
      return endedBy === null ? restored : { ...restored, endedBy: endedBy.message };
    } catch (error) {
      const isPassed = options.isPartAllowed === true && tries < MAX_PASSED && error instanceof SegmentError;
      if (!isPassed) throw endedBy ?? error;
      endedBy = error;
      upTo = error.sequence - 1;
    }
}

async function restoreUpTo(
  { target, secret, copy, upTo }: RestoreOptions & { readonly upTo: number },
  folder: string,
): Promise<Restored> {
  const known = (await target.list())
    .map((name) => parseSegmentName(name))
    .flatMap((place) => (place?.copy === copy && place.sequence <= upTo ? [place.sequence] : []));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`there is no copy ${copy}`);
  const open = (sequence: number, bytes: Uint8Array) => {
    const name = buildSegmentName(copy, sequence);
    try {
      return openSegment(name, bytes, secret);
    } catch (error) {
      throw new SegmentError(sequence, error instanceof Error ? error.message : String(error), {
        cause: error,
      });
    }
  };
  const { head } = open(last, await readSegment(target, copy, last));
  const base = head.base === 0 ? first : head.base;
  const from = Math.max(base, readProgress(folder, copy, base));
  let previous: string | null = null;
  const restoring = new RestoredFolder(folder);
  try {
    for await (const [sequence, bytes] of readInOrder(target, copy, from, last)) {
      const segment = open(sequence, bytes);
      if (previous !== null && segment.head.previous !== previous)
        throw new SegmentError(
          sequence,
          `${buildSegmentName(copy, sequence)} does not follow the segment before it: one of them was replaced`,
        );
      previous = hashSegment(bytes);
      restoring.apply(segment.body);
      if (sequence % SEGMENTS_PER_COMMIT !== 0 && sequence !== last) continue;
      restoring.commit();
      writePrivateFile(path.join(folder, PROGRESS_FILE), JSON.stringify({ copy, base, sequence }));
    }
    restoring.finish();
  } finally {
    restoring.close();
  }
  remove(path.join(folder, PROGRESS_FILE));
  return { at: head.at, segments: last - base + 1, isWhole: head.base !== 0 };
}

/** Restores a copy into a folder, whatever is in it, and hashes what is there then. */
export async function hashRestored(options: RestoreOptions, folder: string) {
  remove(folder);
  await restoreCopy(options, folder);
  return hashCopied(folder);
}

/** The last segment that an interrupted run has applied, which is applied again; a run of another copy begins anew. */
function readProgress(folder: string, copy: string, base: number): number {
  const progress = progressSchema.safeParse(readJsonFile(path.join(folder, PROGRESS_FILE))).data;
  if (progress?.copy === copy && progress.base === base) return progress.sequence;
  remove(folder);
  createPrivateFolder(folder);
  return 0;
}

async function readSegment(target: CopyTarget, copy: string, sequence: number): Promise<Uint8Array> {
  const name = buildSegmentName(copy, sequence);
  const bytes = await target.get(name);
  if (bytes === null)
    throw new SegmentError(sequence, `${name} is missing: the copy cannot be restored past it`);
  return bytes;
}

/** Reads segments several at a time; yields them in order. */
async function* readInOrder(target: CopyTarget, copy: string, from: number, to: number) {
  for (let first = from; first <= to; first += READ_AT_ONCE) {
    const sequences = Array.from(
      { length: Math.min(READ_AT_ONCE, to - first + 1) },
      (_, index) => first + index,
    );
    const read = sequences.map((sequence) => readSegment(target, copy, sequence));
    // Those before one that is missing are restored.
    await Promise.allSettled(read);
    for (const [index, bytes] of read.entries()) yield [first + index, await bytes] as const;
  }
}

/** A folder that segments are applied to, by the migrations of the program and the constraints of its tables. */
class RestoredFolder {
  readonly #folder: string;
  readonly #opened = new Map<CopiedDatabase, DatabaseSync>();
  readonly #numbers = new Map<CopiedDatabase, Readonly<Record<string, number>>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  apply({ databases, tables, files }: SegmentBody): void {
    for (const database of COPIED_NAMES) {
      const { version, numbers } = databases[database] ?? {};
      if (version === undefined || numbers === undefined) continue;
      this.#open(database, version);
      this.#numbers.set(database, numbers);
    }
    for (const table of tables) {
      const db = this.#opened.get(table.database);
      if (db === undefined) throw new Error(`the copy has rows of ${table.database} without its version`);
      applyTable(db, table);
    }
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.#folder, name);
      if (content === null) remove(file);
      else {
        createPrivateFolder(path.dirname(file));
        writePrivateFile(file, Buffer.from(content, 'base64'));
      }
    }
  }

  /** Migrations run as the site has run them, between the same rows. */
  #open(database: CopiedDatabase, version: number): void {
    const { file, migrations } = COPIED_DATABASES[database];
    let db = this.#opened.get(database);
    if (db === undefined) {
      createPrivateFile(path.join(this.#folder, file));
      db = new DatabaseSync(path.join(this.#folder, file));
      // What was deleted since it was copied leaves no bytes in a free page.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
      this.#opened.set(database, db);
    }
    if (readSchemaVersion(db) < version) {
      if (db.isTransaction) db.exec('COMMIT');
      migrate(db, migrations, version);
      if (readSchemaVersion(db) < version)
        throw new Error(`${file} of the copy was written by a newer version: restore with that one`);
    }
    if (!db.isTransaction) db.exec('BEGIN');
  }

  commit(): void {
    for (const db of this.#opened.values()) if (db.isTransaction) db.exec('COMMIT');
  }

  /** Has tables go on counting where they were, and checks every page. */
  finish(): void {
    for (const [name, db] of this.#opened) {
      finishCopy(db, new Map(Object.entries(this.#numbers.get(name) ?? {})));
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  close(): void {
    for (const db of this.#opened.values()) db.close();
    this.#opened.clear();
  }
}

function applyTable(db: DatabaseSync, table: SegmentBody['tables'][number]): void {
  const { name, columns, rows, key, removed } = table;
  const remove = db.prepare(
    `DELETE FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
  );
  for (const values of removed) remove.run(...values);
  const places = columns.map(() => '?').join();
  const replace = db.prepare(`INSERT OR REPLACE INTO ${name} (${columns.join()}) VALUES (${places})`);
  for (const row of rows) replace.run(...row);
}

const FORMER_FILE = path.join('copy', 'restored-from.json');
const formerSchema = z.object({ copy: z.string() });

/** The copy that a data folder was restored from and that its own copy replaces; empty without one. */
export const readFormerCopy = (dataDir: string): string =>
  formerSchema.safeParse(readJsonFile(path.join(dataDir, FORMER_FILE))).data?.copy ?? '';

/** Forgets it, once it is replaced. */
export const forgetFormerCopy = (dataDir: string): void => remove(path.join(dataDir, FORMER_FILE));

/** Restores a copy into a data folder without databases, and goes on where an interrupted run has stopped. */
export const restoreDataFolder = (options: RestoreOptions, dataDir: string): Promise<Restored | null> =>
  fillDataFolder(dataDir, async (folder) => {
    const restored = await restoreCopy(options, folder);
    createPrivateFolder(path.join(dataDir, path.dirname(FORMER_FILE)));
    writePrivateFile(path.join(dataDir, FORMER_FILE), JSON.stringify({ copy: options.copy }));
    return restored;
  });

/** Where a restore writes first, in the data folder. */
const RESTORING = 'restoring';
/** Says that a restored folder is whole, and only has to be moved. */
const WHOLE_FILE = 'whole.json';

const findDatabase = (dataDir: string) =>
  Object.values(COPIED_DATABASES).find(({ file }) => existsSync(path.join(dataDir, file)));

/** Why what is in a data folder is not what a restore that was ended has begun, as a sentence; null where it is all there. */
export function findUnfinishedRestore(dataDir: string): string | null {
  const folder = path.join(dataDir, RESTORING);
  const isBegun = existsSync(folder) && findDatabase(dataDir) === undefined;
  return isBegun || existsSync(path.join(folder, WHOLE_FILE))
    ? `A restore into ${dataDir} was ended before its end: run it again, or remove ${folder} to begin without it.`
    : null;
}

/** Puts what a restore has written whole in its place. Returns whether there was anything. */
export function endRestore(dataDir: string): boolean {
  const folder = path.join(dataDir, RESTORING);
  if (!existsSync(path.join(folder, WHOLE_FILE))) return false;
  for (const name of readdirSync(folder).filter((one) => one !== WHOLE_FILE)) {
    // What the database before it had says nothing of this one.
    if (name.endsWith('.sqlite')) remove(path.join(dataDir, name + CREATED_SUFFIX));
    move(path.join(folder, name), path.join(dataDir, name));
  }
  remove(folder);
  return true;
}

/**
 * Fills a data folder without databases with what `fill` writes into a folder in it. Resolves with what that says; with
 * null when an interrupted run only had to be completed.
 */
export async function fillDataFolder<Result>(
  dataDir: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result | null> {
  if (endRestore(dataDir)) return null;
  const there = findDatabase(dataDir);
  if (there !== undefined)
    throw new Error(
      `${path.join(dataDir, there.file)} is there: stop the site, and name an empty folder as DATA_DIR.`,
    );
  createOwnFolder(dataDir);
  const folder = path.join(dataDir, RESTORING);
  const result = await fill(folder);
  syncTree(folder);
  writePrivateFile(path.join(folder, WHOLE_FILE), '');
  endRestore(dataDir);
  return result;
}
