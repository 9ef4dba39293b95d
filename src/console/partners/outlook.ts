import { DAY_MS } from '../../core/clock.ts';
import {
  buildPayments,
  type Due,
  findUsualDays,
  type Payment,
  type ScheduledDue,
} from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay, nameDay, toUtc } from '../../core/commissions/local-time.ts';
import {
  addIndependent,
  buildLikelyRange,
  type CustomerMonth,
  type LikelyMoney,
  NOTHING_LIKELY,
  projectCustomers,
} from '../../core/commissions/ranges/outlook.ts';
import { type CommissionCell, type CommissionDay, STATES } from '../../stores/commission-sums.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { type Column, column, exported, formatAmountCell } from '../reports/columns.ts';
import { buildSchedule, readSelectedSchedule, sumOf } from '../reports/payments.ts';
import { buildApprovalRates, getExpectedAmount } from '../reports/period-figures.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';
import { addDays, addMonths } from '../reports/range.ts';

/** Months that are looked at, back and ahead. */
const MONTHS = 12;
/** An amount with the range in which it lies in 8 of 10 cases; minor units. */
export interface Likely {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

function toLikely(money: LikelyMoney): Likely {
  const { low, mean, high } = buildLikelyRange(money);
  return { low: Math.round(low), middle: Math.round(mean), high: Math.round(high) };
}

const isMoney = ({ status }: { readonly status: string }) =>
  status === 'approved' || status === 'paid' || status === 'pending';

/** Reads the money of the last 12 months in the currency of the totals, with its days from a month before. */
async function readYear(site: ConsoleSite, currency: string | null) {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const year = { ...DEFAULT_QUERY, currency, from: addDays(addMonths(today, -MONTHS), 1), to: today };
  const [{ cells, currency: counted }, days] = await Promise.all([
    site.periods.readCells(year),
    site.periods.readDays({ ...year, from: `${addMonths(today, -MONTHS).slice(0, 7)}-01` }),
  ]);
  const code = counted ?? 'USD';
  const rates = buildApprovalRates(cells, code);
  const own = cells.filter((cell) => cell.currency === code && isMoney(cell));
  // Some of what is pending is not approved.
  const weighed = days.flatMap((day) => {
    const share = getExpectedAmount({ ...day, amount: 1 }, rates);
    return day.currency === code ? { ...day, amount: share * day.amount, count: share * day.count } : [];
  });
  return { today, year, currency: code, partners: projectPartners(own, weighed, today) };
}

type Outlook = ReturnType<typeof projectCustomers>;

/** How the customers of each partner go on, from the 12 months before this one. */
function projectPartners(
  cells: readonly CommissionCell[],
  days: readonly CommissionDay[],
  today: string,
): ReadonlyMap<string, Outlook> {
  const first = `${today.slice(0, 7)}-01`;
  const list = Array.from({ length: MONTHS }, (_, index) => addMonths(first, index - MONTHS).slice(0, 7));
  const getMonth = ({ day }: CommissionDay) => nameDay(day).slice(0, 7);
  return new Map(
    [...Map.groupBy(days, ({ partner }) => partner)].map(([partner, own]) => {
      const months = Map.groupBy(own, getMonth);
      const sum = (month: string, state: number, name: 'count' | 'amount') =>
        sumOf(
          (months.get(month) ?? []).filter((day) => day.state === state),
          (day) => day[name],
        );
      const known = list.map(
        (month): CustomerMonth => ({
          found: sum(month, STATES.conversion, 'count'),
          foundAmount: sum(month, STATES.conversion, 'amount'),
          stayed: sum(month, STATES.payment, 'count'),
          stayedAmount: sum(month, STATES.payment, 'amount'),
        }),
      );
      const paid = cells.filter((cell) => cell.partner === partner && cell.state >= STATES.conversion);
      const [count, amount] = [sumOf(paid, (cell) => cell.count), sumOf(paid, (cell) => cell.amount)];
      const spread =
        amount <= 0 ? 1 : Math.max(1, (count * sumOf(paid, (cell) => cell.squares)) / amount ** 2);
      // Of the month that has begun, what is booked already is no longer to come.
      const booked = sum(today.slice(0, 7), STATES.payment, 'amount');
      return [partner, projectCustomers(known, { spread, booked })] as const;
    }),
  );
}

/** What is expected in one month, by where it comes from; minor units. */
export type ExpectedMonth = ReturnType<typeof buildMonth>;

/** Reads what is expected to be paid in each of the next 12 months, and what was in those that have ended. */
export async function readExpected(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  const { today, currency, partners, year } = await readYear(site, query.currency);
  const scheduled = await readSelectedSchedule(site, { ...query, filters: [], currency: null });
  const counted = scheduled.map((due) => ({ ...due, reversedAmount: 0 }));
  const converted = await site.periods.convert(query, counted, ({ programDay }) => programDay);
  const payments = buildPayments(converted).filter(
    (one) => one.currency === currency && one.state !== 'paid',
  );
  const due = payments.filter(({ state, day }) => state === 'due' && day !== null);
  const [arriving, { ended, slip }] = await Promise.all([
    readArriving(site, { ...year, currency: query.currency }, currency),
    rememberEnded(site, query, currency, today),
  ]);
  const lag = findLag(converted);
  const projected = [...partners.values()];
  const rows = Array.from({ length: MONTHS }, (_, index) => {
    const month = addMonths(`${today.slice(0, 7)}-01`, index).slice(0, 7);
    // What is due and a few days late is expected now.
    const own = due.filter(({ day }) => ((day ?? '') < today ? index === 0 : day?.startsWith(month)));
    const later = addIndependent(
      projected.map((one) => one.getLater(Math.max(0, index - lag), Math.max(0, index - lag + 1))),
    );
    return buildMonth({ month, currency }, own, {
      slip,
      later,
      clicks: arriving[index - lag] ?? NOTHING_LIKELY,
    });
  });
  const clicks = addIndependent(arriving.slice(0, MONTHS - lag));
  const together = addIndependent(projected.map((one) => one.getLater(0, MONTHS - lag)));
  const until = addMonths(`${today.slice(0, 7)}-01`, MONTHS);
  const soon = due.filter(({ day }) => (day ?? until) < until);
  const open = (states: readonly string[]) => {
    const some = payments.filter(({ state }) => states.includes(state));
    return sumOf(some, ({ approved, pending }) => approved + pending);
  };
  return {
    rows,
    ended,
    currency,
    today,
    /** Of all months; what is a month late is in the sum all the same. */
    total: buildMonth({ month: '', currency }, soon, { slip: 0, later: together, clicks }),
    overdue: open(['payment overdue', 'approval overdue']),
    undated: open(['no date', 'carried over', 'not confirmed']),
  };
}

/** Reads the rows of the exported table: the next months, then those that have ended, the last one first. */
export async function readExpectedRows(site: ConsoleSite, request: { readonly query: ViewRequest['query'] }) {
  const { ended, rows } = await readExpected(site, request);
  return { rows: [...rows, ...ended] };
}

/** Months that have ended, and are compared with what came. */
const ENDED_MONTHS = 6;
/** Money that came in another month than it was due in, by its share: what is assumed with the weight of two months. */
const USUAL_SLIP = 0.04;

/** A due as it was before a day. */
function takeBack(due: Due, day: number): Due {
  if (due.paidDay >= 0 && due.paidDay < day) return due;
  return due.settledDay >= 0 && due.settledDay < day
    ? { ...due, status: 'approved', paidDay: -1 }
    : { ...due, status: 'pending', settledDay: -1, settleDays: -1, paidDay: -1 };
}

/** For as long as alerts count, half a minute or until a form was handled: every month is scheduled again. */
const memory = new WeakMap<object, SharedReads<string, Awaited<ReturnType<typeof readEnded>>>>();

async function rememberEnded(...asked: Parameters<typeof readEnded>) {
  const alerts = await asked[0].readAlerts();
  const known = memory.get(alerts) ?? new SharedReads();
  memory.set(alerts, known);
  const key = JSON.stringify(asked.slice(1));
  return known.read(key, asked[0].platform.sharesWork, () => readEnded(...asked));
}

/**
 * Reads what of the commissions of before each month was expected to be paid in it, and what of them was paid. Only accounts
 * whose payments are reported and whose terms name a day are compared. How far the months were off is the `slip` of the next.
 */
async function readEnded(site: ConsoleSite, query: ViewRequest['query'], currency: string, today: string) {
  const { partners } = site.content.read();
  const { table } = site.money.commissions;
  const [dues, all] = await Promise.all([table.readDues(null), table.readCohorts(null)]);
  const getAccount = ({ partner, account }: Due) => `${partner} ${account}`;
  const reported = new Set(dues.filter(({ hasPayment }) => hasPayment).map(getAccount));
  // What was taken back was pending before.
  const reversed = all.flatMap(({ booked, reversedAmount, ...sums }): Due[] =>
    sums.status !== 'reversed'
      ? []
      : [
          {
            ...sums,
            account: partners.get(sums.partner)?.terms.account ?? '',
            amount: reversedAmount,
            programDay: Math.floor(booked / DAY_MS),
            hasPayment: false,
            settledDay: -1,
            paidDay: -1,
            settleDays: -1,
          },
        ],
  );
  const known = [...dues, ...reversed].filter(
    (due) => reported.has(getAccount(due)) && partners.get(due.partner)?.terms.payments.payout != null,
  );
  // Before so many days, nobody knew what was taken back later.
  const decided = new Map(
    [...Map.groupBy(dues, ({ partner }) => partner)].map(([partner, own]) => [
      partner,
      partners.get(partner)?.terms.payments.approvalDays ?? findUsualDays(own) ?? 30,
    ]),
  );
  const convert = async <Row extends Due>(rows: readonly Row[]) => {
    const counted = rows.map((row) => ({ ...row, reversedAmount: 0 }));
    const converted = await site.periods.convert(query, counted, ({ programDay }) => programDay);
    return converted.filter((row) => row.currency === currency);
  };
  const ended: (ExpectedMonth & { readonly came: number })[] = [];
  let [slip, off] = [USUAL_SLIP, 2 * USUAL_SLIP ** 2];
  for (let index = -ENDED_MONTHS; index < 0; index++) {
    const first = addMonths(`${today.slice(0, 7)}-01`, index);
    const next = addMonths(first, 1);
    const [begin, end] = [first, next].map((day) => Date.parse(day) / DAY_MS) as [number, number];
    const before = known.filter(({ programDay }) => programDay < begin);
    const paid = before.filter(({ paidDay }) => paidDay >= begin && paidDay < end);
    const then = before.filter(
      (due) => due.status !== 'reversed' || begin - due.programDay <= (decided.get(due.partner) ?? 0),
    );
    const scheduled = buildSchedule(
      then.map((due) => takeBack(due, begin)),
      all,
      partners,
      toUtc(Date.parse(first), site.settings.TIME_ZONE),
    );
    const due = buildPayments(await convert(scheduled)).filter(
      ({ state, day }) => state === 'due' && (day ?? next) < next,
    );
    const came = sumOf(await convert(paid), ({ amount }) => amount);
    const said = buildMonth({ month: first.slice(0, 7), currency }, due, {
      slip,
      later: NOTHING_LIKELY,
      clicks: NOTHING_LIKELY,
    });
    if (said.middle <= 0 && came === 0) continue;
    ended.push({ ...said, came });
    if (said.middle > 0) off += ((came - said.middle) ** 2 - said.chance) / said.middle ** 2;
    slip = Math.sqrt(Math.max(0, off) / (ended.length + 2));
  }
  return { ended: ended.reverse(), slip };
}

/** How many months after its booking money is paid on average: what is booked later is paid as late. */
function findLag(scheduled: readonly ScheduledDue[]): number {
  const timed = scheduled.flatMap(({ day, programDay, count }) =>
    day === null ? [] : [{ count, wait: count * (Date.parse(day) / DAY_MS - programDay) }],
  );
  const count = Math.max(
    1,
    sumOf(timed, (one) => one.count),
  );
  return Math.max(0, Math.round(sumOf(timed, ({ wait }) => wait) / count / 30));
}

/** Sums one month. The range is that of the sum: parts vary by themselves, and by `slip` money comes in another month. */
function buildMonth(
  named: { readonly month: string; readonly currency: string },
  due: readonly Payment[],
  { slip, later, clicks }: { readonly slip: number } & Readonly<Record<'later' | 'clicks', LikelyMoney>>,
) {
  const chance = sumOf(due, ({ pending, expected, approved, count }) => {
    const rate = pending === 0 ? 1 : (expected - approved) / pending;
    return (rate * (1 - rate) * pending ** 2) / Math.max(1, count);
  });
  const cells = {
    due: sumOf(due, ({ approved }) => approved),
    pending: sumOf(due, ({ expected, approved }) => expected - approved),
    later: Math.round(later.mean),
    clicks: Math.round(clicks.mean),
  };
  const known = cells.due + cells.pending;
  const slipping = { mean: known, variance: chance + (slip * known) ** 2, error: 0 };
  return {
    ...named,
    ...cells,
    chance,
    ...toLikely(addIndependent([slipping, later, clicks])),
    middle: known + cells.later + cells.clicks,
    /** What came, of a month that has ended. */
    came: null as number | null,
  };
}

/** What clicks that were already made are still likely to bring, in each of the next months. */
async function readArriving(
  site: ConsoleSite,
  query: Parameters<ConsoleSite['periods']['readPeriod']>[0],
  currency: string,
) {
  const period = await site.periods.readPeriod({ ...query, clock: 'click' });
  const shares = period.curve?.shares;
  const groups = await period.counts.readMatureClicks('partner');
  const clicks = sumOf(groups, (one) => one.clicks);
  const mature = sumOf(groups, (one) => one.matureClicks);
  const own = period.selection.cells.filter(
    (cell) => cell.currency === currency && cell.state === STATES.conversion && isMoney(cell),
  );
  const customers = sumOf(own, ({ count }) => count);
  if (shares === undefined || mature === 0 || customers === 0) return [];
  const left = (sumOf(own, ({ amount }) => amount) / mature) * (clicks - mature);
  const parts = Array.from(
    { length: MONTHS },
    (_, month) => (shares[4 * (month + 1)] ?? 1) - (shares[4 * month] ?? 1),
  );
  const whole = sumOf(parts, (part) => part);
  return parts.map((part) => {
    const mean = whole === 0 ? 0 : (left * part) / whole;
    return { mean, variance: mean ** 2 / customers + (mean * left) / customers, error: 0 };
  });
}

const amountColumn = (
  key: 'due' | 'pending' | 'later' | 'clicks' | 'middle' | 'low' | 'high' | 'came',
  name: string,
) =>
  column<ExpectedMonth>(
    key,
    name,
    (row) => (row[key] === null ? '' : formatAmountCell(row[key], row.currency)),
    {
      isNumeric: true,
      figure: (row: ExpectedMonth) => row[key],
      format: 'money' as const,
      currency: (row) => row.currency,
    },
  );

export const EXPECTED_COLUMNS: readonly Column<ExpectedMonth>[] = [
  column('month', 'Month', ({ month }) => month),
  exported('currency', ({ currency }) => currency),
  amountColumn('due', 'Due'),
  amountColumn('pending', 'If approved'),
  amountColumn('later', 'Present customers'),
  amountColumn('clicks', 'Clicks already made'),
  { ...amountColumn('middle', 'Likely'), onPhone: 'lead' },
  amountColumn('low', 'Low'),
  amountColumn('high', 'High'),
  amountColumn('came', 'Came'),
];
