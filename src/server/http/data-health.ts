import { isDeepStrictEqual } from 'node:util';
import type { DataProblem } from '../../stores/data-folder.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { SqlRow, SqlStatement } from '../../stores/sql/sql-executor.ts';
import type { SiteBase } from '../site.ts';

/** What is looked at beside the events and the folder, with what does not work without it. */
const DATABASES = {
  commissions: 'The ledger of commissions cannot be used',
  console: 'The database of the console cannot be used',
  notifications: 'The outbox of notifications cannot be used',
} as const;
type DatabaseName = keyof typeof DATABASES;

/** Each takes the lock of a write and changes nothing. */
const PROBES: Readonly<Record<Exclude<DatabaseName, 'commissions'>, SqlStatement>> = {
  console: { sql: 'DELETE FROM operators WHERE id IS NULL' },
  notifications: { sql: 'DELETE FROM deliveries WHERE id IS NULL' },
};

const COUNT_OUTBOX = { sql: 'SELECT state, count(*) AS count FROM deliveries GROUP BY state' };
const parseCounts = (rows: readonly SqlRow[]) =>
  new Map(rows.map(({ state, count }) => [String(state), Number(count)]));

/** Health checks look again after so long, in ms. */
const LOOK_MS = 5_000;
/** The console's databases are opened for each look, because the thread of the console has the open ones. */
const OPEN_MS = 60_000;

/** What a part of the program has noticed; `until`: ms since 1970. */
export interface NotedProblem {
  readonly problem: DataProblem;
  readonly until: number;
}

/** Finds what keeps parts of the data from being used, and logs when that begins and ends. */
export class DataHealth {
  readonly #site: SiteBase;
  #last = new SharedReads<'problems', readonly DataProblem[]>();
  #lastAt = Number.NEGATIVE_INFINITY;
  readonly #usable = new Map<DatabaseName, number>();
  #known: readonly DataProblem[] = [];
  #noted: readonly NotedProblem[] = [];
  #outbox: ReadonlyMap<string, number> = new Map();

  /** Looks at the start, in the thread that serves visitors. */
  constructor(site: SiteBase) {
    this.#site = site;
    if (site.platform.hasTimers && site.platform.isConsoleThread !== true) void this.read();
  }

  /** What is wrong now, as of the last five seconds; the databases of the console, while they work, of a minute. Never rejects. */
  read(): Promise<readonly DataProblem[]> {
    const now = this.#site.clock.monotonic();
    if (now - this.#lastAt > LOOK_MS) [this.#last, this.#lastAt] = [new SharedReads(), now];
    return this.#last.read('problems', this.#site.platform.sharesWork, () => this.#look(now));
  }

  /** Replaces what other parts of the program have noticed. */
  note(noted: readonly NotedProblem[]): void {
    if (isDeepStrictEqual(noted, this.#noted)) return;
    this.#noted = noted;
    this.#lastAt = Number.NEGATIVE_INFINITY;
    void this.read();
  }

  getNoted(): readonly NotedProblem[] {
    return this.#noted;
  }

  /** How many notifications of the outbox are in each state, as `read` has found it last. */
  getOutbox(): ReadonlyMap<string, number> {
    return this.#outbox;
  }

  async #look(now: number): Promise<readonly DataProblem[]> {
    const names: readonly DatabaseName[] = ['commissions', 'console', 'notifications'];
    const { platform, money } = this.#site;
    const [inFolder, secrets, ...databases] = await Promise.all([
      platform.readDataProblems().catch(() => []),
      // What is wrong with the ledger is said of the ledger.
      money.secrets.readProblems().catch(() => []),
      ...names.map((name) => this.#lookAt(name, now)),
    ]);
    // The owner of a file is the reason why it cannot be used, and has a command that repairs it.
    const named = new Set(inFolder.map(({ key }) => key));
    const noted = this.#noted.filter(({ until }) => until > this.#site.clock.now());
    const problems = [
      ...inFolder,
      ...secrets,
      ...databases.flat().filter(({ key }) => !named.has(key)),
      ...noted.map(({ problem }) => problem),
    ];
    this.#log(problems);
    return problems;
  }

  async #lookAt(name: DatabaseName, now: number): Promise<DataProblem[]> {
    if (name !== 'commissions' && now - (this.#usable.get(name) ?? Number.NEGATIVE_INFINITY) < OPEN_MS)
      return [];
    const { ledger } = this.#site.money;
    if (name === 'commissions' && ledger.hasJustWritten()) return [];
    const reason = await (name === 'commissions' ? ledger.probe() : this.#probe(name));
    if (reason === null) this.#usable.set(name, now);
    else this.#usable.delete(name);
    return reason === null ? [] : [{ key: name, title: DATABASES[name], detail: reason }];
  }

  async #probe(name: keyof typeof PROBES): Promise<string | null> {
    try {
      const database = this.#site.platform.openDatabase(name);
      try {
        await database.batch([PROBES[name]]);
        if (name === 'notifications') this.#outbox = parseCounts(await database.query(COUNT_OUTBOX));
        return null;
      } finally {
        // One that hangs keeps no one waiting.
        void database.close().catch(() => undefined);
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #log(problems: readonly DataProblem[]): void {
    const { log, platform } = this.#site;
    const isIn = (list: readonly DataProblem[], { key }: DataProblem) =>
      list.some((other) => other.key === key);
    const begun = problems.filter((problem) => !isIn(this.#known, problem));
    const over = this.#known.filter((problem) => !isIn(problems, problem));
    this.#known = problems;
    if (platform.isConsoleThread === true) return;
    for (const { title, detail } of begun) log.error(`data: ${title}`, { reason: detail });
    for (const { title } of over) log.info('data: this is over', { problem: title });
  }
}
