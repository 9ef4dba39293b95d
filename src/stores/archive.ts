import { z } from 'zod';
import { parseSiteEvents } from '../core/events/site-event.schema.ts';
import { isCounted, type SiteEvent } from '../core/events/site-event.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { type ArchiveFile, buildArchiveName, parseArchiveName } from './archive-name.ts';
import {
  type CountFilter,
  type EventFilter,
  type EventReader,
  parseEventRow,
  withEventErrors,
} from './events.ts';
import type { Database, SqlExecutor } from './sql/sql-executor.ts';

/**
 * The port that stores files of archived events. Every adapter passes the contract suite
 * `test/contract/event-archive.ts`. A rejection means that the archive cannot be read or written right now.
 */
export interface EventArchive {
  /** Resolves once the file is stored as a whole. A file of the same name is replaced. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** null: there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** The names of all files, sorted. */
  list(): Promise<readonly string[]>;
  /** Removes a file, and ignores one that is not there. */
  remove(name: string): Promise<void>;
}

const parseNames = (names: readonly string[]) => names.map(parseArchiveName).filter((file) => file !== null);

/** Events of one file: some megabytes before compression, which fit into the memory of a worker. */
const EVENTS_PER_FILE = 10_000;

/**
 * Commissions are matched with clicks, and messages are worked on: both stay. Events that are not counted yet stay
 * until they are.
 */
const SELECT_OLDER = `SELECT * FROM events WHERE server_time < ?
  AND name NOT IN ('affiliate_redirect', 'contact_message', 'newsletter_signup') AND seq <= (SELECT position FROM rollup_state)
  ORDER BY server_time, seq LIMIT ?`;
/** One run at a time changes the archive, of all processes and instances. A file takes some seconds of this time. */
const LEASE_SECONDS = 300;
/** A lease that ends later was taken while a clock was wrong, and binds no one. */
const TAKE_LEASE = `UPDATE archive_state SET holder = ?, held_until = unixepoch() + ${LEASE_SECONDS}
  WHERE holder = '' OR held_until NOT BETWEEN unixepoch() AND unixepoch() + ${LEASE_SECONDS}`;
const RELEASE_LEASE = `UPDATE archive_state SET holder = '' WHERE holder = ?`;
const SET_PENDING = `UPDATE archive_state SET pending_file = ?, held_until = unixepoch() + ${LEASE_SECONDS}
  WHERE holder = ?`;
const DELETE_EVENTS = `DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))
  AND (SELECT holder FROM archive_state) = ?`;
const ADD_FILE = `INSERT OR IGNORE INTO archive_files SELECT value FROM json_each(?)
  WHERE (SELECT holder FROM archive_state) = ?`;
/** A file that is not listed is replaced by one that is not listed either. */
const ADD_REPLACEMENT = `INSERT OR IGNORE INTO archive_files
  SELECT ? FROM archive_files, archive_state WHERE name = ? AND holder = ?`;
const REMOVE_FILES = 'DELETE FROM archive_files WHERE name IN (SELECT value FROM json_each(?))';
const COUNT_FILE = `UPDATE archive_state SET pending_file = '', archived_before = max(archived_before, ?)
  WHERE holder = ?`;

const LOST_LEASE = '[archive] another process has taken over, because this run stalled for minutes';

/** Moves old events from the database to the archive, and reads and removes what is there. */
export class EventArchiver {
  readonly #database: Database;
  readonly #archive: EventArchive;
  /** Names this archiver in the lease. */
  readonly #holder = crypto.randomUUID();

  constructor(executor: SqlExecutor, archive: EventArchive) {
    this.#database = withEventErrors(executor);
    this.#archive = archive;
  }

