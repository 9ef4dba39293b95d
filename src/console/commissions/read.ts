import {
  addToTotals,
  buildEmptyTotals,
  isConversion,
  isPayment,
} from '../../core/commissions/credit/commission-report.ts';
import {
  buildCampaignName,
  buildCredit,
  CAMPAIGN_MODELS,
  type CreditModel,
  type FrozenJourney,
  PAGE_MODELS,
} from '../../core/commissions/credit/credit.ts';
import { getReportedMoney } from '../../core/commissions/exchange-rates.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import {
  buildCommissionKey,
  type CommissionDecision,
  type CommissionStatus,
  type FactSource,
} from '../../core/commissions/ledger/commission-fact.ts';
import {
  PAYMENT_STATES,
  type PaymentState,
  type ScheduledCommission,
} from '../../core/commissions/ledger/due-date.ts';
import { readWorthIn } from '../../core/commissions/ledger/fold-commission.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { buildPageName } from '../../core/events/site-path.ts';
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
  parseListPage,
  sortRows,
} from '../reports/columns.ts';
import { readScheduledByKey } from '../reports/payments.ts';
import { sumExpected } from '../reports/period-figures.ts';
import type { ConsoleQuery, ConsoleSort } from '../reports/query.ts';
import { isDay } from '../reports/range.ts';
import {
  buildCommissionRow,
  type CommissionRow,
  type ConvertedMoney,
  passesFilters,
  passesValues,
  selectEntries,
} from '../reports/select-entries.ts';

/** Money of one currency in minor units. `unknown` has a status that is not known. */
export interface CommissionSum extends MoneyTotals {
  readonly unknown: number;
  readonly currency: string;
  readonly count: number;
  readonly conversions: number;
  readonly payments: number;
  /** Approved, paid, and pending by the approval rate of its partner; left out where no one asked. */
  readonly expected?: number;
}

/** A commission with what becomes of its money. */
export interface ScheduledRow extends CommissionRow {
  /** Null for one that does not count, is reversed or has an unknown status. */
  readonly schedule: ScheduledCommission | null;
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
  {
    ...exported('clicked', ({ clickedAt }) => formatTimeCell(clickedAt)),
    sort: ({ clickedAt }) => clickedAt ?? 0,
  },
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
  column('due', 'Due', ({ due }) => due, { sort: ({ due }) => due ?? NO_DAY }),
  exported('approval due', ({ schedule }) => schedule?.approvalDay ?? null),
];

/** Sorts rows by a column; the newest booking first without one, or when it is not a column of the list. */
function sortCommissionRows(rows: readonly ScheduledRow[], sort: ConsoleSort | null): ScheduledRow[] {
  return sortRows(
    rows,
    COMMISSION_COLUMNS,
    getSort(sort, COMMISSION_COLUMNS, 'booked'),
    (one, other) => other.bookedAt - one.bookedAt || (one.id < other.id ? -1 : 1),
  );
}

/** Whether a commission's id, sub-id or click contains a text; case does not matter. */
function matchesSearch({ commission }: LedgerEntry, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const names = [commission.nativeId, commission.token, commission.clickId ?? ''];
  return names.some((name) => name.toLowerCase().includes(wanted));
}

/** Sums the commissions that count by currency: `main` first, then the currency with the most commissions. */
export function sumCommissions(entries: readonly LedgerEntry[], main: string | null = null): CommissionSum[] {
  const sums = new Map<string, { -readonly [Key in keyof CommissionSum]: CommissionSum[Key] }>();
  for (const entry of entries) {
    if (!entry.isCounted) continue;
    const { currency, status, amount, reversedAmount } = entry.commission;
    const sum = sums.get(currency) ?? { ...buildEmptyTotals(), ...NO_COUNTS, currency };
    sums.set(currency, sum);
    sum.count += 1;
    if (isConversion(entry)) sum.conversions += 1;
    else if (isPayment(entry)) sum.payments += 1;
    addToTotals(sum, status, amount, reversedAmount);
  }
  const isMain = ({ currency }: CommissionSum) => Number(currency === main);
  return [...sums.values()].sort((one, other) => isMain(other) - isMain(one) || other.count - one.count);
}

