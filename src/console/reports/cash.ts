import { DAY_MS } from '../../core/clock.ts';
import { listCostDays } from '../../core/commissions/cost/campaign-cost.ts';
import { buildPayments, type Payment } from '../../core/commissions/ledger/due-date.ts';
import type { ArrivedPayment } from '../../core/commissions/ledger/stored-money.schema.ts';
import { type DatedPayment, takeArrived } from '../../core/commissions/received.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { Money } from './earned.ts';
import { readSchedule } from './payments.ts';
import type { ConsoleQuery } from './query.ts';

/** An amount of a day, `YYYY-MM-DD`, in minor units. */
interface DatedMoney extends Money {
  readonly day: string;
}

/** A payment of a partner that arrived, or that the partner reported. */
export interface ReceivedPayment extends DatedPayment {
  /** Of `currency`. When it arrived, else when it was reported as paid. */
  readonly day: string;
  /** What the partner reported of it, where it arrived; null while it is only reported. */
  readonly arrival: ArrivedPayment | null;
}

/** The same as the totals count it, with what it is by itself. */
type CountedPayment = ReceivedPayment & { readonly source: ReceivedPayment };

/** A payment that a partner owes, with what of it has not arrived yet. */
export interface OwedPayment extends DatedPayment {
  readonly state: Payment['state'];
  /** Approved, and what may come on the same day if it is approved. */
  readonly approved: number;
  readonly pending: number;
  readonly count: number;
}

/** Reads every payment: those received, the newest first, and what is owed. Rejects with `LedgerError`. */
export async function readOwed(site: ConsoleSite) {
  const [scheduled, arrivals] = await Promise.all([readSchedule(site), site.money.arrivals.read()]);
  const payments = buildPayments(scheduled);
  const reported = payments
    .filter(({ state }) => state === 'paid')
    .map((payment) => ({ ...payment, day: payment.day ?? '', amount: payment.paid }));
  const owed = payments
    .filter(({ state }) => state !== 'paid')
    .map((payment) => ({ ...payment, amount: payment.approved }));
  const left = takeArrived(reported, owed, arrivals);
  const received = [
    ...arrivals.map((arrival): ReceivedPayment => {
      const { partner, account, arrivedCurrency: currency, arrivedDay: day, amount } = arrival;
      return { partner, account, currency, day, amount, arrival };
    }),
    ...left.reported.flatMap(({ partner, account, currency, day, amount }): ReceivedPayment[] =>
      amount === 0 ? [] : [{ partner, account, currency, day, amount, arrival: null }],
    ),
  ];
  return {
    scheduled,
    received: received.sort((one, other) => (one.day > other.day ? -1 : one.day < other.day ? 1 : 0)),
    owed: left.owed
      .map(({ amount, ...payment }): OwedPayment => ({ ...payment, amount, approved: amount }))
      .filter(({ approved, pending }) => approved !== 0 || pending !== 0),
  };
}

/** Converts amounts, each at the rate of its own day; what has no rate stays as it is. */
export async function convertDated<Row extends DatedMoney>(
  { periods }: Pick<ConsoleSite, 'periods'>,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const sums = rows.map((row) => ({ ...row, status: 'approved' as const, reversedAmount: 0 }));
  return periods.convert({ currency: null }, sums, ({ day }) => Date.parse(day) / DAY_MS);
}

/** Sums amounts by currency, that of the totals first. */
export function sumMoney(rows: readonly Money[], main: string): readonly Money[] {
  const sums = new Map([[main, 0]]);
  for (const { currency, amount } of rows) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].flatMap(([currency, amount], place) =>
    place > 0 && amount === 0 ? [] : [{ currency, amount }],
  );
}

/** Reads what was spent on the days of a query, on ads and beyond, day by day in the currency of the totals. */
async function readSpent(site: ConsoleSite, { from, to }: Pick<ConsoleQuery, 'from' | 'to'>) {
  const [ads, expenses] = await Promise.all([
    site.money.costs.read(from, to),
    site.money.costs.readExpenses(),
  ]);
  const list = (rows: readonly { period: string; amount: number; currency: string }[]) =>
    rows.flatMap((row) =>
      listCostDays(row, { from, to }).map(({ day, amount }) => ({ day, amount, currency: row.currency })),
    );
  return convertDated(site, [...list(ads), ...list(expenses)]);
}

/**
 * Reads the cash of the days of a query: what was received on these days less all costs of the same days, in the currency of the
 * totals and, where there is no rate, in others.
 */
export async function readCash(site: ConsoleSite, query: Pick<ConsoleQuery, 'from' | 'to'>) {
  const { currency } = await site.periods.readCurrency({ currency: null });
  const main = currency ?? 'USD';
  const [{ received, owed, scheduled }, spentDays] = await Promise.all([
    readOwed(site),
    readSpent(site, query),
  ]);
  const converted: readonly CountedPayment[] = await convertDated(
    site,
    received.map((source) => ({ ...source, source })),
  );
  const own = converted.filter(({ day }) => day >= query.from && day <= query.to);
  const [got, spent] = [sumMoney(own, main), sumMoney(spentDays, main)];
  const isWhole = got.length === 1 && spent.length === 1;
  return {
    currency: main,
    received: got,
    /** The part that partners have only reported. */
    reported: sumMoney(
      own.filter(({ arrival }) => arrival === null),
      main,
    ),
    spent,
    /** Received less spent; null where a part has no rate. */
    left: isWhole ? (got[0]?.amount ?? 0) - (spent[0]?.amount ?? 0) : null,
    payments: own,
    owed,
    scheduled,
  };
}
