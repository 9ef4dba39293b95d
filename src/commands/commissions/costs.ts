import { createReadStream } from 'node:fs';
import path from 'node:path';
import { CAMPAIGN_COLUMNS, readCosts } from '../../console/campaigns/read.ts';
import { type Column, exported, formatAmountCell } from '../../console/reports/columns.ts';
import { type EarnedRow, readEarned, sumRows } from '../../console/reports/earned.ts';
import { PeriodReader } from '../../console/reports/periods.ts';
import { DEFAULT_QUERY } from '../../console/reports/query.ts';
import { AD_PLATFORMS, PLATFORM_NAMES } from '../../core/commissions/cost/campaign-cost.ts';
import type { ReportQuery } from '../../core/commissions/credit/commission-report.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import {
  assignCampaign,
  type CostStores,
  type CostSummary,
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
import type { Line } from '../commissions.ts';
import { CLOCK, type OpenedLedger } from '../site.ts';
import { parseProfile } from './imports.ts';
import { checkCurrency } from './rates.ts';

const getStores = ({ costs, rollups, store }: OpenedLedger): CostStores => ({
  costs,
  rollups,
  ledger: store,
});

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
  values: Line['values'],
): Promise<CostSummary> {
  const { platform, yes } = values;
  if (platform === undefined)
    throw new UsageError(`Name the platform of the file: --platform ${AD_PLATFORMS.join('|')}.`);
  const profile = {
    ...parseProfile(values),
    platform: parseChoice('platform', platform, AD_PLATFORMS),
    now: Date.now(),
  };
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
function openPeriods({ config, ledger, store, rollups }: OpenedLedger, reporting: string | null) {
  if (rollups === null) throw new Error('There are no events yet: this report needs visits.');
  const money = { commissions: ledger, ledger: store, rollups };
  return new PeriodReader({ money, settings: config, clock: CLOCK }, reporting);
}

/** The oldest day that a report without `--from` has. */
const FIRST_DAY = '2000-01-01';

/**
 * Prints what campaigns earned and cost, in one currency: `currency`, that of the console's totals, or the one with the most
 * money. Costs in a currency without a rate are named below the table.
 */
export async function formatCostReport(
  opened: OpenedLedger,
  { from, to, model }: ReportQuery,
  { format, currency }: { readonly format: 'table' | 'csv' | 'json'; readonly currency: string | undefined },
): Promise<string> {
  if (currency !== undefined) checkCurrency(currency);
  const { TIME_ZONE: timeZone } = opened.config;
  const query = {
    ...DEFAULT_QUERY,
    model,
    from: from === 0 ? FIRST_DAY : getLocalDay(from, timeZone),
    to: getLocalDay(to === Number.MAX_SAFE_INTEGER ? Date.now() : to - 1, timeZone),
  };
  const periods = openPeriods(opened, currency ?? null);
  const table = await readEarned(periods, query, 'campaign');
  const costs = await readCosts({ periods, money: { costs: opened.costs } }, query, table.currency);
  const known = new Map(table.rows.map((row) => [row.key, row]));
  const names = new Set([...known.keys(), ...costs.keys()]);
  const rows = [...names].flatMap((key) => {
    const row = known.get(key) ?? { ...sumRows([], table.currency), key };
    const cost = costs.get(key)?.cost ?? null;
    return row.earned === 0 && cost === null ? [] : [{ ...row, cost }];
  });
  const missing = [...costs].flatMap(([key, { missing: codes }]) => codes.map((code) => `${key}: ${code}`));
  if (format === 'json') {
    const list = rows.map(({ key, views: visits, clicks, customers, earned, confirmed, pending, cost }) => ({
      campaign: key,
      currency: table.currency,
      visits,
      clicks,
      customers,
      earned,
      confirmed,
      pending,
      cost,
      left: cost === null ? null : earned - cost,
    }));
    return formatJson({ rows: list, missing });
  }
  return format === 'csv'
    ? formatCsv(rows, REPORT_COLUMNS)
    : formatTable(rows, REPORT_COLUMNS) +
        formatLines(missing.map((one) => `Not in these figures, for want of a rate: the cost of ${one}.`));
}

type CostLine = EarnedRow & { readonly cost: number | null };

const REPORT_COLUMNS: readonly Column<CostLine>[] = [
  ...CAMPAIGN_COLUMNS,
  exported('cost', ({ cost, currency }) => formatAmountCell(cost, currency)),
  exported('left', ({ cost, earned, currency }) =>
    cost === null ? null : formatAmountCell(earned - cost, currency),
  ),
];
