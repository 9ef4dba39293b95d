import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import {
  buildFact,
  type CommissionId,
  type FactSource,
  type ReportedFact,
} from '../../core/commissions/ledger/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { roundId } from '../../core/commissions/ledger/message-fields.ts';
import type { NewDecision } from '../../core/commissions/ledger/stored-money.schema.ts';
import { isCheckSubId } from '../../core/outbound/watched-links.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { CommissionImport } from '../../stores/ledger-rows.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';
import {
  ClickMatcher,
  type ClickMatcherOptions,
  type ClickMatches,
  type MatchableReport,
} from './click-matcher.ts';
import { CommissionFold, type CommissionFoldOptions } from './commission-fold.ts';
import { CommissionTable } from './commission-table.ts';
import type { LabelReader } from './labels.ts';

/** Another process may have folded an id that an earlier version stored. */
const SPELLINGS_KNOWN_MS = 5_000;

/** What a network reports of a check of links never counts. */
const markCheck = (reported: ReportedFact): ReportedFact =>
  isCheckSubId(reported.token) ? { ...reported, isTest: true } : reported;

const buildSettledKey = (partner: string, account: string) => `settled-ids ${partner} ${account}`;
const parseSettled = (text: string) =>
  new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text))));

/** Reports that arrive together, from one message, file or page of an API. */
export interface IncomingReports {
  readonly partner: string;
  readonly terms: CommissionTerms;
  readonly source: FactSource;
  readonly reports: readonly SourceReport[];
  /** The message as JSON without personal fields; left out for files, which the operator has. */
  readonly raw?: string | undefined;
  readonly importId?: string | undefined;
  /** An import of which this is all. */
  readonly whole?: CommissionImport | undefined;
}

export interface LedgerOptions extends ClickMatcherOptions, CommissionFoldOptions {
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
  readonly #matcher: ClickMatcher;
  #noSpellingsAt = Number.NEGATIVE_INFINITY;
  /** Keeps the rows of commissions as their messages say. */
  readonly fold: CommissionFold;
  /** What views read. */
  readonly table: CommissionTable;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#matcher = new ClickMatcher(options);
    this.fold = new CommissionFold(options);
    this.table = new CommissionTable({ ...options, fold: this.fold });
  }

  /** Resolves once everything is on disk; `matched`: how many name a known click. Rejects with `LedgerError`. */
  async record(incoming: IncomingReports) {
    const { partner, terms, source, reports, raw, whole, importId = whole?.id ?? null } = incoming;
    const { store, labels, now, newId } = this.#options;
    const forms = reports.map(({ reported }) => reported.nativeId);
    const [{ clickIds, journeys }, spellings] = await Promise.all([
      this.matchClicks(reports),
      this.#readSpellings(partner, terms.account, forms),
    ]);
    const arrivedAt = now();
    const rawId = raw === undefined ? null : newId();
    const facts = reports.map(({ reported: own }, index) => {
      const nativeId = spellings.get(own.nativeId);
      const reported = nativeId === undefined ? own : { ...own, nativeId };
      return buildFact(
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
      );
    });
    const outcome = await store.append({
      facts,
      journeys,
      labelDays: await labels?.build(partner, facts),
      whole,
      raw: raw === undefined || rawId === null ? undefined : { id: rawId, partner, arrivedAt, content: raw },
    });
    return { ...outcome, matched: clickIds.filter((id) => id !== null).length };
  }

  /** No new id is stored in another spelling: where none is, nothing is looked for. */
  async #readSpellings(partner: string, account: string, forms: readonly string[]) {
    const { store, now } = this.#options;
    if (Math.abs(now() - this.#noSpellingsAt) < SPELLINGS_KNOWN_MS) return new Map<string, string>();
    if (await store.folded.hasSpellings()) return store.folded.readSpellings(partner, account, forms);
    this.#noSpellingsAt = now();
    return new Map<string, string>();
  }

  /**
   * Gives reports the ids under which they are stored. Versions that rounded long numbers have stored some under another id: a
   * report goes on with that commission where it has its click or sub-id and no other id has done so, or where the operator
   * says so. `open`: reports of which nobody has said it. Rejects with `LedgerError`.
   */
  async settleIds({
    partner,
    terms: { account },
    reports,
  }: Pick<IncomingReports, 'partner' | 'terms' | 'reports'>) {
    const long = reports.filter(({ reported: { nativeId } }) => roundId(nativeId) !== nativeId);
    if (long.length === 0) return { settled: reports, open: [] };
    let ids = await this.readSettled(partner, account);
    const nativeIds = long.flatMap(({ reported: { nativeId } }) => [nativeId, roundId(nativeId)]);
    const facts = (await this.#options.store.readFacts({ partner, nativeIds })).filter(
      (fact) => fact.account === account,
    );
    const stored = Map.groupBy(facts, ({ nativeId }) => nativeId);
    const asked = long.filter(
      ({ reported: { nativeId } }) =>
        !ids.has(nativeId) && !stored.has(nativeId) && stored.has(roundId(nativeId)),
    );
    const { clickIds } = await this.matchClicks(asked);
    for (const [
      index,
      {
        reported: { nativeId, token },
      },
    ] of asked.entries()) {
      const clickId = clickIds[index] ?? null;
      const isSame = (stored.get(roundId(nativeId)) ?? []).some(
        (fact) => (clickId !== null && fact.clickId === clickId) || (token !== '' && fact.token === token),
      );
      if (isSame) await this.settleId({ partner, account, nativeId }, roundId(nativeId), false);
    }
    if (asked.length > 0) ids = await this.readSettled(partner, account);
    const open = asked.filter(({ reported: { nativeId } }) => !ids.has(nativeId));
    const settled = reports.flatMap((report) => {
      const nativeId = ids.get(report.reported.nativeId);
      if (open.includes(report)) return [];
      return nativeId === undefined ? report : { ...report, reported: { ...report.reported, nativeId } };
    });
    return { settled, open };
  }

  /** Stores under which id the reports of a long one go on; `isSaid`: by the operator, also where another one goes on there. */
  async settleId(
    { partner, account, nativeId }: CommissionId,
    storedId: string,
    isSaid = true,
  ): Promise<void> {
    await this.#options.store.changeState(buildSettledKey(partner, account), '{}', (before) => {
      const settled = parseSettled(before);
      const isFree = isSaid || ![...settled.values()].includes(storedId);
      return isFree ? JSON.stringify(Object.fromEntries(settled.set(nativeId, storedId))) : before;
    });
  }

  /** The ids under which reports of long ones go on, by long id. Rejects with `LedgerError`. */
  async readSettled(partner: string, account: string): Promise<ReadonlyMap<string, string>> {
    return parseSettled((await this.#options.store.readState(buildSettledKey(partner, account))) ?? '{}');
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
