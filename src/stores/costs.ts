import { z } from 'zod';
import {
  buildDefaultCampaign,
  type CampaignCost,
  COST_PLATFORMS,
  type CostRow,
} from '../core/commissions/campaign-cost.ts';
import { withLedgerErrors } from './ledger.ts';
import { LedgerError } from './ledger-rows.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from './sql/sql-executor.ts';
import { buildJsonLists } from './sql/statements.ts';

const platform = z.enum(COST_PLATFORMS);

const entryRow = z
  .object({
    entry_id: z.string(),
    platform,
    file: z.string(),
    time_zone: z.string(),
    state: z.enum(['committed', 'undone']),
    changed_at: z.number(),
  })
  .transform(({ entry_id: id, time_zone: timeZone, changed_at: changedAt, ...row }) => ({
    ...row,
    id,
    timeZone,
    changedAt,
  }));

/** A file, or an amount that was typed in (its `file` is empty). Its costs count while its state is `committed`. */
export type CostEntry = Readonly<z.output<typeof entryRow>>;

const summedRow = z.object({
  entry_id: z.string(),
  currency: z.string(),
  count: z.number(),
  amount: z.number(),
  first: z.string(),
  last: z.string(),
  name: z.string(),
});

/** An entry with what it brought. */
export interface ListedCostEntry extends CostEntry {
  readonly rows: number;
  /** The campaign of an amount that was typed in; empty for a file. */
  readonly name: string;
  /** The first and the last period, in the order of texts. */
  readonly first: string;
  readonly last: string;
  /** In minor units by currency. */
  readonly sums: Readonly<Record<string, number>>;
}

const costRow = z.object({
  platform,
  name: z.string(),
  period: z.string(),
  amount: z.number(),
  currency: z.string(),
  entry_id: z.string(),
  campaign: z.string().nullable(),
});

const campaignRow = z.object({
  platform,
  name: z.string(),
  campaign: z.string().nullable(),
  origin: z.enum(['match', 'operator']).nullable(),
});

/** The campaign of a platform, and which campaign of the reports it is; null while that is not known. */
export type CostCampaign = Readonly<z.output<typeof campaignRow>>;

/** The newest state of each entry. */
const NEWEST = 'SELECT max(sequence) FROM cost_entries GROUP BY entry_id';
const COUNTED = `SELECT costs.*, row_number() OVER (
    PARTITION BY costs.platform, costs.name, costs.period ORDER BY entries.sequence DESC) AS place
  FROM costs JOIN cost_entries AS entries ON entries.entry_id = costs.entry_id
    AND entries.state = 'committed' AND entries.sequence IN (${NEWEST})`;
const SELECT_COSTS = `SELECT counted.platform, counted.name, period, amount, currency, entry_id, campaign
  FROM (${COUNTED} WHERE costs.period >= ? AND costs.period <= ?) AS counted LEFT JOIN cost_campaigns AS campaigns
    ON campaigns.platform = counted.platform AND campaigns.name = counted.name
  WHERE place = 1 ORDER BY counted.platform, counted.name, period`;
const SELECT_CAMPAIGNS = `SELECT names.platform, names.name, campaign, origin
  FROM (SELECT DISTINCT costs.platform, costs.name FROM costs JOIN cost_entries AS entries
      ON entries.entry_id = costs.entry_id AND entries.state = 'committed' AND entries.sequence IN (${NEWEST})
    WHERE costs.platform <> 'typed') AS names
  LEFT JOIN cost_campaigns AS campaigns ON campaigns.platform = names.platform AND campaigns.name = names.name
  ORDER BY names.platform, names.name`;
const SELECT_SUMS = `SELECT entry_id, currency, count(*) AS count, sum(amount) AS amount, min(period) AS first,
  max(period) AS last, min(name) AS name FROM costs GROUP BY entry_id, currency ORDER BY currency`;
const INSERT_COSTS = `INSERT INTO costs (entry_id, platform, name, period, amount, currency)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?)
  WHERE true ON CONFLICT (entry_id, platform, name, period) DO NOTHING`;
