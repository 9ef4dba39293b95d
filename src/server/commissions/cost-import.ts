import { createHash } from 'node:crypto';
import {
  type AdPlatform,
  buildDefaultCampaign,
  type CampaignCost,
  type CostPlatform,
  type CostRow,
  findCostConflicts,
  isCostPeriod,
  matchCampaign,
  type PlannedCost,
} from '../../core/commissions/cost/campaign-cost.ts';
import {
  type CostFileProfile,
  type FileCampaign,
  parseCostFile,
} from '../../core/commissions/cost/cost-columns.ts';
import { buildCampaignName } from '../../core/commissions/credit/credit.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
import { isTimeZone } from '../../core/commissions/local-time.ts';
import { isCurrency, isPlausibleAmount, parseDecimalAmount } from '../../core/commissions/money.ts';
import { cleanText } from '../../core/text/parse-text.ts';
import { detectCsvFormat, type OpenBytes, readCsvRows, readTitleLines } from '../../sources/networks/csv.ts';
import type { CostCampaign, Costs } from '../../stores/costs.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Rollups } from '../../stores/rollups.ts';
import { readProfile, rememberProfile } from './csv-import.ts';

/** What an import of costs needs. */
export interface CostStores {
  readonly costs: Costs;
  /** Remembers what was answered. */
  readonly ledger: Pick<Ledger, 'readState' | 'changeState'>;
  /** Names the campaigns of the reports; null while there are no events. */
  readonly rollups: Rollups | null;
}

/** What a file would bring, or has brought. Sums in minor units by currency. */
export type CostSummary = Awaited<ReturnType<typeof planImport>>['summary'];

/** More rows than ten campaigns have in ten years. */
const MAX_ROWS = 50_000;
const MAX_NAME_LENGTH = 400;

/**
 * Reads the export of an advertising platform and says what importing it would bring. Rejects with `CommissionSourceError`
 * for a file that is no table, with `ImportQuestions` for one that leaves something open, with `LedgerError` or with `EventStoreError`.
 */
export async function previewCosts(
  stores: CostStores,
  open: OpenBytes,
  profile: CostFileProfile,
): Promise<CostSummary> {
  return (await planImport(stores, open, profile)).summary;
}

/** Imports a file as a whole, or nothing of it when there are problems. Rejects as `previewCosts` does. */
export async function importCosts(
  stores: CostStores,
  open: OpenBytes,
  profile: CostFileProfile,
  { file, now }: { readonly file: string; readonly now: number },
): Promise<CostSummary> {
  const { summary, costs, matches } = await planImport(stores, open, profile);
  if (summary.problems.length > 0) return summary;
  const { entry: id, platform, timeZone } = summary;
  const newest = (await stores.costs.readEntries()).at(-1);
  // The same file again, with nothing in between, is the same entry.
  if (newest?.id !== id || newest.state !== 'committed') {
    const entry = { id, platform, file, timeZone, state: 'committed', changedAt: now } as const;
    await stores.costs.write(entry, costs, matches);
  }
  const { platform: _, now: __, ...said } = profile;
  await rememberProfile(stores.ledger, nameProfile(platform), said);
  return { ...summary, committed: true };
}

