import { formatDecimalAmount, parseDecimalAmount } from '../money.ts';
import type { CommissionDecision, CommissionFact, CommissionStatus, StoredFact } from './commission-fact.ts';

/** What is true of one commission after all of its facts. */
export interface Commission
  extends Omit<CommissionFact, 'unstated' | 'amountText' | 'source' | 'rawId' | 'importId'> {
  /** What it is worth now in minor units: the reported amount, 0 once it is reversed. */
  readonly amount: number;
  /** What it was worth before it was reversed; 0 when it is not, or when nothing was known before the reversal. */
  readonly reversedAmount: number;
  /** The click that it belongs to (UUID): the operator's assignment, else the first one that a message carried. */
  readonly clickId: string | null;
  /** ms since 1970; null when no message reported it. */
  readonly clickTime: number | null;
  readonly isDismissed: boolean;
  /** Whether only test messages reported it and no operator assigned it to a click. */
  readonly isTest: boolean;
  /** What the field for the click held; empty when no message had one. */
  readonly token: string;
  /** Facts that were not applied because they contradict a fact that is at least as new. */
  readonly conflicts: readonly StoredFact[];
  /** Whether the newest message repeats an earlier state without a time: a return to it, or a repeat that was late. */
  readonly isReturned: boolean;
}

/** A status may be repeated or move up; moving down takes a newer change time. */
const RANK: Readonly<Record<CommissionStatus, number>> = {
  unknown: 0,
  pending: 1,
  approved: 2,
  paid: 3,
  reversed: 4,
};

/** One list for all commissions without any. */
const NO_CONFLICTS: readonly StoredFact[] = [];

/** A fact at its place in the history of its commission. */
interface PlacedFact {
  readonly fact: StoredFact;
  /** When the network says that it changed the commission; ms since 1970, null when it does not say it. */
  readonly stated: number | null;
  /** Whether the stated time lies after the arrival. */
  readonly isAhead: boolean;
  /** The stated time; the arrival without one, and for one that lies ahead. ms since 1970. */
  readonly time: number;
  /** Of facts of one time: the sequence of the one that is placed by its arrival; 0 without one. */
  readonly arrival: number;
  /** Whether the fact comes before (-1) or after (1) that one, or is that one (0). */
  readonly side: -1 | 0 | 1;
}

const placeArrival = (fact: StoredFact): PlacedFact => ({
  fact,
  stated: null,
  isAhead: false,
  time: fact.arrivedAt,
  arrival: fact.sequence,
  side: 0,
});

/**
 * Places facts in the order in which the commission changed, whatever order they are given in.
 *
 * Dated facts are ordered by their times, undated ones follow everything that had arrived before. An arrival is only the
 * latest moment of a change: a dated fact that arrives after an undated one follows it, unless its time is earlier and
 * its status moves down, as that of a late message does. Clocks can be wrong, but the order of arrival is not: no fact
 * arrived later than one that was stored after it, and a time after the arrival is compared only with its like.
 */
function placeFacts(facts: readonly StoredFact[]): readonly PlacedFact[] {
  // Most commissions of a young ledger have one.
  if (facts.length === 1) return facts.map(placeArrival);
  const arrivals = [...facts].sort((one, other) => one.sequence - other.sequence);
  const bounds = arrivals.map(({ arrivedAt }) => arrivedAt);
  bounds.reduceRight((bound, arrivedAt, index) => (bounds[index] = Math.min(bound, arrivedAt)), Infinity);
  const byArrival: PlacedFact[] = [];
  const placed = arrivals.map((fact, index): PlacedFact => {
    const bound = bounds[index] ?? fact.arrivedAt;
    const stated = fact.changeTime === fact.arrivedAt ? null : fact.changeTime;
    const isLower = (place: PlacedFact) => RANK[fact.status] < RANK[place.fact.status];
    if (stated !== null && stated <= bound) {
      const followed = byArrival.findLast((place) => !isLower(place) || stated >= place.time);
      const { time, arrival } =
        followed === undefined || followed.time < stated ? { time: stated, arrival: 0 } : followed;
      return { fact, stated, isAhead: false, time, arrival, side: 1 };
    }
    const isAhead = stated !== null;
    const isLate = (place: PlacedFact) =>
      isAhead && place.isAhead && stated < (place.stated ?? 0) && isLower(place);
    const preceded = byArrival[byArrival.findLastIndex((place) => !isLate(place)) + 1];
    if (preceded !== undefined) {
      return { fact, stated, isAhead, time: preceded.time, arrival: preceded.arrival, side: -1 };
    }
    const place = { ...placeArrival(fact), stated, isAhead, time: bound };
    byArrival.push(place);
    return place;
  });
  return placed.sort(
    (one, other) =>
      one.time - other.time ||
      one.arrival - other.arrival ||
      one.side - other.side ||
      (one.side === 0 ? 0 : Number(one.stated) - Number(other.stated)) ||
      one.fact.sequence - other.fact.sequence,
  );
}

