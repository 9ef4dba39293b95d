import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DAY_MS } from '../core/clock.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { parseJson } from '../core/text/parse-text.ts';
import {
  COPIED_DATABASES,
  COPIED_NAMES,
  type CopiedDatabase,
  CopiedSource,
  type CopiedTable,
  type CopiedValue,
  hashCopied,
  listCopiedFiles,
  readRow,
  readRowsAfter,
  takeKey,
} from './copied-data.ts';
import {
  buildCopyName,
  buildSegmentName,
  CopyConflictError,
  CopyPlaceError,
  type CopyTarget,
  hashSegment,
  parseSegmentName,
  type SegmentBody,
  sealSegment,
  valueSchema,
} from './copy-segments.ts';
import type { DataProblem } from './data-folder.ts';
import { createPrivateFolder, move, remove, writePrivateFile } from './disk.ts';
import { readJsonFile } from './private-files.ts';
import { forgetFormerCopy, hashRestored, readFormerCopy } from './restore-copy.ts';

/** The folder in the data folder with what the copy remembers. */
export const COPY_FOLDER = 'copy';

const statusSchema = z.object({
  /** Since when the copy cannot be written, in ms since 1970; null while it can. */
  failingSince: z.number().nullable().default(null),
  reason: z.string().default(''),
  /** Whether it stays so until a person has changed something. */
  needsPerson: z.boolean().default(false),
  /** When a network was last told that its message is stored before the copy had it. */
  lateAt: z.number().nullable().default(null),
  checkedAt: z.number().default(0),
  /** How the last restored copy differed; empty: not at all. */
  difference: z.string().default(''),
  /** Copies of other data in the same place. */
  others: z.array(z.string()).default([]),
});
/** What people have to know of the copy. */
export type CopyStatus = z.output<typeof statusSchema>;

const STATUS_FILE = path.join(COPY_FOLDER, 'status.json');

/** Reads what people have to know of the copy of a data folder. */
export const readCopyStatus = (dataDir: string): CopyStatus =>
  statusSchema.safeParse(readJsonFile(path.join(dataDir, STATUS_FILE))).data ?? statusSchema.parse({});

/** Notes that the program that copies has ended, and why. */
export function noteCopyFailure(dataDir: string, reason: string, now: number): void {
  const status = readCopyStatus(dataDir);
  const failed = { ...status, failingSince: status.failingSince ?? now, reason };
  writePrivateFile(path.join(dataDir, STATUS_FILE), JSON.stringify(failed));
}

const KEPT_FILE = path.join(COPY_FOLDER, 'kept-key');
const hashKey = (key: string) => hashSegment(Buffer.from(`kept ${key}`));

/** Notes that the operator has shown that the key of the copy is kept elsewhere. */
export function noteKeptKey(dataDir: string, key: string): void {
  createPrivateFolder(path.join(dataDir, COPY_FOLDER));
  writePrivateFile(path.join(dataDir, KEPT_FILE), hashKey(key));
}

const LEFT_FILE = path.join(COPY_FOLDER, 'left-copy');

/** Lets the next segment begin a new copy when the place does not have `copy`, which has to be that of the data. */
export function leaveCopy(place: string, copy: string, dataDir: string): void {
  const fault = place === '' ? 'LEDGER_COPY is not set.' : findPlaceFault(place, dataDir);
  if (fault !== null) throw new Error(fault);
  if (readSegment(path.join(dataDir, COPY_FOLDER, 'state'))?.state.copy !== copy)
    throw new Error(`The data are not copied to ${copy}: write the name that the warning has.`);
  writePrivateFile(path.join(dataDir, LEFT_FILE), copy);
}

/** An unmounted disk looks like an empty folder on the disk of the data. */
function findPlaceFault(place: string, dataDir: string): string | null {
  const stats = place.startsWith('s3:') ? null : statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return `LEDGER_COPY: there is no folder ${place}`;
  if (stats !== null && stats.dev === statSync(dataDir, { throwIfNoEntry: false })?.dev)
    return 'LEDGER_COPY is on the disk of DATA_DIR, and would be lost with it';
  return null;
}

/** What is wrong with a copy before it was ever needed; null: nothing. An empty `place` is a site without a copy. */
export function findCopyFault(place: string, key: string, dataDir: string): string | null {
  const fault = place === '' ? null : findPlaceFault(place, dataDir);
  if (place === '' || fault !== null) return fault;
  const file = path.join(dataDir, KEPT_FILE);
  if (existsSync(file) && readFileSync(file, 'utf8') === hashKey(key)) return null;
  const command = nameCommand('restore --confirm-key FILE');
  return `LEDGER_COPY_KEY: without it the copy is lost with this machine, so keep it elsewhere too; then run ${command}`;
}

