import { isPayment, type ReportedCommission } from '../credit/commission-report.ts';
import type { FrozenJourney } from '../credit/credit.ts';
import { attributeLabels, buildLabelDayKey } from '../credit/labels.ts';
import type { OriginalMoney } from '../exchange-rates.ts';
import { getLocalDay } from '../local-time.ts';
import { findTokenCandidates } from './click-token.ts';
import { buildCommissionKey, type StoredFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';
import { foldCommission } from './fold-commission.ts';
import type { CommissionDecision, LabelDay } from './stored-money.schema.ts';

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
  /**
   * Of commissions that were converted into another currency: what was reported, and the rate; null for one without a rate,
   * which is still in its own currency. Left out for a commission of the currency itself.
   */
  readonly original?: OriginalMoney | null;
}

/** What an entry is built from besides its facts and decisions. */
export interface EntryContext {
  /** By partner; a partner without terms has the default ones. */
  readonly terms: ReadonlyMap<
    string,
    { readonly source: CommissionTerms['source']; readonly timeZone?: CommissionTerms['timeZone'] }
  >;
  /** By click id. */
  readonly journeys: ReadonlyMap<string, FrozenJourney>;
  /** When the oldest stored event arrived; ms since 1970, null without events. */
  readonly firstEventTime: number | null;
}

/**
 * Builds one commission from all facts and decisions about it, whatever else is in the ledger; their order changes
 * nothing. Where the partner's file names one source that counts, the others are compared with it only.
 */
export function buildLedgerEntry(
  facts: readonly StoredFact[],
  decisions: readonly CommissionDecision[] | undefined,
  { terms, journeys, firstEventTime }: EntryContext,
): LedgerEntry {
  const source = terms.get(facts[0]?.partner ?? '')?.source ?? null;
  const authoritative = facts.filter((fact) => source === null || isFrom(fact, source));
  const folded = foldCommission(authoritative.length > 0 ? authoritative : facts, decisions);
  const clickId = folded.clickId ?? facts.find((fact) => fact.clickId !== null)?.clickId ?? null;
  const commission = { ...folded, clickId };
  const journey = clickId === null ? null : (journeys.get(clickId) ?? null);
  return {
    commission,
    journey,
    facts,
    reason: journey === null ? findReason(commission, firstEventTime) : null,
    isCounted: authoritative.length > 0 && !commission.isTest && !commission.isDismissed,
  };
}

/**
 * An entry that counts, as it stood at a time (ms since 1970): with the messages that had arrived by then, and what is
 * known now of its click, its booking and the operator's decisions. Null while none had arrived. `source`: the one source
 * that counts where the partner's file names one.
 */
export function buildEntryAt(entry: LedgerEntry, time: number, source: string | null): LedgerEntry | null {
  const facts = entry.facts.filter(({ arrivedAt }) => arrivedAt <= time);
  if (facts.length === entry.facts.length) return entry;
  const counted = facts.filter((fact) => source === null || isFrom(fact, source));
  if (counted.length === 0) return null;
  const { clickId, eventTime, isDismissed, isTest } = entry.commission;
  return {
    ...entry,
    facts,
    commission: { ...foldCommission(counted), clickId, eventTime, isDismissed, isTest },
  };
}

const isFrom = (fact: StoredFact, source: string) => fact.source === source || fact.source === 'manual';

/** Groups facts or decisions by the commission that they are about, in their order. */
export const groupByCommission = <Item extends StoredFact | CommissionDecision>(items: readonly Item[]) =>
  Map.groupBy(items, buildCommissionKey);

/** Whether an entry states the total of one click, not one commission. */
function isTotal({ commission }: LedgerEntry): boolean {
  return commission.nativeId.startsWith(SNAPSHOT_PREFIX);
}

/** What an operator should check about a commission, although it counts as it was reported. */
export type CommissionConflict = 'contradiction' | 'order' | 'return' | 'other-partner';

/** Each conflict in words. */
export const CONFLICT_TEXTS: Readonly<Record<CommissionConflict, string>> = {
  contradiction: 'reports contradict each other',
  order: 'the times of the reports and their arrival tell different orders',
  return:
    'the newest report repeats an earlier one without a time: a return to it, or a repeat that came late',
  'other-partner': 'the click led to another partner',
};