const NO_COUNTS = { count: 0, conversions: 0, payments: 0 } as const;

const MAX_SEARCH_LENGTH = 100;
const MAX_MESSAGES = 20;

/** Reads the list of commissions, or one of them with everything that led to it; null when it is not known. */
export async function readCommissions(site: ConsoleSite, request: ViewRequest) {
  return request.rest.length > 0 ? readCommission(site, request) : readCommissionList(site, request);
}

async function readCommissionList(site: ConsoleSite, request: ViewRequest) {
  const { all, entries, search, payment, rows, currency } = await readAllCommissions(site, request);
  const sumExpectedOf = (own: readonly LedgerEntry[]) =>
    sumCommissions(own, currency).map((sum): CommissionSum => {
      const counted = own.filter(
        ({ isCounted, commission }) => isCounted && commission.currency === sum.currency,
      );
      return { ...sum, expected: sumExpected(counted, site.periods.getRates(all, sum.currency)) };
    });
  const isOfPeriod = search === '' && payment === null;
  return {
    kind: 'list' as const,
    ...buildListPage(rows, parseListPage(request.parameters)),
    /** What was searched for; empty without a search. */
    search,
    /** The payment whose commissions are listed; null without one. */
    payment,
    /** Sums of all rows that count, by currency, in minor units. */
    sums: sumExpectedOf(entries),
    /** The part of them that the credit model gives to what the filters ask for; empty where that is all. */
    credited: isOfPeriod
      ? listCredited(entries, request.query).map(({ dimension, entries: own }) => ({
          dimension,
          sums: sumExpectedOf(own),
        }))
      : [],
    now: site.clock.now(),
    today: getLocalDay(site.clock.now(), site.settings.TIME_ZONE),
  };
}

/** What the models divide money among that give it to several. */
const DIVIDED = { linear: ['campaign', 'source'], linearPages: ['page'] } as const;

/**
 * The commissions of a query with the part that a dividing model credits to the pages, campaigns or sources that its
 * filters ask for. Campaigns and sources divide the same money, each for itself. Empty where nothing is divided among them.
 */
function listCredited(entries: readonly LedgerEntry[], { model, filters }: ConsoleQuery) {
  const divided = model === 'linear' || model === 'linearPages' ? DIVIDED[model] : [];
  return divided.flatMap((dimension) => {
    const wanted = filters.filter((filter) => filter.dimension === dimension);
    if (wanted.length === 0) return [];
    const isWanted = (touch: string) =>
      passesValues(wanted, ({ value }) => value === touch || buildPageName(value) === touch);
    const credited = entries.map((entry): LedgerEntry => {
      const { commission, journey } = entry;
      if (journey === null) return entry;
      const sum = (whole: number) =>
        buildCredit(whole, journey, model, dimension === 'source' ? 'source' : 'model').reduce(
          (all, part) => all + (isWanted(part.touch) ? part.amount : 0),
          0,
        );
      const [amount, reversedAmount] = [sum(commission.amount), sum(commission.reversedAmount)];
      return { ...entry, commission: { ...commission, amount, reversedAmount } };
    });
    return [{ dimension, entries: credited }];
  });
}

interface PaymentChoice {
  readonly state: PaymentState;
  /** `YYYY-MM-DD`; null: of any day. */
  readonly day: string | null;
  /** Null: of any account. */
  readonly account: string | null;
}

/** The payment whose commissions the parameters ask for; null without one. */
function parsePayment(parameters: URLSearchParams): PaymentChoice | null {
  const state = PAYMENT_STATES.find((known) => known === parameters.get('payment'));
  const day = parameters.get('due') ?? '';
  return state === undefined
    ? null
    : { state, day: isDay(day) ? day : null, account: parameters.get('account') };
}

