import { z } from 'zod';
import {
  buildDefaultCampaign,
  type CampaignCost,
  COST_PLATFORMS,
  type CostRow,
} from '../core/commissions/cost/campaign-cost.ts';
import { withLedgerErrors } from './ledger.ts';
import { createRowParser, LedgerError } from './ledger-rows.ts';
import type { Database, SqlExecutor, SqlRow, SqlStatement } from './sql/sql-executor.ts';
import { buildListStatements } from './sql/statements.ts';

const platform = z.enum(COST_PLATFORMS);

const entryRow = z.object({
  id: z.string(),
  platform,
  file: z.string(),
  timeZone: z.string(),
  state: z.enum(['committed', 'undone']),
  changedAt: z.number(),
});

/** A file, or an amount that was typed in (its `file` is empty). Its costs count while its state is `committed`. */
export type CostEntry = Readonly<z.output<typeof entryRow>>;

const summedRow = z.object({
  entryId: z.string(),
  currency: z.string(),
  count: z.number(),
  amount: z.number(),
  first: z.string(),
  last: z.string(),
  name: z.string(),
});

const campaignRow = z.object({
  platform,
  name: z.string(),
  campaign: z.string().nullable(),
  origin: z.enum(['match', 'operator']).nullable(),
});

/** What was spent beyond ads, such as a tool, in minor units. Period: a day (`2026-11-20`) or a month (`2026-11`). */
const expenseRow = z.object({
  id: z.string(),
  name: z.string(),
  period: z.string(),
  amount: z.number(),
  currency: z.string(),
});
type Expense = Readonly<z.output<typeof expenseRow>>;

/** The campaign of a platform, and which campaign of the reports it is; null while that is not known. */
export type CostCampaign = Readonly<z.output<typeof campaignRow>>;

const parseEntryRow = createRowParser('cost_entries', entryRow);
const parseSummedRow = createRowParser('costs', summedRow);
const parseCampaignRow = createRowParser('cost_campaigns', campaignRow);
const parseExpenseRow = createRowParser('expenses', expenseRow);

/** The newest state of each entry. */
const NEWEST = 'SELECT max(sequence) FROM cost_entries GROUP BY entry_id';
const COUNTED = `counted AS MATERIALIZED (SELECT entry_id, sequence AS position FROM cost_entries
  WHERE state = 'committed' AND sequence IN (${NEWEST}))`;
/** With \`max()\`, SQLite takes the other columns of a group from the row that has it. */
const NEWEST_COSTS = `SELECT platform, name, period, amount, currency, costs.entry_id, max(position)
  FROM costs CROSS JOIN counted ON counted.entry_id = costs.entry_id
  WHERE period >= ? AND period <= ? GROUP BY period, platform, name`;
const JOIN_CAMPAIGNS = `LEFT JOIN cost_campaigns AS campaigns
  ON campaigns.platform = own.platform AND campaigns.name = own.name`;
const SELECT_COSTS = `WITH ${COUNTED} SELECT own.*, campaign FROM (${NEWEST_COSTS}) AS own ${JOIN_CAMPAIGNS}
  ORDER BY own.platform, own.name, period`;
/** Days of a range are one row for each campaign and currency, months stay as they are. */
const SELECT_SUMMED = `WITH ${COUNTED} SELECT own.*, campaign FROM (
    SELECT platform, name, max(period) AS period, min(period) AS first, sum(amount) AS amount, currency, entry_id
    FROM (${NEWEST_COSTS})
    WHERE length(period) = 7 OR period >= ? GROUP BY platform, name, currency, iif(length(period) = 7, period, '')
  ) AS own ${JOIN_CAMPAIGNS}`;
const SELECT_CAMPAIGNS = `WITH ${COUNTED} SELECT own.platform, own.name, campaign, origin
  FROM (SELECT DISTINCT platform, name FROM costs WHERE platform <> 'typed' AND entry_id IN (SELECT entry_id FROM counted))
    AS own ${JOIN_CAMPAIGNS} ORDER BY own.platform, own.name`;
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

/** Which campaign of the site a campaign of a platform is. */
type CampaignMatch = Pick<CampaignCost, 'platform' | 'name' | 'campaign'>;

/**
 * What campaigns cost, in the database of the ledger. Costs are appended, and an undone entry leaves those that it had
 * replaced. Every method rejects with `LedgerError`.
 */
