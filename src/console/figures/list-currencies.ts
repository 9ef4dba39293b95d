import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';

/** Currencies of commissions that count, the one with the most money first. */
export const listCurrencies = memoizeByKey((entries: readonly LedgerEntry[]): readonly string[] => {
  const sums = new Map<string, number>();
  for (const { isCounted, commission } of entries) {
    if (!isCounted) continue;
    const { currency, amount, reversedAmount } = commission;
    sums.set(currency, (sums.get(currency) ?? 0) + Math.abs(amount) + Math.abs(reversedAmount));
  }
  return [...sums].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
});
