import {
  APPROVED,
  CLICKS,
  CONVERSIONS,
  type Column,
  CURRENCY,
  EPC,
  exported,
  PAID,
  PAYMENTS,
  PENDING,
  REVERSED,
} from '../../console/reports/columns.ts';
import { describeMoneyWithout } from '../../console/reports/without-journey.ts';
import { summarizeMatches, UNMATCHED_COLUMNS } from '../../console/unmatched/read.ts';
import {
  buildClickCounts,
  buildEmptyTotals,
  type ClickCounts,
  type CommissionReport,
  isUnmatched,
  type ReportQuery,
  type ReportRow,
} from '../../core/commissions/credit/commission-report.ts';
import { listSourceNames } from '../../core/commissions/credit/credit.ts';
import {
  CONFLICT_TEXTS,
  findConflicts,
  type LedgerEntry,
} from '../../core/commissions/ledger/build-ledger.ts';
import { readWorthIn } from '../../core/commissions/ledger/fold-commission.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { getBooked, getEpc } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { readListedCommissions } from '../../server/commissions/sync-networks.ts';
import { formatCsv, formatJson, formatLines, formatTable } from '../command.ts';
import type { OpenedLedger } from '../site.ts';

/** Counts the clicks of a report. Days are those of TIME_ZONE, in which the site counts its events. */
export async function countClicks(
  { rollups, config }: { readonly rollups: OpenedLedger['rollups']; readonly config: OpenedLedger['config'] },
  { by, from, to, answerField }: Pick<ReportQuery, 'by' | 'from' | 'to' | 'answerField'>,
): Promise<ClickCounts> {
  if (rollups === null) return new Map();
  const range = {
    from: from === 0 ? undefined : getLocalDay(from, config.TIME_ZONE),
    to: to === Number.MAX_SAFE_INTEGER ? undefined : getLocalDay(to - 1, config.TIME_ZONE),
  };
  const groups =
    by === 'month'
      ? await rollups.readByDay({ dimension: 'partner', ...range })
      : await rollups.readByKey({ dimension: by, ...range });
  return buildClickCounts(groups, { by, answerField });
}

type ReportLine = Pick<ReportRow, 'key' | 'clicks' | 'conversions' | 'payments'> &
  ReturnType<typeof buildAmounts>;

const REPORT_COLUMNS: readonly Column<ReportLine>[] = [
  CLICKS,
  CONVERSIONS,
  PAYMENTS,
  CURRENCY,
  APPROVED,
  PAID,
  PENDING,
  REVERSED,
  EPC,
];

/** Formats a report; amounts are minor units in JSON and decimals elsewhere. */
export function formatReport(
  report: CommissionReport,
  { by }: Pick<ReportQuery, 'by'>,
  format: 'table' | 'csv' | 'json',
): string {
  if (format === 'json') return formatJson(report);
  const columns = [exported<ReportLine>(by, ({ key }) => key), ...REPORT_COLUMNS];
  const { rows, labelled, unmatched, total } = report;
  const labelRows = Object.keys(labelled.currencies).length > 0 ? [labelled] : [];
  return format === 'csv'
    ? formatCsv(rows.flatMap(buildLines), columns)
    : formatTable([...rows, ...labelRows, unmatched, total].flatMap(buildLines), columns) +
        formatLines(describeWithout(report, by));
}

/** Says what share of the money of known clicks is without journey, by currency. */
function describeWithout(report: CommissionReport, by: ReportQuery['by']) {
  const { total, labelled, unmatched, withoutJourney } = report;
  const book = ({ currencies }: ReportRow, currency: string) =>
    getBooked(currencies[currency] ?? buildEmptyTotals());
  return Object.keys(withoutJourney.currencies).flatMap((currency) => {
    const [all = 0, ...others] = [total, labelled, unmatched].map((row) => book(row, currency));
    const clicked = others.reduce((rest, amount) => rest - amount, all);
    const without = book(withoutJourney, currency);
    return clicked === 0 || without === 0
      ? []
      : [`${describeMoneyWithout(`${currency} money of known clicks`, without / clicked, by)}.`];
  });
}

/** One line for each currency of a row; one without money when it has none. */
function buildLines(row: ReportRow): ReportLine[] {
  const currencies = Object.keys(row.currencies);
  return (currencies.length > 0 ? currencies : [null]).map((currency) => ({
    ...row,
    ...buildAmounts(row, currency),
  }));
}

function buildAmounts({ currencies, clicks }: ReportRow, currency: string | null) {
  const totals = (currency !== null && currencies[currency]) || null;
  const { approved = null, paid = null, pending = null, reversed = null } = totals ?? {};
  return { currency, approved, paid, pending, reversed, epc: totals && getEpc(totals, clicks) };
}

/** Lists commissions without a click, with the reason, and the share of the money whose click is known. */
export async function listUnmatched({ ledger, store, networks }: OpenedLedger) {
  const waiting: LedgerEntry[] = [];
  const conflicts: { readonly partner: string; readonly id: string; readonly conflicts: Conflicts }[] = [];
  for await (const page of ledger.table.readPages({}))
    for (const entry of page) {
      const { partner, nativeId: id, isDismissed } = entry.commission;
      if (isUnmatched(entry) && !isDismissed) waiting.push(entry);
      const found = findConflicts(entry);
      if (found.length > 0) conflicts.push({ partner, id, conflicts: found });
    }
  return {
    waiting,
    commissions: waiting.map(({ commission, reason }) => {
      const { partner, account, nativeId: id, status, amount, currency, token: subId } = commission;
      const time = formatTime(commission.eventTime);
      return { partner, account, id, status, amount, currency, reason, subId, time };
    }),
    currencies: Object.fromEntries(
      summarizeMatches(await ledger.table.readCohorts(null), null).map(({ currency, ...sum }) => [
        currency,
        sum,
      ]),
    ),
    differences: await ledger.table.readDifferences(await readListedCommissions(store, networks), -1),
    conflicts,
  };
}