/** Finds what does not fit together in the reports of a commission and its click. */
export function findConflicts({ commission, journey }: ReportedCommission): readonly CommissionConflict[] {
  const isElsewhere = journey !== null && journey.partner !== '' && journey.partner !== commission.partner;
  return [
    ...(commission.conflicts.length > 0 ? (['contradiction'] as const) : []),
    ...(commission.isDisputed ? (['order'] as const) : []),
    ...(commission.isReturned ? (['return'] as const) : []),
    ...(isElsewhere ? (['other-partner'] as const) : []),
  ];
}

/** Marks totals of clicks as not counted of which another source reports commissions: no money is counted twice. */
function dropCoveredTotals(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const getClick = ({ commission: { partner, clickId } }: LedgerEntry) => `${partner} ${clickId}`;
  if (!entries.some(isTotal)) return [...entries];
  const covered = new Set(
    entries
      .filter((entry) => entry.isCounted && entry.commission.clickId !== null && !isTotal(entry))
      .map(getClick),
  );
  return entries.map((entry) =>
    isTotal(entry) && covered.has(getClick(entry)) ? { ...entry, isCounted: false } : entry,
  );
}

/**
 * Marks every payment of a click but the first one: they are of one customer, who converts once. The first one is that
 * with the earliest booking among those that count, whatever the order of the list.
 */
export function markLaterPayments(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const firsts = new Map<string, LedgerEntry>();
  const isCountedPayment = (entry: LedgerEntry) => entry.isCounted && isPayment(entry);
  let payments = 0;
  for (const entry of entries) {
    if (!isCountedPayment(entry)) continue;
    payments += 1;
    const { clickId = '' } = entry.journey ?? {};
    const known = firsts.get(clickId);
    if (known === undefined || isEarlier(entry.commission, known.commission)) firsts.set(clickId, entry);
  }
  // A ledger without recurring payments stays the list that it is.
  if (payments === firsts.size) return entries;
  return entries.map((entry) =>
    isCountedPayment(entry) && firsts.get(entry.journey?.clickId ?? '') !== entry
      ? { ...entry, isLaterPayment: true }
      : entry,
  );
}

/** Builds every commission at once from all messages. */
export function buildLedger({
  labelDays = [],
  timeZone = 'UTC',
  ...content
}: {
  readonly facts: readonly StoredFact[];
  readonly decisions: readonly CommissionDecision[];
  readonly journeys: readonly FrozenJourney[];
  readonly labelDays?: readonly LabelDay[];
  readonly terms: EntryContext['terms'];
  readonly firstEventTime: number | null;
  readonly timeZone?: string | undefined;
}): readonly LedgerEntry[] {
  const journeys = new Map(content.journeys.map((journey) => [journey.clickId, journey]));
  const decisions = groupByCommission(content.decisions);
  const entries = [...groupByCommission(content.facts)].map(([key, facts]) =>
    buildLedgerEntry(facts, decisions.get(key), { ...content, journeys }),
  );
  const days = new Map(labelDays.map((day) => [buildLabelDayKey(day), day]));
  const counted = markLaterPayments(dropCoveredTotals(entries));
  return attributeLabels(counted, days, (time) => getLocalDay(time, timeZone));
}

type Booked = LedgerEntry['commission'];
const isEarlier = (one: Booked, other: Booked) =>
  one.eventTime === other.eventTime
    ? buildCommissionKey(one) < buildCommissionKey(other)
    : one.eventTime < other.eventTime;

/** Says why a commission has no click. `firstEventTime`: of the stored events, null without any. */
export function findReason(
  { isTest, token, clickTime, eventTime }: LedgerEntry['commission'],
  firstEventTime: number | null,
): UnmatchedReason {
  if (isTest) return 'test-message';
  if (token === '') return 'no-sub-id';
  const isClickId = findTokenCandidates(token).length > 0;
  const isOlder = firstEventTime === null || (clickTime ?? eventTime) < firstEventTime;
  return isClickId && isOlder ? 'click-deleted' : 'unknown-token';
}
