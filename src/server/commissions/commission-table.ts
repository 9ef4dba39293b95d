import { LRUCache } from 'lru-cache';
import type { ListedCommission } from '../../core/commissions/ledger/commission-source.ts';
import type { Clicks } from '../../stores/clicks.ts';
import {
  buildScope,
  type EntryOrder,
  type EntryScope,
  type FoldedEntry,
} from '../../stores/commission-entries.ts';
import type { CellOptions, ClockDays } from '../../stores/commission-sums.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { CommissionFold } from './commission-fold.ts';

/** A read folds so many times 500 commissions that have arrived before; the job folds the others. */
const SLICES_PER_READ = 4;
/** A view reads fewer sums. */
const MAX_READS = 24;
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
    // What is still read of the version before is not put among these.
    if (version !== this.#version) this.#reads = createReads();
    this.#version = version;
    return version;
  }

  async #once<Value>(key: readonly unknown[], read: () => Promise<Value>): Promise<Value> {
    await this.refresh();
    return this.#reads.read(JSON.stringify(key), this.#sharesWork, read) as Promise<Value>;
  }

  /** As `CommissionSums.readCells`. */
  readCells(days: ClockDays, options: CellOptions) {
    const key = ['cells', days, { ...options, rates: options.rates?.key }];
    return this.#once(key, () => this.#store.sums.readCells(days, options));
  }

  readDays(days: ClockDays, currency: string | null) {
    return this.#once(['days', days, currency], () => this.#store.sums.readDays(days, currency));
  }

  readCohorts(converted: string | null) {
    return this.#once(['cohorts', converted], () => this.#store.sums.readCohorts(converted));
  }

  readSpreads(currency: string, from: number, to: number) {
    return this.#once(['spreads', currency, from, to], () =>
      this.#store.sums.readSpreads(currency, from, to),
    );
  }

  compareCustomers(input: Parameters<Ledger['sums']['compareCustomers']>[0]) {
    const key = ['customers', { ...input, rates: [...input.rates], prices: input.prices?.key }];
    return this.#once(key, () => this.#store.sums.compareCustomers(input));
  }

  readArrivals(scope: EntryScope, input: Parameters<Ledger['sums']['readArrivals']>[1]) {
    return this.#once(['arrivals', scope, { ...input, prices: input.prices?.key }], () =>
      this.#store.sums.readArrivals(buildScope(scope), input),
    );
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

  readDurations(scope: EntryScope) {
    return this.#once(['durations', scope], () => this.#store.entries.readDurations(scope));
  }

  count(scope: EntryScope): Promise<number> {
    return this.#once(['count', scope], () => this.#store.entries.count(scope));
  }

  async readTimes(isCounted: boolean) {
    await this.refresh();
    return this.#store.entries.readTimes(isCounted);
  }
}
