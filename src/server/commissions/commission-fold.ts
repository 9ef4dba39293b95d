import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { attributeLabels, buildLabelDayKey } from '../../core/commissions/credit/labels.ts';
import {
  buildLedger,
  buildLedgerEntry,
  type EntryContext,
  groupByCommission,
  type LedgerEntry,
} from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { FOLD_VERSION } from '../../core/commissions/ledger/fold-commission.ts';
import type { LabelCredit } from '../../core/commissions/ledger/stored-money.schema.ts';
import { createDayCounter, nameDay } from '../../core/commissions/local-time.ts';
import {
  buildFoldedRow,
  FOLDED_COLUMNS,
  type FoldedRow,
  type MarkedLabel,
} from '../../stores/folded-commissions.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

export interface CommissionFoldOptions {
  readonly store: Ledger;
  /** By partner, as content says now. */
  readonly readTerms: () => EntryContext['terms'];
  /** Of the days of labels; UTC when left out. */
  readonly timeZone?: string | undefined;
  /** Of the rules of the fold; that of the program when left out. */
  readonly version?: number;
}

/** Commissions that are folded at once: about 20 ms. */
const COMMISSIONS_PER_SLICE = 500;
const MAX_COUNTED = 10_000;
/** In the background, pauses are so many times as long as the work. */
const PAUSES = 19;

/**
 * Keeps the rows of folded commissions as their messages say. What changes a commission marks it in the same transaction;
 * here marked ones are folded, and removed from the marks with the row. It can be interrupted anywhere, and several processes
 * can do it at once. Every method rejects with `LedgerError`.
 */
export class CommissionFold {
  readonly #options: CommissionFoldOptions;

  constructor(options: CommissionFoldOptions) {
    this.#options = options;
  }