/** Reads every commission of a query in its order. A search, or a payment, finds commissions of all time. */
export async function readAllCommissions(site: ConsoleSite, { query, parameters }: ViewRequest) {
  const { periods, settings } = site;
  const search = (parameters.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
  const { all, currency, isConverted } = await periods.readLedger(query);
  const scheduled = await readScheduledByKey(site);
  const find = ({ commission }: LedgerEntry) => scheduled.get(buildCommissionKey(commission)) ?? null;
  const payment = parsePayment(parameters);
  const isInPayment = (entry: LedgerEntry, { state, day, account }: PaymentChoice) => {
    const schedule = find(entry);
    const { currency: own, account: owner } = entry.commission;
    return (
      schedule?.state === state &&
      (day === null || schedule.day === day) &&
      (account === null || owner === account) &&
      (query.currency === null || own === query.currency) &&
      passesFilters(entry, query)
    );
  };
  const selected =
    payment === null
      ? selectEntries(all, query, settings.TIME_ZONE)
      : all.filter((entry) => isInPayment(entry, payment));
  const entries = search === '' ? selected : all.filter((entry) => matchesSearch(entry, search));
  const rows = entries.map((entry): ScheduledRow => {
    const schedule = find(entry);
    const due = schedule?.day ?? schedule?.approvalDay ?? null;
    return { ...buildCommissionRow(entry), schedule, due };
  });
  return {
    ...{ all, search, payment, entries },
    /** That of the totals; null where each currency is summed by itself. */
    currency: isConverted ? currency : null,
    rows: sortCommissionRows(rows, query.sort),
  };
}

async function readCommission(site: ConsoleSite, { rest, parameters }: ViewRequest) {
  const { periods } = site;
  const { ledger } = site.money;
  const [partner, id] = rest;
  if (rest.length !== 2 || partner === undefined) return null;
  const account = parameters.get('account');
  const { all: entries } = await periods.readLedger({ currency: null });
  const entry = entries.find(
    ({ commission }) =>
      commission.partner === partner &&
      commission.nativeId === id &&
      (account === null || commission.account === account),
  );
  if (entry === undefined) return null;
  const key = buildCommissionKey(entry.commission);
  const decisions = await ledger.readDecisions();
  const ids = [...new Set(entry.facts.flatMap(({ rawId }) => (rawId === null ? [] : [rawId])))];
  const found = await Promise.all(ids.slice(-MAX_MESSAGES).map((rawId) => ledger.readRaw(rawId)));
  const scheduled = await readScheduledByKey(site);
  return buildCommissionDetail(entry, {
    entries,
    schedule: scheduled.get(key) ?? null,
    today: getLocalDay(site.clock.now(), site.settings.TIME_ZONE),
    decisions: decisions.filter((decision) => buildCommissionKey(decision) === key),
    messages: found
      .filter((message) => message !== null)
      .map(({ arrivedAt, content }) => ({ arrivedAt, content }))
      .sort((one, other) => other.arrivedAt - one.arrivedAt),
  });
}

/** A step of a commission's history. */
export interface TimelineStep {
  readonly key: string;
  /** ms since 1970. */
  readonly time: number;
  readonly kind: 'click' | 'message' | 'assign' | 'dismiss' | 'reset' | 'match';
  /** What the message reported; null for other steps. */
  readonly status: CommissionStatus | null;
  /** Minor units of `currency`; null for other steps. */
  readonly amount: number | null;
  readonly currency: string;
  /** How the message arrived; null for other steps. */
  readonly source: FactSource | null;
  /** Whether it contradicts a message that is at least as new, and was not applied. */
  readonly isConflict: boolean;
  /** When it arrived; ms since 1970. */
  readonly arrivedAt: number;
  /** The time that a message states; ms since 1970, null when it states none, and for other steps. */
  readonly stated: number | null;
}

/** What each of some models credits to each campaign or page, in minor units; null for nothing. */
export type CreditTable = ReturnType<typeof buildCreditTable>;

function buildTimeline(entry: LedgerEntry, decisions: readonly CommissionDecision[]): TimelineStep[] {
  const { commission, journey, facts } = entry;
  const nothing = {
    status: null,
    amount: null,
    currency: getReportedMoney(entry).currency,
    source: null,
    isConflict: false,
    stated: null,
  };
  const conflicts = new Set(commission.conflicts.map(({ sequence }) => sequence));
  const click: TimelineStep[] =
    journey === null
      ? []
      : [{ ...nothing, key: 'click', time: journey.clickTime, kind: 'click', arrivedAt: journey.clickTime }];
  const messages = facts.map((fact): TimelineStep => {
    const { amount, currency } = readWorthIn(fact, getReportedMoney(entry).currency);
    return {
      key: `message ${fact.sequence}`,
      time: Math.min(fact.changeTime, fact.arrivedAt),
      kind: 'message',
      status: fact.status,
      amount: fact.unstated?.includes('amount') ? null : amount,
      currency,
      source: fact.source,
      isConflict: conflicts.has(fact.sequence),
      arrivedAt: fact.arrivedAt,
      stated: fact.changeTime === fact.arrivedAt ? null : fact.changeTime,
    };
  });
  const decided = decisions.map(({ action, origin, decidedAt, sequence }): TimelineStep => {
    const kind = action === 'assign' && origin === 'match' ? 'match' : action;
    return { ...nothing, key: `decision ${sequence}`, time: decidedAt, kind, arrivedAt: decidedAt };
  });
  return [...click, ...messages, ...decided].sort(
    (one, other) => one.time - other.time || one.arrivedAt - other.arrivedAt,
  );
}

function buildCreditTable(amount: number, journey: FrozenJourney, models: readonly CreditModel[]) {
  const columns = models.map(
    (model) => new Map(buildCredit(amount, journey, model).map((part) => [part.touch, part])),
  );
  const touches = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const times = new Map(
    [...journey.touches].reverse().map(({ campaign, time }) => [buildCampaignName(campaign), time]),
  );
  const order = [...journey.touches.map(({ campaign }) => buildCampaignName(campaign)), ...journey.pages];
  const getPlace = (touch: string) => (order.includes(touch) ? order.indexOf(touch) : order.length);
  return {
    models,
    rows: touches
      .sort((one, other) => getPlace(one) - getPlace(other))
      .map((touch) => ({
        touch,
        time: times.get(touch) ?? null,
        amounts: columns.map((column) => column.get(touch)?.amount ?? null),
      })),
  };
}

/** Builds everything that is known of one commission. */
export function buildCommissionDetail(
  entry: LedgerEntry,
  context: {
    readonly entries: readonly LedgerEntry[];
    readonly decisions: readonly CommissionDecision[];
    /** What becomes of its money; null when it does not count or is reversed. */
    readonly schedule: ScheduledCommission | null;
    /** `YYYY-MM-DD` */
    readonly today: string;
    /** Texts of the messages that are still stored, newest first. */
    readonly messages: readonly { readonly arrivedAt: number; readonly content: string }[];
  },
) {
  const { commission, journey, original } = entry;
  const reported = getReportedMoney(entry);
  // A reversed commission is worth nothing: the table shows what each model had credited before.
  const amount = reported.amount === 0 ? reported.reversedAmount : reported.amount;
  const table = (models: readonly CreditModel[]) =>
    journey === null ? null : buildCreditTable(amount, journey, models);
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
    campaignCredit: table(CAMPAIGN_MODELS),
    pageCredit: table(PAGE_MODELS),
    messages: context.messages,
    /** Other commissions of the same click, oldest first. */
    siblings: context.entries
      .filter((other) => other !== entry && journey !== null && other.commission.clickId === journey.clickId)
      .map(buildCommissionRow)
      .sort((one, other) => one.bookedAt - other.bookedAt),
  };
}
