import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../core/clock.ts';
import type { FrozenJourney } from '../../core/commissions/credit/credit.ts';
import { attributeLabels, buildLabelDayKey, type LabelDay } from '../../core/commissions/credit/labels.ts';
import {
  buildLedgerEntry,
  dropCoveredTotals,
  type EntryContext,
  groupByCommission,
  type LedgerEntry,
  markLaterPayments,
} from '../../core/commissions/ledger/build-ledger.ts';
import {
  buildFact,
  type CommissionDecision,
  type CommissionId,
  type FactSource,
  type NewDecision,
  type ReportedFact,
  type StoredFact,
} from '../../core/commissions/ledger/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { isCheckSubId } from '../../core/outbound/watched-links.ts';
import type { Clicks } from '../../stores/clicks.ts';
import { EMPTY_LEDGER, type Ledger, type LedgerChanges, type LedgerPosition } from '../../stores/ledger.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';
import {
  ClickMatcher,
  type ClickMatcherOptions,
  type ClickMatches,
  type MatchableReport,
} from './click-matcher.ts';
import { CommissionFold } from './commission-fold.ts';
import { CommissionTable } from './commission-table.ts';
import type { LabelReader } from './labels.ts';

/** What a network reports of a check of links never counts. */
const markCheck = (reported: ReportedFact): ReportedFact =>
  isCheckSubId(reported.token) ? { ...reported, isTest: true } : reported;

/** Reports that arrive together, from one message, file or page of an API. */
export interface IncomingReports {
  readonly partner: string;
  readonly terms: CommissionTerms;
  readonly source: FactSource;
  readonly reports: readonly SourceReport[];
  /** The message as JSON without personal fields; left out for files, which the operator has. */
  readonly raw?: string | undefined;
  readonly importId?: string | undefined;
}

export interface LedgerOptions extends ClickMatcherOptions, LedgerSnapshotOptions {
  readonly store: Ledger;
  readonly clicks: Clicks;
  /** Left out where no partner has labels. */
  readonly labels?: LabelReader | undefined;
  /** ms since 1970. */
  readonly now: () => number;
  /** Creates a UUID. */
  readonly newId: () => string;
}

