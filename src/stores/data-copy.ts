import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DAY_MS } from '../core/clock.ts';
import { parseJson } from '../core/text/parse-text.ts';
import {
  COPIED_DATABASES,
  COPIED_NAMES,
  type CopiedDatabase,
  CopiedSource,
  type CopiedTable,
  type CopiedValue,
  hashCopied,
  isKey,
  listCopiedFiles,
  readCopiedRows,
  takeKey,
} from './copied-data.ts';
import {
  buildCopyName,
  buildSegmentName,
  CopyConflictError,
  type CopyTarget,
  hashSegment,
  parseSegmentName,
  type SegmentBody,
  sealSegment,
  valueSchema,
} from './copy-segments.ts';
import type { DataProblem } from './data-folder.ts';
import { createPrivateFolder, PRIVATE_FILE } from './private-files.ts';
import { forgetFormerCopy, readFormerCopy, restoreCopy } from './restore-copy.ts';

/** The folder in the data folder with what the copy remembers. */
export const COPY_FOLDER = 'copy';

/** How much a segment has at most, in characters, unless one row or file alone has more. */
const SEGMENT_LENGTH = 4_000_000;
const ROWS_PER_READ = 500;
/** So many segments after the last whole copy, the next one is written: a restore reads all since then. */
const MAX_SEGMENTS = 10_000;
const PURGE_MS = 10_000;
const PRUNED_AT_ONCE = 10;

const sourceSchema = z.strictObject({
  origin: z.string(),
  version: z.int(),
  /** The last note, and the last number of each numbered table, that is copied. */
  notes: z.number(),
  numbers: z.record(z.string(), z.number()),
});
const stateSchema = z.strictObject({
  copy: z.string(),
  sequence: z.number(),
  hash: z.string(),
  base: z.number(),
  /** The oldest segment that was not removed. */
  oldest: z.number(),
  /** When everything was last copied anew, and whether rows were removed since: older segments still have them. */
  baseAt: z.number(),
  hasRemoved: z.boolean(),
  /** What is left of copying everything anew, beginning with the segment `from`. */
  rewrite: z.strictObject({ from: z.number(), table: z.string(), after: z.array(valueSchema) }).nullable(),
  sources: z.partialRecord(z.enum(COPIED_NAMES), sourceSchema),
  files: z.record(z.string(), z.string()),
  /** A copy that this data folder was restored from, which this one replaces. */
  former: z.string(),
});
type CopyState = z.output<typeof stateSchema>;

const statusSchema = z.strictObject({
  /** Since when the copy cannot be written, in ms since 1970; null while it can. */
  failingSince: z.number().nullable(),
  reason: z.string(),
  /** When a network was last told that its message is stored before the copy had it. */
  lateAt: z.number().nullable(),
  checkedAt: z.number(),
  /** How the last restored copy differed; empty: not at all. */
  difference: z.string(),
  /** Copies of other data in the same place. */
  others: z.array(z.string()),
});
/** What people have to know of the copy. */
export type CopyStatus = z.output<typeof statusSchema>;

const NO_STATUS: CopyStatus = {
  ...{ failingSince: null, reason: '', lateAt: null, checkedAt: 0, difference: '', others: [] },
};
const STATUS_FILE = 'status.json';

/** Reads what people have to know of the copy of a data folder. */
export function readCopyStatus(dataDir: string): CopyStatus {
  const file = path.join(dataDir, COPY_FOLDER, STATUS_FILE);
  return (
    (existsSync(file) && statusSchema.safeParse(parseJson(readFileSync(file, 'utf8'))).data) || NO_STATUS
  );
}

const KEPT_FILE = path.join(COPY_FOLDER, 'kept-key');
const hashKey = (key: string) => hashSegment(Buffer.from(`kept ${key}`));

