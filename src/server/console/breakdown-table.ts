import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { type BreakdownRow, isBreakdownColumn } from '../../core/console/build-breakdown.ts';
import type { ConsoleQuery } from '../../core/console/console-query.ts';

/** The sort of a query if it is one of a breakdown, else the usual one. */
export function getSort({ sort }: Pick<ConsoleQuery, 'sort'>, column: string) {
  return sort !== null && isBreakdownColumn(sort.column) ? sort : { column, isDescending: true };
}

/** The highest end of the intervals of rows that can be ranked. */
export function getMaxEpc(rows: readonly BreakdownRow[]): number {
  return rows.reduce((max, { ranked }) => (ranked?.isKnown === true ? Math.max(max, ranked.high) : max), 0);
}

/** Columns of an exported breakdown after its names. Amounts are decimals, shares are numbers from 0 to 1. */
export const BREAKDOWN_COLUMNS = [
  'views',
  'clicks',
  'click_rate',
  'conversions',
  'currency',
  'epc',
  'epc_low',
  'epc_high',
  'is_ranked',
  'clicks_needed',
  'rpm',
  'approved',
  'pending',
  'expected',
  'reversed',
] as const;

/** The cells of `BREAKDOWN_COLUMNS`. */
export function buildBreakdownCells(
  row: BreakdownRow,
  currency: string,
): readonly (string | number | null)[] {
  const money = (amount: number | null) =>
    amount === null ? null : formatDecimalAmount(Math.round(amount), currency);
  const { ranked } = row;
  const isKnown = ranked?.isKnown === true;
  return [
    row.views,
    row.clicks,
    row.clickRate === null ? null : Number(row.clickRate.toFixed(4)),
    row.conversions,
    currency,
    money(row.epc),
    money(isKnown ? ranked.low : null),
    money(isKnown ? ranked.high : null),
    isKnown ? 'yes' : 'no',
    ranked?.clicksNeeded ?? null,
    money(row.rpm),
    money(row.approved),
    money(row.pending),
    money(row.expected),
    money(row.reversed),
  ];
}
