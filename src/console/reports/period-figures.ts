import { buildPlacementKey } from '../../core/commissions/credit/build-click-key.ts';
import {
  addToTotals,
  buildEmptyTotals,
  type CurrencyTotals,
} from '../../core/commissions/credit/commission-report.ts';
import {
  type CampaignModel,
  type CreditPath,
  getCampaign,
  getSource,
} from '../../core/commissions/credit/credit.ts';
import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { getApprovalRate } from '../../core/commissions/metric-definitions.ts';
import {
  type EarnedSum,
  NOTHING,
  type RankingDimension,
} from '../../core/commissions/ranges/build-ranking.ts';
import { type CommissionCell, STATES, type SummedCommissions } from '../../stores/commission-sums.ts';

/** Share of the decided money of each partner that was approved; a partner without decisions has none. */
export type ApprovalRates = ReadonlyMap<string, number>;

/** Computes the historic approval rate of every partner in a currency. */
export function buildApprovalRates(sums: readonly SummedCommissions[], currency: string): ApprovalRates {
  const totals = new Map<string, CurrencyTotals>();
  for (const sum of sums) {
    if (sum.currency !== currency) continue;
    const own = totals.get(sum.partner) ?? buildEmptyTotals();
    totals.set(sum.partner, own);
    addToTotals(own, sum.status, sum.amount, sum.reversedAmount);
  }
  return new Map(
    [...totals].flatMap(([partner, own]) => {
      const rate = getApprovalRate(own);
      return rate === null ? [] : [[partner, rate] as const];
    }),
  );
}

/**
 * What commissions add to the expected money, in parts of minor units. Pending money of a partner without decisions counts in
 * full.
 */
function getExpectedAmount(
  {
    status,
    amount,
    partner,
  }: { readonly status: CommissionStatus; readonly amount: number; readonly partner: string },
  rates: ApprovalRates,
): number {
  if (status === 'approved' || status === 'paid') return amount;
  return status === 'pending' ? amount * (rates.get(partner) ?? 1) : 0;
}

/** What money with a path is credited to. */
export function getCreditedName(path: CreditPath, by: RankingDimension, model: CampaignModel): string {
  switch (by) {
    case 'placement':
      return buildPlacementKey(path.page, path.placement);
    case 'campaign':
      return getCampaign(path, model);
    case 'source':
      return getSource(path);
    default:
      return path.page;
  }
}

/** Sums what the clicks of each value of a dimension have earned, in one currency. */
export function sumEarnedCells(
  cells: readonly CommissionCell[],
  rates: ApprovalRates,
  getKey: (cell: CommissionCell & { readonly path: CreditPath }) => string,
): ReadonlyMap<string, EarnedSum> {
  const sums = new Map<string, { -readonly [Name in keyof EarnedSum]: number }>();
  for (const cell of cells) {
    const { path, status, squares } = cell;
    if (path === null) continue;
    const key = getKey({ ...cell, path });
    const sum = sums.get(key) ?? { ...NOTHING };
    sums.set(key, sum);
    const rate = rates.get(cell.partner) ?? 1;
    const share = getExpectedAmount({ status, amount: 1, partner: cell.partner }, rates);
    sum.conversions += cell.state === STATES.conversion ? cell.count : 0;
    sum.amount += share * cell.amount;
    sum.squares += share ** 2 * squares + 2 * share * (cell.decided + rate * cell.pending);
    // It will be paid in full or not at all.
    if (status === 'pending') sum.undecided += share * (1 - share) * squares;
  }
  return sums;
}

/** Currencies of commissions that count, the one with the most money first. */
export function listCurrencies(all: readonly SummedCommissions[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { currency, amount, reversedAmount } of all)
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amount) + Math.abs(reversedAmount));
  return [...sums].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}
