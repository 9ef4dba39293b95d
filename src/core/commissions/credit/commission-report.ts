import type { EventCounts } from '../../events/rollup.ts';
import type { CommissionStatus } from '../ledger/commission-fact.ts';
import type { Commission } from '../ledger/fold-commission.ts';
import type { LabelCredit } from '../ledger/stored-money.schema.ts';
import { getLocalDay } from '../local-time.ts';
import { getBooked, type MoneyTotals, NO_MONEY } from '../metric-definitions.ts';
import { buildClickKey, buildPlacementKey } from './build-click-key.ts';
import { buildCreditPath, type CampaignModel, type FrozenJourney, getCampaign, getSource } from './credit.ts';

/** A commission with the journey of its click, as far as it is matched. */
export interface ReportedCommission {
  readonly commission: Commission;
  /** Null while no click is known. */
  readonly journey: FrozenJourney | null;
  /** To what it is credited by an id of the network, without a click; left out when it is not. */
  readonly labelled?: LabelCredit | undefined;
  /** Whether an earlier commission of the same click is its conversion; left out when none is. */
  readonly isLaterPayment?: boolean | undefined;
}

/** Whether neither a click nor an id of the network says where a commission came from. */
export const isUnmatched = ({ journey, labelled }: ReportedCommission) =>
  journey === null && labelled === undefined;

/** What a commission adds to approved, paid and pending money, in minor units: nothing while its status is not known. */
export const getBookedAmount = ({ status, amount }: Commission) => (status === 'unknown' ? 0 : amount);

/** Whether a commission has a click and is worth something: what customers pay for, once or every month. */
export const isPayment = ({ commission, journey }: ReportedCommission) =>
  journey !== null && getBookedAmount(commission) > 0;

/** Whether a commission is the first payment of its click: a click brings one customer, who may pay often. */
export const isConversion = (reported: ReportedCommission) =>
  isPayment(reported) && reported.isLaterPayment !== true;

/** Counted clicks by the values of the dimension. */
export type ClickCounts = ReadonlyMap<string, number>;

/** Amounts of one currency in minor units. `unknown` has a status that the partner's status map does not know. */
export type CurrencyTotals = { -readonly [Status in keyof MoneyTotals]: number } & { unknown: number };

/** Builds totals to which nothing was added yet. */
export const buildEmptyTotals = (): CurrencyTotals => ({ ...NO_MONEY, unknown: 0 });

/** Adds an amount and what was taken back of it (both in minor units) to totals, by the status of the commission. */
export function addToTotals(
  totals: CurrencyTotals,
  status: CommissionStatus,
  amount: number,
  reversed: number,
): void {
  totals.reversed += reversed;
  if (status !== 'reversed') totals[status] += amount;
}

export interface ReportRow {
  readonly key: string;
  readonly clicks: number;
  /** Customers: first payments of clicks. */
  conversions: number;
  /** What customers paid for after that. */
  payments: number;
  readonly currencies: Record<string, CurrencyTotals>;
}

/** A report. The rows, `labelled` and `unmatched` sum to `total`, for every currency. */
export type CommissionReport = ReturnType<ReturnType<typeof startReport>['finish']>;

export interface ReportQuery {
  readonly by: ReportDimension;
  /** Which campaign has the money of a click. */
  readonly model: CampaignModel;
  /** ms since 1970, from inclusive to exclusive. */
  readonly from: number;
  readonly to: number;
  /** IANA name; decides the month of a commission. */
  readonly timeZone: string;
  /** Field of the assessment that `answer` groups by, for example `businessType`. */
  readonly answerField: string;
}

/** Builds a report from commissions and the clicks of the same period. */
export function buildCommissionReport(
  commissions: readonly ReportedCommission[],
  clicks: ClickCounts,
  options: ReportQuery,
): CommissionReport {
  const report = startReport(clicks, options);
  for (const reported of commissions) report.add(reported);
  return report.finish();
}