/** Whether a fact lowers the status of the one that is placed before it, without being newer. */
function isContradiction({ fact, stated, isAhead }: PlacedFact, current: PlacedFact): boolean {
  if (RANK[fact.status] >= RANK[current.fact.status]) return false;
  if (stated === null) return fact.arrivedAt === current.fact.arrivedAt;
  if (isAhead && !current.isAhead) return false;
  return stated <= (isAhead === current.isAhead ? (current.stated ?? current.time) : current.time);
}

/** Time zones differ by at most 26 hours. */
const MAX_AHEAD_MS = 26 * 3_600_000;

/** A commission that is booked ahead would be in no period that has begun. */
const readEventTime = ({ eventTime, arrivedAt }: StoredFact) =>
  eventTime > arrivedAt + MAX_AHEAD_MS ? arrivedAt : eventTime;

/** What facts say about money: what a message leaves out is what was known before. */
type Worth = Pick<CommissionFact, 'amount' | 'currency' | 'saleAmount'>;

function readWorth(fact: StoredFact, known: Worth | undefined): Worth {
  if (known === undefined) return fact;
  if (fact.unstated?.includes('amount') === true)
    return { ...known, saleAmount: fact.saleAmount ?? known.saleAmount };
  return readWorthIn(fact, known.currency);
}

/** What a fact says about money, in the currency of its commission where the message has named none. */
export function readWorthIn(fact: StoredFact, currency: string): Worth {
  if (fact.unstated?.includes('currency') !== true || fact.currency === currency) return fact;
  const convert = (amount: number, text = formatDecimalAmount(amount, fact.currency)) =>
    parseDecimalAmount(text, currency) ?? amount;
  const { amount, saleAmount, amountText } = fact;
  return {
    amount: convert(amount, amountText),
    currency,
    saleAmount: saleAmount === null ? null : convert(saleAmount),
  };
}

/** Whether the last of the applied facts has the state of an earlier one, after another state, and names no time. */
function isReturn(applied: readonly PlacedFact[]): boolean {
  const last = applied.at(-1);
  if (last === undefined || last.stated !== null) return false;
  const hasState = ({ fact: { status, amount, currency } }: PlacedFact) =>
    status === last.fact.status && amount === last.fact.amount && currency === last.fact.currency;
  const other = applied.findLastIndex((place) => !hasState(place));
  return applied.slice(0, Math.max(0, other)).some((place) => place.stated === null && hasState(place));
}

/**
 * Folds the facts of one commission. The result depends on the set of facts, not on the order of the list: the newest
 * change decides, as `placeFacts` orders them. A status that moves backwards without a newer change is a conflict: it is
 * returned, not applied. Throws a `RangeError` without facts.
 */
export function foldCommission(
  facts: readonly StoredFact[],
  decisions: readonly CommissionDecision[] = [],
): Commission {
  const conflicts: StoredFact[] = [];
  const applied: PlacedFact[] = [];
  let worth: Worth | undefined;
  for (const place of placeFacts(facts)) {
    const current = applied.at(-1);
    if (current !== undefined && isContradiction(place, current)) {
      conflicts.push(place.fact);
      continue;
    }
    applied.push(place);
    if (place.fact.status !== 'reversed') worth = readWorth(place.fact, worth);
  }
  const last = applied.at(-1);
  if (last === undefined) throw new RangeError('A commission needs at least one fact.');
  const current = last.fact;
  const isReversed = current.status === 'reversed';
  const { amount, currency, saleAmount } = worth ?? current;
  const byArrival = [...facts].sort((one, other) => one.sequence - other.sequence);
  const decision = decisions.reduce<CommissionDecision | undefined>(
    (newest, next) => (newest === undefined || next.sequence > newest.sequence ? next : newest),
    undefined,
  );
  return {
    partner: current.partner,
    account: current.account,
    nativeId: current.nativeId,
    kind: current.kind,
    status: current.status,
    currency,
    saleAmount,
    eventTime: Math.min(...facts.map(readEventTime)),
    changeTime: Math.min(current.changeTime, last.time),
    amount: isReversed ? 0 : amount,
    reversedAmount: isReversed && worth !== undefined ? amount : 0,
    clickId:
      decision?.action === 'assign'
        ? decision.clickId
        : (byArrival.find(({ clickId }) => clickId !== null)?.clickId ?? null),
    clickTime: byArrival.find(({ clickTime }) => clickTime !== null)?.clickTime ?? null,
    isDismissed: decision?.action === 'dismiss',
    isTest: decision?.action !== 'assign' && facts.every(({ isTest }) => isTest),
    token: byArrival.find(({ token }) => token !== '')?.token ?? '',
    conflicts: conflicts.length === 0 ? NO_CONFLICTS : conflicts,
    isReturned: isReturn(applied),
  };
}
