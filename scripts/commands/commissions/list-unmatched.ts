import type { LedgerEntry } from '../../../src/core/commissions/build-ledger.ts';
import { findDifferences } from '../../../src/core/commissions/find-differences.ts';
import type { ListedCommission } from '../../../src/core/commissions/listed-commission.ts';
import { getMatchRate } from '../../../src/core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';
import { formatTable } from '../arguments/format-table.ts';

/** Lists commissions without a click, with the reason, and the share of the money whose click is known. */
export function listUnmatched(entries: readonly LedgerEntry[], listed: readonly ListedCommission[]) {
  const unmatched = entries.filter(({ journey, commission }) => journey === null && !commission.isDismissed);
  const currencies = [
    ...new Set(entries.filter(({ isCounted }) => isCounted).map(({ commission }) => commission.currency)),
  ];
  const sum = (currency: string, isMatched: boolean) =>
    entries
      .filter((entry) => entry.isCounted && (entry.journey !== null) === isMatched)
      .filter(({ commission }) => commission.currency === currency)
      .reduce((total, { commission }) => total + commission.amount, 0);
  return {
    commissions: unmatched.map(({ commission, reason }) => ({
      partner: commission.partner,
      account: commission.account,
      id: commission.nativeId,
      status: commission.status,
      amount: commission.amount,
      currency: commission.currency,
      reason,
      subId: commission.token,
      time: new Date(commission.eventTime).toISOString(),
    })),
    currencies: Object.fromEntries(
      currencies.map((currency) => [
        currency,
        {
          unmatched: sum(currency, false),
          matchRate: getMatchRate(sum(currency, true), sum(currency, false)),
        },
      ]),
    ),
    differences: findDifferences(entries, listed),
    conflicts: entries
      .filter(({ commission }) => commission.conflicts.length > 0)
      .map(({ commission }) => ({ partner: commission.partner, id: commission.nativeId })),
  };
}

/** Formats the list for a terminal. */
export function formatUnmatched(list: ReturnType<typeof listUnmatched>): string {
  const rows = list.commissions.map(({ partner, id, status, amount, currency, reason, subId, time }) => [
    partner,
    id,
    status,
    formatDecimalAmount(amount, currency),
    currency,
    reason ?? '',
    subId,
    time,
  ]);
  const head = ['partner', 'id', 'status', 'amount', 'currency', 'reason', 'sub-id', 'time'];
  const rates = Object.entries(list.currencies).map(([currency, { unmatched, matchRate }]) => {
    const share = matchRate === null ? 'nothing reported' : `${Math.round(matchRate * 1_000) / 10} % matched`;
    return `${currency}: ${formatDecimalAmount(unmatched, currency)} unmatched, ${share}\n`;
  });
  const differences = list.differences.map(({ partner, id, currency, counted, reported }) => {
    const [counts, reports] = [counted, reported].map((amount) => formatDecimalAmount(amount, currency));
    return `${partner} ${id}: ${counts} ${currency} counts, another source reports ${reports}\n`;
  });
  const conflicts = list.conflicts.map(
    ({ partner, id }) => `${partner} ${id}: reports contradict each other, see explain\n`,
  );
  return [formatTable(head, rows), ...rates, ...differences, ...conflicts].join('');
}
