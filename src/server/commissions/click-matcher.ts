import type { FrozenJourney } from '../../core/commissions/credit/credit.ts';
import { buildJourney } from '../../core/commissions/ledger/build-journey.ts';
import { listClickCandidates, matchClicks } from '../../core/commissions/ledger/click-token.ts';
import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Log } from '../log.ts';

/** What a click is found by. */
export interface MatchableReport {
  readonly reported: { readonly token: ReportedFact['token'] };
  readonly strings: readonly string[];
}

/** The clicks of reports, in their order; null for one without a known click. */
export interface ClickMatches {
  readonly clickIds: readonly (string | null)[];
  /** The partner that each click led to. */
  readonly clickPartners: readonly (string | null)[];
  /** Journeys that are not stored yet. */
  readonly journeys: readonly FrozenJourney[];
}

export interface ClickMatcherOptions {
  readonly store: { readonly readJourneys: Ledger['readJourneys'] };
  readonly clicks: Pick<Clicks, 'findClicks' | 'readSessions'>;
  readonly log: Log;
  /** Hosts of the site. */
  readonly ownHosts: readonly string[];
  /** false: each call looks up its own reports, where no request can wait for another one; true when left out. */
  readonly sharesWork?: boolean;
}

/** Finds the clicks that reports name, by value alone, and builds their journeys. */
export class ClickMatcher {
  readonly #options: ClickMatcherOptions;
  readonly #waiting: WaitingMatch[] = [];
  #isMatching = false;

  constructor(options: ClickMatcherOptions) {
    this.#options = options;
  }

  /**
   * Finds the click of each report, and builds the journeys that are not stored yet. Reports that arrive while others
   * are matched wait, and are matched together: each look-up passes between threads, which costs more than the look-up.
   */
  match(reports: readonly MatchableReport[]): Promise<ClickMatches> {
    if (this.#options.sharesWork === false) return this.#matchReports(reports);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reports, resolve, reject });
      if (!this.#isMatching) void this.#matchWaiting();
    });
  }

  async #matchWaiting(): Promise<void> {
    this.#isMatching = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_MATCHED_TOGETHER);
      try {
        const matches = await this.#matchReports(batch.flatMap(({ reports }) => reports));
        let start = 0;
        for (const { reports, resolve } of batch) {
          const end = start + reports.length;
          resolve(selectMatches(matches, start, end));
          start = end;
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isMatching = false;
  }

  async #matchReports(reports: readonly MatchableReport[]): Promise<ClickMatches> {
    const candidates = reports.map(({ reported, strings }) =>
      listClickCandidates([reported.token, ...strings]),
    );
    const wanted = [...new Set(candidates.flat())];
    if (wanted.length === 0) {
      const none = reports.map(() => null);
      return { clickIds: none, clickPartners: none, journeys: [] };
    }
    const frozen = await this.#options.store.readJourneys(wanted);
    const isFrozen = (text: string) => frozen.some(({ clickId }) => clickId.startsWith(text));
    const journeys = await this.buildJourneys(
      frozen.length === 0 ? wanted : wanted.filter((text) => !isFrozen(text)),
    );
    const partners = new Map([...frozen, ...journeys].map(({ clickId, partner }) => [clickId, partner]));
    const clickIds = matchClicks(candidates, [...partners.keys()]);
    return {
      clickIds,
      clickPartners: clickIds.map((id) => (id === null ? null : (partners.get(id) ?? null))),
      journeys,
    };
  }

  /** A commission is stored even when the events cannot be read: `rematch` finds its click later. */
  async buildJourneys(beginnings: readonly string[]): Promise<readonly FrozenJourney[]> {
    try {
      return await this.readJourneys(beginnings);
    } catch (error) {
      this.#options.log.warn('the clicks of commissions cannot be read', { error });
      return [];
    }
  }

  /** Builds the journeys of the clicks whose events are stored. Rejects with `EventStoreError`. */
  async readJourneys(beginnings: readonly string[]): Promise<readonly FrozenJourney[]> {
    const { clicks, ownHosts } = this.#options;
    const found = await clicks.findClicks(beginnings);
    const sessions = await clicks.readSessions([...new Set(found.map(({ session }) => session))]);
    const bySession = Map.groupBy(sessions, ({ session }) => session);
    return found.map((click) =>
      buildJourney(click, click.session === '' ? [] : (bySession.get(click.session) ?? []), ownHosts),
    );
  }
}

interface WaitingMatch {
  readonly reports: readonly MatchableReport[];
  readonly resolve: (matches: ClickMatches) => void;
  readonly reject: (error: unknown) => void;
}

/** Messages that are matched together; a file or a page of an API is one. */
const MAX_MATCHED_TOGETHER = 64;

/** The part of the matches that is about some of the reports, with the journeys of their clicks alone. */
function selectMatches(
  { clickIds, clickPartners, journeys }: ClickMatches,
  start: number,
  end: number,
): ClickMatches {
  const own = clickIds.slice(start, end);
  return {
    clickIds: own,
    clickPartners: clickPartners.slice(start, end),
    journeys: journeys.length === 0 ? journeys : journeys.filter(({ clickId }) => own.includes(clickId)),
  };
}
