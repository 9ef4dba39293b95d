import {
  buildLedgerEntry,
  dropCoveredTotals,
  groupByCommission,
  type LedgerContent,
  type LedgerEntry,
} from '../../core/commissions/build-ledger.ts';
import type { ClickSource } from '../../core/commissions/click-source.ts';
import type { CommissionDecision, StoredFact } from '../../core/commissions/commission-fact.ts';
import {
  type CommissionStore,
  EMPTY_LEDGER,
  type LedgerChanges,
  type LedgerPosition,
} from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export interface LedgerSnapshotOptions {
  readonly store: Pick<CommissionStore, 'readPosition' | 'readChanges'>;
  readonly clicks: Pick<ClickSource, 'readFirstEventTime'>;
  /** By partner; a partner without terms has the default ones. */
  readonly terms: LedgerContent['terms'];
}

/**
 * Every commission of a ledger, folded once and cached. A read asks the store how far it reaches, folds only the
 * commissions about which something was appended, also by another process, and returns the same list while nothing
 * was. A change of an import folds everything again. Equal to `buildLedger` at any time.
 */
export class LedgerSnapshot {
  readonly #options: LedgerSnapshotOptions;
  #position: LedgerPosition = EMPTY_LEDGER;
  #firstEventTime: number | null = null;
  /** By commission, in the order in which `buildLedger` lists them. */
  #known = new Map<string, LedgerEntry>();
  /** By commission, of the few that have any; also of those that no fact has reported. */
  #decisions = new Map<string, readonly CommissionDecision[]>();
  #journeys = new Map<string, FrozenJourney>();
  #entries: readonly LedgerEntry[] = [];
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerSnapshotOptions) {
    this.#options = options;
  }

  /** Reads every commission with its journey. Rejects with `CommissionStoreError`. */
  async readEntries(): Promise<readonly LedgerEntry[]> {
    // One after another: each continues where the one before it has stopped.
    const refresh = () => this.#refresh();
    const reading = this.#refreshing.then(refresh, refresh);
    this.#refreshing = reading.catch(() => undefined);
    await reading;
    return this.#entries;
  }

  async #refresh(): Promise<void> {
    const { store, clicks } = this.#options;
    const [position, firstEventTime] = await Promise.all([
      store.readPosition(),
      clicks.readFirstEventTime().catch(() => null),
    ]);
    const isContinued = isAfter(position, this.#position);
    const isUnchanged = isContinued && isAfter(this.#position, position);
    if (isUnchanged && firstEventTime === this.#firstEventTime) return;
    const changes = await store.readChanges(isContinued ? this.#position : EMPTY_LEDGER, position);
    if (!isContinued) this.#clear();
    await this.#apply(changes, firstEventTime);
    this.#position = position;
  }

  #clear(): void {
    this.#known = new Map();
    this.#decisions = new Map();
    this.#journeys = new Map();
  }

  /** The list of entries changes at the end, all at once; other requests have their turn before. */
  async #apply({ facts, decisions, journeys }: LedgerChanges, firstEventTime: number | null): Promise<void> {
    for (const journey of journeys) this.#journeys.set(journey.clickId, journey);
    const added = groupByCommission(facts);
    const decided = groupByCommission(decisions);
    const isOtherStart = firstEventTime !== this.#firstEventTime;
    this.#firstEventTime = firstEventTime;
    // The first stored event decides the reason of an unmatched commission; a journey can be stored after its fact.
    if (isOtherStart || journeys.length > 0) {
      for (const [key, { journey }] of this.#known) if (journey === null) this.#fold(key, [], []);
    }
    let folded = 0;
    for (const [key, list] of added) {
      this.#fold(key, list, decided.get(key) ?? []);
      folded += 1;
      if (folded % FOLDS_PER_TURN === 0) await yieldToEventLoop();
    }
    for (const [key, list] of decided) if (!added.has(key)) this.#fold(key, [], list);
    this.#entries = dropCoveredTotals([...this.#known.values()]);
  }

  #fold(key: string, newFacts: readonly StoredFact[], newDecisions: readonly CommissionDecision[]): void {
    // `concat` reserves no place for more items, unlike spreading: most lists stay as they are.
    const decisions = (this.#decisions.get(key) ?? NONE).concat(newDecisions);
    if (decisions.length > 0) this.#decisions.set(key, decisions);
    const facts = (this.#known.get(key)?.facts ?? NONE).concat(newFacts);
    if (facts.length === 0) return;
    const entry = buildLedgerEntry(facts, decisions, {
      terms: this.#options.terms,
      journeys: this.#journeys,
      firstEventTime: this.#firstEventTime,
    });
    this.#known.set(key, entry);
  }
}

const NONE: readonly never[] = [];
/** About 10 ms. */
const FOLDS_PER_TURN = 500;

/** Whether only facts, decisions and journeys were appended between two positions, or nothing. */
function isAfter(position: LedgerPosition, earlier: LedgerPosition): boolean {
  return (
    position.imports === earlier.imports &&
    position.facts >= earlier.facts &&
    position.decisions >= earlier.decisions &&
    position.journeys >= earlier.journeys
  );
}