  /**
   * Moves events from before a time (ms since 1970), at most `maxFiles` files of them; resolves with their number. They
   * leave the database only after their file was read back and its events are equal. Rejects while another run changes
   * the archive.
   */
  archiveBefore(before: number, maxFiles = Number.POSITIVE_INFINITY): Promise<number> {
    return this.#withLease(async () => {
      let moved = 0;
      for (let files = 0; files < maxFiles; files++) {
        const events = await this.#readOlder(before);
        if (events.length === 0) break;
        await this.#move(events);
        moved += events.length;
        if (events.length < EVENTS_PER_FILE) break;
      }
      return moved;
    });
  }

  /**
   * The archived files that count, in the order of their first events: those that the database lists, whether they are
   * there or not. Others belong to another time, such as one after the copy of a restored database.
   */
  async list(): Promise<readonly ArchiveFile[]> {
    const { listed, pending, archivedBefore } = await this.#readState();
    if (listed !== null) return listed;
    // A database from before there was a list counts what it has archived, or all files if it is new.
    return (await this.#listFound()).filter(
      ({ name, newest }) => name !== pending && (archivedBefore === 0 || newest < archivedBefore),
    );
  }

  /** Reads archived events that match a filter, in the order of their times. Rejects when a file is damaged or missing. */
  async *read({ from, to, names, session }: EventFilter): AsyncGenerator<SiteEvent> {
    for (const file of await this.list()) {
      if ((from !== undefined && file.newest < from) || (to !== undefined && file.oldest >= to)) continue;
      for (const event of await this.#readFile(file.name)) {
        if (
          (from === undefined || event.serverTime >= from) &&
          (to === undefined || event.serverTime < to) &&
          (names === undefined || names.includes(event.name)) &&
          (session === undefined || (session !== '' && event.session === session))
        ) {
          yield event;
        }
      }
    }
  }

  /** Removes the files that have only events from before a time, listed or not; resolves with their number. */
  async removeBefore(before: number): Promise<number> {
    const old = (await this.#listAll()).filter(({ newest }) => newest < before).map(({ name }) => name);
    if (old.length > 0) await this.#database.change(REMOVE_FILES, JSON.stringify(old));
    for (const name of old) await this.#archive.remove(name);
    return old.length;
  }

  /**
   * Removes the events of a session from all files; resolves with their number. Rejects while another run changes the
   * archive.
   */
  async removeSession(session: string): Promise<number> {
    if (session === '') return 0;
    return this.#withLease(async () => {
      let removed = 0;
      for (const { name } of await this.#listAll()) {
        const events = await this.#readFile(name);
        const rest = events.filter((event) => event.session !== session);
        if (rest.length === events.length) continue;
        if (rest.length > 0) await this.#replace(name, rest);
        else {
          await this.#database.change(REMOVE_FILES, JSON.stringify([name]));
          await this.#archive.remove(name);
        }
        removed += events.length - rest.length;
      }
      return removed;
    });
  }

  /**
   * Runs what changes the archive, after the removal of what an interrupted run has left. Two runs at a time would take
   * each other's files for such.
   */
  async #withLease<Result>(run: () => Promise<Result>): Promise<Result> {
    if ((await this.#database.change(TAKE_LEASE, this.#holder)) === 0) {
      throw new Error('[archive] another process changes the archive; try again in some minutes');
    }
    try {
      await this.#removePending();
      await this.#ensureList();
      return await run();
    } finally {
      // Without this, the next run waits until the lease ends.
      await this.#database.change(RELEASE_LEASE, this.#holder).catch(() => undefined);
    }
  }

  async #replace(name: string, events: readonly SiteEvent[]): Promise<void> {
    const file = await packEvents(events);
    await this.#setPending(file.name);
    await this.#write(file.name, file.content, events);
    // From here on the old file does not count any more, in one step.
    const [, , pending] = await this.#database.batch([
      { sql: ADD_REPLACEMENT, values: [file.name, name, this.#holder] },
      { sql: REMOVE_FILES, values: [JSON.stringify([name])] },
      { sql: SET_PENDING, values: [name, this.#holder] },
    ]);
    if (pending?.changes === 0) throw new Error(LOST_LEASE);
    await this.#removePending();
  }

  async #move(events: readonly SiteEvent[]): Promise<void> {
    const { name, content } = await packEvents(events);
    await this.#setPending(name);
    await this.#write(name, content, events);
    const newest = events.reduce((last, { serverTime }) => Math.max(last, serverTime), 0);
    const [, , counted] = await this.#database.batch([
      { sql: ADD_FILE, values: [JSON.stringify([name]), this.#holder] },
      { sql: DELETE_EVENTS, values: [JSON.stringify(events.map(({ id }) => id)), this.#holder] },
      { sql: COUNT_FILE, values: [newest + 1, this.#holder] },
    ]);
    if (counted?.changes === 0) throw new Error(LOST_LEASE);
  }

  /** Writes a file and reads it back. */
  async #write(name: string, content: Uint8Array, events: readonly SiteEvent[]): Promise<void> {
    await this.#archive.write(name, content);
    const stored = await this.#readFile(name);
    if (JSON.stringify(stored) !== JSON.stringify(events)) {
      throw new Error(`[archive] ${name} does not have the events that were written`);
    }
  }

  async #readFile(name: string): Promise<readonly SiteEvent[]> {
    const content = await this.#archive.read(name);
    if (content === null) {
      throw new Error(`[archive] ${name} is missing: put it back, or restore it from a backup`);
    }
    return unpackEvents(name, content);
  }

  /** Removes a file that does not count: an interrupted run has left it, and its events are elsewhere. */
  async #removePending(): Promise<void> {
    const { pending } = await this.#readState();
    if (pending === '') return;
    await this.#archive.remove(pending);
    await this.#setPending('');
  }

  /** Writes the list of a database that has none. */
  async #ensureList(): Promise<void> {
    if ((await this.#readState()).listed !== null) return;
    const names = (await this.list()).map(({ name }) => name);
    await this.#database.batch([
      { sql: ADD_FILE, values: [JSON.stringify(names), this.#holder] },
      { sql: 'UPDATE archive_state SET has_list = 1 WHERE holder = ?', values: [this.#holder] },
    ]);
  }

  /** `listed`: null in a database that has no list yet, or that a command only reads and an earlier version has written. */
  async #readState() {
    const tables = await this.#database.read("SELECT 1 FROM sqlite_master WHERE name = 'archive_state'");
    if (tables.length === 0) return { pending: '', archivedBefore: 0, listed: null };
    const row = await this.#database.readRow('SELECT * FROM archive_state');
    const hasList = row?.['has_list'] === 1;
    const files = hasList ? await this.#database.read('SELECT name FROM archive_files ORDER BY name') : [];
    return {
      pending: String(row?.['pending_file'] ?? ''),
      archivedBefore: Number(row?.['archived_before'] ?? 0),
      listed: hasList ? parseNames(files.map(({ name }) => String(name))) : null,
    };
  }

  /** The files that are there. */
  async #listFound(): Promise<readonly ArchiveFile[]> {
    return parseNames(await this.#archive.list());
  }

  /** Every file, also those that do not count, without the one that a run is writing. */
  async #listAll(): Promise<readonly ArchiveFile[]> {
    const { pending } = await this.#readState();
    const known = await this.list();
    const names = new Set(known.map(({ name }) => name));
    const others = (await this.#listFound()).filter(({ name }) => !names.has(name) && name !== pending);
    return [...known, ...others];
  }

  async #setPending(name: string): Promise<void> {
    const changed = await this.#database.change(SET_PENDING, name, this.#holder);
    if (changed === 0) throw new Error(LOST_LEASE);
  }

  async #readOlder(before: number): Promise<readonly SiteEvent[]> {
    return (await this.#database.read(SELECT_OLDER, before, EVENTS_PER_FILE)).map(parseEventRow);
  }
}

/** The last line of a file: how many events it has, and the SHA-256 of the lines before it. */
const endSchema = z.object({ events: z.number(), sha256: z.string() });

/** Packs events into a file of gzipped lines of JSON. Runs on Node and on Workers. */
async function packEvents(events: readonly SiteEvent[]) {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const sha256 = await digest(lines);
  const times = events.map(({ serverTime }) => serverTime);
  const end = JSON.stringify({ events: events.length, sha256 });
  return {
    name: buildArchiveName(
      times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY),
      times.reduce((last, time) => Math.max(last, time), 0),
      sha256,
    ),
    content: await transform(new TextEncoder().encode(`${lines}${end}\n`), new CompressionStream('gzip')),
  };
}

