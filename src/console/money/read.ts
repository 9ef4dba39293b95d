import { DAY_MS } from '../../core/clock.ts';
import type { ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { addDays, getLocalDay, nameDay } from '../../core/commissions/local-time.ts';
import { type LikelyPart, learnDecisions, sumLikely } from '../../core/commissions/received.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { STATES } from '../../stores/commission-sums.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { convertDated, type OwedPayment, readCash, sumMoney } from '../reports/cash.ts';
import { type Column, column, exported, formatAmountCell } from '../reports/columns.ts';
import type { Money } from '../reports/earned.ts';
import { sumOf } from '../reports/payments.ts';
import { addMonths, countDays, listMonths } from '../reports/range.ts';

/** How many days ahead payments are listed, today included. */
const DUE_DAYS = 60;

/** Where money that partners owe stands: every approved and pending amount is in exactly one of these. */
export const DUE_GROUPS = ['overdue', 'asked', 'due', 'later', 'no day', 'waiting'] as const;
export type DueGroup = (typeof DUE_GROUPS)[number];

/** What a partner owes on a day, in one group; minor units of its own currency. */
export interface DueRow extends OwedPayment {
  readonly group: DueGroup;
}

function findGroup({ state, day }: OwedPayment, until: string): DueGroup {
  switch (state) {
    case 'payment overdue':
      return 'overdue';
    case 'not confirmed':
      return 'asked';
    case 'approval overdue':
      return 'waiting';
    case 'no date':
      return 'no day';
    default:
      return state === 'due' && day !== null && day <= until ? 'due' : 'later';
  }
}

type Learned = ReadonlyMap<string, NonNullable<ReturnType<typeof learnDecisions>>>;
const getKey = ({ partner, currency }: { readonly partner: string; readonly currency: string }) =>
  `${partner} ${currency}`;

const getAge = ({ programDay }: ScheduledDue, today: string) => countDays(nameDay(programDay), today) - 1;

/** Reads what decisions of partners say of what is pending, by partner and currency; absent with few. */
async function readLearned(
  { money }: ConsoleSite,
  scheduled: readonly ScheduledDue[],
  today: string,
): Promise<Learned> {
  const decisions = await money.commissions.table.readDecisions();
  const pending = Map.groupBy(
    scheduled.filter(({ status }) => status === 'pending'),
    getKey,
  );
  return new Map(
    [...Map.groupBy(decisions, getKey)].flatMap(([key, own]) => {
      const waiting = (pending.get(key) ?? []).map((due) => ({
        age: getAge(due, today),
        amount: due.amount,
      }));
      const learned = learnDecisions(own, waiting);
      return learned === null ? [] : [[key, learned] as const];
    }),
  );
}

/**
 * Of pending money, how much comes by a day at least in 8 of 10 cases, in minor units by currency: by the partner's decisions at the
 * same age, and by what it paid of what was due.
 */
function findLikely(
  scheduled: readonly ScheduledDue[],
  learned: Learned,
  { today, until }: { readonly today: string; readonly until: string },
): readonly (Money & { readonly day: string })[] {
  const parts = Map.groupBy(scheduled, getKey);
  return [...parts].flatMap(([key, own]) => {
    const known = learned.get(key);
    const [first] = own;
    if (known === undefined || first === undefined) return [];
    const sum = (isOf: (due: ScheduledDue) => boolean) => sumOf(own.filter(isOf), ({ amount }) => amount);
    const paid = sum(({ state }) => state === 'paid');
    const overdue = sum(({ state }) => state === 'payment overdue');
    const kept = paid > 0 ? paid / (paid + Math.max(0, overdue)) : 1;
    const likely = own.flatMap((due): LikelyPart[] => {
      const { status, state, day, amount, count } = due;
      if (status !== 'pending' || state !== 'due' || day === null || day > until) return [];
      const within = countDays(today, day < today ? today : day) - 1;
      const share = kept * known.getShare(getAge(due, today), within);
      return [{ amount, largest: Math.abs(amount) / Math.max(1, count), share }];
    });
    const amount = sumLikely(likely, KNOWN);
    return amount === 0 ? [] : [{ currency: first.currency, amount, day: today }];
  });
}

/** The months of a partner differ about as much as if a share were known from so many of them. */
const KNOWN = 20;

/** Reads who owes what, what comes and what arrived. Rejects with `LedgerError`. */
export async function readDue(site: ConsoleSite, query: ViewRequest['query']) {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const until = addDays(today, DUE_DAYS - 1);
  const cash = await readCash(site, query);
  const { currency, owed, scheduled } = cash;
  const learned = await readLearned(site, scheduled, today);
  const isOld = (due: ScheduledDue) => {
    const last = learned.get(getKey(due))?.lastAge;
    return last !== undefined && getAge(due, today) > last;
  };
  // What waits longer than usual leaves its payment.
  const old = scheduled.filter(
    (due) => due.status === 'pending' && due.state !== 'approval overdue' && isOld(due),
  );
  const rows = [...moveOld(owed, old)].map(
    (payment): DueRow => ({ ...payment, group: findGroup(payment, until) }),
  );
  const inGroup = (...groups: readonly DueGroup[]) => rows.filter(({ group }) => groups.includes(group));
  const convert = async (list: readonly DueRow[], pick: 'approved' | 'pending') => {
    const dated = list.map((row) => {
      const day = row.day === null || row.day > today ? today : row.day;
      return { currency: row.currency, amount: row[pick], day };
    });
    return sumMoney(await convertDated(site, dated), currency);
  };
  const due = inGroup('due');
  const dueDays = due.flatMap(({ approved, day }) => (approved > 0 && day !== null ? [day] : [])).sort();
  const by = dueDays.at(-1) ?? until;
  const open = scheduled.filter((one) => !old.includes(one));
  return {
    ...cash,
    today,
    until,
    rows,
    /** The last day of the approved money that is due within 60 days. */
    by: dueDays.at(-1) ?? null,
    due: await convert(due, 'approved'),
    duePending: await convert(due, 'pending'),
    overdue: await convert(inGroup('overdue'), 'approved'),
    likely: sumMoney(await convertDated(site, findLikely(open, learned, { today, until: by })), currency),
  };
}

/** Takes pending money that waits too long out of the payments that it was scheduled for. */
function* moveOld(owed: readonly OwedPayment[], old: readonly ScheduledDue[]): Generator<OwedPayment> {
  const name = ({
    partner,
    account,
    currency,
    state,
    day,
  }: Pick<OwedPayment, 'partner' | 'account' | 'currency' | 'state' | 'day'>) =>
    JSON.stringify([partner, account, currency, state, day]);
  const parts = Map.groupBy(old, name);
  for (const payment of owed) {
    const own = parts.get(name(payment)) ?? [];
    const [pending, count] = [sumOf(own, ({ amount }) => amount), sumOf(own, (due) => due.count)];
    const rest = { ...payment, pending: payment.pending - pending, count: payment.count - count };
    if (rest.approved !== 0 || rest.pending !== 0) yield rest;
    if (pending !== 0)
      yield {
        ...payment,
        state: 'approval overdue',
        amount: 0,
        approved: 0,
        pending,
        count,
        day: oldest(own),
      };
  }
}

const oldest = (dues: readonly ScheduledDue[]) =>
  nameDay(
    dues.reduce((first, { programDay }) => Math.min(first, programDay), Number.MAX_SAFE_INTEGER / DAY_MS),
  );

/** Reads the view. */
export async function readMoney(site: ConsoleSite, { query, viewer }: ViewRequest) {
  const due = await readDue(site, query);
  const { currency, today, payments } = due;
  const monthStart = `${today.slice(0, 8)}01`;
  const months = listMonths(query).map((month) => {
    const own = payments.filter(
      (one) => one.day >= month.from && one.day <= month.to && one.currency === currency,
    );
    const sum = (isArrived: boolean) =>
      sumOf(
        own.filter(({ arrival }) => (arrival !== null) === isArrived),
        ({ amount }) => amount,
      );
    return { ...month, solid: sum(true), hatched: sum(false), clicks: null, customers: null, before: null };
  });
  const cohorts = await site.money.commissions.table.readCohorts(null);
  const waiting = cohorts.filter(({ state }) => state === STATES.unmatched);
  return {
    ...due,
    months,
    thisMonth: sumMoney(
      payments.filter(({ day }) => day >= monthStart && day <= today),
      currency,
    ),
    terms: new Map([...site.content.read().partners].map(([key, { terms }]) => [key, terms.payments])),
    notMatched: {
      count: sumOf(waiting, ({ count }) => count),
      amounts: sumMoney(waiting, waiting[0]?.currency ?? currency),
    },
    canChange: isAllowed(viewer, 'manage'),
  };
}

const amountColumn = (key: 'approved' | 'pending', name: string): Column<DueRow> =>
  column(key, name, (row) => formatAmountCell(row[key], row.currency), {
    isNumeric: true,
    figure: (row) => row[key],
    format: 'money',
    currency: ({ currency }) => currency,
  });

/** The columns of what partners owe, in exports. */
export const DUE_COLUMNS: readonly Column<DueRow>[] = [
  column('partner', 'Partner', ({ partner }) => partner),
  exported('account', ({ account }) => account),
  column('state', 'State', ({ group }) => group),
  column('day', 'Pays on', ({ day }) => day),
  amountColumn('approved', 'Approved'),
  amountColumn('pending', 'Pending'),
  exported('currency', ({ currency }) => currency),
  column('commissions', 'Commissions', ({ count }) => count, { isNumeric: true }),
];

/** Reads every amount that partners owe. */
export async function readDueTable(site: ConsoleSite, { query }: { readonly query: ViewRequest['query'] }) {
  return { rows: (await readDue(site, query)).rows };
}

/** Whether a payment was due a month ago or longer: then the operator is asked whether it arrived. */
export const isAskedSince = (day: string, today: string) => addMonths(day, 1) <= today;