/** Records what networks report: finds the click by value, freezes its journey, and stores both with the facts. */
export class CommissionLedger {
  readonly #options: LedgerOptions;
  readonly #snapshot: LedgerSnapshot;
  readonly #matcher: ClickMatcher;
  /** Keeps the rows of commissions as their messages say. */
  readonly fold: CommissionFold;
  /** What views read. */
  readonly table: CommissionTable;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#snapshot = new LedgerSnapshot(options);
    this.#matcher = new ClickMatcher(options);
    this.fold = new CommissionFold(options);
    this.table = new CommissionTable({ ...options, fold: this.fold });
  }

  /** Resolves once everything is on disk; `matched`: how many name a known click. Rejects with `LedgerError`. */
  async record(incoming: IncomingReports) {
    const { partner, terms, source, reports, raw, importId = null } = incoming;
    const { store, labels, now, newId } = this.#options;
    const { clickIds, journeys } = await this.matchClicks(reports);
    const arrivedAt = now();
    const rawId = raw === undefined ? null : newId();
    const facts = reports.map(({ reported }, index) =>
      buildFact(
        markCheck(clickIds[index] == null ? (labels?.complete(partner, reported) ?? reported) : reported),
        {
          partner,
          account: terms.account,
          source,
          clickId: clickIds[index] ?? null,
          rawId,
          importId,
          arrivedAt,
        },
      ),
    );
    const outcome = await store.append({
      facts,
      journeys,
      labelDays: await labels?.build(partner, facts),
      raw: raw === undefined || rawId === null ? undefined : { id: rawId, partner, arrivedAt, content: raw },
    });
    return { ...outcome, matched: clickIds.filter((id) => id !== null).length };
  }

  /** Finds the click of each report, and builds the journeys that are not stored yet. */
  matchClicks(reports: readonly MatchableReport[]): Promise<ClickMatches> {
    return this.#matcher.match(reports);
  }

  /**
   * Assigns commissions whose click became known after they had arrived, for example because the events were not
   * available then. Resolves with how many.
   */
  async rematch(): Promise<number> {
    await this.fold.foldMarked();
    const unmatched = await this.#options.store.folded.readUnmatched();
    const { clickIds, journeys } = await this.matchClicks(
      unmatched.map(({ token }) => ({ reported: { token }, strings: [] })),
    );
    const decisions = unmatched.flatMap((commission, index) => {
      const clickId = clickIds[index];
      return clickId ? [this.#buildDecision(commission, { action: 'assign', clickId, origin: 'match' })] : [];
    });
    if (decisions.length > 0) await this.#options.store.append({ facts: [], journeys, decisions });
    return decisions.length;
  }

  /** Stores an operator's decision. False when the click is not known. */
  async decide(
    id: CommissionId,
    decision: { readonly action: NewDecision['action']; readonly clickId: NewDecision['clickId'] },
  ): Promise<boolean> {
    const { clickId } = decision;
    const { store } = this.#options;
    const journeys = clickId === null ? [] : await this.#matcher.buildJourneys([clickId]);
    if (clickId !== null && journeys.length === 0 && (await store.readJourneys([clickId])).length === 0)
      return false;
    const decisions = [this.#buildDecision(id, { ...decision, origin: 'operator' })];
    await store.append({ facts: [], journeys, decisions });
    return true;
  }

  /** Reads every commission with its messages and its journey, for commands: views read the table. */
  readEntries(): Promise<readonly LedgerEntry[]> {
    return this.#snapshot.readEntries();
  }

  /**
   * Adds their sources to journeys that were stored without them, from the events that are still there; credit by
   * campaigns and pages stays as it is. Continues where the last run has stopped, and ends after `maxJourneys` or when
   * the signal is aborted. Resolves with how many journeys it has completed. Rejects with `LedgerError` or
   * `EventStoreError`.
   */
  async completeSources(maxJourneys: number, signal?: AbortSignal): Promise<number> {
    const { store } = this.#options;
    if (!store.exists()) return 0;
    let completed = 0;
    for (let read = 0; read < maxJourneys && signal?.aborted !== true; read += JOURNEYS_PER_STEP) {
      const { clickIds, upTo } = await store.readWithoutSources(JOURNEYS_PER_STEP);
      if (upTo === null) return completed;
      const journeys = clickIds.length === 0 ? [] : await this.#matcher.readJourneys(clickIds);
      completed += await store.addSources(journeys, upTo);
    }
    return completed;
  }

  #buildDecision(
    { partner, account, nativeId }: CommissionId,
    decision: Pick<NewDecision, 'action' | 'clickId' | 'origin'>,
  ): NewDecision {
    return { partner, account, nativeId, ...decision, decidedAt: this.#options.now() };
  }
}

/** About 20 ms of the threads that read. */
const JOURNEYS_PER_STEP = 100;
/** Without timers a run has to end soon. */
const JOURNEYS_PER_RUN = 1_000;

/**
 * Creates the job that completes journeys which were stored before visits had sources, or came from an older site. It
 * has nothing to do afterwards, except to look whether there are new ones once a day.
 */
export function createSourceJob({ platform, log, money: { commissions } }: Site): PeriodicJob {
  const max = platform.hasTimers ? Number.POSITIVE_INFINITY : JOURNEYS_PER_RUN;
  const complete = async (signal: AbortSignal) => {
    const completed = await commissions.completeSources(max, signal);
    if (completed > 0) log.info('sources were added to journeys of commissions', { completed });
  };
  const failure = 'the sources of earlier journeys could not be added';
  return new PeriodicJob(log, failure, complete, DAY_MS, SOURCE_JOB_MS);
}

/** After the start, which has more urgent work. */
const SOURCE_JOB_MS = 30_000;

export interface LedgerSnapshotOptions {
  readonly store: Pick<Ledger, 'readPosition' | 'readChanges'>;
  readonly clicks: { readonly readFirstEventTime: Clicks['readFirstEventTime'] };
  /** By partner, as content says now; a partner without terms has the default ones. */
  readonly readTerms: () => EntryContext['terms'];
  /** Of the days of labels; UTC when left out. */
  readonly timeZone?: string | undefined;
}

/**
 * Every commission of a ledger, folded once and cached. A read asks the store how far it reaches, folds only the
 * commissions about which something was appended, also by another process, and returns the same list while nothing
 * was. A change of an import folds everything again.
 */
export class LedgerSnapshot {
  readonly #options: LedgerSnapshotOptions;
  #terms: EntryContext['terms'];
  #position: LedgerPosition = EMPTY_LEDGER;
  #firstEventTime: number | null = null;
  /** By commission, in the order of their first facts. */
  #known = new Map<string, LedgerEntry>();
  /** By commission, of the few that have any; also of those that no fact has reported. */
  #decisions = new Map<string, readonly CommissionDecision[]>();
  #journeys = new Map<string, FrozenJourney>();
  #labelDays = new Map<string, LabelDay>();
  #entries: readonly LedgerEntry[] = [];
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerSnapshotOptions) {
    this.#options = options;
    this.#terms = options.readTerms();
  }

  /** Reads every commission with its journey. Rejects with `LedgerError`. */
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
    const terms = this.#options.readTerms();
    const isSame = terms === this.#terms || isDeepStrictEqual(terms, this.#terms);
    // Other terms can make other commissions of the same facts.
    const isContinued = isSame && isAfter(position, this.#position);
    const isUnchanged = isContinued && isAfter(this.#position, position);
    if (isUnchanged && firstEventTime === this.#firstEventTime) return;
    const changes = await store.readChanges(isContinued ? this.#position : EMPTY_LEDGER, position);
    if (!isContinued) this.#clear();
    this.#terms = terms;
    await this.#apply(changes, firstEventTime);
    this.#position = position;
  }

  #clear(): void {
    this.#known = new Map();
    this.#decisions = new Map();
    this.#journeys = new Map();
    this.#labelDays = new Map();
  }

  /** The list of entries changes at the end, all at once; other requests have their turn before. */
  async #apply(
    { facts, decisions, journeys, labelDays }: LedgerChanges,
    firstEventTime: number | null,
  ): Promise<void> {
    const replaced = new Set(journeys.map(({ clickId }) => clickId).filter((id) => this.#journeys.has(id)));
    for (const day of labelDays) this.#labelDays.set(buildLabelDayKey(day), day);
    for (const journey of journeys) this.#journeys.set(journey.clickId, journey);
    const added = groupByCommission(facts);
    const decided = groupByCommission(decisions);
    const isOtherStart = firstEventTime !== this.#firstEventTime;
    this.#firstEventTime = firstEventTime;
    // The first stored event decides the reason of an unmatched commission; a journey can be stored after its fact.
    if (isOtherStart || journeys.length > 0) {
      for (const [key, { journey }] of this.#known) {
        if (journey === null || replaced.has(journey.clickId)) this.#fold(key, [], []);
      }
    }
    let folded = 0;
    for (const [key, list] of added) {
      this.#fold(key, list, decided.get(key) ?? []);
      folded += 1;
      if (folded % FOLDS_PER_TURN === 0) await setImmediate();
    }
    for (const [key, list] of decided) if (!added.has(key)) this.#fold(key, [], list);
    const entries = dropCoveredTotals([...this.#known.values()]);
    this.#entries = attributeLabels(markLaterPayments(entries), this.#labelDays, this.#getDay);
  }

  /** Reports name days, so that there are few moments. */
  readonly #getDay = (time: number) => {
    const day = this.#days.get(time) ?? getLocalDay(time, this.#options.timeZone ?? 'UTC');
    if (this.#days.size > MAX_DAYS) this.#days.clear();
    this.#days.set(time, day);
    return day;
  };
  readonly #days = new Map<number, string>();

  #fold(key: string, newFacts: readonly StoredFact[], newDecisions: readonly CommissionDecision[]): void {
    // `concat` reserves no place for more items, unlike spreading: most lists stay as they are.
    const decisions = (this.#decisions.get(key) ?? NONE).concat(newDecisions);
    if (decisions.length > 0) this.#decisions.set(key, decisions);
    const facts = (this.#known.get(key)?.facts ?? NONE).concat(newFacts);
    if (facts.length === 0) return;
    const entry = buildLedgerEntry(facts, decisions, {
      terms: this.#terms,
      journeys: this.#journeys,
      firstEventTime: this.#firstEventTime,
    });
    this.#known.set(key, entry);
  }
}

const NONE: readonly never[] = [];
const MAX_DAYS = 10_000;
/** About 10 ms. */
const FOLDS_PER_TURN = 500;

/** Whether only facts, decisions and journeys were appended between two positions, or nothing. */
function isAfter(position: LedgerPosition, earlier: LedgerPosition): boolean {
  return (
    position.imports === earlier.imports &&
    position.labelDays >= earlier.labelDays &&
    position.facts >= earlier.facts &&
    position.decisions >= earlier.decisions &&
    position.journeys >= earlier.journeys
  );
}
