import { DAY_MS } from '../../core/clock.ts';
import type { ReportClock } from '../../core/commissions/credit/commission-report.ts';
import { buildPayments, type Payment, type ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { getApprovalRate, getEpc } from '../../core/commissions/metric-definitions.ts';
import { rankMatureClicks } from '../../core/commissions/ranges/build-ranking.ts';
import { buildPartnerMaturity } from '../../core/commissions/ranges/maturity.ts';
import type { Ranked } from '../../core/commissions/ranges/rank-by-earnings.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import { type CommissionCell, type CommissionCohort, STATES } from '../../stores/commission-sums.ts';
import { type CommissionSum, sumCommissions } from '../commissions/read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readKnownLinks } from '../content/updates.ts';
import { readConnection } from '../import/networks.ts';
import { EPC_COLUMNS } from '../reports/breakdown.ts';
import {
  buildTable,
  CLICKS,
  CONVERSIONS,
  type Column,
  CURRENCY,
  column,
  exported,
  formatAmountCell,
  formatTimeCell,
  metric,
  money,
  PAYMENTS,
} from '../reports/columns.ts';
import {
  buildPaymentOutlook,
  describePaymentTerms,
  PAYMENT_COLUMNS,
  type PaymentOutlook,
  readSelectedSchedule,
} from '../reports/payments.ts';
import { findVisits, listCohortSums } from '../reports/periods.ts';
import type { ConsoleDimension, ConsoleQuery } from '../reports/query.ts';
import { passesValues } from '../reports/select-entries.ts';
import { readPartnerLabels } from './labels.ts';
import { buildPaymentMessage, groupOverdue, readOverdue } from './overdue.ts';

/** How long something takes, in ms: half of the cases take at most `median`, nine of ten at most `p90`. */
export interface Durations {
  readonly median: number;
  readonly p90: number;
  readonly count: number;
}

/** How a partner's program does. Rates are from 0 to 1 and null while nothing can be said. */
export interface PartnerRow {
  readonly key: string;
  readonly name: string;
  readonly network: string;
  /** Null where they cannot be counted for the filters. */
  readonly clicks: number | null;
  readonly conversions: number;
  readonly payments: number;
  /** By click day alone: what is booked in a period comes from earlier clicks too. */
  readonly conversionRate: number | null;
  /** By amount, in the first currency of `sums`. */
  readonly approvalRate: number | null;
  readonly sums: readonly CommissionSum[];
  /** What its clicks earn, by currency; empty where clicks cannot be counted for the filters. */
  readonly earnings: ReadonlyMap<string, PartnerEarnings>;
  /** From the click to the first commission. */
  readonly timeToConvert: Durations | null;
  /** From the booking to the approval. */
  readonly timeToApprove: Durations | null;
  /** When the newest message arrived, of all time; ms since 1970, null without any. */
  readonly lastMessageAt: number | null;
  /** When its network's API is read next; ms since 1970, null when it is not read. */
  readonly nextSyncAt: number | null;
}

/** What a click on a link to a partner has earned so far and is expected to earn; minor units. */
interface PartnerEarnings {
  readonly epc: number | null;
  readonly ranked: Ranked | null;
}

/** The share of the final commission that has usually arrived, by age of the click in weeks. */
export type MaturityModel = ReturnType<typeof buildCurve>[number];

/** Builds a partner's row from its commissions of the period. `currency`: of the totals, null where each is summed by itself. */
function buildPartnerRow(
  partner: Omit<
    PartnerRow,
    'conversions' | 'payments' | 'conversionRate' | 'approvalRate' | 'sums' | 'earnings'
  >,
  cells: readonly CommissionCell[],
  { clock, currency }: { readonly clock: ReportClock; readonly currency: string | null },
): Omit<PartnerRow, 'earnings'> {
  const count = (some: readonly CommissionCell[]) => some.reduce((sum, cell) => sum + cell.count, 0);
  const conversions = cells.filter(({ state }) => state === STATES.conversion);
  const sums = sumCommissions(cells, currency);
  return {
    ...partner,
    conversions: count(conversions),
    payments: count(cells.filter(({ state }) => state === STATES.payment)),
    // Of those whose click is among the counted ones of the partner, so that no more than all of them convert.
    conversionRate:
      clock === 'click' && partner.clicks
        ? count(conversions.filter(({ path }) => path?.isClickCounted && path.partner === partner.key)) /
          partner.clicks
        : null,
    approvalRate: sums[0] === undefined ? null : getApprovalRate(sums[0]),
    sums,
  };
}

type PartnerLine = PartnerRow &
  PartnerEarnings & { readonly sum: CommissionSum | null; readonly currency: string | null };

/** A partner with its money in one currency: the first one unless another is given. */
export const toPartnerLine = (row: PartnerRow, sum = row.sums[0] ?? null): PartnerLine => ({
  ...row,
  ...(row.earnings.get(sum?.currency ?? '') ?? NO_EARNINGS),
  sum,
  currency: sum?.currency ?? null,
});

const NO_EARNINGS: PartnerEarnings = { epc: null, ranked: null };

const days = (time: number | undefined) => (time === undefined ? null : (time / DAY_MS).toFixed(2));

export const PARTNER_COLUMNS: readonly Column<PartnerLine>[] = [
  column('name', 'Partner', ({ key }) => key, { exportName: 'partner' }),
  CLICKS,
  CONVERSIONS,
  { ...PAYMENTS, isShown: false },
  exported('conversion rate', ({ conversionRate }) => conversionRate),
  metric('approvalRate', 'Approval rate', ({ approvalRate }) => approvalRate, {
    exportName: 'approval rate',
  }),
  CURRENCY,
  ...EPC_COLUMNS,
  money('approved', 'Approved', ({ sum }) => sum?.approved ?? null, { onPhone: 'lead' }),
  money('paid', 'Paid', ({ sum }) => sum?.paid ?? null),
  money('pending', 'Pending', ({ sum }) => sum?.pending ?? null),
  exported('reversed', ({ sum }) => sum && formatAmountCell(sum.reversed, sum.currency)),
  metric('timeToConvert', 'To commission', ({ timeToConvert }) => timeToConvert?.median ?? null, {
    exportName: 'days to convert (median)',
    text: ({ timeToConvert }) => days(timeToConvert?.median),
  }),
  exported('days to convert (90 %)', ({ timeToConvert }) => days(timeToConvert?.p90)),
  metric('timeToApprove', 'To approval', ({ timeToApprove }) => timeToApprove?.median ?? null, {
    exportName: 'days to approve (median)',
    text: ({ timeToApprove }) => days(timeToApprove?.median),
  }),
  exported('days to approve (90 %)', ({ timeToApprove }) => days(timeToApprove?.p90)),
  column('last', 'Last message', ({ lastMessageAt }) => formatTimeCell(lastMessageAt), {
    exportName: 'last message',
    isNumeric: true,
  }),
];

const COUNTED_DIMENSIONS: readonly ConsoleDimension[] = ['partner', 'status', 'journey'];

/** What one account of a partner has paid and will pay in one currency. */
export interface PaymentLine {
  readonly partner: string;
  readonly name: string;
  readonly account: string;
  /** What its terms say, one phrase each; empty when they say nothing. */
  readonly terms: readonly string[];
  /** Null without any open or recent payment. */
  readonly outlook: PaymentOutlook | null;
  /** Every open payment, and those of the last 60 days. */
  readonly payments: readonly Payment[];
}

/** What is overdue at one partner, and the message about it. */
export type OverdueDetail = NonNullable<Awaited<ReturnType<typeof readOverdueDetail>>>;

/** Builds a line for each partner, account and currency with open or recent payments, and for each partner without. */
function buildPaymentLines(
  keys: readonly string[],
  partners: ReadonlyMap<string, Partner>,
  scheduled: readonly ScheduledDue[],
  today: string,
): readonly PaymentLine[] {
  const accounts = Map.groupBy(
    buildPayments(scheduled),
    ({ partner, account, currency }) => `${partner} ${account} ${currency}`,
  );
  const lines = [...accounts.values()].flatMap((payments): PaymentLine[] => {
    const [first] = payments;
    if (first === undefined) return [];
    const { partner, account, currency } = first;
    const outlook = buildPaymentOutlook(payments, currency, today);
    const shown = payments.filter(({ state, day }) => state !== 'paid' || (day ?? '') >= outlook.from);
    if (shown.length === 0) return [];
    return [{ ...describePartner(partner, partners), account, outlook, payments: shown }];
  });
  return keys.flatMap((key) => {
    const own = lines.filter(({ partner }) => partner === key);
    return own.length > 0
      ? own
      : [{ ...describePartner(key, partners), account: '', outlook: null, payments: [] }];
  });
}

function describePartner(key: string, partners: ReadonlyMap<string, Partner>) {
  const partner = partners.get(key);
  const terms = partner === undefined ? [] : describePaymentTerms(partner.terms.payments);
  return { partner: key, name: partner?.name ?? key, terms };
}

/** Reads all payments as they are exported: those that are open and those that were made. */
export async function readPayments(site: ConsoleSite, request: { readonly query: ViewRequest['query'] }) {
  return { rows: buildPayments(await readSelectedSchedule(site, request.query)) };
}

/** Reads the exported table of the view: programs, or every payment (`partners/payments.csv`). */
export async function readPartnerTable(site: ConsoleSite, request: ViewRequest) {
  return request.rest[0] === 'payments'
    ? buildTable((await readPayments(site, request)).rows, PAYMENT_COLUMNS)
    : buildTable((await readPartnerLines(site, request)).rows, PARTNER_COLUMNS);
}

/** A query, and who asks it. */
interface SeenQuery {
  readonly query: ViewRequest['query'];
  readonly viewer: ViewRequest['viewer'];
}

/** Reads the view; null for a path below it. */
export async function readPartnersPage(site: ConsoleSite, request: ViewRequest) {
  if (request.rest.length > 0) return null;
  const programs = await readPartners(site, request);
  /** How the commissions of the one partner arrive; null with several. */
  const connection = programs.partner && (await readConnection(site, programs.partner.key, request));
  return { ...programs, connection };
}

/** Reads how the programs of the partners do. */
export async function readPartners(site: ConsoleSite, { query, viewer }: SeenQuery) {
  const { partners } = site.content.read();
  const now = site.clock.now();
  const today = getLocalDay(now, site.settings.TIME_ZONE);
  const [{ rows, curves }, scheduled, known] = await Promise.all([
    readPrograms(site, query, now),
    readSelectedSchedule(site, query),
    readKnownLinks(site),
  ]);
  const keys = rows.map(({ key }) => key);
  const filters = listPartnerFilters(query);
  const [chosen] = filters.length === 1 ? filters : [];
  const partner = chosen?.isNot === false ? partners.get(chosen.value) : undefined;
  return {
    rows,
    /** One for each partner with enough conversions. */
    curves,
    payments: buildPaymentLines(keys, partners, scheduled, today),
    /** The one partner that the view is about, as its file has it; null with several. */
    partner: partner ?? null,
    /** The links to that partner; without one, those to all partners. Null behind a share link. */
    links:
      viewer.kind === 'share'
        ? null
        : known.filter(({ link }) =>
            partner === undefined ? link.partner !== null : link.partner === partner.key,
          ),
    /** What ids of its network stand for; null without any, and behind a share link. */
    labels:
      partner?.labels === undefined || viewer.kind === 'share'
        ? null
        : await readPartnerLabels(site, { key: partner.key, labels: partner.labels }, query),
    /** What is overdue at that partner; null without any, and behind a share link, which shows no commissions. */
    overdue:
      partner === undefined || viewer.kind === 'share'
        ? null
        : await readOverdueDetail(site, partner, scheduled),
    now,
    today,
  };
}

const listPartnerFilters = ({ filters }: ConsoleQuery) =>
  filters.filter(({ dimension }) => dimension === 'partner');

/** Reads the row and the curve of each partner that passes the filters. */
async function readPrograms(site: ConsoleSite, query: ConsoleQuery, now: number) {
  const { partners, networks } = site.content.read();
  const { table } = site.money.commissions;
  const [{ cells, currency, isConverted }, known, groups, syncs, durations] = await Promise.all([
    site.periods.readCells(query),
    table.readPartners(),
    site.money.rollups.readByKey({
      dimension: 'partner',
      from: query.from,
      to: query.to,
      visits: findVisits(query),
    }),
    readSyncRows(site),
    site.periods.readDurations(query),
  ]);
  const lastMessages = await table.readLastArrivals(known);
  const clicks = new Map(groups.map((group) => [group.key[0] ?? '', group.clicks]));
  // Clicks are counted by partner; the status belongs to commissions alone.
  const areCounted = query.filters.every(({ dimension }) => COUNTED_DIMENSIONS.includes(dimension));
  const ofPeriod = Map.groupBy(
    cells.filter((cell) => query.currency === null || cell.currency === query.currency),
    ({ partner }) => partner,
  );
  // A partner whose file was removed may still have commissions.
  const filters = listPartnerFilters(query);
  const keys = [...new Set([...partners.keys(), ...known])].filter((key) =>
    passesValues(filters, ({ value }) => value === key),
  );
  const converted = isConverted ? currency : null;
  const unsorted = keys.map((key) => {
    const partner = partners.get(key);
    const network = partner?.terms.network ?? '';
    const sync = syncs.find((row) => row.network === network);
    const facts = {
      key,
      name: partner?.name ?? key,
      network: networks.get(network)?.title ?? network,
      clicks: areCounted ? (clicks.get(key) ?? 0) : null,
    };
    const find = (name: 'convert' | 'approve') =>
      durations.find(({ partner, is }) => partner === key && is === name)?.durations ?? null;
    return buildPartnerRow(
      {
        ...facts,
        nextSyncAt: sync?.nextAt ?? null,
        lastMessageAt: lastMessages.get(key) ?? null,
        timeToConvert: find('convert'),
        timeToApprove: find('approve'),
      },
      ofPeriod.get(key) ?? [],
      { clock: query.clock, currency: converted },
    );
  });
  const earnings = await readEarnings(site, query, unsorted, converted);
  const rows = unsorted
    .map((row): PartnerRow => ({ ...row, earnings: earnings.get(row.key) ?? new Map() }))
    .sort(compareRows);
  const all = await site.periods.readCohorts(query);
  const curves = rows.flatMap((row) =>
    buildCurve(row, all, {
      isRecurring: partners.get(row.key)?.terms.recurring ?? false,
      currency: converted,
      now,
    }),
  );
  return { rows, curves };
}

async function readOverdueDetail(site: ConsoleSite, partner: Partner, scheduled: readonly ScheduledDue[]) {
  const groups = await Promise.all(groupOverdue(scheduled).map((group) => readOverdue(site, group)));
  const message = buildPaymentMessage(groups, partner, site.content.read().site.name);
  return message === null ? null : { partner, groups, message };
}

/**
 * Reads what the clicks of the partners of some rows earn, by partner and currency, by click day whatever the clock is.
 * Partners are ranked among those with most commissions in the same currency.
 */
async function readEarnings(
  { periods }: ConsoleSite,
  query: ConsoleQuery,
  rows: readonly Pick<PartnerRow, 'key' | 'clicks' | 'sums'>[],
  converted: string | null,
): Promise<ReadonlyMap<string, ReadonlyMap<string, PartnerEarnings>>> {
  const found = new Map<string, Map<string, PartnerEarnings>>();
  if (query.filters.some(({ dimension }) => dimension !== 'partner')) return found;
  for (const currency of new Set(rows.flatMap(({ sums }) => sums.map((sum) => sum.currency)))) {
    const chosen = currency === converted ? null : currency;
    const period = await periods.readPeriod({ ...query, clock: 'click', currency: chosen, filters: [] });
    const matched = period.selection.cells.filter(({ path }) => path !== null);
    const money = Map.groupBy(matched, ({ partner }) => partner);
    const own = new Set(rows.filter(({ sums }) => sums[0]?.currency === currency).map(({ key }) => key));
    const clicks = (await period.counts.readMatureClicks('partner')).filter(({ key }) => own.has(key));
    const site = await periods.readSite(period, 'partner');
    const ranking = rankMatureClicks(clicks, period.selection.getEarnings('partner'), site);
    for (const { key, clicks: count } of rows) {
      const totals = sumCommissions(money.get(key) ?? [])[0];
      const earnings = found.get(key) ?? new Map<string, PartnerEarnings>();
      found.set(key, earnings);
      const ranked = own.has(key) ? (ranking.find((row) => row.key === key) ?? null) : null;
      const epc = totals === undefined || count === null ? null : getEpc(totals, count);
      earnings.set(currency, { epc, ranked });
    }
  }
  return found;
}

/** Reads the programs with a row for each currency. */
export async function readPartnerLines(site: ConsoleSite, request: SeenQuery) {
  const { rows } = await readPartners(site, request);
  return {
    rows: rows.flatMap((row) =>
      row.sums.length === 0 ? [toPartnerLine(row)] : row.sums.map((sum) => toPartnerLine(row, sum)),
    ),
  };
}

function buildCurve(
  { key, name }: { readonly key: string; readonly name: string },
  all: readonly CommissionCohort[],
  options: Parameters<typeof buildPartnerMaturity>[2] & { readonly currency: string | null },
) {
  const own = all.filter(({ partner }) => partner === key);
  const currency = sumCommissions(own, options.currency)[0]?.currency;
  const maturity = buildPartnerMaturity(
    listCohortSums(own, currency),
    listCohortSums(all, currency),
    options,
  );
  if (maturity === null) return [];
  const { curve, conversions, isPooled } = maturity;
  return [{ partner: key, name, shares: curve.shares, ranges: curve.ranges, conversions, isPooled }];
}

function compareRows(one: PartnerRow, other: PartnerRow): number {
  const clicks = (other.clicks ?? 0) - (one.clicks ?? 0);
  return other.conversions - one.conversions || clicks || (one.name < other.name ? -1 : 1);
}