const INSERT_ENTRY = `INSERT INTO cost_entries (entry_id, platform, file, time_zone, state, changed_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const INSERT_MATCHES = `INSERT INTO cost_campaigns (platform, name, campaign, origin)
  SELECT value ->> 0, value ->> 1, value ->> 2, 'match' FROM json_each(?)
  WHERE true ON CONFLICT (platform, name) DO NOTHING`;
const ASSIGN = `INSERT INTO cost_campaigns (platform, name, campaign, origin) VALUES (?, ?, ?, 'operator')
  ON CONFLICT (platform, name) DO UPDATE SET campaign = excluded.campaign, origin = excluded.origin`;

/**
 * What campaigns cost, in the database of the ledger. Costs are appended, and an undone entry leaves those that it had
 * replaced. Every method rejects with `LedgerError`.
 */
export class Costs {
  readonly #database: SqlExecutor;

  /** The executor is that of the ledger, which closes it. */
  constructor(executor: SqlExecutor) {
    this.#database = withLedgerErrors(executor);
  }

  /**
   * Stores an entry with its costs, in one transaction. Its costs replace those of the same platform, name and period;
   * `matches` name the campaigns of the reports, unless they are known already.
   */
  async write(
    entry: CostEntry,
    costs: readonly CostRow[],
    matches: readonly Pick<CampaignCost, 'platform' | 'name' | 'campaign'>[] = [],
  ): Promise<void> {
    const rows = costs.map((cost) => [
      entry.id,
      cost.platform,
      cost.name,
      cost.period,
      cost.amount,
      cost.currency,
    ]);
    const named = matches.map((match) => [match.platform, match.name, match.campaign]);
    await this.#database.batch([
      ...buildJsonLists(rows).map((list) => ({ sql: INSERT_COSTS, values: [list] })),
      ...buildJsonLists(named).map((list) => ({ sql: INSERT_MATCHES, values: [list] })),
      buildEntryStatement(entry),
    ]);
  }

  /** Takes an entry back: what it had replaced counts again. False when no entry with this id counts. */
  async undo(id: string, now: number): Promise<boolean> {
    const known = (await this.readEntries()).find((entry) => entry.id === id);
    if (known?.state !== 'committed') return false;
    await this.#database.batch([buildEntryStatement({ ...known, state: 'undone', changedAt: now })]);
    return true;
  }

  /** Names the campaign of the reports that the campaign of a platform is. */
  async assign({
    platform,
    name,
    campaign,
  }: Pick<CampaignCost, 'platform' | 'name' | 'campaign'>): Promise<void> {
    await this.#database.batch([{ sql: ASSIGN, values: [platform, name, campaign] }]);
  }

  /** The costs that count of days from one to another (`YYYY-MM-DD`, inclusive), with months that have any of them. */
  async read(from: string, to: string): Promise<readonly CampaignCost[]> {
    const rows = await this.#database.query({ sql: SELECT_COSTS, values: [from.slice(0, 7), to] });
    return rows
      .map((row) => {
        const { entry_id: entry, campaign, ...cost } = parse(costRow, row);
        return { ...cost, entry, campaign: campaign ?? buildDefaultCampaign(cost) };
      })
      .filter(({ period }) => period.length === 7 || period >= from);
  }

  /** The newest state of each entry, the one that changed last at the end. */
  async readEntries(): Promise<readonly ListedCostEntry[]> {
    const sql = `SELECT * FROM cost_entries WHERE sequence IN (${NEWEST}) ORDER BY sequence`;
    const [entries, sums] = await Promise.all([
      this.#database.query({ sql }),
      this.#database.query({ sql: SELECT_SUMS }),
    ]);
    const byEntry = Map.groupBy(
      sums.map((row) => parse(summedRow, row)),
      ({ entry_id: id }) => id,
    );
    return entries.map((row) => {
      const entry = parse(entryRow, row);
      const own = byEntry.get(entry.id) ?? [];
      const sorted = (field: 'first' | 'last') => own.map((sum) => sum[field]).sort();
      return {
        ...entry,
        name: entry.file === '' ? (own[0]?.name ?? '') : '',
        rows: own.reduce((sum, { count }) => sum + count, 0),
        first: sorted('first')[0] ?? '',
        last: sorted('last').at(-1) ?? '',
        sums: Object.fromEntries(own.map(({ currency, amount }) => [currency, amount])),
      };
    });
  }

  /** The campaigns of platforms that have costs, by platform and name. */
  async readCampaigns(): Promise<readonly CostCampaign[]> {
    return (await this.#database.query({ sql: SELECT_CAMPAIGNS })).map((row) => parse(campaignRow, row));
  }
}

function buildEntryStatement({ id, platform, file, timeZone, state, changedAt }: CostEntry): SqlStatement {
  return { sql: INSERT_ENTRY, values: [id, platform, file, timeZone, state, changedAt] };
}

function parse<T>(schema: z.ZodType<T>, row: SqlRow): T {
  const result = schema.safeParse(row);
  if (result.success) return result.data;
  throw new LedgerError('unavailable', 'the tables of costs have an unreadable row', { cause: result.error });
}