/** Unpacks a file. Rejects when it is damaged, cut off or has other events than its last line says. */
export async function unpackEvents(name: string, content: Uint8Array): Promise<readonly SiteEvent[]> {
  const bytes = await transform(content, new DecompressionStream('gzip')).catch((error: unknown) => {
    throw new Error(`[archive] ${name} is damaged: ${String(error)}`, { cause: error });
  });
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\n$/, '');
  const split = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, split);
  const end = endSchema.safeParse(parseJson(text.slice(split))).data;
  const events = parseSiteEvents(lines.split('\n').slice(0, -1).map(parseJson));
  if (events === null || end?.events !== events.length || end.sha256 !== (await digest(lines))) {
    throw new Error(`[archive] ${name} is damaged: its events do not match its checksum`);
  }
  return events;
}

async function transform(
  content: Uint8Array,
  stream: { readonly readable: ReadableStream; readonly writable: WritableStream },
): Promise<Uint8Array> {
  const output = new Response(new Blob([content.slice()]).stream().pipeThrough(stream));
  return new Uint8Array(await output.arrayBuffer());
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads and counts the events of the archive and of the database as one. */
export class ArchivedEventReader implements EventReader {
  readonly #archiver: EventArchiver;
  readonly #database: EventReader;

  constructor(archiver: EventArchiver, database: EventReader) {
    this.#archiver = archiver;
    this.#database = database;
  }

  /** Archived events first. Rejects at the end when events were archived meanwhile, because those may be missing. */
  async *read(filter: EventFilter): AsyncGenerator<SiteEvent> {
    const before = await this.#archiver.list();
    yield* this.#archiver.read(filter);
    yield* this.#database.read(filter);
    const after = await this.#archiver.list();
    if (after.map(({ name }) => name).join() !== before.map(({ name }) => name).join()) {
      throw new Error(
        'Events were archived while they were read: some may be missing. Run the command again.',
      );
    }
  }

  async count(filter: CountFilter): Promise<number> {
    let count = await this.#database.count(filter);
    for await (const event of this.#archiver.read(filter)) if (filter.all || isCounted(event)) count++;
    return count;
  }
}

/** The part of an R2 binding that the archive uses; `R2Bucket` of Cloudflare's types is one. */
export interface R2Connection {
  put(key: string, value: Uint8Array): Promise<unknown>;
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string }[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
}

const PREFIX = 'events/';

/** The keys below a prefix, without it. */
export async function listKeys(bucket: R2Connection, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined, isDone = false; !isDone; ) {
    const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    names.push(...page.objects.map(({ key }) => key.slice(prefix.length)));
    cursor = page.cursor;
    isDone = !page.truncated;
  }
  return names;
}

/** Creates an archive in an R2 bucket, whose objects are stored as a whole or not at all. */
export function createR2EventArchive(bucket: R2Connection): EventArchive {
  return {
    async write(name, content) {
      await bucket.put(PREFIX + name, content);
    },
    async read(name) {
      const object = await bucket.get(PREFIX + name);
      return object === null ? null : new Uint8Array(await object.arrayBuffer());
    },
    list: async () =>
      (await listKeys(bucket, PREFIX)).filter((name) => parseArchiveName(name) !== null).sort(),
    async remove(name) {
      await bucket.delete(PREFIX + name);
    },
  };
}