export class Costs {
  readonly #database: Database;

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
    matches: readonly CampaignMatch[] = [],
  ): Promise<void> {
    const rows = costs.map(({ platform, name, period, amount, currency }) => [
      entry.id,
      platform,
      name,
      period,
      amount,
      currency,
    ]);
    const named = matches.map((match) => [match.platform, match.name, match.campaign]);
    await this.#database.batch([
      ...buildListStatements(INSERT_COSTS, rows),
      ...buildListStatements(INSERT_MATCHES, named),
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
  async assign({ platform, name, campaign }: CampaignMatch): Promise<void> {
    await this.#database.change(ASSIGN, platform, name, campaign);
  }

  /** The costs that count of days from one to another (`YYYY-MM-DD`, inclusive), with months that have any of them. */
  async read(from: string, to: string): Promise<readonly CampaignCost[]> {
    const rows = await this.#database.read(SELECT_COSTS, from.slice(0, 7), to);
    return rows.map(parseCost).filter(({ period }) => period.length === 7 || period >= from);
  }

  /**
   * The same costs with the days of each campaign and currency as one, on the last of these days: a year of fifty campaigns
   * would be 18,000 rows. `first`: the first of these days, or the month.
   */
  async readSummed(from: string, to: string) {
    const rows = await this.#database.read(SELECT_SUMMED, from.slice(0, 7), to, from);
    return rows.map((row) => ({ ...parseCost(row), first: String(row['first']) }));
  }

  /** The newest state of each entry with what it brought, the one that changed last at the end. */
  async readEntries() {
    const sql = `SELECT *, entry_id AS id FROM cost_entries WHERE sequence IN (${NEWEST}) ORDER BY sequence`;
    const [entries, sums] = await Promise.all([this.#database.read(sql), this.#database.read(SELECT_SUMS)]);
    const byEntry = Map.groupBy(sums.map(parseSummedRow), ({ entryId }) => entryId);
    return entries.map(parseEntryRow).map((entry) => {
      const own = byEntry.get(entry.id) ?? [];
      const sorted = (field: 'first' | 'last') => own.map((sum) => sum[field]).sort();
      return {
        ...entry,
        /** The campaign of an amount that was typed in; empty for a file. */
        name: entry.file === '' ? (own[0]?.name ?? '') : '',
        rows: own.reduce((sum, { count }) => sum + count, 0),
        /** The first and the last period, in the order of texts. */
        first: sorted('first')[0] ?? '',
        last: sorted('last').at(-1) ?? '',
        /** In minor units by currency. */
        sums: Object.fromEntries(own.map(({ currency, amount }) => [currency, amount])),
      };
    });
  }

  /** What was spent beyond ads, the newest period first. */
  async readExpenses(): Promise<readonly Expense[]> {
    const sql = 'SELECT * FROM expenses ORDER BY period DESC, name, id';
    return (await this.#database.read(sql)).map(parseExpenseRow);
  }

  /** Stores what was spent beyond ads; the same `id` again changes it. `now`: ms since 1970. */
  async writeExpense({ id, name, period, amount, currency }: Expense, now: number): Promise<void> {
    const sql = `INSERT OR REPLACE INTO expenses (id, name, period, amount, currency, changed_at) VALUES (?, ?, ?, ?, ?, ?)`;
    await this.#database.change(sql, id, name, period, amount, currency, now);
  }

  /** Takes back what was spent beyond ads; false where there is no such amount. */
  async removeExpense(id: string): Promise<boolean> {
    return (await this.#database.change('DELETE FROM expenses WHERE id = ?', id)) > 0;
  }

  /** The campaigns of platforms that have costs, by platform and name. */
  async readCampaigns(): Promise<readonly CostCampaign[]> {
    return (await this.#database.read(SELECT_CAMPAIGNS)).map(parseCampaignRow);
  }
}

function buildEntryStatement({ id, platform, file, timeZone, state, changedAt }: CostEntry): SqlStatement {
  return { sql: INSERT_ENTRY, values: [id, platform, file, timeZone, state, changedAt] };
}

/** There may be thousands: a schema would take most of the time. */
function parseCost(row: SqlRow): CampaignCost {
  const known = COST_PLATFORMS.find((one) => one === row['platform']);
  const { amount, campaign } = row;
  if (known === undefined || typeof amount !== 'number')
    throw new LedgerError('unavailable', 'the table costs has an unreadable row');
  const name = String(row['name']);
  return {
    platform: known,
    name,
    period: String(row['period']),
    amount,
    currency: String(row['currency']),
    entry: String(row['entry_id']),
    campaign: typeof campaign === 'string' ? campaign : buildDefaultCampaign(known, name),
  };
}