/** A copy that fails for a moment needs nobody. */
const GRACE_MS = 15_000;
const formatTime = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Lists what a person has to do about the copy of a data folder. */
export function findCopyProblems(dataDir: string, now: number): readonly DataProblem[] {
  const { failingSince, reason, needsPerson, lateAt, difference, others, checkedAt } =
    readCopyStatus(dataDir);
  const problems = [
    failingSince !== null &&
      (needsPerson || now - failingSince > GRACE_MS) && {
        key: 'copy',
        title: 'The copy of the data cannot be written',
        detail: `Since ${formatTime(failingSince)}: ${reason}. What is missing waits in the databases, and follows by itself.`,
      },
    lateAt !== null &&
      now - lateAt < DAY_MS && {
        key: 'copy-late',
        title: 'Networks were told that messages are stored before the copy had them',
        detail: `Last at ${formatTime(lateAt)}. This disk has them; with LEDGER_COPY_WAIT=strict, networks send such messages again.`,
      },
    difference !== '' && {
      key: 'copy-difference',
      title: 'A test has not found in the copy what it should have',
      detail: `On ${formatTime(checkedAt)}: ${difference}. It is compared again tonight.`,
    },
    others.length > 0 && {
      key: 'copy-others',
      title: 'Beside the copy of the data there are copies of other data',
      detail: `${others.join(', ')}: restore what you miss, then delete them. They still have what was deleted here since.`,
    },
  ];
  return problems.filter((problem) => problem !== false);
}

/** How much a segment has at most, in characters, unless one row or file alone has more. */
const SEGMENT_LENGTH = 4_000_000;
const ROWS_PER_READ = 500;
/** So many segments after the last whole copy, the next one is written: a restore reads all since then. */
const MAX_SEGMENTS = 10_000;
/** So many bytes, or as many as the last whole copy has: a text that somebody is writing is copied whole every time. */
const MAX_GROWTH = 8_000_000;
const PURGE_MS = 10_000;
const PRUNED_AT_ONCE = 4;

const sourceSchema = z.object({
  origin: z.string(),
  version: z.int(),
  /** The last note, and the last number of each numbered table, that is copied. */
  notes: z.number(),
  numbers: z.record(z.string(), z.number()),
});
const stateSchema = z.object({
  copy: z.string(),
  sequence: z.number(),
  hash: z.string(),
  base: z.number(),
  /** Bytes of the segments from the last whole copy on, and of that copy. */
  bytes: z.number().default(0),
  whole: z.number().default(0),
  /** The oldest segment that was not removed. */
  oldest: z.number(),
  /** When everything was last copied anew, and whether rows were removed since: older segments still have them. */
  baseAt: z.number(),
  hasRemoved: z.boolean(),
  /** What is left of copying everything anew, beginning with the segment `from`. */
  rewrite: z.object({ from: z.number(), table: z.string(), after: z.array(valueSchema) }).nullable(),
  sources: z.partialRecord(z.enum(COPIED_NAMES), sourceSchema),
  files: z.record(z.string(), z.string()),
});
type CopyState = z.output<typeof stateSchema>;

/** A segment that is on this disk, and perhaps in the copy, with the state after it. */
type Segment = NonNullable<ReturnType<typeof readSegment>>;

/** Reads a segment that is on this disk; null without one. `isWhole`: it has everything that was committed before it. */
function readSegment(file: string) {
  if (!existsSync(file)) return null;
  const content = readFileSync(file);
  const end = content.indexOf(10);
  const state = stateSchema.safeParse(parseJson(content.subarray(0, end).toString())).data;
  const bytes: Buffer = content.subarray(end + 1);
  // Cut off by a power failure: what it had is copied again.
  return state?.hash === hashSegment(bytes) ? { isWhole: false, state, bytes } : null;
}

/** What a copy is made with: `secret` encrypts the segments; `now`: ms since 1970. */
interface CopyOptions {
  readonly dataDir: string;
  readonly target: CopyTarget;
  readonly secret: string;
  readonly now: () => number;
}

/**
 * Copies a data folder as it changes. What is missing in the copy is what the databases have after the positions that are
 * copied, so that it waits there however long the copy cannot be written. One program at a time may copy a folder.
 */
