import type { ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { buildPayments } from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readConnection } from '../import/networks.ts';
import { buildTable, type Column, column, formatTimeCell } from '../reports/columns.ts';
import { buildEarnedColumns, type EarnedRow, readEarned, sortEarned, sumRows } from '../reports/earned.ts';
import { PAYMENT_COLUMNS, readSelectedSchedule } from '../reports/payments.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { passesValues } from '../reports/select-entries.ts';
import { readPartnerLabels } from './labels.ts';
import { buildPaymentMessage, groupOverdue, readOverdue } from './overdue.ts';

/** A partner with what its clicks earned. */
export interface PartnerRow extends EarnedRow {
  readonly name: string;
  readonly network: string;
  /** When the newest message arrived, of all time; ms since 1970, null without any. */
  readonly lastMessageAt: number | null;
}

const EARNED_COLUMNS = buildEarnedColumns('Partner', null);
export const PARTNER_COLUMNS: readonly Column<PartnerRow>[] = [
  ...EARNED_COLUMNS,
  column('last', 'Last message', ({ lastMessageAt }) => formatTimeCell(lastMessageAt), {
    exportName: 'last message',
    isNumeric: true,
  }),
];

/** What is overdue at one partner, and the message about it. */
export type OverdueDetail = NonNullable<Awaited<ReturnType<typeof readOverdueDetail>>>;

/** Reads all payments as they are exported: those that are open and those that were made. */
export async function readPayments(site: ConsoleSite, request: { readonly query: ViewRequest['query'] }) {
  return { rows: buildPayments(await readSelectedSchedule(site, request.query)) };
}

/** Reads the exported table of the view: programs, or every payment (`partners/payments.csv`). */
export async function readPartnerTable(site: ConsoleSite, request: ViewRequest) {
  return request.rest[0] === 'payments'
    ? buildTable((await readPayments(site, request)).rows, PAYMENT_COLUMNS)
    : buildTable((await readPrograms(site, request.query)).rows, PARTNER_COLUMNS);
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
  return { ...programs, connection, record: programs.partner && (await readRecord(site, request.query)) };
}

/** Reads what became of the commissions of a partner, by the clicks of a period: counts, and median times in ms. */
async function readRecord(site: ConsoleSite, query: ConsoleQuery) {
  const { cells } = await site.periods.readCells(query);
  const own = cells.filter(({ currency }) => query.currency === null || currency === query.currency);
  const count = (list: typeof own) => list.reduce((sum, cell) => sum + cell.count, 0);
  const all = count(own);
  const reversed = count(own.filter(({ status }) => status === 'reversed'));
  const durations = await site.periods.readDurations(query, all);
  const find = (name: 'convert' | 'approve') =>
    durations.find(({ is, durations: { count } }) => is === name && count >= MIN_DURATIONS)?.durations.median;
  return { all, reversed, convert: find('convert') ?? null, approve: find('approve') ?? null };
}

/** Fewer commissions say nothing about how long a partner takes. */
const MIN_DURATIONS = 5;

/** Reads how the programs of the partners do. */
export async function readPartners(site: ConsoleSite, { query, viewer }: SeenQuery) {
  const { partners } = site.content.read();
  const now = site.clock.now();
  const today = getLocalDay(now, site.settings.TIME_ZONE);
  const [{ rows, ...figures }, scheduled] = await Promise.all([
    readPrograms(site, query),
    readSelectedSchedule(site, query),
  ]);
  const filters = listPartnerFilters(query);
  const [chosen] = filters.length === 1 ? filters : [];
  const partner = chosen?.isNot === false ? partners.get(chosen.value) : undefined;
  return {
    ...figures,
    rows,
    /** The one partner that the view is about, as its file has it; null with several. */
    partner: partner ?? null,
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

/** Reads what the clicks of each partner earned; those without any are listed too. */
async function readPrograms(site: ConsoleSite, query: ConsoleQuery) {
  const { partners, networks } = site.content.read();
  const { table } = site.money.commissions;
  const [earned, known] = await Promise.all([
    readEarned(site.periods, query, 'partner'),
    table.readPartners(),
  ]);
  const lastMessages = await table.readLastArrivals(known);
  const filters = listPartnerFilters(query);
  const names = [...new Set([...partners.keys(), ...known, ...earned.rows.map(({ key }) => key)])];
  const own = new Map(earned.rows.map((row) => [row.key, row]));
  const none = { ...sumRows([], earned.currency), clicks: earned.total.clicks === null ? null : 0 };
  const rows = names
    .filter((key) => passesValues(filters, ({ value }) => value === key))
    .map((key): PartnerRow => {
      const network = partners.get(key)?.terms.network ?? '';
      return {
        ...(own.get(key) ?? none),
        key,
        name: partners.get(key)?.name ?? key,
        network: networks.get(network)?.title ?? network,
        lastMessageAt: lastMessages.get(key) ?? null,
      };
    });
  return { ...earned, ...sortEarned(rows, PARTNER_COLUMNS, query.sort) };
}

async function readOverdueDetail(site: ConsoleSite, partner: Partner, scheduled: readonly ScheduledDue[]) {
  const groups = await Promise.all(groupOverdue(scheduled).map((group) => readOverdue(site, group)));
  const message = buildPaymentMessage(groups, partner, site.content.read().site.name);
  return message === null ? null : { partner, groups, message };
}
