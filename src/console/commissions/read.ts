import { addToTotals, buildEmptyTotals } from '../../core/commissions/credit/commission-report.ts';
import { getReportedMoney } from '../../core/commissions/exchange-rates.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { buildCommissionKey } from '../../core/commissions/ledger/commission-fact.ts';
import { buildDueKey, PAYMENT_STATES, type ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { readWorthIn } from '../../core/commissions/ledger/fold-commission.ts';
import type { CommissionDecision } from '../../core/commissions/ledger/stored-money.schema.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { FoldedEntry } from '../../stores/commission-entries.ts';
import { STATES, type SummedCommissions } from '../../stores/commission-sums.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import {
  buildListPage,
  type Cell,
  type Column,
  column,
  exported,
  formatAmountCell,
  formatTimeCell,
  getSort,
  locateListPage,
} from '../reports/columns.ts';
import { readSchedule } from '../reports/payments.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { isDay } from '../reports/range.ts';
import {
  buildCells,
  buildCommissionRow,
  type CommissionRow,
  type ConvertedMoney,
} from '../reports/select-entries.ts';

const newSum = (currency: string) => ({
  ...buildEmptyTotals(),
  currency,
  count: 0,
  conversions: 0,
  payments: 0,
});
/** Money of one currency in minor units. `unknown` has a status that is not known. */
export type CommissionSum = ReturnType<typeof newSum>;

/** A commission with what becomes of its money. */
export interface ScheduledRow extends CommissionRow {
  /** Null for one that does not count, is reversed or has an unknown status. */
  readonly schedule: ScheduledDue | null;
  /** When it is, was or should have been paid, else approved, `YYYY-MM-DD`; null without a date. */
  readonly due: string | null;
}

/** What is not known is sorted after every day. */
const NO_DAY = '9999-12-31';

/** A commission's worth in the currency of the totals; other currencies without a rate are compared as numbers. */
function getSortedAmount({ converted, ...own }: CommissionRow): number {
  const { amount, reversedAmount } = converted === null || converted === 'no-rate' ? own : converted;
  return amount || -reversedAmount;
}

const converted = (name: string, cell: (money: ConvertedMoney) => Cell): Column<CommissionRow> =>
  exported(name, (row) =>
    row.converted === null || row.converted === 'no-rate' ? null : cell(row.converted),
  );

/** Columns of what was reported, and of what earned it. */
export const REPORTED_COLUMNS: readonly Column<CommissionRow>[] = [
  column('partner', 'Partner', ({ partner }) => partner),
  exported('account', ({ account }) => account),
  column('id', 'Commission', ({ id }) => id),
  exported('kind', ({ kind }) => kind),
  column('status', 'Status', ({ status }) => status, { onPhone: 'lead' }),
  column('amount', 'Amount', ({ amount, currency }) => formatAmountCell(amount, currency), {
    sort: getSortedAmount,
    isNumeric: true,
    onPhone: 'lead',
  }),
  exported('reversed', ({ reversedAmount, currency }) => formatAmountCell(reversedAmount, currency)),
  exported('currency', ({ currency }) => currency),
  column('booked', 'Booked', ({ bookedAt }) => formatTimeCell(bookedAt), {
    sort: ({ bookedAt }) => bookedAt,
    isNumeric: true,
  }),
  column('clicked', 'Clicked', ({ clickedAt }) => formatTimeCell(clickedAt), {
    sort: ({ clickedAt }) => clickedAt ?? 0,
    isNumeric: true,
  }),
  column('page', 'Page', ({ page }) => page),
  exported('placement', ({ placement }) => placement),
  column('campaign', 'Campaign', ({ campaign }) => campaign),
  exported('reason', ({ reason }) => reason),
  exported('counted', ({ isCounted }) => (isCounted ? 'yes' : 'no')),
  exported('conversion', ({ isConversion }) => (isConversion ? 'yes' : 'no')),
  converted('converted', ({ amount, currency }) => formatAmountCell(amount, currency)),
  converted('converted_reversed', ({ reversedAmount, currency }) =>
    formatAmountCell(reversedAmount, currency),
  ),
  converted('converted_currency', ({ currency }) => currency),
  converted('rate', ({ rate }) => rate),
  converted('rate_day', ({ day }) => day),
];

