import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../src/core/clock.ts';
import { buildJourney } from '../../../src/core/commissions/build-journey.ts';
import {
  buildFact,
  type CommissionKind,
  type CommissionStatus,
  type NewDecision,
  type NewFact,
} from '../../../src/core/commissions/commission-fact.ts';
import type { FrozenJourney } from '../../../src/core/commissions/credit.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';
import type { CommissionImport, RawMessage } from '../../../src/stores/ledger-rows.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DemoClick } from './visits.ts';
import type { DemoProgram, DemoWorld } from './world.ts';

const MONTH_MS = 30.4 * DAY_MS;
/** Messages of networks are stored for this long. */
const RAW_DAYS = 29;
const SHARE = { partialRefund: 0.03, adjustment: 0.012, lostToken: 0.02, changedToken: 0.01 };

/** What a network says about a commission from a time on (ms since 1970). */
interface DemoState {
  readonly status: CommissionStatus;
  /** In minor units. */
  readonly amount: number;
  readonly time: number;
}

/** A commission as its network has it. */
interface DemoCommission {
  readonly partner: string;
  readonly nativeId: string;
  readonly kind: CommissionKind;
  readonly currency: string;
  readonly token: string;
  readonly clickId: string | null;
  readonly clickTime: number | null;
  readonly isTest: boolean;
  /** In the order of time; the first is its beginning. */
  readonly states: readonly DemoState[];
}

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

/** Collects what clicks earn from `start` to `now` (ms since 1970), and builds what networks report of it. */
export class DemoLedger {
  readonly #programs: DemoWorld['programs'];
  readonly #start: number;
  readonly #now: number;
  readonly #scale: number;
  readonly #random: SeededRandom;
  readonly #commissions: DemoCommission[] = [];
  readonly #journeys = new Map<string, FrozenJourney>();
  readonly #raw: RawMessage[] = [];
  readonly #imports = new Map<string, CommissionImport>();
  readonly #reported = new Map<DemoCommission, readonly DemoState[]>();

  /** `scale`: how many times more often than usual a click earns. */
  constructor(
    programs: DemoWorld['programs'],
    [start, now]: readonly [start: number, now: number],
    scale: number,
    random: SeededRandom,
  ) {
    this.#programs = programs;
    this.#start = start;
    this.#now = now;
    this.#scale = scale;
    this.#random = random;
  }