async function planImport(stores: CostStores, open: OpenBytes, profile: CostFileProfile) {
  const { platform } = profile;
  const format = await detectCsvFormat(open);
  const rows: FileRow[] = [];
  for await (const row of readCsvRows(open, format)) {
    if (rows.push(row) > MAX_ROWS)
      throw new CommissionSourceError(
        'invalid-file',
        `The file has more than ${MAX_ROWS} rows: divide it by time.`,
      );
  }
  const kept = await readProfile(stores.ledger, nameProfile(platform));
  const file = parseCostFile({ titles: await readTitleLines(open, format), rows }, profile, kept);
  const { costs, totals, columns, unread } = file;
  const periods = costs.map(({ period }) => period).sort();
  const [first = '', last = ''] = [periods[0], periods.at(-1)];
  const [known, reported, stored] = await Promise.all([
    stores.costs.readCampaigns(),
    readReportedCampaigns(stores),
    stores.costs.read(`${first.slice(0, 7)}-01`, `${last.slice(0, 7)}-31`),
  ]);
  const named = nameCampaigns(platform, file.campaigns, known, reported);
  const planned: readonly PlannedCost[] = costs.map((cost) => ({
    ...cost,
    campaign: named.get(cost.name) ?? buildDefaultCampaign(platform, cost.name),
  }));
  const problems = file.problems.length > 0 ? file.problems : findCostConflicts(stored, planned).slice(0, 10);
  const summary = {
    /** Names the import, for `undo`; the same costs have the same one. */
    entry: buildEntryId(platform, costs),
    committed: false,
    platform,
    /** Campaigns by day or month. */
    rows: costs.length,
    first,
    last,
    totals,
    columns,
    unread,
    /** Why nothing can be imported; the first ones. */
    problems,
    sums: sumAmounts(costs),
    ...compareCosts(stored, costs),
    /** Campaigns of the reports, by the name in the file. */
    matched: Object.fromEntries([...named].sort()),
    /** Campaigns without one of the reports, with the names under which their costs count meanwhile. */
    unmatched: file.campaigns
      .filter(({ name }) => !named.has(name))
      .map(({ name }) => ({ platform, name, campaign: buildDefaultCampaign(platform, name) })),
    /** Campaigns of the platform that count on the same days and are not in the file, as after a change of their name. */
    absent: listAbsent(stored, costs, platform),
    /** As it was given or the file states; empty: that of the site is assumed. */
    timeZone: profile.timeZone ?? (file.timeZone || kept.timeZone || ''),
  };
  const matches = [...named].map(([name, campaign]) => ({ platform, name, campaign }));
  return { summary, costs, matches };
}

/** What is remembered of a platform; no partner has such a name. */
const nameProfile = (platform: AdPlatform) => `costs ${platform}`;

/** The campaigns of the reports by the name in the file: those that are known, then those that can be found. */
function nameCampaigns(
  platform: AdPlatform,
  campaigns: readonly FileCampaign[],
  known: readonly CostCampaign[],
  reported: readonly string[],
): ReadonlyMap<string, string> {
  const stored = known.filter((one) => one.platform === platform);
  const byName = new Map(stored.map(({ name, campaign }) => [name, campaign]));
  return new Map(
    campaigns.flatMap((own) => {
      const campaign = byName.get(own.name) ?? matchCampaign({ platform, ...own }, reported);
      return campaign === null ? [] : [[own.name, campaign] as const];
    }),
  );
}

/** The names of all campaigns that have brought a visit, or of those since a day (`YYYY-MM-DD`). */
export async function readReportedCampaigns(
  { rollups }: Pick<CostStores, 'rollups'>,
  from?: string,
): Promise<readonly string[]> {
  const groups = (await rollups?.readByKey({ dimension: 'campaign', from })) ?? [];
  const names = groups.map(({ key: [utm_source, utm_medium, utm_campaign] }) =>
    buildCampaignName({ utm_source, utm_medium, utm_campaign }),
  );
  return [...new Set(names)];
}