/** Columns of the list in the order of its export. */
export const COMMISSION_COLUMNS: readonly Column<ScheduledRow>[] = [
  ...REPORTED_COLUMNS,
  exported('payment', ({ schedule }) => schedule?.state ?? null),
  column('due', 'Paid or due', ({ due }) => due, { sort: ({ due }) => due ?? NO_DAY }),
  exported('approval due', ({ schedule }) => schedule?.approvalDay ?? null),
];

/** The columns by which the list is sorted. */
const SORTS = ['partner', 'id', 'status', 'amount', 'booked', 'clicked', 'page', 'campaign', 'due'] as const;

/** The order of a query: the newest booking first without one, or when it is not a column of the list. */
async function readOrder(site: ConsoleSite, query: ConsoleQuery) {
  const { column: key, isDescending } = getSort(query.sort, COMMISSION_COLUMNS, 'booked');
  const by = SORTS.find((known) => known === key) ?? 'booked';
  const dues = by === 'due' ? await readSchedule(site) : [];
  const dueDays = dues.map((due) => [buildDueKey(due), due.day ?? due.approvalDay] as const);
  const prices = by === 'amount' ? await site.periods.readPrices(query) : null;
  return { by, isDescending, limit: -1, offset: 0, dueDays, prices };
}

/** Sums commissions that count by currency: `main` first, then the currency with the most commissions. */
function sumCommissions(all: readonly SummedCommissions[], main: string | null = null): CommissionSum[] {
  const sums = new Map<string, CommissionSum>();
  for (const { currency, state, status, count, amount, reversedAmount } of all) {
    const sum = sums.get(currency) ?? newSum(currency);
    sums.set(currency, sum);
    sum.count += count;
    if (state === STATES.conversion) sum.conversions += count;
    if (state === STATES.payment) sum.payments += count;
    addToTotals(sum, status, amount, reversedAmount);
  }
  const isMain = ({ currency }: CommissionSum) => Number(currency === main);
  return [...sums.values()].sort((one, other) => isMain(other) - isMain(one) || other.count - one.count);
}

const ROWS = 24;
const MAX_SEARCH_LENGTH = 100;
const MAX_MESSAGES = 20;

/** Reads the list of commissions, or one of them with everything that led to it; null when it is not known. */
export async function readCommissions(site: ConsoleSite, request: ViewRequest) {
  return request.rest.length > 0 ? readCommission(site, request) : readCommissionList(site, request);
}

async function readCommissionList(site: ConsoleSite, request: ViewRequest) {
  const { periods, clock, settings } = site;
  const { query, parameters } = request;
  const { search, payment, scope } = await readChoice(site, request);
  const isOfPeriod = search === '' && payment === null;
  const order = await readOrder(site, query);
  const [total, { currency, isConverted }] = await Promise.all([
    site.money.commissions.table.count(scope),
    periods.readCurrency(query),
  ]);
  const { place, rows: own } = locateListPage(total, parameters, ROWS);
  const entries = await periods.readEntries(query, scope, isOfPeriod ? { ...order, ...own } : order);
  const rows = buildRows(entries, await readDues(site));
  const main = isConverted ? currency : null;
  const cells = isOfPeriod
    ? (await periods.readCells(query)).cells.filter(
        (cell) => query.currency === null || cell.currency === query.currency,
      )
    : buildCells(entries, settings.TIME_ZONE);
  const sums = sumCommissions(cells, main);
  const clicked = total > 0 ? [] : await site.money.rollups.readByKey({ dimension: 'partner' });
  return {
    kind: 'list' as const,
    ...(isOfPeriod ? { ...place, rows } : buildListPage(rows, parameters, ROWS)),
    /** What was searched for; empty without a search. */
    search,
    /** The payment whose commissions are listed; null without one. */
    payment,
    /** All clicks while there is no row. */
    clicks: clicked.reduce((sum, one) => sum + one.clicks, 0),
    /** Sums of all rows that count, by currency, in minor units. */
    sums,
    now: clock.now(),
    today: getLocalDay(clock.now(), settings.TIME_ZONE),
  };
}