export class DataCopy {
  readonly #options: CopyOptions;
  readonly #folder: string;
  readonly #sources = new Map<CopiedDatabase, CopiedSource>();
  #state: CopyState;
  #pending: Segment | null = null;
  /** The files that were there at the last look. */
  #files = '';
  /** Whether there may be more to copy although nothing was committed since. */
  #hasMore = true;
  /** Whether the next segment begins to copy everything anew. */
  #isStale = false;
  #isCaughtUp = false;
  /** Whether the place was there when it was looked at last. */
  #isThere = false;
  /** Why databases cannot be read, by their names: the others are copied meanwhile. */
  readonly #unreadable = new Map<CopiedDatabase, string>();
  #status: CopyStatus;
  #written = '';
  #purgedAt = Number.NEGATIVE_INFINITY;
  #isChecking = false;
  #isRemoving = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#folder = path.join(options.dataDir, COPY_FOLDER);
    createPrivateFolder(this.#folder);
    this.#status = readCopyStatus(options.dataDir);
    this.#pending = readSegment(path.join(this.#folder, 'next'));
    this.#state = readSegment(path.join(this.#folder, 'state'))?.state ?? this.#begin();
  }

  get status(): CopyStatus {
    return this.#status;
  }

  /** Notes what people have to know; the same again writes nothing. */
  report(change: Partial<CopyStatus>): void {
    this.#status = { ...this.#status, ...change };
    const text = JSON.stringify(this.#status);
    if (text === this.#written) return;
    try {
      writePrivateFile(path.join(this.#options.dataDir, STATUS_FILE), text);
      this.#written = text;
    } catch {
      // A full disk, which the site reports: the next report writes this one too.
    }
  }

  /**
   * Whether the last flush has copied every message that was committed before it, and everything else, but for what is
   * copied anew and for another database that cannot be read.
   */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Why something cannot be copied although the copy can be written; empty when everything can. */
  get problem(): string {
    return [...this.#unreadable]
      .map(([name, reason]) => `${name}.sqlite cannot be read: ${reason}`)
      .join(', ');
  }

  /** The copy that is written, and its last segment. */
  get position() {
    const { copy, sequence, base } = this.#state;
    return { copy, sequence, base };
  }

  /** Copies everything that is missing. */
  async flushAll(): Promise<void> {
    while (await this.flush()) await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Copies what is missing, at most one segment. Resolves with whether there was anything, rejects when it cannot be
   * read or written.
   */
  flush(): Promise<boolean> {
    return this.#takeTurn(() => this.#flush(this.#openSources()));
  }

  #takeTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Opens the databases that are there, again when another file is in their place or the tables have changed. */
  #openSources(): ReadonlyMap<CopiedDatabase, CopiedSource> {
    const { dataDir } = this.#options;
    for (const name of COPIED_NAMES)
      try {
        const known = this.#sources.get(name);
        if (known?.isCurrent(dataDir)) continue;
        this.#sources.delete(name);
        known?.close();
        if (existsSync(path.join(dataDir, COPIED_DATABASES[name].file))) {
          this.#sources.set(name, new CopiedSource(dataDir, name));
          this.#hasMore = true;
          this.#unreadable.delete(name);
        } else if (this.#state.sources[name] !== undefined) this.#unreadable.set(name, 'it is gone');
      } catch (error) {
        this.#unreadable.set(name, String(error));
      }
    return this.#sources;
  }

  async #flush(sources: ReadonlyMap<CopiedDatabase, CopiedSource>): Promise<boolean> {
    this.#isCaughtUp = false;
    if (!this.#isThere) await this.#probe();
    const isEarlier = this.#pending !== null;
    const segment = this.#pending ?? this.#collect(sources);
    this.#pending = segment;
    if (segment !== null && !(await this.#put(segment))) return true;
    this.#isCaughtUp = !isEarlier && segment?.isWhole !== false && !this.#unreadable.has('commissions');
    return segment !== null;
  }

  /** Looks at the place before anything has to be written. */
  async #probe(): Promise<void> {
    const { copy, sequence } = this.#state;
    try {
      await this.#options.target.probe(sequence > 0 ? copy : '');
    } catch (error) {
      const left = path.join(this.#options.dataDir, LEFT_FILE);
      const isLeft = existsSync(left) && readFileSync(left, 'utf8') === copy;
      if (!(error instanceof CopyPlaceError && error.lacksCopy && isLeft)) throw error;
      this.#leave();
    }
    this.#isThere = true;
  }

  /** Begins a copy of its own in the place of the one that was written. */
  #leave(): void {
    remove(path.join(this.#folder, 'next'));
    this.#pending = null;
    this.#state = this.#begin();
  }

  /** Stores a segment in the copy; resolves with false when this copy is that of another program. */
  async #put({ state, bytes }: Segment): Promise<boolean> {
    try {
      await this.#options.target.put(buildSegmentName(state.copy, state.sequence), bytes);
    } catch (error) {
      this.#isThere = false;
      if (!(error instanceof CopyConflictError)) throw error;
      // Another program goes on with this copy, such as a site that was restored from it: this data get their own.
      this.#leave();
      return false;
    }
    move(path.join(this.#folder, 'next'), path.join(this.#folder, 'state'));
    this.#pending = null;
    this.#state = state;
    return true;
  }

  /** Begins a copy of its own for data that no copy is known to have. */
  #begin(): CopyState {
    this.#hasMore = true;
    const now = this.#options.now();
    const empty = { sequence: 0, hash: '', base: 0, bytes: 0, whole: 0, oldest: 1, sources: {}, files: {} };
    return restart(
      { ...empty, copy: buildCopyName(now), baseAt: now, hasRemoved: false, rewrite: null },
      now,
    );
  }

  /** Reads what is missing into a segment, and stores it on this disk; null when nothing is. */
  #collect(sources: ReadonlyMap<CopiedDatabase, CopiedSource>): Segment | null {
    const { dataDir, secret, now } = this.#options;
    const opened = [...sources.values()];
    const files = JSON.stringify([...listCopiedFiles(dataDir)]);
    // Each is asked, because the answer is about the time since it was asked last.
    const isChanged = opened.filter((source) => source.hasChanged()).length > 0 || files !== this.#files;
    this.#files = files;
    if (!isChanged && !this.#hasMore && !this.#isStale) return null;
    if (opened.some((source) => isOtherData(source, this.#state))) this.#state = this.#begin();
    const collector = new Collector(this.#isStale ? restart(this.#state, now()) : this.#state, now());
    let hasFailed = false;
    for (const source of opened)
      try {
        collector.readChanges(source);
        this.#unreadable.delete(source.database);
      } catch (error) {
        hasFailed = true;
        this.#unreadable.set(source.database, String(error));
      }
    // Read after the databases: what they say of a file is never newer than the file.
    collector.readFiles(dataDir, listCopiedFiles(dataDir));
    const { isWhole } = collector;
    // A copy without the rows of a database must not replace the one that has them.
    const isReadable = this.#unreadable.size === 0;
    if (isWhole && isReadable) collector.readAnew(opened);
    const { body, state } = collector;
    const isEmpty = body.tables.length === 0 && Object.keys(body.files).length === 0;
    const hasRewrite = state.rewrite !== null && isReadable;
    this.#hasMore = !isEmpty || hasRewrite || hasFailed;
    if (isEmpty && !hasRewrite && state.base === this.#state.base) return null;
    const { copy, hash: previous, base } = state;
    const sequence = state.sequence + 1;
    const bytes = sealSegment({ copy, sequence, previous, base, at: now() }, body, secret);
    const next = { ...state, sequence, hash: hashSegment(bytes), bytes: state.bytes + bytes.length };
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(next)}\n`), bytes]);
    writePrivateFile(path.join(this.#folder, 'next'), content);
    this.#isStale = false;
    return { isWhole, state: next, bytes };
  }

  /** Removes segments and notes that nothing needs any more, and begins to copy everything anew when it is time. */
  tend(): Promise<void> {
    return this.#takeTurn(async () => {
      const { now, target, dataDir } = this.#options;
      const { copy, base, baseAt, bytes, whole, oldest, hasRemoved, rewrite, sequence, sources } =
        this.#state;
      if (Math.abs(now() - this.#purgedAt) > PURGE_MS) {
        this.#purgedAt = now();
        for (const source of this.#sources.values()) source.removeNotes(sources[source.database]?.notes ?? 0);
      }
      const isOld = hasRemoved && now() - baseAt > DAY_MS;
      const isLarge = sequence - base > MAX_SEGMENTS || bytes - whole > Math.max(MAX_GROWTH, whole);
      if (rewrite === null && (isOld || isLarge)) this.#isStale = true;
      if (this.#isChecking || base === 0) return;
      // One by one: on a disk that hangs, each takes one of the few threads of the process for files.
      for (let number = oldest; number < Math.min(base, oldest + PRUNED_AT_ONCE); number++) {
        await target.remove(buildSegmentName(copy, number));
        this.#state = { ...this.#state, oldest: number + 1 };
      }
      const former = readFormerCopy(dataDir);
      if (former === '' || this.#isRemoving) return;
      this.#isRemoving = true;
      // It may be long: the copying goes on meanwhile. What fails is tried again after the next start.
      void this.#removeFormer(former).catch(() => undefined);
    });
  }

  async #removeFormer(former: string): Promise<void> {
    const { target, dataDir } = this.#options;
    for (const name of await target.list())
      if (parseSegmentName(name)?.copy === former) await target.remove(name);
    forgetFormerCopy(dataDir);
  }

  /** The names of copies of other data in the same place. */
  async listOthers(): Promise<readonly string[]> {
    const copies = (await this.#options.target.list()).map((name) => parseSegmentName(name)?.copy ?? '');
    const own = [this.#state.copy, readFormerCopy(this.#options.dataDir)];
    return [...new Set(copies)].filter((copy) => !own.includes(copy));
  }

  /**
   * Has the copy restored into a folder beside the data, and compares every row and file with the data as they were
   * copied. Resolves with what differs or why it could not be restored, after which everything is copied anew; empty
   * without a difference. The copying goes on meanwhile. `hash`: restores and hashes, perhaps in another thread.
   */
  async check(hash = hashRestored): Promise<string> {
    const { target, secret } = this.#options;
    await this.flushAll();
    if (this.#state.base === 0 || this.#unreadable.size > 0) return this.problem;
    this.#isChecking = true;
    const folder = path.join(this.#folder, 'check');
    try {
      const { expected, copy, upTo } = await this.#hashOriginal();
      const found = await hash({ target, secret, copy, upTo }, folder);
      const names = [...new Set([...expected.keys(), ...found.keys()])];
      const different = names.filter((name) => expected.get(name) !== found.get(name));
      if (different.length > 0) this.#isStale = true;
      return different.join(', ');
    } catch (error) {
      this.#isStale = true;
      return String(error);
    } finally {
      remove(folder);
      this.#isChecking = false;
    }
  }

  /** Hashes the data as they are at the moment of a segment. */
  async #hashOriginal() {
    const { dataDir } = this.#options;
    const opened = new Map<CopiedDatabase, CopiedSource>();
    try {
      const { copy, sequence: upTo } = await this.#takeTurn(async () => {
        for (const name of this.#openSources().keys()) {
          const source = new CopiedSource(dataDir, name);
          opened.set(name, source);
          source.db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
        }
        this.#hasMore = true;
        while (await this.#flush(opened));
        return this.position;
      });
      return { expected: await hashCopied(dataDir, opened), copy, upTo };
    } finally {
      for (const source of opened.values()) source.close();
    }
  }

  close(): void {
    for (const source of this.#sources.values()) source.close();
    this.#sources.clear();
  }
}

/** Whether a database is not the one that was copied, or has lost what was copied, as after a backup was put back. */
function isOtherData(source: CopiedSource, { sources }: CopyState): boolean {
  const known = sources[source.database];
  if (known === undefined) return false;
  const numbers = Object.entries({ ...known.numbers, copy_notes: known.notes });
  return (
    known.origin !== source.origin || numbers.some(([table, number]) => number > source.readNumber(table))
  );
}

const restart = (state: CopyState, now: number): CopyState => ({
  ...state,
  rewrite: { from: state.sequence + 1, table: '', after: [] },
  files: {},
  hasRemoved: false,
  baseAt: now,
  bytes: 0,
});

/** Collects the content of a segment, and the state after it. */
class Collector {
  readonly body: SegmentBody = { databases: {}, tables: [], files: {} };
  state: CopyState;
  readonly #now: number;
  #length = 0;

  constructor(state: CopyState, now: number) {
    this.state = structuredClone(state);
    this.#now = now;
  }

  /** Whether there is room for more. */
  get isWhole(): boolean {
    return this.#length < SEGMENT_LENGTH;
  }

  /** Reads what a database has after the copied positions, as it is at one moment. */
  readChanges(source: CopiedSource): void {
    const { db, database, version, origin, tables } = source;
    const known = this.state.sources[database];
    const numbered = tables.filter(({ isNumbered }) => isNumbered);
    const isHeld = db.isTransaction;
    if (!isHeld) db.exec('BEGIN');
    try {
      // What is there already is read with everything else.
      if (known === undefined || known.version !== version) this.state = restart(this.state, this.#now);
      const numbers = Object.fromEntries(numbered.map(({ name }) => [name, source.readNumber(name)]));
      Object.assign(numbers, known?.numbers);
      for (const table of numbered) {
        const { last } = this.#addAfter(source, table, [numbers[table.name] ?? 0]);
        numbers[table.name] = Number(last[0]);
      }
      const notes = this.#readNotes(source, known?.notes ?? source.readNumber('copy_notes'));
      this.state.sources[database] = { origin, version, notes, numbers };
      this.body.databases[database] = { version, numbers };
    } catch (error) {
      this.body.tables = this.body.tables.filter((table) => table.database !== database);
      throw error;
    } finally {
      if (!isHeld) db.exec('COMMIT');
    }
  }

  /** Reads the rows that notes name, as they are now. Returns the number of the last note. */
  #readNotes({ db, database, tables }: CopiedSource, after: number): number {
    const sql = 'SELECT number, name, key FROM copy_notes WHERE number > ? ORDER BY number LIMIT ?';
    const select = db.prepare(sql);
    for (let last = after; ; ) {
      const notes = this.isWhole ? select.all(last, ROWS_PER_READ) : [];
      if (notes.length === 0) return last;
      for (const { number, name, key } of notes) {
        last = Number(number);
        const table = tables.find((one) => one.name === name);
        if (table === undefined) continue;
        const values = z.array(valueSchema).parse(parseJson(key));
        const rows = readRow(db, table, values);
        this.#add(database, table, rows, rows.length === 0 ? [values] : []);
      }
    }
  }

  /** Adds rows of the tables that are copied anew. */
  readAnew(sources: readonly CopiedSource[]): void {
    const { rewrite } = this.state;
    if (rewrite === null) return;
    const tables = sources.flatMap((source) =>
      source.tables.map((table) => ({ source, table, name: `${source.database}.${table.name}` })),
    );
    const first = tables.findIndex(({ name }) => name === rewrite.table);
    for (const { source, table, name } of tables.slice(Math.max(0, first))) {
      const { last, isDone } = this.#addAfter(source, table, name === rewrite.table ? rewrite.after : []);
      Object.assign(rewrite, { table: name, after: last });
      if (!isDone) return;
    }
    this.state.base = rewrite.from;
    this.state.whole = this.state.bytes;
    this.state.rewrite = null;
  }

  /** Adds the rows of a table after a key while there is room. Returns the last key, and whether no row is left. */
  #addAfter({ db, database }: CopiedSource, table: CopiedTable, after: readonly CopiedValue[]) {
    let [last, isDone] = [[...after], false];
    while (this.isWhole && !isDone) {
      const rows = readRowsAfter(db, table, last, ROWS_PER_READ);
      const row = rows.at(-1);
      if (row !== undefined) {
        this.#add(database, table, rows);
        last = takeKey(table, row);
      }
      isDone = rows.length < ROWS_PER_READ;
    }
    return { last, isDone };
  }

  /** Adds files that have changed. */
  readFiles(dataDir: string, files: ReadonlyMap<string, string>): void {
    for (const [name, mark] of files) {
      if (this.state.files[name] === mark || !this.isWhole) continue;
      let content: string;
      try {
        content = readFileSync(path.join(dataDir, name)).toString('base64');
      } catch {
        // Removed meanwhile: the next segment says so.
        continue;
      }
      this.body.files[name] = content;
      this.#length += content.length;
      this.state.files[name] = mark;
    }
    for (const name of Object.keys(this.state.files)) {
      if (files.has(name)) continue;
      this.body.files[name] = null;
      delete this.state.files[name];
      this.state.hasRemoved = true;
    }
  }

  #add(
    database: CopiedDatabase,
    { name, columns, key }: CopiedTable,
    rows: readonly CopiedValue[][],
    removed: readonly CopiedValue[][] = [],
  ): void {
    let table = this.body.tables.find((one) => one.database === database && one.name === name);
    if (table === undefined) {
      table = { database, name, columns: [...columns], key: [...key], rows: [], removed: [] };
      this.body.tables.push(table);
    }
    table.rows.push(...rows);
    table.removed.push(...removed);
    this.#length += 50 * removed.length;
    for (const row of rows)
      for (const value of row) this.#length += typeof value === 'string' ? value.length + 4 : 12;
    if (removed.length > 0) this.state.hasRemoved = true;
  }
}
