import { LRUCache } from 'lru-cache';
import type { ListedCommission } from '../../core/commissions/ledger/stored-money.schema.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { EntryOrder, EntryScope, FoldedEntry } from '../../stores/commission-entries.ts';
import { type CellOptions, divideDays, type SumDays } from '../../stores/commission-sums.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { CommissionFold } from './commission-fold.ts';

/** A read folds so many times 500 commissions that have arrived before; the job folds the others. */
const SLICES_PER_READ = 4;
/** A view reads fewer sums. */
const MAX_READS = 24;
/** Of 36 months, in some currencies and of some pages. */
const MAX_PARTS = 500;
const createReads = () => new SharedReads<string, unknown>(new LRUCache({ max: MAX_READS }));

/**
 * Commissions and their sums as the table has them, with everything that has arrived unless it is more than a moment's work.
 * The same read returns the same object while nothing changes. Every method rejects with `LedgerError`.
 */
export class CommissionTable {
  readonly #store: Ledger;
  readonly #fold: CommissionFold;
  readonly #clicks: { readonly readFirstEventTime: Clicks['readFirstEventTime'] };
  readonly #sharesWork: boolean;
  #reads = createReads();
  /** What was read of a year, a month or a part of one, until a commission of these days changes. */
  readonly #parts = new LRUCache<
    string,
    { readonly days: SumDays; readonly rows: SharedReads<'rows', readonly unknown[]> }
  >({ max: MAX_PARTS });
  #version = -1;
  readonly #folding = new SharedReads<'fold', unknown>(undefined, false);

  constructor(options: {
    readonly store: Ledger;
    readonly fold: CommissionFold;
    readonly clicks: { readonly readFirstEventTime: Clicks['readFirstEventTime'] };
    /** As in `Platform`; true when left out. */
    readonly sharesWork?: boolean;
  }) {
    this.#store = options.store;
    this.#fold = options.fold;
    this.#clicks = options.clicks;
    this.#sharesWork = options.sharesWork !== false;
  }

  /** Folds what has arrived; resolves with the version of the table. */
  async refresh(): Promise<number> {
    await this.#folding.read('fold', this.#sharesWork, () => this.#fold.foldMarked(SLICES_PER_READ));
    const version = await this.#store.sums.readVersion();
    if (version === this.#version) return version;
    const changed = this.#parts.size === 0 ? [] : await this.#store.sums.readChangedDays(this.#version);
    for (const [key, { days }] of [...this.#parts.entries()]) {
      const isOfPart = ({ isBooked, day }: (typeof changed)[number]) =>
        isBooked === (days.of === 'booking') && day >= days.from && day <= days.to;
      if (changed.some(isOfPart)) this.#parts.delete(key);
    }
    // What is still read of the version before is not put among these.
    this.#reads = createReads();
    this.#version = version;
    return version;
  }

  /** Reads days in parts, and again only those on which something has changed; where requests share no work, all at once. */
  async #readParts<Row>(
    name: readonly unknown[],
    days: SumDays,
    read: (days: SumDays) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    if (!this.#sharesWork) return read(days);
    const version = this.#version;
    const parts = divideDays(days).map(({ from, to }) => {
      const own = { ...days, from, to };
      const key = JSON.stringify([...name, own]);
      const part = this.#parts.get(key) ?? { days: own, rows: new SharedReads() };
      this.#parts.set(key, part);
      return part.rows.read('rows', true, () => read(own)) as Promise<readonly Row[]>;
    });
    const rows = (await Promise.all(parts)).flat();
    // A commission that went from one part to another meanwhile would be in both, or in none.
    return (await this.#store.sums.readVersion()) === version ? rows : read(days);
  }

  async #once<Value>(key: readonly unknown[], read: () => Promise<Value>): Promise<Value> {
    await this.refresh();
    return this.#reads.read(JSON.stringify(key), this.#sharesWork, read) as Promise<Value>;
  }

  /** As `CommissionSums.readCells`. */
  readCells(days: Omit<SumDays, 'of'>, options: CellOptions) {
    const key = ['cells', days, { ...options, rates: options.rates?.key }];
    const name = ['cells', { ...options, rates: options.rates?.key }];
    const read = (part: SumDays) => this.#store.sums.readCells(part, options);
    return this.#once(key, () => this.#readParts(name, days, read));
  }

  readDays(days: SumDays, currency: string | null) {
    return this.#once(['days', days, currency], () => this.#store.sums.readDays(days, currency));
  }

  readCohorts(converted: string | null) {
    return this.#once(['cohorts', converted], async () => {
      const days = await this.#store.sums.readBookedDays();
      if (days === null) return [];
      const read = (part: SumDays) => this.#store.sums.readCohorts(converted, part);
      return this.#readParts(['cohorts', converted], { ...days, of: 'booking' }, read);
    });
  }

  readSpreads(currency: string, from: number, to: number) {
    return this.#once(['spreads', currency, from, to], () =>
      this.#store.sums.readSpreads(currency, from, to),
    );
  }

  readDecisions() {
    return this.#once(['decisions'], () => this.#store.sums.readDecisions());
  }

  readDues(paths: readonly number[] | null) {
    return this.#once(['dues', paths], () => this.#store.sums.readDues(paths));
  }

  async readPaths() {
    await this.refresh();
    return this.#store.sums.readPaths();
  }

  /** Reads commissions, in the order of arrival unless another one is given. */
  async readEntries(scope: EntryScope, order?: EntryOrder): Promise<readonly FoldedEntry[]> {
    const entries: FoldedEntry[] = [];
    for await (const page of this.readPages(scope, order)) entries.push(...page);
    return entries;
  }

  /** The same, some hundred at a time. */
  async *readPages(scope: EntryScope, order?: EntryOrder): AsyncGenerator<readonly FoldedEntry[]> {
    await this.refresh();
    const firstEventTime = await this.#clicks.readFirstEventTime().catch(() => null);
    yield* this.#store.entries.readPages(scope, firstEventTime, order);
  }

  /** The same with their messages. */
  async readWhole(scope: EntryScope, order?: EntryOrder): Promise<readonly FoldedEntry[]> {
    return this.#store.entries.readFacts(await this.readEntries(scope, order));
  }

  /** The partners that have commissions. */
  async readPartners(): Promise<readonly string[]> {
    await this.refresh();
    return this.#store.folded.readPartners();
  }

  async readLastArrivals(partners: readonly string[]) {
    await this.refresh();
    return this.#store.entries.readLastArrivals(partners);
  }

  readActivity() {
    return this.#once(['activity'], () => this.#store.entries.readActivity());
  }

  readDifferences(listed: readonly ListedCommission[], limit: number) {
    return this.#once(['differences', listed, limit], () => this.#store.sums.readDifferences(listed, limit));
  }

  readDurations(scope: EntryScope, every: number) {
    return this.#once(['durations', scope, every], () => this.#store.entries.readDurations(scope, every));
  }

  count(scope: EntryScope): Promise<number> {
    return this.#once(['count', scope], () => this.#store.entries.count(scope));
  }

  async readTimes(isCounted: boolean) {
    await this.refresh();
    return this.#store.entries.readTimes(isCounted);
  }
}