/** Begins a report with the clicks of its period; commissions are added one by one. */
export function startReport(clicks: ClickCounts, options: ReportQuery) {
  const rows = new Map<string, ReportRow>();
  const findRow = (key: string) => {
    const row = rows.get(key) ?? createRow(key, clicks.get(key) ?? 0);
    rows.set(key, row);
    return row;
  };
  for (const key of clicks.keys()) findRow(key);
  const total = createRow(
    'total',
    [...clicks.values()].reduce((sum, count) => sum + count, 0),
  );
  const labelled = createRow('labelled', 0);
  const unmatched = createRow('unmatched', 0);
  const withoutJourney = createRow('without journey', 0);
  const add = (reported: ReportedCommission) => {
    const { commission, journey } = reported;
    // A commission is in the period of its click; one without a click has only its booking time.
    const time = journey?.clickTime ?? commission.eventTime;
    if (commission.isDismissed || time < options.from || time >= options.to) return;
    addMoney(total, commission, commission.amount, commission.reversedAmount);
    countPayment(total, reported);
    if (journey === null) {
      const row = isUnmatched(reported) ? unmatched : labelled;
      addMoney(row, commission, commission.amount, commission.reversedAmount);
      return;
    }
    if (journey.isFree) {
      addMoney(withoutJourney, commission, commission.amount, commission.reversedAmount);
      countPayment(withoutJourney, reported);
    }
    const row = findRow(getKey(commission, journey, time, options));
    addMoney(row, commission, commission.amount, commission.reversedAmount);
    countPayment(row, reported);
  };
  const order = options.by === 'month' ? compareKeys : compareRows;
  const finish = () => ({
    rows: [...rows.values()].sort(order),
    total,
    /** Commissions that ids of a network credit to pages or groups, without a click. */
    labelled,
    /** Commissions without a known click; dismissed ones are left out everywhere. */
    unmatched,
    /** The part of the rows whose visits are without journey; its clicks are not counted. */
    withoutJourney,
  });
  return { add, finish };
}

/** Sums counted clicks by the key of the row that they belong to; those by month come as counts of days. */
export function buildClickCounts(
  groups: readonly (EventCounts & { readonly key: readonly string[] })[],
  { by, answerField }: { readonly by: ReportQuery['by']; readonly answerField: ReportQuery['answerField'] },
): ClickCounts {
  const counts = new Map<string, number>();
  for (const { key, clicks } of groups) {
    const name = buildClickKey(key, by, answerField);
    if (name !== null && clicks > 0) counts.set(name, (counts.get(name) ?? 0) + clicks);
  }
  return counts;
}

const buildAnswerKey = (value: unknown) => String(value ?? '') || '(none)';

/** The key of the row that a commission is in. */
function getKey(
  commission: Commission,
  journey: FrozenJourney,
  time: number,
  { by, model, timeZone, answerField }: ReportQuery,
): string {
  switch (by) {
    case 'placement':
      return buildPlacementKey(journey.page, journey.placement);
    case 'answer':
      return buildAnswerKey(journey.answers[answerField]);
    case 'partner':
      return commission.partner;
    case 'month':
      return getLocalDay(time, timeZone).slice(0, 7);
    case 'page':
      return journey.page;
    case 'campaign':
      return getCampaign(buildCreditPath(journey), model);
    case 'source':
      return getSource(buildCreditPath(journey));
  }
}

function createRow(key: string, clicks: number): ReportRow {
  return { key, clicks, conversions: 0, payments: 0, currencies: {} };
}

function addMoney(row: ReportRow, { currency, status }: Commission, amount: number, reversed: number): void {
  const totals = row.currencies[currency] ?? buildEmptyTotals();
  row.currencies[currency] = totals;
  addToTotals(totals, status, amount, reversed);
}

function countPayment(row: ReportRow, reported: ReportedCommission): void {
  if (isConversion(reported)) row.conversions += 1;
  else if (isPayment(reported)) row.payments += 1;
}

/** Most approved, paid and pending money first, then most clicks, then by name. */
function compareRows(one: ReportRow, other: ReportRow): number {
  return sumMoney(other) - sumMoney(one) || other.clicks - one.clicks || compareKeys(one, other);
}

const compareKeys = (one: ReportRow, other: ReportRow) => (one.key < other.key ? -1 : 1);

function sumMoney({ currencies }: ReportRow): number {
  return Object.values(currencies).reduce((sum, totals) => sum + getBooked(totals), 0);
}

/** What a report can be grouped by. */
export const REPORT_DIMENSIONS = [
  'page',
  'placement',
  'campaign',
  'source',
  'answer',
  'partner',
  'month',
] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];
