import type { LedgerEntry, UnmatchedReason } from '../../core/commissions/build-ledger.ts';
import type { CommissionKind, CommissionStatus } from '../../core/commissions/commission-fact.ts';
import { buildCampaignName } from '../../core/commissions/credit.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import type { ConsoleSort } from '../figures/console-query.ts';
import type { ListPage } from '../figures/list-page.ts';

/** A commission as a row of a list. Amounts are minor units, times ms since 1970. */
export interface CommissionRow {
  readonly partner: string;
  readonly account: string;
  readonly id: string;
  readonly kind: CommissionKind;
  readonly status: CommissionStatus;
  readonly amount: number;
  /** What it was worth before it was reversed; 0 when it is not. */
  readonly reversedAmount: number;
  readonly currency: string;
  readonly bookedAt: number;
  readonly changedAt: number;
  /** Null while no click is known, as `page`, `placement` and `campaign`. */
  readonly clickedAt: number | null;
  readonly page: string | null;
  readonly placement: string | null;
  /** The last campaign before the click. */
  readonly campaign: string | null;
  readonly reason: UnmatchedReason | null;
  /** False for test messages, dismissed commissions, and reports that another source has priority over. */
  readonly isCounted: boolean;
  readonly isDismissed: boolean;
}

/** A page of the list of commissions. */
export interface CommissionsModel extends ListPage<CommissionRow> {
  readonly kind: 'list';
  /** What was searched for; empty without a search. */
  readonly search: string;
  /** Sums of all rows that count, by currency, in minor units. */
  readonly sums: readonly CommissionSum[];
  readonly now: number;
}

/** Money of one currency in minor units. */
export interface CommissionSum extends MoneyTotals {
  readonly currency: string;
  readonly count: number;
}

/** Builds the row of a commission. */
export function buildCommissionRow(entry: LedgerEntry): CommissionRow {
  const { commission, journey, reason, isCounted } = entry;
  return {
    partner: commission.partner,
    account: commission.account,
    id: commission.nativeId,
    kind: commission.kind,
    status: commission.status,
    amount: commission.amount,
    reversedAmount: commission.reversedAmount,
    currency: commission.currency,
    bookedAt: commission.eventTime,
    changedAt: commission.changeTime,
    clickedAt: journey?.clickTime ?? null,
    page: journey?.page ?? null,
    placement: journey?.placement ?? null,
    campaign: journey === null ? null : buildCampaignName(journey.touches.at(-1)?.campaign ?? {}),
    reason,
    isCounted,
    isDismissed: commission.isDismissed,
  };
}

/** Columns by which the list can be sorted; amounts of several currencies are compared as numbers. */
const SORT_KEYS: Readonly<Record<string, (row: CommissionRow) => string | number>> = {
  booked: ({ bookedAt }) => bookedAt,
  clicked: ({ clickedAt }) => clickedAt ?? 0,
  amount: ({ amount, reversedAmount }) => amount || -reversedAmount,
  status: ({ status }) => status,
  partner: ({ partner }) => partner,
  page: ({ page }) => page ?? '',
  campaign: ({ campaign }) => campaign ?? '',
  id: ({ id }) => id,
};

/** Sorts rows by a column; the newest booking first without one, or when it is not a column of the list. */
export function sortCommissionRows(
  rows: readonly CommissionRow[],
  sort: ConsoleSort | null,
): CommissionRow[] {
  const known = sort !== null && Object.hasOwn(SORT_KEYS, sort.column) ? sort : null;
  const getKey = SORT_KEYS[known?.column ?? 'booked'] ?? (({ bookedAt }: CommissionRow) => bookedAt);
  const sign = (known?.isDescending ?? true) ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [first, second] = [getKey(one), getKey(other)];
    if (first !== second) return first < second ? -sign : sign;
    return other.bookedAt - one.bookedAt || (one.id < other.id ? -1 : 1);
  });
}

/** Whether a commission's id, sub-id or click contains a text; case does not matter. */
export function matchesSearch({ commission }: LedgerEntry, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const names = [commission.nativeId, commission.token, commission.clickId ?? ''];
  return names.some((name) => name.toLowerCase().includes(wanted));
}

/** Sums the commissions that count by currency, the currency with the most commissions first. */
export function sumCommissions(entries: readonly LedgerEntry[]): CommissionSum[] {
  const sums = new Map<string, { -readonly [Key in keyof CommissionSum]: CommissionSum[Key] }>();
  for (const { commission, isCounted } of entries) {
    if (!isCounted) continue;
    const { currency, status, amount, reversedAmount } = commission;
    const sum = sums.get(currency) ?? { currency, approved: 0, pending: 0, reversed: 0, count: 0 };
    sums.set(currency, sum);
    sum.count += 1;
    sum.reversed += reversedAmount;
    if (status === 'approved' || status === 'paid') sum.approved += amount;
    else if (status === 'pending') sum.pending += amount;
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}