/** The payment whose commissions the parameters ask for, null: of any day, of any account; null without one. */
function parsePayment(parameters: URLSearchParams) {
  const state = PAYMENT_STATES.find((known) => known === parameters.get('payment'));
  const day = parameters.get('due') ?? '';
  return state === undefined
    ? null
    : { state, day: isDay(day) ? day : null, account: parameters.get('account') };
}

/** What a request asks for: a search, or a payment, finds commissions of all time. */
async function readChoice(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const search = (parameters.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
  const payment = parsePayment(parameters);
  const own = await site.periods.readScope(query);
  const currency = query.currency;
  if (search !== '') return { search, payment, scope: { ...NO_SCOPE, text: search } };
  if (payment === null) return { search, payment, scope: { ...own, currency } };
  const { state, day, account } = payment;
  const dues = (await readSchedule(site)).filter(
    (due) =>
      due.state === state &&
      (day === null || due.day === day) &&
      (account === null || due.account === account),
  );
  return { search, payment, scope: { ...own, currency, days: undefined, dues: dues.map(buildDueKey) } };
}

const NO_SCOPE = { days: undefined, paths: null, partners: undefined, statuses: undefined };

/** What becomes of money, by keys. */
const readDues = async (site: ConsoleSite): Promise<ReadonlyMap<string, ScheduledDue>> =>
  new Map((await readSchedule(site)).map((due) => [buildDueKey(due), due]));

const buildRows = (entries: readonly FoldedEntry[], known: ReadonlyMap<string, ScheduledDue>) =>
  entries.map((entry): ScheduledRow => {
    const schedule = findSchedule(entry, known);
    return { ...buildCommissionRow(entry), schedule, due: schedule?.day ?? schedule?.approvalDay ?? null };
  });

function findSchedule(
  { commission, original, due, isCounted }: FoldedEntry,
  known: ReadonlyMap<string, ScheduledDue>,
): ScheduledDue | null {
  const { currency } = original ?? commission;
  return isCounted ? (known.get(buildDueKey({ ...commission, ...due, currency })) ?? null) : null;
}

/** Reads every commission of a query in its order, some hundred at a time. A search, or a payment, finds those of all time. */
export async function* readCommissionPages(
  site: ConsoleSite,
  request: ViewRequest,
): AsyncGenerator<readonly ScheduledRow[]> {
  const { scope } = await readChoice(site, request);
  const [order, known] = await Promise.all([readOrder(site, request.query), readDues(site)]);
  for await (const page of site.periods.readEntryPages(request.query, scope, order))
    yield buildRows(page, known);
}

async function readCommission(site: ConsoleSite, { rest, parameters }: ViewRequest) {
  const { periods } = site;
  const { ledger } = site.money;
  const [partner, id] = rest;
  if (rest.length !== 2 || partner === undefined) return null;
  const scope = { partners: [partner], account: parameters.get('account') ?? undefined };
  const { table } = site.money.commissions;
  const [found] = await periods.convertEntries(await table.readEntries({ ...scope, nativeId: id ?? '' }));
  if (found === undefined) return null;
  const [entry = found] = await ledger.entries.readFacts([found]);
  const { clickId } = entry.commission;
  const siblings =
    clickId === null || entry.journey === null
      ? []
      : await periods.convertEntries(await table.readEntries({ clickId }));
  const key = buildCommissionKey(entry.commission);
  const decisions = await ledger.readDecisions();
  const ids = [...new Set(entry.facts.flatMap(({ rawId }) => (rawId === null ? [] : [rawId])))];
  const raw = await Promise.all(ids.slice(-MAX_MESSAGES).map((rawId) => ledger.readRaw(rawId)));
  const known = await readDues(site);
  return buildCommissionDetail(entry, {
    siblings: siblings.filter(({ commission }) => buildCommissionKey(commission) !== key),
    schedule: findSchedule(found, known),
    today: getLocalDay(site.clock.now(), site.settings.TIME_ZONE),
    decisions: decisions.filter((decision) => buildCommissionKey(decision) === key),
    messages: raw
      .filter((message) => message !== null)
      .map(({ arrivedAt, content }) => ({ arrivedAt, content }))
      .sort((one, other) => other.arrivedAt - one.arrivedAt),
  });
}

/** A step of a commission's history. */
export type TimelineStep = ReturnType<typeof buildTimeline>[number];

/** Builds the history of a commission; times in ms since 1970. */
function buildTimeline(entry: LedgerEntry, decisions: readonly CommissionDecision[]) {
  const { commission, journey, facts } = entry;
  // What a message alone has.
  const nothing = {
    status: null,
    amount: null,
    currency: getReportedMoney(entry).currency,
    source: null,
    isConflict: false,
    stated: null,
  };
  const conflicts = new Set(commission.conflicts.map(({ sequence }) => sequence));
  const { clickTime = null } = journey ?? {};
  const click =
    clickTime === null
      ? []
      : [{ ...nothing, key: 'click', time: clickTime, kind: 'click' as const, arrivedAt: clickTime }];
  const messages = facts.map((fact) => {
    const { amount, currency } = readWorthIn(fact, getReportedMoney(entry).currency);
    return {
      key: `message ${fact.sequence}`,
      time: Math.min(fact.changeTime, fact.arrivedAt),
      kind: 'message' as const,
      status: fact.status,
      /** Minor units of `currency`. */
      amount: fact.unstated?.includes('amount') ? null : amount,
      currency,
      source: fact.source,
      /** Whether it contradicts a message that is at least as new, and was not applied. */
      isConflict: conflicts.has(fact.sequence),
      arrivedAt: fact.arrivedAt,
      /** The time that it states; null when it states none. */
      stated: fact.changeTime === fact.arrivedAt ? null : fact.changeTime,
    };
  });
  const decided = decisions.map(({ action, origin, decidedAt, sequence }) => {
    const kind = action === 'assign' && origin === 'match' ? ('match' as const) : action;
    return { ...nothing, key: `decision ${sequence}`, time: decidedAt, kind, arrivedAt: decidedAt };
  });
  return [...click, ...messages, ...decided].sort(
    (one, other) => one.time - other.time || one.arrivedAt - other.arrivedAt,
  );
}

/** Builds everything that is known of one commission. */
export function buildCommissionDetail(
  entry: LedgerEntry,
  context: {
    /** Other commissions of the same click. */
    readonly siblings: readonly LedgerEntry[];
    readonly decisions: readonly CommissionDecision[];
    /** What becomes of its money; null when it does not count or is reversed. */
    readonly schedule: ScheduledDue | null;
    /** `YYYY-MM-DD` */
    readonly today: string;
    /** Texts of the messages that are still stored, newest first. */
    readonly messages: readonly { readonly arrivedAt: number; readonly content: string }[];
  },
) {
  const { commission, journey, original } = entry;
  return {
    kind: 'one' as const,
    row: buildCommissionRow(entry),
    schedule: context.schedule,
    today: context.today,
    /** The sub-id that the network reported; empty without one. */
    token: commission.token,
    /** What the customer paid, in minor units; null when it is not reported. */
    saleAmount: (original ?? commission).saleAmount,
    journey,
    timeline: buildTimeline(entry, context.decisions),
    messages: context.messages,
    /** Other commissions of the same click, oldest first. */
    siblings: context.siblings.map(buildCommissionRow).sort((one, other) => one.bookedAt - other.bookedAt),
  };
}
