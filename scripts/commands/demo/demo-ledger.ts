import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../src/core/clock.ts';
import { buildJourney } from '../../../src/core/commissions/build-journey.ts';
import { buildFact, type NewDecision, type NewFact } from '../../../src/core/commissions/commission-fact.ts';
import type { FrozenJourney } from '../../../src/core/commissions/credit.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';
import type { CommissionImport, RawMessage } from '../../../src/stores/ledger.ts';
import { getDemoProgram } from './demo-programs.ts';
import type { DemoClick } from './demo-session.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type DemoCommission, type DemoState, simulateCommissions } from './simulate-commissions.ts';
import { simulateUnmatched } from './simulate-unmatched.ts';

/** Everything that is written to the ledger; facts in the order of arrival. */
export interface DemoLedgerContent {
  readonly facts: readonly NewFact[];
  readonly journeys: ReadonlyMap<string, FrozenJourney>;
  readonly raw: readonly RawMessage[];
  readonly decisions: readonly NewDecision[];
  readonly imports: readonly CommissionImport[];
  /** What was reported of each commission, in the order of time. */
  readonly reported: ReadonlyMap<DemoCommission, readonly DemoState[]>;
}

const RAW_DAYS = 29;

/** Collects the commissions of the demo, and builds what networks reported of them until `now`. */
export class DemoLedger {
  readonly #now: number;
  readonly #start: number;
  readonly #scale: number;
  readonly #random: SeededRandom;
  readonly #commissions: DemoCommission[] = [];
  readonly #journeys = new Map<string, FrozenJourney>();
  readonly #raw: RawMessage[] = [];
  readonly #decisions: NewDecision[] = [];
  readonly #imports = new Map<string, CommissionImport>();
  readonly #reported = new Map<DemoCommission, readonly DemoState[]>();

  constructor(options: {
    /** Beginning and end of the data, ms since 1970. */
    readonly start: number;
    readonly now: number;
    /** How many times more often than usual a click earns. */
    readonly scale: number;
    readonly random: SeededRandom;
  }) {
    this.#start = options.start;
    this.#now = options.now;
    this.#scale = options.scale;
    this.#random = options.random;
  }

  addClick(click: DemoClick): void {
    const earned = simulateCommissions(click, { now: this.#now, scale: this.#scale, random: this.#random });
    this.#commissions.push(...earned);
    if (earned.some(({ clickId }) => clickId !== null))
      this.#journeys.set(click.event.id, buildJourney(click.event, click.before));
  }

  finish(): DemoLedgerContent {
    const partners = new Set(this.#commissions.map(({ partner }) => partner));
    const period = { start: this.#start, now: this.#now };
    this.#commissions.push(...simulateUnmatched([...partners].sort(), period, this.#random));
    const facts = this.#commissions.flatMap((commission) => this.#report(commission));
    this.#decide();
    return {
      facts: facts.sort((one, other) => one.arrivedAt - other.arrivedAt),
      journeys: this.#journeys,
      raw: this.#raw,
      decisions: this.#decisions,
      imports: [...this.#imports.values()].sort((one, other) => one.changedAt - other.changedAt),
      reported: this.#reported,
    };
  }

  /** The facts of a commission, as its network reports them: each change, or in files of a month. */
  #report(commission: DemoCommission): NewFact[] {
    const { source } = getDemoProgram(commission.partner);
    const reported =
      source === 'csv'
        ? this.#listFileStates(commission.states)
        : commission.states.map((state) => ({
            state,
            arrivedAt: state.time + this.#random.integer(2, 900) * 1_000,
          }));
    const arrived = reported.filter(({ arrivedAt }) => arrivedAt <= this.#now);
    const [first] = commission.states;
    if (first === undefined || arrived.length === 0) return [];
    this.#reported.set(
      commission,
      arrived.map(({ state }) => state),
    );
    return arrived.map(({ state, arrivedAt }) => {
      const { nativeId, partner } = commission;
      const importId = source === 'csv' ? this.#findImport(partner, arrivedAt) : null;
      const rawId = source === 'csv' ? null : this.#storeRaw(commission, state, arrivedAt);
      const { kind, currency, token, clickTime, isTest, clickId } = commission;
      const { status, amount, time: changeTime } = state;
      return buildFact(
        {
          ...{ nativeId, kind, status, amount, currency, token, clickTime, isTest },
          ...{ saleAmount: null, eventTime: Math.round(first.time), changeTime: Math.round(changeTime) },
        },
        { partner, account: 'main', source, clickId, rawId, importId, arrivedAt: Math.round(arrivedAt) },
      );
    });
  }

  /** A file of the fifth of a month has the last state of each commission before it. */
  #listFileStates(states: readonly DemoState[]): { state: DemoState; arrivedAt: number }[] {
    const files = new Map<number, DemoState>();
    for (const state of states) {
      const date = new Date(state.time);
      files.set(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 5, 9), state);
    }
    return [...files].map(([arrivedAt, state]) => ({ state, arrivedAt }));
  }

  #findImport(partner: string, arrivedAt: number): string {
    const file = `${partner}-${new Date(arrivedAt - 10 * DAY_MS).toISOString().slice(0, 7)}.csv`;
    const id = createHash('sha256').update(`demo ${file}`).digest('hex');
    const rows = (this.#imports.get(id)?.rows ?? 0) + 1;
    this.#imports.set(id, { id, partner, file, state: 'committed', rows, changedAt: arrivedAt });
    return id;
  }

  #storeRaw(
    { partner, nativeId, currency, token }: DemoCommission,
    state: DemoState,
    arrivedAt: number,
  ): string | null {
    if (arrivedAt < this.#now - RAW_DAYS * DAY_MS) return null;
    const id = this.#random.uuid();
    const amount = formatDecimalAmount(state.amount, currency);
    const at = new Date(state.time).toISOString();
    const fields = { id: nativeId, status: state.status, amount, currency, click: token, at };
    this.#raw.push({ id, partner, arrivedAt: Math.round(arrivedAt), content: JSON.stringify(fields) });
    return id;
  }

  /** The operator assigned some commissions to clicks of their partners. */
  #decide(): void {
    const unmatched = [...this.#reported].filter(
      ([{ clickId, isTest, kind, states }]) =>
        clickId === null && !isTest && kind === 'sale' && (states[0]?.time ?? 0) > this.#start + 30 * DAY_MS,
    );
    for (const [{ partner, nativeId }, states] of unmatched.slice(0, 2)) {
      const journey = [...this.#journeys.values()].find((one) => one.partner === partner);
      if (journey === undefined) continue;
      const { clickId } = journey;
      const decidedAt = Math.round(states.at(-1)?.time ?? this.#now);
      const decision = { account: 'main', action: 'assign', origin: 'operator' } as const;
      this.#decisions.push({ ...decision, partner, nativeId, clickId, decidedAt });
    }
  }
}
