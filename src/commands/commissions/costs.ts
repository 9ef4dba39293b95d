import { createReadStream } from 'node:fs';
import path from 'node:path';
import {
  buildCostReportColumns,
  type CostReportRow,
  readAllCampaigns,
  readSourceCosts,
} from '../../console/campaigns/read.ts';
import { PeriodReader } from '../../console/reports/periods.ts';
import { parseConsoleQuery } from '../../console/reports/query.ts';
import { addDays } from '../../console/reports/range.ts';
import { AD_PLATFORMS, PLATFORM_NAMES, sumCosts } from '../../core/commissions/cost/campaign-cost.ts';
import type { ReportQuery } from '../../core/commissions/credit/commission-report.ts';
import { DAY_ORDERS, getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import {
  assignCampaign,
  type CostStores,
  type CostSummary,
  findProfileProblem,
  importCosts,
  previewCosts,
  setCost,
} from '../../server/commissions/cost-import.ts';
import {
  formatCsv,
  formatFields,
  formatJson,
  formatLines,
  formatTable,
  parseChoice,
  UsageError,
} from '../command.ts';
import { CLOCK, type OpenedLedger } from '../site.ts';
import type { ImportValues } from './imports.ts';
import { checkCurrency, formatExchange } from './rates.ts';

const getStores = ({ costs, rollups }: OpenedLedger): CostStores => ({ costs, rollups });

const formatSums = (sums: Readonly<Record<string, number>>) =>
  Object.entries(sums)
    .map(([currency, amount]) => `${formatDecimalAmount(amount, currency)} ${currency}`)
    .join(', ') || 'nothing';

/**
 * Previews the export of an advertising platform, or imports it with `--yes`. `values`: what the command line says about
 * the file. Throws an `Error` that says what is missing.
 */
export async function runCostImport(
  opened: OpenedLedger,
  file: string,
  values: ImportValues & { readonly platform?: string | undefined },
): Promise<CostSummary> {
  const { platform, currency, 'time-zone': timeZone, dates, decimal, yes } = values;
  if (platform === undefined)
    throw new UsageError(`Name the platform of the file: --platform ${AD_PLATFORMS.join('|')}.`);
  const profile = {
    platform: parseChoice('platform', platform, AD_PLATFORMS),
    now: Date.now(),
    dayOrder: dates === undefined ? undefined : parseChoice('dates', dates, DAY_ORDERS),
    decimal: decimal === undefined ? undefined : parseChoice('decimal', decimal, ['.', ','] as const),
    currency,
    timeZone,
  };
  const problem = findProfileProblem(profile);
  if (problem !== null) throw new Error(problem);
  const open = () => createReadStream(file);
  return yes
    ? importCosts(getStores(opened), open, profile, { file: path.basename(file), now: profile.now })
    : previewCosts(getStores(opened), open, profile);
}

/** Formats what an import would bring, or has brought, for a terminal. */
export function formatCostImport(summary: CostSummary, siteTimeZone: string): string {
  const { platform, rows, sums, first, last, replaced, unchanged } = summary;
  const { matched, unmatched, absent, totals, problems } = summary;
  const zone = summary.timeZone;
  const lines = [
    `${PLATFORM_NAMES[platform]}: ${rows === 1 ? '1 cost' : `${rows} costs`} from ${first} to ${last}, ${formatSums(sums)}`,
    zone === '' || zone === siteTimeZone
      ? `days of ${siteTimeZone}${zone === '' ? ', the time zone of the site: the file states none' : ''}`
      : `days of ${zone}; the site counts days of ${siteTimeZone}`,
    ...(totals > 0 ? [`rows of totals that are left out: ${totals}`] : []),
    ...(replaced > 0 ? [`replaced: ${replaced}, ${formatSums(summary.replacedSums)} before`] : []),
    ...(unchanged > 0 ? [`stored already: ${unchanged}`] : []),
    ...Object.entries(matched).map(([name, campaign]) => `matched: ${name} = ${campaign}`),
    ...unmatched.map(
      ({ name, campaign }) =>
        `not matched: ${name}, counts as ${campaign}; assign it once with: ` +
        nameCommand(`commissions cost assign ${platform} ${JSON.stringify(name)} CAMPAIGN`),
    ),
    ...absent.map(
      (name) =>
        `not in this file, but counted on these days: ${name}; undo the earlier file if it was renamed`,
    ),
    ...problems,
    summary.committed
      ? `Imported as ${summary.entry}; take it back with: ${nameCommand('commissions undo')} ${summary.entry}`
      : problems.length > 0
        ? 'Nothing was imported: correct this first.'
        : 'Nothing was imported yet: add --yes to import it.',
  ];
  return formatLines(lines);
}

/** Stores a cost from the command line; resolves with a line about it. Throws an `Error` that says what is wrong. */
export async function runSetCost(
  opened: OpenedLedger,
  [campaign = '', amount = '', currency = '']: readonly string[],
  period: string | undefined,
): Promise<string> {
  if (period === undefined)
    throw new UsageError('Name the time of the cost: --month 2026-11 or --day 2026-11-20.');
  const options = { now: Date.now(), timeZone: opened.config.TIME_ZONE };
  const result = await setCost(getStores(opened), { campaign, amount, currency, period }, options);
  if ('problem' in result) throw new Error(result.problem);
  const code = currency.toUpperCase();
  return formatLines([
    `${result.campaign}: ${formatDecimalAmount(result.amount, code)} ${code} for ${period}, as ${result.entry}`,
    ...(result.isReported ? [] : ['No visit of this campaign is known: check its name.']),
  ]);
}

/** Assigns the campaign of a platform to one of the reports. Throws an `Error` that says what is wrong. */
export async function runAssignCost(
  opened: OpenedLedger,
  [platform = '', name = '', campaign = '']: readonly string[],
): Promise<string> {
  const problem = await assignCampaign(getStores(opened), platform, name, campaign);
  if (problem !== null) throw new Error(problem);
  return formatLines([`assigned: ${name} of ${platform} = ${campaign}`]);
}

/** Reads every entry of costs, and the campaigns of platforms with those of the reports. */
export async function listCosts({ costs }: OpenedLedger) {
  return { entries: (await costs.readEntries()).map(nameTime), campaigns: await costs.readCampaigns() };
}

/** An import with the time of its last change as JSON has it. */
export function nameTime<Entry extends { readonly changedAt: number }>({ changedAt, ...entry }: Entry) {
  return { ...entry, changed: new Date(changedAt).toISOString() };
}

/** Formats the list for a terminal. */
export function formatCosts({ entries, campaigns }: Awaited<ReturnType<typeof listCosts>>): string {
  const rows = entries.map(({ sums, file, name, ...entry }) => {
    return { ...entry, file: file || name, cost: formatSums(sums) };
  });
  const named = campaigns.map((one) => ({ ...one, campaign: one.campaign ?? '(not matched)' }));
  const list = formatFields(
    rows,
    'id',
    'platform',
    'file',
    'first',
    'last',
    'rows',
    'cost',
    'state',
    'changed',
  );
  return named.length === 0 ? list : `${list}\n${formatFields(named, 'platform', 'name', 'campaign')}`;
}

/** Reads sums as the console does; `reporting`: the currency of totals. Throws an `Error` before there are any events. */
export function openPeriods({ config, ledger, store, rollups }: OpenedLedger, reporting: string | null) {
  if (rollups === null) throw new Error('There are no events yet: this report needs visits.');
  const money = { commissions: ledger, ledger: store, rollups };
  return new PeriodReader({ money, settings: config, clock: CLOCK }, reporting);
}

/** The oldest day that a report without `--from` has. */
const FIRST_DAY = '2000-01-01';

/**
 * Reads the campaigns or sources of a report with what they cost and brought, a row for each currency, or in one into which
 * the money is converted. Costs stay in the currency in which they were paid.
 */
async function readCostRows(
  opened: OpenedLedger,
  by: 'campaign' | 'source',
  report: ReportQuery,
  wanted: string | undefined,
) {
  const { from, to, clock, model } = report;
  const { config, costs } = opened;
  const { TIME_ZONE: timeZone } = config;
  const today = getLocalDay(Date.now(), timeZone);
  const query = {
    ...parseConsoleQuery(new URLSearchParams({ model, clock }), { today, allTime: null, weekStart: 'monday' })
      .query,
    from: from === 0 ? FIRST_DAY : getLocalDay(from, timeZone),
    to: to === Number.MAX_SAFE_INTEGER ? today : addDays(getLocalDay(to, timeZone), -1),
  };
  if (wanted !== undefined) checkCurrency(wanted);
  const periods = openPeriods(opened, wanted ?? null);
  const spent = sumCosts(await costs.readSummed(query.from, query.to), query, () => '').get('') ?? {};
  const known = [...(await periods.readCurrencies()), ...Object.keys(spent)];
  const currencies = wanted === undefined ? new Set(known) : [wanted];
  const lists: CostReportRow[][] = [];
  for (const currency of currencies) {
    const [site, own] = [
      { periods, money: { costs } },
      { ...query, currency: wanted === undefined ? currency : null },
    ];
    const rows =
      by === 'source'
        ? await readSourceCosts(site, own)
        : (await readAllCampaigns(site, { query: own })).rows;
    lists.push(rows.filter(hasMoney));
  }
  if (wanted === undefined) return { rows: lists.flat(), exchange: null };
  const { [wanted]: _, ...costsLeft } = spent;
  const { converted, missing } = await periods.readForeignMoney(query);
  return {
    rows: lists.flat(),
    /** What was converted, and the money and the costs that were not. */
    exchange: { currency: wanted, converted, missing, costs: costsLeft },
  };
}

const hasMoney = ({ profit, expected, pending, reversed, conversions }: CostReportRow) =>
  profit !== null || [expected, pending, reversed, conversions].some((figure) => figure !== 0);

/**
 * Prints a report with costs; in JSON, amounts are minor units and `profit` is null without a cost. `currency`: that into
 * which money is converted.
 */
export async function formatCostReport(
  opened: OpenedLedger,
  by: 'campaign' | 'source',
  query: ReportQuery,
  { format, currency }: { readonly format: 'table' | 'csv' | 'json'; readonly currency: string | undefined },
): Promise<string> {
  const { rows, exchange } = await readCostRows(opened, by, query, currency);
  const columns = buildCostReportColumns(by);
  if (format === 'csv') return formatCsv(rows, columns);
  if (format === 'table') return formatTable(rows, columns) + describeExchange(rows, exchange);
  const list = rows.map(({ key, clicks, conversions, expected, profit, ...row }) => ({
    key,
    currency: row.currency,
    visits: row.sessions,
    clicks,
    conversions,
    approved: row.approved,
    paid: row.paid,
    pending: row.pending,
    reversed: row.reversed,
    expected,
    profit: profit && {
      ...(by === 'source' && { expectedWithCost: profit.expected }),
      cost: profit.cost,
      profit: profit.profit,
      returnOnSpend: profit.returnOnSpend,
      finalProfit: profit.finalProfit,
      costPerVisit: profit.costPerVisit,
      breakEven: profit.breakEven,
    },
  }));
  return formatJson({ rows: list, ...(exchange !== null && { exchange }) });
}

/** Says below a report what was converted, and what is compared with nothing. */
function describeExchange(
  rows: readonly CostReportRow[],
  exchange: Awaited<ReturnType<typeof readCostRows>>['exchange'],
): string {
  if (exchange === null)
    return new Set(rows.map(({ currency }) => currency)).size < 2
      ? ''
      : 'A cost is compared with the money of its own currency alone: --currency CODE converts the money.\n';
  const left = Object.entries(exchange.costs).map(
    ([code, amount]) =>
      `${formatDecimalAmount(amount, code)} ${code} of costs is not converted, and in no profit\n`,
  );
  return formatExchange(exchange) + left.join('');
}