/** Notes that the operator has shown that the key of the copy is kept elsewhere. */
export function noteKeptKey(dataDir: string, key: string): void {
  createPrivateFolder(path.join(dataDir, COPY_FOLDER));
  writeWhole(path.join(dataDir, KEPT_FILE), Buffer.from(hashKey(key)));
}

/** What is wrong with a copy before it was ever needed; null: nothing. Empty `place`: there is none. */
export function findCopyFault(place: string, key: string, dataDir: string): string | null {
  if (place === '') return null;
  const stats = place.startsWith('s3:') ? null : statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return `LEDGER_COPY: there is no folder ${place}`;
  if (stats !== null && stats.dev === statSync(dataDir, { throwIfNoEntry: false })?.dev)
    return 'LEDGER_COPY is on the disk of DATA_DIR, and would be lost with it';
  const file = path.join(dataDir, KEPT_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === hashKey(key)
    ? null
    : 'LEDGER_COPY_KEY: without it the copy is lost with this machine, so keep it elsewhere too; then run npm run -s restore -- --confirm-key FILE';
}

/** A copy that fails for a moment needs nobody. */
const GRACE_MS = 15_000;
const formatTime = (time: number | null) =>
  `${new Date(time ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Lists what a person has to do about the copy of a data folder. */
export function findCopyProblems(dataDir: string, now: number): readonly DataProblem[] {
  const { failingSince, reason, lateAt, difference, others, checkedAt } = readCopyStatus(dataDir);
  const problems: readonly (readonly [isThere: boolean, key: string, title: string, detail: string])[] = [
    [
      failingSince !== null && now - failingSince > GRACE_MS,
      ...(['copy', 'The copy of the data cannot be written'] as const),
      `Since ${formatTime(failingSince)}: ${reason}. What is missing waits in the databases, and follows by itself.`,
    ],
    [
      lateAt !== null && now - lateAt < DAY_MS,
      ...(['copy-late', 'Networks were told that messages are stored before the copy had them'] as const),
      `Last at ${formatTime(lateAt)}. This disk has them; with LEDGER_COPY_WAIT=strict, networks send such messages again.`,
    ],
    [
      difference !== '',
      ...(['copy-difference', 'A test has not found in the copy what it should have'] as const),
      `On ${formatTime(checkedAt)}: ${difference}. It is compared again tonight.`,
    ],
    [
      others.length > 0,
      ...(['copy-others', 'Beside the copy of the data there are copies of other data'] as const),
      `${others.join(', ')}: restore what you miss, then delete them. They still have what was deleted here since.`,
    ],
  ];
  return problems.flatMap(([isThere, key, title, detail]) => (isThere ? [{ key, title, detail }] : []));
}

interface Collected {
  /** Whether it has everything that was committed before it. */
  readonly isWhole: boolean;
  readonly state: CopyState;
  readonly name: string;
  readonly bytes: Buffer;
}

/** What a copy is made with. */
export interface CopyOptions {
  readonly dataDir: string;
  readonly target: CopyTarget;
  /** The secret that segments are encrypted with. */
  readonly secret: string;
  /** In ms since 1970. */
  readonly now: () => number;
}

/**
 * Copies a data folder as it changes. What is missing in the copy is what the databases have after the positions that are
 * copied, so that it waits there however long the copy cannot be written. One program at a time may copy a folder.
 */
export class DataCopy {
  readonly #options: CopyOptions;
  readonly #folder: string;
  readonly #sources = new Map<string, CopiedSource>();
  #state: CopyState;
  /** A segment that is on this disk, and perhaps in the copy. */
  #pending: Collected | null = null;
  /** Whether there may be more to copy although nothing was committed since. */
  #hasMore = true;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #status: CopyStatus;
  #turn: Promise<unknown> = Promise.resolve();
  #isChecking = false;
  #isCaughtUp = false;
  #isRemoving = false;
  /** Why databases cannot be read, by their names: the others are copied meanwhile. */
  readonly #unreadable = new Map<CopiedDatabase, string>();
  /** Whether the next segment begins to copy everything anew. */
  #isStale = false;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#folder = path.join(options.dataDir, COPY_FOLDER);
    createPrivateFolder(this.#folder);
    this.#status = readCopyStatus(options.dataDir);
    const last = this.#load('state');
    this.#pending = this.#load('next');
    this.#state = last?.state ?? this.#begin();
  }

  get status(): CopyStatus {
    return this.#status;
  }

  /** Whether the last flush has copied everything that was committed before it, but for what is copied anew. */
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

  /**
   * Copies what is missing, at most one segment. Resolves with whether there was anything, rejects when it cannot be
   * read or written.
   */
  flush(): Promise<boolean> {
    return this.#takeTurn(() => this.#flush(this.#openSources()));
  }

  /** Copies everything that is missing. */
  async flushAll(): Promise<void> {
    while (await this.flush()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Removes segments and notes that nothing needs any more, and begins to copy everything anew when it is time. */
  tend(): Promise<void> {
    return this.#takeTurn(() => this.#tend());
  }

  async #tend(): Promise<void> {
    const { now, target } = this.#options;
    const { base, baseAt, hasRemoved, rewrite, sequence, former } = this.#state;
    if (now() - this.#purgedAt > PURGE_MS || now() < this.#purgedAt) {
      this.#purgedAt = now();
      for (const source of this.#sources.values())
        source.removeNotes(this.#state.sources[source.database]?.notes ?? 0);
    }
    const isOld = hasRemoved && now() - baseAt > DAY_MS;
    if (rewrite === null && (isOld || sequence - base > MAX_SEGMENTS)) this.#isStale = true;
    if (this.#isChecking || base === 0) return;
    const { copy, oldest } = this.#state;
    const pruned = Array.from(
      { length: Math.min(PRUNED_AT_ONCE, base - oldest) },
      (_, index) => oldest + index,
    );
    await Promise.all(pruned.map((number) => target.remove(buildSegmentName(copy, number))));
    this.#state = { ...this.#state, oldest: oldest + pruned.length };
    if (former === '' || this.#isRemoving) return;
    this.#isRemoving = true;
    // It may be long: the copying goes on meanwhile. What fails is tried again after the next start.
    void this.#removeFormer(former).catch(() => undefined);
  }

  async #removeFormer(former: string): Promise<void> {
    const { target, dataDir } = this.#options;
    const names = (await target.list()).filter((name) => parseSegmentName(name)?.copy === former);
    for (const name of names) await target.remove(name);
    forgetFormerCopy(dataDir);
    this.#state = { ...this.#state, former: '' };
  }

  /** Notes what people have to know; the same again writes nothing. */
  report(change: Partial<CopyStatus>): void {
    const status = { ...this.#status, ...change };
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    writeWhole(path.join(this.#folder, STATUS_FILE), Buffer.from(JSON.stringify(status)));
  }

  /**
   * Restores the copy into a folder beside the data, and compares every row and file with the data as they were copied.
   * Resolves with what differs or why it could not be restored, after which everything is copied anew; empty without a
   * difference. The copying goes on meanwhile.
   */
  async check(): Promise<string> {
    const { dataDir, target, secret } = this.#options;
    await this.flushAll();
    if (this.#state.base === 0 || this.#unreadable.size > 0) return this.problem;
    this.#isChecking = true;
    const folder = path.join(this.#folder, 'check');
    const sources = new Map(this.#openSources());
    try {
      const position = await this.#takeTurn(async () => {
        for (const [name, { database }] of sources) sources.set(name, new CopiedSource(dataDir, database));
        for (const { db } of sources.values()) db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
        this.#hasMore = true;
        while (await this.#flush(sources));
        return this.position;
      });
      const expected = await hashCopied(dataDir, sources);
      rmSync(folder, { recursive: true, force: true });
      await restoreCopy({ target, secret, copy: position.copy, upTo: position.sequence }, folder);
      const found = await hashCopied(folder);
      const names = [...new Set([...expected.keys(), ...found.keys()])];
      const different = names.filter((name) => expected.get(name) !== found.get(name));
      if (different.length > 0) this.#isStale = true;
      return different.join(', ');
    } catch (error) {
      this.#isStale = true;
      return String(error);
    } finally {
      for (const source of sources.values()) source.close();
      rmSync(folder, { recursive: true, force: true });
      this.#isChecking = false;
    }
  }

  /** The names of copies of other data in the same place. */
  async listOthers(): Promise<readonly string[]> {
    const copies = (await this.#options.target.list()).map((name) => parseSegmentName(name)?.copy ?? '');
    return [...new Set(copies)].filter((copy) => copy !== this.#state.copy && copy !== this.#state.former);
  }

  close(): void {
    for (const source of this.#sources.values()) source.close();
    this.#sources.clear();
  }

  #takeTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #flush(sources: ReadonlyMap<string, CopiedSource>): Promise<boolean> {
    this.#isCaughtUp = false;
    const isEarlier = this.#pending !== null;
    this.#pending ??= this.#collect(sources);
    const pending = this.#pending;
    this.#isCaughtUp = pending === null;
    if (pending === null) return false;
    try {
      await this.#options.target.put(pending.name, pending.bytes);
    } catch (error) {
      if (!(error instanceof CopyConflictError)) throw error;
      // Another program goes on with this copy, such as a site that was restored from it: this data get their own.
      this.#pending = null;
      rmSync(path.join(this.#folder, 'next'), { force: true });
      this.#state = this.#begin();
      return true;
    }
    renameSync(path.join(this.#folder, 'next'), path.join(this.#folder, 'state'));
    this.#state = pending.state;
    this.#pending = null;
    this.#isCaughtUp = !isEarlier && pending.isWhole;
    return true;
  }

  /** Opens the databases that are there, again when another file is in their place or the tables have changed. */
  #openSources(): ReadonlyMap<string, CopiedSource> {
    const { dataDir } = this.#options;
    for (const name of COPIED_NAMES) {
      const known = this.#sources.get(name);
      if (known?.isCurrent(dataDir)) continue;
      known?.close();
      this.#sources.delete(name);
      this.#unreadable.delete(name);
      if (existsSync(path.join(dataDir, COPIED_DATABASES[name].file))) {
        try {
          this.#sources.set(name, new CopiedSource(dataDir, name));
          this.#hasMore = true;
        } catch (error) {
          this.#unreadable.set(name, String(error));
        }
      } else if (this.#state.sources[name] !== undefined) this.#unreadable.set(name, 'it is gone');
    }
    return this.#sources;
  }

  /** Begins a copy of its own for data that no copy is known to have. */
  #begin(): CopyState {
    const { now, dataDir } = this.#options;
    this.#hasMore = true;
    return {
      ...{
        copy: buildCopyName(now()),
        sequence: 0,
        hash: '',
        base: 0,
        oldest: 1,
        baseAt: now(),
        hasRemoved: false,
      },
      ...{ rewrite: { from: 1, table: '', after: [] }, sources: {}, files: {} },
      former: readFormerCopy(dataDir),
    };
  }

  /** Reads what is missing into a segment, and stores it on this disk; null when nothing is. */
  #collect(sources: ReadonlyMap<string, CopiedSource>): Collected | null {
    const { dataDir, secret, now } = this.#options;
    const changed = [...sources.values()].filter((source) => source.hasChanged());
    const files = listCopiedFiles(dataDir);
    const hasFiles =
      [...files].some(([name, mark]) => this.#state.files[name] !== mark) ||
      Object.keys(this.#state.files).some((name) => !files.has(name));
    if (!this.#hasMore && !this.#isStale && changed.length === 0 && !hasFiles) return null;
    if ([...sources.values()].some((source) => isOtherData(source, this.#state))) this.#state = this.#begin();
    const collector = new Collector(this.#isStale ? restart(this.#state, now()) : this.#state, now());
    this.#isStale = false;
    for (const source of sources.values()) {
      try {
        collector.readChanges(source);
      } catch (error) {
        collector.leaveOut(source.database);
        this.#unreadable.set(source.database, String(error));
      }
    }
    // Read after the databases: what they say of a file is never newer than the file.
    collector.readFiles(dataDir, listCopiedFiles(dataDir));
    const { isWhole } = collector;
    // A copy without the rows of a database must not replace the one that has them.
    const isReadable = this.#unreadable.size === 0;
    if (isWhole && isReadable) collector.readAnew([...sources.values()]);
    const { body, state } = collector;
    const hasRewrite = state.rewrite !== null && isReadable;
    this.#hasMore = body.tables.length > 0 || Object.keys(body.files).length > 0 || hasRewrite;
    if (!this.#hasMore && state.base === this.#state.base) return null;
    const { copy, hash: previous, base } = state;
    const sequence = state.sequence + 1;
    const bytes = sealSegment({ copy, sequence, previous, base, at: now() }, body, secret);
    const next = { ...state, sequence, hash: hashSegment(bytes) };
    writeWhole(
      path.join(this.#folder, 'next'),
      Buffer.concat([Buffer.from(`${JSON.stringify(next)}\n`), bytes]),
    );
    return { isWhole, state: next, name: buildSegmentName(copy, sequence), bytes };
  }

  #load(name: 'state' | 'next'): Collected | null {
    const file = path.join(this.#folder, name);
    if (!existsSync(file)) return null;
    const content = readFileSync(file);
    const end = content.indexOf(10);
    const state = stateSchema.safeParse(parseJson(content.subarray(0, end).toString())).data;
    const bytes = content.subarray(end + 1);
    // Cut off by a power failure: what it had is copied again.
    if (state === undefined || hashSegment(bytes) !== state.hash) return null;
    return { isWhole: false, state, name: buildSegmentName(state.copy, state.sequence), bytes };
  }
}

/** Whether a database is not the one that was copied, or has lost what was copied, as after a backup was put back. */
function isOtherData(source: CopiedSource, { sources }: CopyState): boolean {
  const known = sources[source.database];
  if (known === undefined) return false;
  const isBack = ([table, number]: [string, number]) => number > source.readNumber(table);
  const wentBack = Object.entries({ ...known.numbers, copy_notes: known.notes }).some(isBack);
  return known.origin !== source.origin || wentBack;
}

const restart = (state: CopyState, now: number): CopyState => ({
  ...state,
  ...{ rewrite: { from: state.sequence + 1, table: '', after: [] }, files: {} },
  ...{ hasRemoved: false, baseAt: now },
});

type TableBody = SegmentBody['tables'][number];

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
    const numbers = Object.fromEntries(
      tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => [name, source.readNumber(name)]),
    );
    const isHeld = db.isTransaction;
    if (!isHeld) db.exec('BEGIN');
    try {
      // What is there already is read with everything else.
      if (known === undefined || known.version !== version) this.state = restart(this.state, this.#now);
      const position = known ?? { origin, version, notes: source.readNumber('copy_notes'), numbers };
      const next = { origin, version, notes: position.notes, numbers: { ...numbers, ...position.numbers } };
      for (const table of tables) if (table.isNumbered) this.#readNew(source, table, next.numbers);
      next.notes = this.#readNotes(source, next.notes);
      this.state.sources[database] = next;
      this.body.databases[database] = { version, numbers: next.numbers };
    } finally {
      if (!isHeld) db.exec('COMMIT');
    }
  }

  /** Takes back what was read of a database that then could not be read. */
  leaveOut(database: string): void {
    this.body.tables = this.body.tables.filter((table) => table.database !== database);
  }

  #readNew(source: CopiedSource, table: CopiedTable, numbers: Record<string, number>): void {
    while (this.isWhole) {
      const after = numbers[table.name] ?? 0;
      const condition = `KEY > (?) ORDER BY ${table.key.join()} LIMIT ${ROWS_PER_READ}`;
      const rows = readCopiedRows(source.db, table, condition, after);
      const last = rows.at(-1);
      if (last === undefined) return;
      this.#add(source, table, rows);
      numbers[table.name] = Number(takeKey(table, last)[0]);
    }
  }

  /** Reads the rows that notes name, as they are now. Returns the number of the last note. */
  #readNotes({ db, database, tables }: CopiedSource, after: number): number {
    const select = db.prepare(
      'SELECT number, name, key FROM copy_notes WHERE number > ? ORDER BY number LIMIT ?',
    );
    for (let last = after; ; ) {
      const notes = this.isWhole ? select.all(last, ROWS_PER_READ) : [];
      if (notes.length === 0) return last;
      for (const { number, name, key } of notes) {
        last = Number(number);
        const table = tables.find((one) => one.name === name);
        const values = z.array(valueSchema).parse(parseJson(key));
        if (table === undefined) continue;
        const rows = readCopiedRows(db, table, isKey(values), ...values);
        if (rows.length > 0) this.#add({ database }, table, rows);
        else this.#addRemoved({ database }, table, values);
      }
    }
  }

  /** Adds rows of the tables that are copied anew. */
  readAnew(sources: readonly CopiedSource[]): void {
    const tables = sources.flatMap((source) => source.tables.map((table) => ({ source, table })));
    const buildName = ({ source, table }: (typeof tables)[number]) => `${source.database}.${table.name}`;
    const { rewrite } = this.state;
    if (rewrite === null) return;
    const first = tables.findIndex((entry) => buildName(entry) === rewrite.table);
    for (const entry of tables.slice(Math.max(0, first))) {
      const { source, table } = entry;
      const name = buildName(entry);
      if (rewrite.table !== name) Object.assign(rewrite, { table: name, after: [] });
      for (;;) {
        if (!this.isWhole) return;
        const order = `ORDER BY ${table.key.join()} LIMIT ${ROWS_PER_READ}`;
        const values = rewrite.after;
        const condition = values.length === 0 ? 'true' : `KEY > (${values.map(() => '?').join()})`;
        const rows = readCopiedRows(source.db, table, `${condition} ${order}`, ...values);
        if (rows.length > 0) this.#add(source, table, rows);
        rewrite.after = takeKey(table, rows.at(-1) ?? []);
        if (rows.length < ROWS_PER_READ) break;
      }
    }
    this.state.base = rewrite.from;
    this.state.rewrite = null;
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

  #add(source: { readonly database: string }, table: CopiedTable, rows: readonly CopiedValue[][]): void {
    this.#findTable(source, table).rows.push(...rows);
    for (const row of rows)
      for (const value of row) this.#length += typeof value === 'string' ? value.length + 4 : 12;
  }

  #addRemoved(source: { readonly database: string }, table: CopiedTable, key: CopiedValue[]): void {
    this.#findTable(source, table).removed.push(key);
    this.#length += 50;
    this.state.hasRemoved = true;
  }

  #findTable({ database }: { readonly database: string }, { name, columns, key }: CopiedTable): TableBody {
    const known = this.body.tables.find((table) => table.database === database && table.name === name);
    if (known !== undefined) return known;
    const added = { database, name, columns: [...columns], key: [...key], rows: [], removed: [] };
    this.body.tables.push(added);
    return added;
  }
}

/** Replaces a file as a whole. */
function writeWhole(file: string, content: Uint8Array): void {
  const partial = `${file}.partial`;
  const descriptor = openSync(partial, 'w', PRIVATE_FILE);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(partial, file);
}
