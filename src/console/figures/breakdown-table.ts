import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { ExportColumns } from '../view-reader.ts';
import { type BreakdownRow, isBreakdownColumn } from './build-breakdown.ts';
import type { ConsoleQuery } from './console-query.ts';

/** The sort of a query if it is one of a breakdown, else the usual one. */
export function getSort({ sort }: Pick<ConsoleQuery, 'sort'>, column: string) {
  return sort !== null && isBreakdownColumn(sort.column) ? sort : { column, isDescending: true };
}

/** The highest end of the intervals of rows that can be ranked. */
export function getMaxEpc(rows: readonly BreakdownRow[]): number {
  return rows.reduce((max, { ranked }) => (ranked?.isKnown === true ? Math.max(max, ranked.high) : max), 0);
}

/** Columns of an exported breakdown after its names. Amounts are decimals, shares are numbers from 0 to 1. */
export function buildBreakdownCells(currency: string): ExportColumns<BreakdownRow> {
  const money = (amount: number | null) =>
    amount === null ? null : formatDecimalAmount(Math.round(amount), currency);
  return {
    views: ({ views }) => views,
    clicks: ({ clicks }) => clicks,
    click_rate: ({ clickRate }) => (clickRate === null ? null : Number(clickRate.toFixed(4))),
    conversions: ({ conversions }) => conversions,
    currency: () => currency,
    epc: ({ epc }) => money(epc),
    epc_low: ({ ranked }) => money(ranked?.isKnown === true ? ranked.low : null),
    epc_high: ({ ranked }) => money(ranked?.isKnown === true ? ranked.high : null),
    is_ranked: ({ ranked }) => (ranked?.isKnown === true ? 'yes' : 'no'),
    clicks_needed: ({ ranked }) => ranked?.clicksNeeded ?? null,
    rpm: ({ rpm }) => money(rpm),
    approved: ({ approved }) => money(approved),
    pending: ({ pending }) => money(pending),
    expected: ({ expected }) => money(expected),
    reversed: ({ reversed }) => money(reversed),
  };
}