  /** Adds what a click earns: nothing, one commission, or one of every month. */
  addClick({ event, quality, before }: DemoClick): void {
    const random = this.#random;
    const partner = String(event.data['partner']);
    const program = this.#programs.get(partner);
    if (program === undefined) return;
    if (!random.chance(Math.min(0.5, program.rate * quality * this.#scale))) return;
    const tiers = [1, 1, 1, 1, 1, 1, 3, 3, 3, 5];
    const amount = program.amount * random.pick(tiers);
    const customer = random.uuid().slice(0, 8);
    const isLost = random.chance(SHARE.lostToken);
    const isChanged = random.chance(SHARE.changedToken);
    const token = isLost ? '' : isChanged ? random.pick(['sidebar', 'newsletter', 'cta-2']) : event.id;
    const clickId = token === event.id ? event.id : null;
    const clickTime = isLost || program.source === 'csv' ? null : event.serverTime;
    const add = (id: string, kind: CommissionKind, states: readonly DemoState[]) => {
      const known = states.filter(({ time }) => time <= this.#now);
      if (known.length === 0) return;
      const fields = { kind, token, clickId, clickTime, states: known };
      this.#commissions.push(this.#build(partner, program, { nativeId: `${customer}-${id}`, ...fields }));
      if (clickId !== null) this.#journeys.set(clickId, buildJourney(event, before));
    };
    let time = event.serverTime + random.logNormal(program.delayDays, 0.6) * DAY_MS;
    for (let month = 1; time <= this.#now; month++) {
      add(String(month), month === 1 ? 'sale' : 'recurring', simulateStates(program, amount, time, random));
      if (random.chance(SHARE.adjustment)) {
        const later = time + random.integer(10, 25) * DAY_MS;
        const state = { status: 'approved', amount: -Math.round(amount / 5), time: later } as const;
        add(`${month}-fix`, 'adjustment', [state]);
      }
      // Without a click, a renewal counts on its own day, and would outweigh what the clicks of that day earned so far.
      if (clickId === null || !random.chance(program.monthlyRetention)) break;
      time += MONTH_MS;
    }
  }

  /** Builds the ledger of all clicks. */
  finish(): DemoLedgerContent {
    for (const [index, [partner, program]] of [...this.#programs].entries()) {
      this.#addUnmatched(partner, program, index);
    }
    const facts = this.#commissions.flatMap((commission) => this.#report(commission));
    return {
      facts: facts.sort((one, other) => one.arrivedAt - other.arrivedAt),
      journeys: this.#journeys,
      raw: this.#raw,
      decisions: this.#decide(),
      imports: [...this.#imports.values()].sort((one, other) => one.changedAt - other.changedAt),
      reported: this.#reported,
    };
  }

  /** Commissions of clicks before the first event, of links without a click id, bonuses, and tests of a network. */
  #addUnmatched(partner: string, program: DemoProgram, index: number): void {
    const add = (time: number, fields: Partial<DemoCommission>) => {
      const states = [{ status: 'approved', amount: program.amount, time } as const];
      const nativeId = this.#random.uuid().slice(0, 8);
      this.#commissions.push(this.#build(partner, program, { nativeId, states, ...fields }));
    };
    for (const day of [4, 11, 19]) {
      const clickTime = this.#start - (6 + day) * DAY_MS;
      add(this.#start + (day + index) * DAY_MS, { token: this.#random.uuid(), clickTime });
    }
    // Not all at once: what is without a click must not outweigh what recent clicks have earned so far.
    add(this.#now - (9 + 25 * index) * DAY_MS, { kind: 'bonus' });
    add(this.#now - (6 + 17 * index) * DAY_MS, { token: 'sidebar' });
    add(this.#now - (20 + 31 * index) * DAY_MS, { isTest: true, token: 'test' });
  }

  #build(
    partner: string,
    { currency }: DemoProgram,
    fields: Partial<DemoCommission> & Pick<DemoCommission, 'nativeId' | 'states'>,
  ): DemoCommission {
    const none = { kind: 'sale', token: '', clickId: null, clickTime: null, isTest: false } as const;
    return { partner, currency, ...none, ...fields };
  }

  /** The facts of a commission, as its network reports them: each change, or in files of a month. */
  #report(commission: DemoCommission): NewFact[] {
    const { partner, nativeId, kind, currency, token, clickTime, isTest, clickId, states } = commission;
    const source = this.#programs.get(partner)?.source ?? 'postback';
    const isFile = source === 'csv';
    const arrived = (isFile ? listFileStates(states) : this.#listArrivals(states)).filter(
      ({ arrivedAt }) => arrivedAt <= this.#now,
    );
    const [first] = states;
    if (first === undefined || arrived.length === 0) return [];
    const known = arrived.map(({ state }) => state);
    this.#reported.set(commission, known);
    return arrived.map(({ state: { status, amount, time }, arrivedAt }) => {
      const importId = isFile ? this.#findImport(partner, arrivedAt) : null;
      const rawId = isFile ? null : this.#storeRaw(commission, { status, amount, time }, arrivedAt);
      return buildFact(
        {
          ...{ nativeId, kind, status, amount, currency, token, clickTime, isTest, saleAmount: null },
          ...{ eventTime: Math.round(first.time), changeTime: Math.round(time) },
        },
        { partner, account: 'main', source, clickId, rawId, importId, arrivedAt: Math.round(arrivedAt) },
      );
    });
  }

  #listArrivals(states: readonly DemoState[]) {
    return states.map((state) => ({
      state,
      arrivedAt: state.time + this.#random.integer(2, 900) * 1_000,
    }));
  }

  #findImport(partner: string, arrivedAt: number): string {
    const file = `${partner}-${new Date(arrivedAt - 10 * DAY_MS).toISOString().slice(0, 7)}.csv`;
    const id = createHash('sha256').update(`demo ${file}`).digest('hex');
    const rows = (this.#imports.get(id)?.rows ?? 0) + 1;
    this.#imports.set(id, { id, partner, file, state: 'committed', rows, changedAt: arrivedAt });
    return id;
  }

  #storeRaw(commission: DemoCommission, state: DemoState, arrivedAt: number): string | null {
    if (arrivedAt < this.#now - RAW_DAYS * DAY_MS) return null;
    const { partner, nativeId, currency, token } = commission;
    const id = this.#random.uuid();
    const content = JSON.stringify({
      ...{
        id: nativeId,
        status: state.status,
        amount: formatDecimalAmount(state.amount, currency),
        currency,
      },
      ...{ click: token, at: new Date(state.time).toISOString() },
    });
    this.#raw.push({ id, partner, arrivedAt: Math.round(arrivedAt), content });
    return id;
  }

  /** The operator assigned some commissions to clicks of their partners. */
  #decide(): NewDecision[] {
    const unmatched = [...this.#reported].filter(
      ([{ clickId, isTest, kind, states }]) =>
        clickId === null && !isTest && kind === 'sale' && (states[0]?.time ?? 0) > this.#start + 30 * DAY_MS,
    );
    return unmatched.slice(0, 2).flatMap(([{ partner, nativeId }, states]): NewDecision[] => {
      const journey = [...this.#journeys.values()].find((one) => one.partner === partner);
      if (journey === undefined) return [];
      const decidedAt = Math.round(states.at(-1)?.time ?? this.#now);
      const decision = { account: 'main', action: 'assign', origin: 'operator' } as const;
      return [{ ...decision, partner, nativeId, clickId: journey.clickId, decidedAt }];
    });
  }
}

/** A file of the fifth of a month has the last state of each commission before it. */
function listFileStates(states: readonly DemoState[]) {
  const files = new Map<number, DemoState>();
  for (const state of states) {
    const date = new Date(state.time);
    files.set(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 5, 9), state);
  }
  return [...files].map(([arrivedAt, state]) => ({ state, arrivedAt }));
}

function simulateStates(
  program: DemoProgram,
  amount: number,
  time: number,
  random: SeededRandom,
): DemoState[] {
  const states: DemoState[] = [{ status: 'pending', amount, time }];
  if (random.chance(program.reversals)) {
    const days = random.logNormal(program.approvalDays * 0.7, 0.5);
    return [...states, { status: 'reversed', amount: 0, time: time + days * DAY_MS }];
  }
  let last = { amount, time: time + random.logNormal(program.approvalDays, 0.15) * DAY_MS };
  states.push({ status: 'approved', ...last });
  if (random.chance(SHARE.partialRefund)) {
    const reduced = Math.round(amount * (0.4 + random.next() * 0.4));
    last = { amount: reduced, time: last.time + random.integer(2, 9) * DAY_MS };
    states.push({ status: 'approved', ...last });
  }
  // Programs pay in the middle of the next month.
  const date = new Date(last.time);
  const payday = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 15, 12);
  return [...states, { status: 'paid', amount: last.amount, time: payday }];
}