function buildEntryId(platform: CostPlatform, costs: readonly CostRow[]): string {
  const rows = costs.map(({ name, period, amount, currency }) => [name, period, amount, currency]);
  const content = JSON.stringify([platform, rows.sort()]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

const buildKey = ({ platform, name, period }: CostRow) => JSON.stringify([platform, name, period]);

function sumAmounts(costs: readonly CostRow[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { currency, amount } of costs) sums[currency] = (sums[currency] ?? 0) + amount;
  return sums;
}

function compareCosts(stored: readonly CampaignCost[], costs: readonly CostRow[]) {
  const known = new Map(stored.map((cost) => [buildKey(cost), cost]));
  const pairs = costs.flatMap((cost) => {
    const before = known.get(buildKey(cost));
    return before === undefined ? [] : [{ cost, before }];
  });
  const isSame = ({ cost, before }: (typeof pairs)[number]) =>
    cost.amount === before.amount && cost.currency === before.currency;
  const replaced = pairs.filter((pair) => !isSame(pair)).map(({ before }) => before);
  return {
    /** How many replace a cost with another amount, and what these were. */
    replaced: replaced.length,
    replacedSums: sumAmounts(replaced),
    /** How many are stored with the same amount already. */
    unchanged: pairs.length - replaced.length,
  };
}

function listAbsent(
  stored: readonly CampaignCost[],
  costs: readonly CostRow[],
  platform: CostPlatform,
): readonly string[] {
  const names = new Set(costs.map(({ name }) => name));
  const periods = new Set(costs.map(({ period }) => period));
  const absent = stored.filter(
    (cost) =>
      cost.platform === platform && periods.has(cost.period) && !names.has(cost.name) && cost.amount !== 0,
  );
  return [...new Set(absent.map(({ name }) => name))];
}

/**
 * Stores what a campaign cost on a day or in a month, in place of what was typed in for it before. `typed`: the campaign of the
 * reports, or its name alone (`utm_campaign`); a decimal such as `412.50`; ISO 4217; `2026-11-20` or `2026-11`. Resolves with the
 * id of the entry and the campaign, and whether a visit of it is known; or with what is wrong.
 */
export async function setCost(
  stores: Omit<CostStores, 'ledger'>,
  typed: Readonly<Record<'campaign' | 'amount' | 'currency' | 'period', string>>,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
) {
  const { period } = typed;
  const currency = typed.currency.trim().toUpperCase();
  if (!isCurrency(currency))
    return { problem: `The currency is a code such as USD, not "${typed.currency}".` };
  if (!isCostPeriod(period))
    return { problem: `"${period}" is no month such as 2026-11 and no day such as 2026-11-20.` };
  const amount = parseDecimalAmount(typed.amount, currency);
  if (amount === null || amount < 0 || !isPlausibleAmount(amount, currency))
    return { problem: `The cost is a decimal such as 412.50, not "${typed.amount}".` };
  const reported = await readReportedCampaigns(stores);
  const found = findReported(cleanText(typed.campaign, MAX_NAME_LENGTH), reported);
  if ('problem' in found) return found;
  const { campaign } = found;
  const cost = { platform: 'typed', name: campaign, period, amount, currency } as const;
  const month = period.slice(0, 7);
  const stored = await stores.costs.read(`${month}-01`, `${month}-31`);
  const [conflict] = findCostConflicts(stored, [{ ...cost, campaign }]);
  if (conflict !== undefined) return { problem: conflict };
  const entry = buildEntryId('typed', [cost]);
  const state = { platform: 'typed', file: '', timeZone, state: 'committed', changedAt: now } as const;
  await stores.costs.write({ id: entry, ...state }, [cost]);
  return { entry, campaign, amount, isReported: reported.includes(campaign) };
}

function findReported(
  text: string,
  reported: readonly string[],
): { readonly campaign: string } | { readonly problem: string } {
  if (text === '') return { problem: 'Name the campaign as the reports do: source / medium / campaign.' };
  if (reported.includes(text) || text.includes(' / ')) return { campaign: text };
  const same = reported.filter((name) => name.toLowerCase().endsWith(` / ${text.toLowerCase()}`));
  const [only] = same;
  if (only !== undefined && same.length === 1) return { campaign: only };
  return {
    problem:
      same.length > 1
        ? `Several campaigns are called "${text}": name one of ${same.join(', ')}.`
        : `No report has a campaign "${text}": name it as source / medium / campaign, as the reports do.`,
  };
}

/**
 * Names the campaign of the reports that the campaign of a platform is, for all of its costs. Null when it is done, or what
 * is wrong.
 */
export async function assignCampaign(
  { costs }: Pick<CostStores, 'costs'>,
  platform: string,
  name: string,
  text: string,
): Promise<string | null> {
  const campaign = cleanText(text, MAX_NAME_LENGTH);
  if (campaign === '') return 'Name the campaign as the reports do: source / medium / campaign.';
  const known = await costs.readCampaigns();
  const own = known.find((one) => one.platform === platform && one.name === name);
  if (own === undefined) return `There is no campaign "${name}" of ${platform} with a cost.`;
  const all = await costs.read('0000-01-01', '9999-12-31');
  const moved = all.filter((cost) => cost.platform === own.platform && cost.name === name);
  const others = all.filter((cost) => cost.platform !== own.platform || cost.name !== name);
  const [conflict] = findCostConflicts(
    others,
    moved.map((cost) => ({ ...cost, campaign })),
  );
  if (conflict !== undefined) return conflict;
  await costs.assign({ platform: own.platform, name, campaign });
  return null;
}

/** Checks what an operator said about a file; null when it can be used. */
export function findProfileProblem({
  currency,
  timeZone,
}: Omit<CostFileProfile, 'platform' | 'now'>): string | null {
  if (currency !== undefined && !isCurrency(currency))
    return `The currency is an ISO 4217 code such as USD, not "${currency}".`;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return `The time zone is an IANA name such as Europe/Berlin, not "${timeZone}".`;
  return null;
}
