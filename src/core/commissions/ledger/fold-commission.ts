import { MAX_AHEAD_MS } from '../local-time.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../money.ts';
import type { CommissionFact, CommissionStatus, StoredFact } from './commission-fact.ts';
import type { CommissionDecision } from './stored-money.schema.ts';

/** To be raised when the same facts fold to something else: stored commissions are folded again. */
export const FOLD_VERSION = 5;

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
  readonly conflicts: readonly { readonly sequence: StoredFact['sequence'] }[];
  /** Whether the newest message repeats an earlier state without a time: a return to it, or a repeat that was late. */
  readonly isReturned: boolean;
  /** Whether stated times and arrivals tell different orders of the facts; the times decided. */
  readonly isDisputed: boolean;
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
  /** The sequence of the fact with which it counts as arrived. */
  readonly arrival: number;
}

const isLower = (one: PlacedFact, other: PlacedFact) => RANK[one.fact.status] < RANK[other.fact.status];

/**
 * Places facts in the order in which the commission changed, whatever order they are given in.
 *
 * Dated facts are ordered by their times, undated ones follow everything that had arrived before. An arrival is only the
 * latest moment of a change: a dated fact that arrives after an undated one follows it, unless its time is earlier and
 * its status moves down, as that of a late message does. Clocks can be wrong, but the order of arrival is not: no fact
 * arrived later than one that was stored after it, and a time after the arrival is compared only with its like.
 */
function placeFacts(facts: readonly StoredFact[]): ReturnType<typeof mergeFacts> {
  // Most commissions of a young ledger have one.
  if (facts.length === 1) {
    const [first] = facts;
    const place = (fact: StoredFact) => ({
      fact,
      stated: null,
      isAhead: false,
      time: fact.arrivedAt,
      arrival: 0,
    });
    return { placed: first === undefined ? [] : [place(first)], isDisputed: false };
  }
  const arrivals = [...facts].sort((one, other) => one.sequence - other.sequence);
  const bounds = arrivals.map(({ arrivedAt }) => arrivedAt);
  bounds.reduceRight((bound, arrivedAt, index) => (bounds[index] = Math.min(bound, arrivedAt)), Infinity);
  const dated: PlacedFact[] = [];
  const line: PlacedFact[] = [];
  arrivals.forEach((fact, index) => {
    const bound = bounds[index] ?? fact.arrivedAt;
    const stated = fact.changeTime === fact.arrivedAt ? null : fact.changeTime;
    const isAhead = stated !== null && stated > bound;
    const place = { fact, stated, isAhead, time: bound, arrival: fact.sequence };
    if (stated !== null && !isAhead) {
      dated.push({ ...place, time: stated });
      return;
    }
    const isNewer = (other: PlacedFact) =>
      isAhead && other.isAhead && stated < (other.stated ?? 0) && isLower(place, other);
    const end = line.findLastIndex((other) => !isNewer(other)) + 1;
    const { time, arrival } = line[end] ?? place;
    line.splice(end, 0, { ...place, time, arrival });
  });
  if (dated.length === 0 && !line.some(({ isAhead }) => isAhead)) return { placed: line, isDisputed: false };
  return mergeFacts(dated, line);
}

/**
 * Merges dated facts, in the order of their times, with the line of the others. `isDisputed`: whether the times decide
 * against an arrival: for a dated fact, or among those of the line that lie ahead.
 */
function mergeFacts(dated: readonly PlacedFact[], line: readonly PlacedFact[]) {
  // Both lists are in the order of arrival.
  let reached = 0;
  const facts = dated.map((place) => {
    const isLate = (other: PlacedFact | undefined) =>
      other !== undefined && place.time < other.time && isLower(place, other);
    while ((line[reached]?.arrival ?? Infinity) < place.arrival) reached += 1;
    let own = reached;
    while (isLate(line[own - 1])) own -= 1;
    // How many of the line had arrived before it, how many of them it follows by its arrival, and by all times.
    return { place, reach: reached, own, slot: own };
  });
  facts.sort((one, other) => one.place.time - other.place.time || one.place.arrival - other.place.arrival);
  // Of facts of one time, neither is the earlier one.
  let [limit, nextLimit, time] = [line.length, line.length, Infinity];
  for (const fact of facts.toReversed()) {
    if (fact.place.time !== time) [limit, time] = [nextLimit, fact.place.time];
    fact.slot = Math.min(fact.own, limit);
    nextLimit = Math.min(nextLimit, fact.reach);
  }
  let [floor, nextFloor] = [0, 0];
  time = -Infinity;
  for (const fact of facts) {
    if (fact.place.time !== time) [floor, time] = [nextFloor, fact.place.time];
    fact.slot = Math.max(fact.slot, floor);
    nextFloor = Math.max(nextFloor, fact.slot);
  }
  let isDisputed = facts.some(({ slot, own }) => slot !== own);
  let lastAhead = -Infinity;
  const placed: PlacedFact[] = [];
  const left = facts.sort((one, other) => one.slot - other.slot);
  let next = 0;
  for (let slot = 0; slot <= line.length; slot += 1) {
    for (let fact = left[next]; fact?.slot === slot; fact = left[next]) {
      placed.push(fact.place);
      next += 1;
    }
    const place = line[slot];
    if (place === undefined) break;
    placed.push(place);
    if (!place.isAhead) continue;
    if (Number(place.stated) < lastAhead) isDisputed = true;
    lastAhead = Number(place.stated);
  }
  return { placed, isDisputed };
}

/** Whether a fact lowers the status of the one that is placed before it, without being newer. */
function isContradiction({ fact, stated, isAhead }: PlacedFact, current: PlacedFact): boolean {
  if (RANK[fact.status] >= RANK[current.fact.status]) return false;
  if (stated === null) return fact.arrivedAt === current.fact.arrivedAt;
  if (isAhead && !current.isAhead) return false;
  return stated <= (isAhead === current.isAhead ? (current.stated ?? current.time) : current.time);
}

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
  const { placed, isDisputed } = placeFacts(facts);
  for (const place of placed) {
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
  const label = byArrival.findLast((fact) => fact.label !== undefined)?.label;
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
    ...(label !== undefined && { label }),
    conflicts: conflicts.length === 0 ? NO_CONFLICTS : conflicts,
    isReturned: isReturn(applied),
    isDisputed,
  };
}
