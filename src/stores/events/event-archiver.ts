import { type ArchiveFile, type EventArchive, parseArchiveName } from '../../core/events/event-archive.ts';
import type { EventFilter } from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import type { SqlExecutor } from '../sql/sql-executor.ts';
import { packEvents, unpackEvents } from './archive-file.ts';
import { parseEventRow } from './event-row.ts';
import { convertErrors } from './sql-event-reader.ts';

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
const COUNT_FILE = `UPDATE archive_state SET pending_file = '', archived_before = max(archived_before, ?)
  WHERE holder = ?`;

const LOST_LEASE = '[archive] another process has taken over, because this run stalled for minutes';

/** Moves old events from the database to the archive, and reads and removes what is there. */
export class EventArchiver {
  readonly #database: Pick<SqlExecutor, 'batch' | 'query'>;
  readonly #archive: EventArchive;
  /** Names this archiver in the lease. */
  readonly #holder = crypto.randomUUID();

  constructor(database: Pick<SqlExecutor, 'batch' | 'query'>, archive: EventArchive) {
    this.#database = database;
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

  /** The archived files, in the order of their first events, without one that does not count. */
  async list(): Promise<readonly ArchiveFile[]> {
    const pending = await this.#readPending();
    const names = (await this.#archive.list()).filter((name) => name !== pending);
    return names.map(parseArchiveName).filter((file) => file !== null);
  }

  /** Reads archived events that match a filter, in the order of their times. Rejects when a file is damaged. */
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

  /** Removes the files that have only events from before a time; resolves with the number of files. */
  async removeBefore(before: number): Promise<number> {
    const old = (await this.list()).filter(({ newest }) => newest < before);
    for (const { name } of old) await this.#archive.remove(name);
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
      for (const { name } of await this.list()) {
        const events = await this.#readFile(name);
        const rest = events.filter((event) => event.session !== session);
        if (rest.length === events.length) continue;
        if (rest.length > 0) await this.#replace(name, rest);
        else await this.#archive.remove(name);
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
    if ((await this.#change(TAKE_LEASE, this.#holder)) === 0) {
      throw new Error('[archive] another process changes the archive; try again in some minutes');
    }
    try {
      await this.#removePending();
      return await run();
    } finally {
      // Without this, the next run waits until the lease ends.
      await this.#change(RELEASE_LEASE, this.#holder).catch(() => undefined);
    }
  }

  async #replace(name: string, events: readonly SiteEvent[]): Promise<void> {
    const file = await packEvents(events);
    await this.#setPending(file.name);
    await this.#write(file.name, file.content, events);
    // From here on the old file does not count any more, in one step.
    await this.#setPending(name);
    await this.#removePending();
  }

  async #move(events: readonly SiteEvent[]): Promise<void> {
    const { name, content } = await packEvents(events);
    await this.#setPending(name);
    await this.#write(name, content, events);
    const newest = events.reduce((last, { serverTime }) => Math.max(last, serverTime), 0);
    const [, counted] = await convertErrors(
      this.#database.batch([
        { sql: DELETE_EVENTS, values: [JSON.stringify(events.map(({ id }) => id)), this.#holder] },
        { sql: COUNT_FILE, values: [newest + 1, this.#holder] },
      ]),
    );
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
    if (content === null) throw new Error(`[archive] ${name} is missing`);
    return unpackEvents(name, content);
  }

  /** Removes a file that does not count: an interrupted run has left it, and its events are elsewhere. */
  async #removePending(): Promise<void> {
    const pending = await this.#readPending();
    if (pending === '') return;
    await this.#archive.remove(pending);
    await this.#setPending('');
  }

  async #readPending(): Promise<string> {
    const sql = 'SELECT pending_file FROM archive_state';
    const [row] = await convertErrors(this.#database.query({ sql }));
    return String(row?.['pending_file'] ?? '');
  }

  async #setPending(name: string): Promise<void> {
    if ((await this.#change(SET_PENDING, name, this.#holder)) === 0) throw new Error(LOST_LEASE);
  }

  async #readOlder(before: number): Promise<readonly SiteEvent[]> {
    const statement = { sql: SELECT_OLDER, values: [before, EVENTS_PER_FILE] };
    return (await convertErrors(this.#database.query(statement))).map(parseEventRow);
  }

  /** Runs one statement; resolves with how many rows it has changed. */
  async #change(sql: string, ...values: readonly string[]): Promise<number> {
    const [result] = await convertErrors(this.#database.batch([{ sql, values }]));
    return result?.changes ?? 0;
  }
}
