import type { CommissionDecision, CommissionFact, CommissionStatus, StoredFact } from './commission-fact.ts';

/** What is true of one commission after all of its facts. */
export interface Commission
  extends Pick<
    CommissionFact,
    | 'partner'
    | 'account'
    | 'nativeId'
    | 'kind'
    | 'status'
    | 'currency'
    | 'saleAmount'
    | 'eventTime'
    | 'changeTime'
  > {
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

/**
 * Folds the facts of one commission. The result depends on the set of facts, not on the order of the list: the
 * newest change time decides, among equal ones the later arrival. A status that moves backwards without a newer
 * change time is a conflict: it is returned, not applied. Throws a `RangeError` without facts.
 */
export function foldCommission(
  facts: readonly StoredFact[],
  decisions: readonly CommissionDecision[] = [],
): Commission {
  const ordered = [...facts].sort(
    (one, other) => one.changeTime - other.changeTime || one.sequence - other.sequence,
  );
  const conflicts: StoredFact[] = [];
  let current: StoredFact | undefined;
  let lastWorth = 0;
  for (const fact of ordered) {
    const isBackwards =
      current !== undefined &&
      fact.changeTime === current.changeTime &&
      RANK[fact.status] < RANK[current.status];
    if (isBackwards) {
      conflicts.push(fact);
      continue;
    }
    current = fact;
    if (fact.status !== 'reversed') lastWorth = fact.amount;
  }
  if (current === undefined) throw new RangeError('A commission needs at least one fact.');
  const isReversed = current.status === 'reversed';
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
    currency: current.currency,
    saleAmount: current.saleAmount,
    eventTime: Math.min(...facts.map(({ eventTime }) => eventTime)),
    changeTime: current.changeTime,
    amount: isReversed ? 0 : current.amount,
    reversedAmount: isReversed ? lastWorth : 0,
    clickId:
      decision?.action === 'assign'
        ? decision.clickId
        : (byArrival.find(({ clickId }) => clickId !== null)?.clickId ?? null),
    clickTime: byArrival.find(({ clickTime }) => clickTime !== null)?.clickTime ?? null,
    isDismissed: decision?.action === 'dismiss',
    isTest: decision?.action !== 'assign' && facts.every(({ isTest }) => isTest),
    token: byArrival.find(({ token }) => token !== '')?.token ?? '',
    conflicts: conflicts.length === 0 ? NO_CONFLICTS : conflicts,
  };
}