  /**
   * Folds what is marked, at most `maxSlices` times 500 commissions; resolves with whether nothing is left. With a signal it
   * is work in the background, which leaves nearly all of the time to messages.
   */
  async foldMarked(maxSlices = Number.POSITIVE_INFINITY, signal?: AbortSignal): Promise<boolean> {
    for (let slice = 0; ; slice += 1) {
      const began = performance.now();
      if (!(await this.#foldSlice())) break;
      const pause = PAUSES * (performance.now() - began);
      if (signal !== undefined) await sleep(pause, null, { signal }).catch(() => undefined);
      if (slice + 1 >= maxSlices || signal?.aborted === true) return false;
    }
    for (const label of await this.#options.store.folded.readMarkedLabels()) await this.#creditLabel(label);
    return true;
  }

  /** Folds again what was folded by other rules or other terms; the rows stay until theirs are there. */
  async refold(maxSlices = Number.POSITIVE_INFINITY, signal?: AbortSignal): Promise<void> {
    const { folded } = this.#options.store;
    let slices = 0;
    // What waits comes first, and is not marked twice.
    if (!(await this.foldMarked(maxSlices, signal))) return;
    for (const partner of await folded.readOutdated((key) => this.#buildFold(key)))
      for (; slices < maxSlices && signal?.aborted !== true; slices += 1) {
        const marked = await folded.markOthers(partner, this.#buildFold(partner), COMMISSIONS_PER_SLICE / 2);
        if (marked === 0) break;
        await this.foldMarked(1, signal);
      }
    await this.foldMarked(maxSlices, signal);
  }

  /** How many commissions wait for their fold, up to a limit, and whether any was folded by other rules or terms. */
  async readState() {
    const { folded } = this.#options.store;
    const [waiting, outdated] = await Promise.all([
      folded.countMarked(MAX_COUNTED),
      folded.readOutdated((partner) => this.#buildFold(partner)),
    ]);
    return { waiting, isMore: waiting === MAX_COUNTED, isOutdated: outdated.length > 0 };
  }

  async #foldSlice(): Promise<boolean> {
    const { store, readTerms } = this.#options;
    const { folded } = store;
    const { ids, upTo } = await folded.readMarked(COMMISSIONS_PER_SLICE);
    if (ids.length === 0) return false;
    const { facts, decisions, journeys, positions } = await folded.readMessages(ids);
    const context = { terms: readTerms(), journeys, firstEventTime: null };
    const decided = groupByCommission(decisions);
    const rows = [...groupByCommission(facts)].map(([key, own]) => {
      const entry = buildLedgerEntry(own, decided.get(key), context);
      return this.#buildRow(entry);
    });
    await folded.write(ids, rows, positions, upTo);
    return true;
  }

  async #creditLabel(label: MarkedLabel): Promise<void> {
    await this.#options.store.folded.writeLabelled(label, await this.#findCredits(label));
  }

  /** Finds the credit by an id of the network of rows that have another one: each depends on the others of the id. */
  async #findCredits(label: Omit<MarkedLabel, 'mark'>) {
    const { rows, labelDays } = await this.#options.store.folded.readLabelled(label);
    const entries = rows.map(({ commission, isUnclicked, ...row }) => ({
      ...row,
      commission: { ...commission, partner: label.partner },
      journey: isUnclicked ? null : row,
      reason: null,
      labelled: undefined as LabelCredit | undefined,
    }));
    const days = new Map(labelDays.map((day) => [buildLabelDayKey(day), day]));
    const credited = attributeLabels(entries, days, this.#getDay);
    return credited.flatMap(({ id, labelled = null, stored }) =>
      (labelled === null ? null : JSON.stringify(labelled)) === stored ? [] : [[id, labelled] as const],
    );
  }

  #buildRow(entry: LedgerEntry): FoldedRow {
    const { partner } = entry.commission;
    const { source = null, timeZone = DEFAULT_TERMS.timeZone } = this.#options.readTerms().get(partner) ?? {};
    const getDay = this.#getCounter(this.#options.timeZone ?? 'UTC');
    const getProgramDay = this.#getCounter(timeZone);
    return buildFoldedRow(entry, { fold: this.#buildFold(partner), getDay, getProgramDay, source });
  }

  readonly #counters = new Map<string, ReturnType<typeof createDayCounter>>();

  #getCounter(timeZone: string): ReturnType<typeof createDayCounter> {
    const counter = this.#counters.get(timeZone) ?? createDayCounter(timeZone);
    this.#counters.set(timeZone, counter);
    return counter;
  }

  readonly #getDay = (time: number) => nameDay(this.#getCounter(this.#options.timeZone ?? 'UTC')(time));

  /** What the row of a partner's commission depends on, besides the messages about it and the days of labels. */
  #buildFold(partner: string): string {
    const { readTerms, timeZone = 'UTC', version = FOLD_VERSION } = this.#options;
    const { source = null, timeZone: own = null } = readTerms().get(partner) ?? {};
    const text = JSON.stringify([source, timeZone, own]);
    return `${version} ${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
  }

  /** Folds all messages again, and compares each commission with its row, some at a time; yields what differs, as lines. */
  async *compare(): AsyncGenerator<string> {
    const { folded } = this.#options.store;
    await this.foldMarked();
    for await (const rows of folded.readRows()) {
      yield* this.#compareRows(rows);
      // What arrives meanwhile is no difference.
      await this.foldMarked();
    }
    for await (const ids of folded.readMissing()) {
      const { facts } = await folded.readMessages(ids);
      for (const key of groupByCommission(facts).keys()) yield `${key} is not in the table`;
    }
    for (const label of await folded.readLabels())
      for (const [id] of await this.#findCredits(label))
        yield `row ${id}: its credit by an id is another one`;
    for (const { sums, key } of await folded.readDifferentSums())
      yield `${sums} ${key}: the sums are not those of the rows`;
  }

  /** `rows`: all of their clicks. */
  async *#compareRows(rows: readonly FoldedRow[]): AsyncGenerator<string> {
    const ids = rows.map(([partner, account, nativeId]) => ({
      partner: String(partner),
      account: String(account),
      nativeId: String(nativeId),
    }));
    const { journeys, ...messages } = await this.#options.store.folded.readMessages(ids);
    const context = { terms: this.#options.readTerms(), firstEventTime: null };
    const entries = buildLedger({ ...messages, ...context, journeys: [...journeys.values()] });
    const buildKey = (row: FoldedRow) => JSON.stringify(row.slice(0, 3));
    const expected = new Map(
      entries.map((entry) => this.#buildRow(entry)).map((row) => [buildKey(row), row]),
    );
    for (const row of rows) {
      const said = expected.get(buildKey(row));
      if (said === undefined) yield `${buildKey(row)} is in the table, and no message says so`;
      for (const [index, column] of FOLDED_COLUMNS.entries())
        if (said !== undefined && column !== 'labelled' && row[index] !== said[index])
          yield `${buildKey(row)} ${column}: the table has ${JSON.stringify(row[index])}, the messages say ${JSON.stringify(said[index])}`;
    }
  }
}

const FOLD_JOB_MS = 5_000;
/** Without timers a run has to end soon. */
const SLICES_PER_RUN = 4;

/** Creates the job that folds what has arrived, and everything again after a change of the rules or the terms. */
export function createFoldJob({ platform, log, money: { ledger, commissions } }: Site): PeriodicJob {
  const max = platform.hasTimers ? Number.POSITIVE_INFINITY : SLICES_PER_RUN;
  const refold = async (signal: AbortSignal) => {
    if (ledger.exists()) await commissions.fold.refold(max, signal);
  };
  return new PeriodicJob(log, 'commissions could not be folded', refold, FOLD_JOB_MS);
}