type Conflicts = ReturnType<typeof findConflicts>;

/** Formats the list for a terminal, with the columns of the console's export. */
export function formatUnmatched(
  waiting: readonly LedgerEntry[],
  list: Omit<Awaited<ReturnType<typeof listUnmatched>>, 'waiting' | 'commissions'>,
): string {
  const rates = Object.entries(list.currencies).map(([currency, { unmatched, matchRate }]) => {
    const share = matchRate === null ? 'nothing reported' : `${Math.round(matchRate * 1_000) / 10} % matched`;
    return `${currency}: ${formatDecimalAmount(unmatched, currency)} unmatched, ${share}`;
  });
  const differences = list.differences.map(({ partner, id, currency, counted, reported }) => {
    const [counts, reports] = [counted, reported].map((amount) => formatDecimalAmount(amount, currency));
    return `${partner} ${id}: ${counts} ${currency} counts, another source reports ${reports}`;
  });
  const conflicts = list.conflicts.map(
    ({ partner, id, conflicts: kinds }) =>
      `${partner} ${id}: ${kinds.map((kind) => CONFLICT_TEXTS[kind]).join('; ')}; see explain`,
  );
  const table = formatTable(waiting, UNMATCHED_COLUMNS);
  return table + formatLines([...rates, ...differences, ...conflicts]);
}

/** Builds the chain from a commission to the click, page, campaign and answers behind it. */
export function buildExplanation(entry: LedgerEntry) {
  const { commission, journey, facts, reason, isCounted } = entry;
  const { partner, account, nativeId: id, kind, status, amount, reversedAmount, currency } = commission;
  const { isDismissed, conflicts } = commission;
  const [time, changed] = [formatTime(commission.eventTime), formatTime(commission.changeTime)];
  const own = { partner, id, status, amount, currency, account, kind, reversedAmount, time, changed };
  const { touches = [], pages = [], entryPage = '', answers = {} } = journey ?? {};
  return {
    commission: { ...own, isCounted, isDismissed },
    click: journey && {
      id: journey.clickId,
      page: journey.page,
      source: journey.placement,
      destination: journey.destination,
      time: formatTime(journey.clickTime),
      flags: journey.flags ?? [],
      isFree: journey.isFree ?? false,
    },
    conflicts: findConflicts(entry),
    reason,
    campaign: touches.at(-1)?.campaign ?? {},
    sources: journey?.sources ?? null,
    touches: touches.map((touch) => ({ campaign: touch.campaign, time: formatTime(touch.time) })),
    pages,
    entryPage,
    answers,
    facts: facts.map((fact) => {
      const { source, sequence, changeTime, arrivedAt, rawId, importId, unstated = [] } = fact;
      const worth = readWorthIn(fact, currency);
      return {
        // Null: the report did not say it.
        source,
        status: fact.status,
        amount: unstated.includes('amount') ? null : worth.amount,
        currency: worth.currency,
        unstated,
        changed: changeTime === arrivedAt ? null : formatTime(changeTime),
        arrived: formatTime(arrivedAt),
        message: rawId,
        import: importId,
        isConflict: conflicts.some((conflict) => conflict.sequence === sequence),
      };
    }),
  };
}

const formatTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const formatFlags = (flags: readonly string[]) =>
  flags.length === 0 ? '' : `, flagged as ${flags.join(', ')} and not counted among the clicks`;

/** Formats an explanation for a terminal. */
export function formatExplanation(explanation: ReturnType<typeof buildExplanation>): string {
  const { commission, click, campaign, answers, facts, reason } = explanation;
  const money = (amount: number, currency = commission.currency) =>
    `${formatDecimalAmount(amount, currency)} ${currency}`;
  const list = (values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ') || '(none)';
  const lines = [
    `commission  ${commission.partner} ${commission.id}: ${commission.status}, ${money(commission.amount)}`,
    ...facts.map(({ arrived, changed, source, status, amount, currency, unstated, isConflict }) => {
      const conflict = isConflict ? ' (contradicts a newer report, not applied)' : '';
      const time = changed === null ? 'no time stated' : `stated time ${changed}`;
      const silent = unstated.includes('currency') ? ' (no currency stated)' : '';
      const worth = amount === null ? 'no amount stated' : `${money(amount, currency)}${silent}`;
      return `  report    arrived ${arrived} by ${source}, ${time}: ${status}, ${worth}${conflict}`;
    }),
    click === null
      ? `click       unknown (${reason})`
      : `click       ${click.id} at ${click.time}, to ${click.destination || '(unknown)'}` +
        `${formatFlags(click.flags)}${click.isFree ? ', without journey' : ''}`,
    ...explanation.conflicts.map((conflict) => `to check    ${CONFLICT_TEXTS[conflict]}`),
    ...(click === null
      ? []
      : [
          `page        ${click.page}, placement ${click.source || '(none)'}`,
          `campaign    ${list(campaign)}`,
          `source      ${listSourceNames(explanation.sources ?? undefined).join(' → ')}`,
          `pages       ${explanation.pages.join(' → ')}`,
          `answers     ${list(answers)}`,
        ]),
  ];
  return formatLines(lines);
}
