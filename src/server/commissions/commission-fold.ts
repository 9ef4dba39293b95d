import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { attributeLabels, buildLabelDayKey, type LabelCredit } from '../../core/commissions/credit/labels.ts';
import {
  buildLedger,
  buildLedgerEntry,
  type EntryContext,
  groupByCommission,
  type LedgerEntry,
} from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { FOLD_VERSION } from '../../core/commissions/ledger/fold-commission.ts';
import { createDayCounter, nameDay } from '../../core/commissions/local-time.ts';
import {
  buildFoldedRow,
  FOLDED_COLUMNS,
  type FoldedRow,
  type MarkedLabel,
} from '../../stores/folded-commissions.ts';
import { EMPTY_LEDGER, type Ledger } from '../../stores/ledger.ts';
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
  async readState(limit = MAX_COUNTED) {
    const { folded } = this.#options.store;
    const [waiting, outdated] = await Promise.all([
      folded.countMarked(limit),
      folded.readOutdated((partner) => this.#buildFold(partner)),
    ]);
    return { waiting, isMore: waiting === limit, isOutdated: outdated.length > 0 };
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

  /** Credits commissions by an id of the network: each depends on the others of the id. */
  async #creditLabel(label: MarkedLabel): Promise<void> {
    const { folded } = this.#options.store;
    const { rows, labelDays } = await folded.readLabelled(label);
    const entries = rows.map(({ commission, isUnclicked, ...row }) => ({
      ...row,
      commission: { ...commission, partner: label.partner },
      journey: isUnclicked ? null : row,
      reason: null,
      labelled: undefined as LabelCredit | undefined,
    }));
    const days = new Map(labelDays.map((day) => [buildLabelDayKey(day), day]));
    const credited = attributeLabels(entries, days, this.#getDay);
    const changed = credited.flatMap(({ id, labelled = null, stored }) =>
      (labelled === null ? null : JSON.stringify(labelled)) === stored ? [] : [[id, labelled] as const],
    );
    await folded.writeLabelled(label, changed);
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

  /** Folds all messages, and compares each commission with its row; yields what differs, as lines. */
  async *compare(): AsyncGenerator<string> {
    const { store, readTerms, timeZone } = this.#options;
    await this.foldMarked();
    const messages = await store.readChanges(EMPTY_LEDGER, await store.readPosition());
    const entries = buildLedger({ ...messages, timeZone, terms: readTerms(), firstEventTime: null });
    const buildKey = (row: FoldedRow) => JSON.stringify(row.slice(0, 3));
    const expected = new Map<string, FoldedRow>();
    for (const entry of entries) {
      const row = this.#buildRow(entry);
      expected.set(buildKey(row), row);
    }
    for await (const rows of store.folded.readRows())
      for (const row of rows) {
        const key = buildKey(row);
        const messages = expected.get(key);
        expected.delete(key);
        if (messages === undefined) yield `${key} is in the table, and no message says so`;
        for (const [index, value] of messages?.entries() ?? [])
          if (row[index] !== value)
            yield `${key} ${FOLDED_COLUMNS[index]}: the table has ${JSON.stringify(row[index])}, the messages say ${JSON.stringify(value)}`;
      }
    for (const key of expected.keys()) yield `${key} is not in the table`;
    for (const { sums, key } of await store.folded.readDifferentSums())
      yield `${sums} ${key}: the sums are not those of the rows`;
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
