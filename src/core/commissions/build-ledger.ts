import { findTokenCandidates } from './click-token.ts';
import { buildCommissionKey, type CommissionDecision, type StoredFact } from './commission-fact.ts';
import type { ReportedCommission } from './commission-report.ts';
import type { CommissionTerms } from './commission-terms.ts';
import type { FrozenJourney } from './credit.ts';
import { foldCommission } from './fold-commission.ts';

/** Begins the native id of a fact that states the total of one click, not one commission. */
const SNAPSHOT_PREFIX = 'sub:';

/** Why a commission has no click. */
export type UnmatchedReason = 'no-sub-id' | 'unknown-token' | 'click-deleted' | 'test-message';

/** A commission of the ledger with everything that it was built from. */
export interface LedgerEntry extends ReportedCommission {
  readonly facts: readonly StoredFact[];
  /** Null when its click is known. */
  readonly reason: UnmatchedReason | null;
  /** False for test messages, dismissed commissions, and reports that another source has priority over. */
  readonly isCounted: boolean;
}

/** What the ledger is built from. */
export interface LedgerContent {
  readonly facts: readonly StoredFact[];
  readonly decisions: readonly CommissionDecision[];
  readonly journeys: readonly FrozenJourney[];
  /** By partner; a partner without terms has the default ones. */
  readonly terms: ReadonlyMap<string, Pick<CommissionTerms, 'source'>>;
  /** When the oldest stored event arrived; ms since 1970, null without events. */
  readonly firstEventTime: number | null;
}

/**
 * Builds every commission from the facts about it. The order of the lists changes nothing. Where the partner's file
 * names one source that counts, the others are compared with it only. A total per click counts only while no other
 * source reports commissions of that click, so that money is never counted twice.
 */
export function buildLedger(content: LedgerContent): LedgerEntry[] {
  const journeys = new Map(content.journeys.map((journey) => [journey.clickId, journey]));
  const decisions = groupByCommission(content.decisions);
  const entries = [...groupByCommission(content.facts)].map(([key, facts]): LedgerEntry => {
    const source = content.terms.get(facts[0]?.partner ?? '')?.source ?? null;
    const authoritative = facts.filter((fact) => source === null || isFrom(fact, source));
    const folded = foldCommission(authoritative.length > 0 ? authoritative : facts, decisions.get(key));
    const clickId = folded.clickId ?? facts.find((fact) => fact.clickId !== null)?.clickId ?? null;
    const commission = { ...folded, clickId };
    const journey = clickId === null ? null : (journeys.get(clickId) ?? null);
    return {
      commission,
      journey,
      facts,
      reason: journey === null ? findReason(commission, content.firstEventTime) : null,
      isCounted: authoritative.length > 0 && !commission.isTest && !commission.isDismissed,
    };
  });
  return dropCoveredTotals(entries);
}

const isFrom = (fact: StoredFact, source: string) => fact.source === source || fact.source === 'manual';

function groupByCommission<T extends StoredFact | CommissionDecision>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = buildCommissionKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const isTotal = ({ commission }: LedgerEntry) => commission.nativeId.startsWith(SNAPSHOT_PREFIX);

function dropCoveredTotals(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const getClick = ({ commission: { partner, clickId } }: LedgerEntry) => `${partner} ${clickId}`;
  const covered = new Set(
    entries
      .filter((entry) => entry.isCounted && entry.commission.clickId !== null && !isTotal(entry))
      .map(getClick),
  );
  return entries.map((entry) =>
    isTotal(entry) && covered.has(getClick(entry)) ? { ...entry, isCounted: false } : entry,
  );
}

function findReason(
  { isTest, token, clickTime, eventTime }: LedgerEntry['commission'],
  firstEventTime: number | null,
): UnmatchedReason {
  if (isTest) return 'test-message';
  if (token === '') return 'no-sub-id';
  const isClickId = findTokenCandidates(token).length > 0;
  const isOlder = firstEventTime === null || (clickTime ?? eventTime) < firstEventTime;
  return isClickId && isOlder ? 'click-deleted' : 'unknown-token';
}

/** A commission whose sources disagree, or a total per click that differs from its commissions. */
export interface LedgerDifference {
  readonly partner: string;
  readonly id: string;
  readonly currency: string;
  /** What counts, in minor units. */
  readonly counted: number;
  /** What the other source reports, in minor units. */
  readonly reported: number;
}

/** Lists where reports that do not count differ from what counts. */
export function findDifferences(entries: readonly LedgerEntry[]): LedgerDifference[] {
  return entries.flatMap((entry) => {
    const { commission, facts } = entry;
    const { partner, nativeId: id, currency } = commission;
    if (commission.isTest || commission.isDismissed) return [];
    const counted = isTotal(entry) ? sumOfClick(entries, entry) : entry.isCounted ? commission.amount : 0;
    const reported = isTotal(entry) ? sumOfTotals(entries, entry) : foldCommission(facts).amount;
    const isFirst =
      !isTotal(entry) || entries.find((other) => isSameClick(other, entry) && isTotal(other)) === entry;
    return counted === reported || (isTotal(entry) && entry.isCounted) || !isFirst
      ? []
      : [{ partner, id, currency, counted, reported }];
  });
}

function isSameClick({ commission: one }: LedgerEntry, { commission: other }: LedgerEntry): boolean {
  return one.partner === other.partner && one.clickId === other.clickId && one.currency === other.currency;
}

function sumOfClick(entries: readonly LedgerEntry[], total: LedgerEntry): number {
  return entries
    .filter((entry) => isSameClick(entry, total) && !isTotal(entry) && entry.isCounted)
    .reduce((sum, { commission }) => sum + commission.amount, 0);
}

function sumOfTotals(entries: readonly LedgerEntry[], total: LedgerEntry): number {
  return entries
    .filter((entry) => isSameClick(entry, total) && isTotal(entry))
    .reduce((sum, { commission }) => sum + commission.amount, 0);
}
