import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { ClickSource } from '../../core/commissions/click-source.ts';
import {
  buildFact,
  type CommissionId,
  type FactSource,
  type NewDecision,
} from '../../core/commissions/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import type { Log } from '../log.ts';
import { ClickMatcher, type ClickMatches, type MatchableReport } from './click-matcher.ts';
import { LedgerSnapshot } from './ledger-snapshot.ts';

/** Reports that arrive together, from one message, file or page of an API. */
export interface IncomingReports {
  readonly partner: string;
  readonly terms: Pick<CommissionTerms, 'account'>;
  readonly source: FactSource;
  readonly reports: readonly SourceReport[];
  /** The message as JSON without personal fields; left out for files, which the operator has. */
  readonly raw?: string | undefined;
  readonly importId?: string | undefined;
}

/** What became of reports. */
export interface RecordOutcome {
  readonly stored: number;
  readonly duplicates: number;
  /** How many of them name a known click. */
  readonly matched: number;
}

export interface LedgerOptions {
  readonly store: CommissionStore;
  readonly clicks: ClickSource;
  /** By partner. */
  readonly terms: ReadonlyMap<string, CommissionTerms>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Creates a UUID. */
  readonly newId: () => string;
  readonly log: Pick<Log, 'warn'>;
  /** As in `ClickMatcherOptions`. */
  readonly sharesWork?: boolean;
}

/** Records what networks report: finds the click by value, freezes its journey, and stores both with the facts. */
export class CommissionLedger {
  readonly #options: LedgerOptions;
  readonly #snapshot: LedgerSnapshot;
  readonly #matcher: ClickMatcher;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#snapshot = new LedgerSnapshot(options);
    this.#matcher = new ClickMatcher(options);
  }

  /** Resolves once everything is on disk. Rejects with `CommissionStoreError`. */
  async record(incoming: IncomingReports): Promise<RecordOutcome> {
    const { partner, terms, source, reports, raw, importId = null } = incoming;
    const { store, now, newId } = this.#options;
    const { clickIds, journeys } = await this.matchClicks(reports);
    const arrivedAt = now();
    const rawId = raw === undefined ? null : newId();
    const facts = reports.map(({ reported }, index) =>
      buildFact(reported, {
        partner,
        account: terms.account,
        source,
        clickId: clickIds[index] ?? null,
        rawId,
        importId,
        arrivedAt,
      }),
    );
    const outcome = await store.append({
      facts,
      journeys,
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
    const unmatched = (await this.readEntries()).filter(
      ({ journey, commission }) => journey === null && !commission.isDismissed && commission.token !== '',
    );
    const { clickIds, journeys } = await this.matchClicks(
      unmatched.map(({ commission: { token } }) => ({ reported: { token }, strings: [] })),
    );
    const decisions = unmatched.flatMap(({ commission }, index) => {
      const clickId = clickIds[index];
      return clickId ? [this.#buildDecision(commission, { action: 'assign', clickId, origin: 'match' })] : [];
    });
    if (decisions.length > 0) await this.#options.store.append({ facts: [], journeys, decisions });
    return decisions.length;
  }

  /** Stores an operator's decision. False when the click is not known. */
  async decide(id: CommissionId, decision: Pick<NewDecision, 'action' | 'clickId'>): Promise<boolean> {
    const { clickId } = decision;
    const { store } = this.#options;
    const journeys = clickId === null ? [] : await this.#matcher.buildJourneys([clickId]);
    if (clickId !== null && journeys.length === 0 && (await store.readJourneys([clickId])).length === 0)
      return false;
    const decisions = [this.#buildDecision(id, { ...decision, origin: 'operator' })];
    await store.append({ facts: [], journeys, decisions });
    return true;
  }

  /** Reads every commission with its journey; the same list while nothing has changed. */
  readEntries(): Promise<readonly LedgerEntry[]> {
    return this.#snapshot.readEntries();
  }

  #buildDecision(
    { partner, account, nativeId }: CommissionId,
    decision: Pick<NewDecision, 'action' | 'clickId' | 'origin'>,
  ): NewDecision {
    return { partner, account, nativeId, ...decision, decidedAt: this.#options.now() };
  }
}
