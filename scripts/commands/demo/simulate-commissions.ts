import { DAY_MS } from '../../../src/core/clock.ts';
import type { CommissionKind, CommissionStatus } from '../../../src/core/commissions/commission-fact.ts';
import { type DemoProgram, getDemoProgram } from './demo-programs.ts';
import type { DemoClick } from './demo-session.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What a network says about a commission from a time on (ms since 1970). */
export interface DemoState {
  readonly status: CommissionStatus;
  /** In minor units. */
  readonly amount: number;
  readonly time: number;
}

/** A commission as the network of the demo has it. */
export interface DemoCommission {
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

const MONTH_MS = 30.4 * DAY_MS;
const SHARE = { partialRefund: 0.03, adjustment: 0.012, lostToken: 0.02, changedToken: 0.01 };

/** What a click earns until `now` (ms since 1970): nothing, one commission, or one of every month. */
export function simulateCommissions(
  { event, quality }: DemoClick,
  options: { readonly now: number; readonly scale: number; readonly random: SeededRandom },
): DemoCommission[] {
  const { now, scale, random } = options;
  const partner = String(event.data['partner']);
  const program = getDemoProgram(partner);
  if (!random.chance(Math.min(0.5, program.rate * quality * scale))) return [];
  const [amount] = random.pickWeighted(program.amounts, ([, weight]) => weight);
  const customer = random.uuid().slice(0, 8);
  const isLost = random.chance(SHARE.lostToken);
  const isChanged = random.chance(SHARE.changedToken);
  const token = isLost ? '' : isChanged ? random.pick(['sidebar', 'newsletter', 'cta-2']) : event.id;
  const commissions: DemoCommission[] = [];
  const add = (nativeId: string, kind: CommissionKind, states: readonly DemoState[]) => {
    const known = states.filter(({ time }) => time <= now);
    if (known.length === 0) return;
    commissions.push({
      partner,
      nativeId,
      kind,
      currency: program.currency,
      token,
      clickId: token === event.id ? event.id : null,
      clickTime: isLost || program.source === 'csv' ? null : event.serverTime,
      isTest: false,
      states: known,
    });
  };
  let time = event.serverTime + random.logNormal(program.delayDays, 0.6) * DAY_MS;
  for (let month = 1; time <= now; month++) {
    const kind = month === 1 ? program.kind : 'recurring';
    add(`${customer}-${month}`, kind, simulateStates(program, { amount, time }, random));
    if (random.chance(SHARE.adjustment)) {
      const later = time + random.integer(10, 25) * DAY_MS;
      add(`${customer}-${month}-fix`, 'adjustment', [
        { status: 'approved', amount: -Math.round(amount / 5), time: later },
      ]);
    }
    // Without a click, a renewal counts on its own day, and would outweigh what the clicks of that day earned so far.
    if (token !== event.id || !random.chance(program.monthlyRetention)) break;
    time += MONTH_MS;
  }
  return commissions;
}

function simulateStates(
  program: DemoProgram,
  { amount, time }: { readonly amount: number; readonly time: number },
  random: SeededRandom,
): DemoState[] {
  const states: DemoState[] = [{ status: 'pending', amount, time }];
  if (random.chance(program.reversals)) {
    const days = random.logNormal(program.approvalDays * 0.7, 0.5);
    return [...states, { status: 'reversed', amount: 0, time: time + days * DAY_MS }];
  }
  const approvedAt = time + random.logNormal(program.approvalDays, 0.15) * DAY_MS;
  states.push({ status: 'approved', amount, time: approvedAt });
  if (random.chance(SHARE.partialRefund)) {
    const reduced = Math.round(amount * (0.4 + random.next() * 0.4));
    states.push({ status: 'approved', amount: reduced, time: approvedAt + random.integer(2, 9) * DAY_MS });
  }
  const last = states.at(-1);
  states.push({ status: 'paid', amount: last?.amount ?? amount, time: findPayday(last?.time ?? approvedAt) });
  return states;
}

/** Programs pay in the middle of the next month. */
function findPayday(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 15, 12);
}
