import { isYoung } from '../../core/commissions/earned.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readDue } from '../money/read.ts';
import { readMonths } from '../pages/read.ts';
import { sumMoney } from '../reports/cash.ts';
import type { Column } from '../reports/columns.ts';
import { column, exported, formatAmountCell } from '../reports/columns.ts';
import { readEarned } from '../reports/earned.ts';
import { sumOf } from '../reports/payments.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { readSteps } from '../start/steps.ts';

const MAX_PAGES = 5;

/** Reads what was received, what clicks earned, and what is due. Amounts are minor units. */
export async function readOverview(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  // Cash comes from partners, whatever site earned it.
  const whole: ConsoleQuery = { ...query, sort: null, filters: [] };
  const plain = { ...whole, filters: query.filters.filter(({ dimension }) => dimension === 'site') };
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const [table, due, times] = await Promise.all([
    readEarned(site.periods, plain, 'page'),
    readDue(site, whole),
    site.money.commissions.table.readTimes(true),
  ]);
  const { currency, total } = table;
  const month = `${today.slice(0, 8)}01`;
  const isThisMonth = ({ day }: { readonly day: string }) => day >= month && day <= today;
  const payments = due.payments.filter(isThisMonth);
  const ever = { ...whole, from: '2000-01-01', to: '2099-12-31' };
  const clicks = sumOf([...((await site.periods.readClicksByDay(ever))?.values() ?? [])], (count) => count);
  const hasCommission = times.booking[0] !== null;
  return {
    currency,
    total,
    arrived: table.arrived,
    isYoung: isYoung(table.arrived),
    months: await readMonths(site, plain, currency),
    pages: table.rows
      .filter(({ earned, others, clicks: own }) => earned !== 0 || others.length > 0 || own)
      .slice(0, MAX_PAGES),
    pageCount: table.rows.length,
    cash: due,
    /** What arrived in this month, with the partners that paid it. */
    thisMonth: { amounts: sumMoney(payments, currency), payments },
    today,
    /** Clicks of all time. */
    clicks,
    hasCommission,
    steps: await readSteps(site, clicks),
  };
}

/** The bars of the chart, in exports. */
export const MONTH_COLUMNS: readonly Column<Awaited<ReturnType<typeof readOverviewTable>>['rows'][number]>[] =
  [
    column('from', 'From', ({ from }) => from),
    exported('to', ({ to }) => to),
    exported('currency', ({ currency }) => currency),
    exported('confirmed', ({ solid, currency }) => formatAmountCell(solid, currency)),
    exported('pending', ({ hatched, currency }) => formatAmountCell(hatched, currency)),
    exported('clicks', ({ clicks }) => clicks),
    exported('customers', ({ customers }) => customers),
  ];

/** Reads what was earned by month. */
export async function readOverviewTable(
  site: ConsoleSite,
  { query }: { readonly query: ViewRequest['query'] },
) {
  const { currency: known } = await site.periods.readCurrency(query);
  const currency = known ?? 'USD';
  return { rows: (await readMonths(site, query, currency)).map((month) => ({ ...month, currency })) };
}
