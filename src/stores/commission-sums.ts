import { z } from 'zod';
import { DAY_MS, WEEK_MS } from '../core/clock.ts';
import type { CreditPath } from '../core/commissions/credit/credit.ts';
import type { MoneySum } from '../core/commissions/exchange-rates.ts';
import type { CommissionStatus } from '../core/commissions/ledger/commission-fact.ts';
import type { Due } from '../core/commissions/ledger/due-date.ts';
import type { ListedCommission } from '../core/commissions/ledger/stored-money.schema.ts';
import { createRowParser, LedgerError, STATUSES } from './ledger-rows.ts';
import type { Database, SqlStatement, SqlValue } from './sql/sql-executor.ts';

const YEAR = `CAST(strftime('%Y00', day * 86400, 'unixepoch') AS INTEGER)`;
const MONTH = `CAST(strftime('%Y%m', day * 86400, 'unixepoch') AS INTEGER)`;
const CLICK_WEEK = `clicked_at / ${WEEK_MS} * ${WEEK_MS}`;
const AGE = `max(0, (event_time - clicked_at + ${WEEK_MS - 1}) / ${WEEK_MS})`;
const BOOKED = `iif(status = 'unknown', 0, amount)`;
const DECIDED_AFTER = `iif(status = 'reversed', max(0, (change_time - event_time) / ${DAY_MS}), settle_days)`;
const CLOCKS = `(SELECT *, iif(clock, click_day, booked_day) AS day FROM rows, (SELECT 0 AS clock UNION ALL SELECT 1))`;

/** Each table of sums: its keys, its sums, and what of the rows is summed. */
const SUMS = {
  commission_cells: {
    keys: ['period', 'ifnull(path, 0) AS path', 'state', 'partner', 'currency', 'status'],
    sums: {
      count: '1',
      amount: 'amount',
      reversed: 'reversed_amount',
      squares: 'amount * 1.0 * amount',
      decided: 'amount * 1.0 * before_decided',
      pending: 'amount * 1.0 * before_pending',
    },
    from: `(SELECT *, iif(month, ${MONTH}, ${YEAR}) AS period
      FROM (SELECT *, click_day AS day FROM rows), (SELECT 0 AS month UNION ALL SELECT 1)) WHERE is_counted`,
  },
  commission_days: {
    keys: [
      'clock',
      'day',
      `iif(clock OR clicked_at IS NULL, 0, ${CLICK_WEEK}) AS week`,
      'state',
      'partner',
      'currency',
      'status',
    ],
    sums: { count: '1', amount: 'amount', reversed: 'reversed_amount' },
    from: `${CLOCKS} WHERE is_counted`,
  },
  commission_spreads: {
    keys: ['currency', `${CLICK_WEEK} AS week`, `${AGE} AS age`],
    sums: {
      customers: 'state = 3',
      amount: BOOKED,
      seen: `${BOOKED} * 1.0 * (${BOOKED} + 2 * (before_decided + before_pending))`,
      later: `${BOOKED} * 1.0 * (${BOOKED} + 2 * after_booked)`,
    },
    from: 'rows WHERE is_counted AND clicked_at IS NOT NULL',
  },
  commission_dues: {
    keys: [
      'partner',
      'account',
      'currency',
      'status',
      'program_day',
      'settled_day',
      'paid_day',
      'settle_days',
      'has_payment',
    ],
    sums: { count: '1', amount: 'amount' },
    from: `rows WHERE is_counted AND amount <> 0 AND status IN ('pending', 'approved', 'paid')`,
  },
  commission_decisions: {
    keys: [
      'partner',
      'currency',
      `iif(status = 'reversed', 'reversed', 'approved') AS decision`,
      `${DECIDED_AFTER} AS age`,
    ],
    sums: { count: '1', amount: `iif(status = 'reversed', reversed_amount, amount)` },
    from: `rows WHERE is_counted AND (status = 'reversed' OR settle_days >= 0)`,
  },
} as const;

const getName = (key: string) => key.split(' AS ').at(-1) ?? key;

/** Sums some rows for each table: the columns of its key, then its sums. `sign`: -1 to take them away. */
function buildSelects(rows: string, sign: number) {
  return Object.entries(SUMS).map(([table, { keys, sums, from }]) => {
    const added = Object.entries(sums).map(([name, sum]) => `${sign} * sum(${sum}) AS ${name}`);
    const places = keys.map((_, index) => index + 1).join(', ');
    const select = `WITH rows AS (${rows}) SELECT ${[...keys, ...added].join(', ')} FROM ${from} GROUP BY ${places}`;
    return { table, keys: keys.map(getName), sums: Object.keys(sums), select };
  });
}

/** Notes the days of the rows that `fold_rows` names, where they were and where they are. */
const NOTE_DAYS = `INSERT INTO fold_days (clock, day, version)
  SELECT DISTINCT clock, day, (SELECT version + 1 FROM fold_versions)
    FROM (SELECT clock, iif(clock, click_day, booked_day) AS day FROM folded_commissions, (SELECT 0 AS clock UNION ALL SELECT 1)
      WHERE id IN (SELECT id FROM fold_rows)) WHERE true
  ON CONFLICT (clock, day) DO UPDATE SET version = excluded.version`;

/** Adds the rows that `fold_rows` names to all sums, or takes them away: before and after their change. */
export function buildSumStatements(sign: 1 | -1): readonly SqlStatement[] {
  const rows = 'SELECT * FROM folded_commissions WHERE id IN (SELECT id FROM fold_rows)';
  const statements = buildSelects(rows, sign).map(({ table, keys, sums, select }) => {
    const add = sums.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');
    const columns = [...keys, ...sums].join(', ');
    return {
      sql: `INSERT INTO ${table} (${columns}) ${select} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${add}`,
    };
  });
  const end = [
    'UPDATE folded_commissions SET changed = (SELECT version + 1 FROM fold_versions) WHERE id IN (SELECT id FROM fold_rows)',
    'DELETE FROM fold_rows',
    'UPDATE fold_versions SET version = version + 1',
  ];
  const noted = [...statements, { sql: NOTE_DAYS }];
  return sign === 1 ? [...noted, ...end.map((sql) => ({ sql }))] : noted;
}

/** What differs between the sums and the rows, a query for each table; sums of squares are rounded. */
export const SUM_DIFFERENCES = buildSelects('SELECT * FROM folded_commissions', 1).map(
  ({ table, keys, sums, select }) => {
    const differs = sums.map((name) => `abs(total(${name})) > 1e-9 * total(abs(${name}))`).join(' OR ');
    const taken = sums.map((name) => `-${name} AS ${name}`).join(', ');
    return `SELECT '${table}' AS sums, json_array(${keys.join(', ')}) AS key
      FROM (SELECT * FROM (${select}) UNION ALL SELECT ${keys.join(', ')}, ${taken} FROM ${table})
      GROUP BY ${keys.join(', ')} HAVING ${differs} LIMIT 100`;
  },
);

/** Days as numbers since 1970, both inclusive: of the click, or where it is said of the booking. */
export interface SumDays {
  readonly of?: 'booking';
  readonly from: number;
  readonly to: number;
}

/** What sums divide commissions by: what is with a click may be its first payment, or a later one. */
export const STATES = { unmatched: 0, labelled: 1, matched: 2, conversion: 3, payment: 4 } as const;

/** Some commissions that count, of one status and currency. Amounts: minor units. */
export interface SummedCommissions extends MoneySum {
  /** One of `STATES`. */
  readonly state: number;
  readonly partner: string;
  readonly count: number;
}

/** Commissions with the same path, null without a click. */
export interface CommissionCell extends SummedCommissions {
  readonly path: CreditPath | null;
  /** Of the click; null of several. */
  readonly day: number | null;
  /** Of amounts, and of each with what its click had brought before: decided, and pending. */
  readonly squares: number;
  readonly decided: number;
  readonly pending: number;
}

/** The rates of the days of bookings into the currency of totals; equal keys have equal rates. */
export interface SumRates {
  readonly key: unknown;
  /** JSON: currency, number of the day, numerator, denominator, and the day of the rate (`2026-11-20`). */
  readonly list: string;
}

/** Which cells are read of some days. */
export interface CellOptions {
  /** Each commission of another currency with a rate is converted into this one; null: none is. */
  readonly main: string | null;
  readonly rates: SumRates | null;
  readonly by?: 'path' | 'path and day';
  /** Whether only commissions of other currencies than the main one are read. */
  readonly isForeign?: boolean;
  /** Ids of paths; null or undefined: all. */
  readonly paths?: readonly number[] | null | undefined;
}

/** Commissions of one day, of the click or the booking as the read was for. */
export interface CommissionDay extends SummedCommissions {
  readonly day: number;
}

/** All commissions booked in one week after clicks of one week, or on one day where the currency is to be converted. */
export interface CommissionCohort extends SummedCommissions {
  /** Of the click, ms since 1970; 0 without one. */
  readonly week: number;
  /** When they were booked, ms since 1970: a day, or the beginning of a week. */
  readonly booked: number;
}

/** Decisions about commissions that were pending. Age: days from the booking. Amount: minor units, before a reversal. */
const parseDecision = createRowParser(
  'commission_decisions',
  z.object({
    partner: z.string(),
    currency: z.string(),
    decision: z.enum(['approved', 'reversed']),
    age: z.number(),
    count: z.number(),
    amount: z.number(),
  }),
);

/** How the customers of the clicks of some weeks differ, by the weeks from the click to the booking. */
const parseSpread = createRowParser(
  'commission_spreads',
  z.object({
    age: z.number(),
    customers: z.number(),
    amount: z.number(),
    seen: z.number(),
    later: z.number(),
  }),
);

const SUMMED = 'state, partner, currency, status';

const getDate = (day: number) => new Date(day * DAY_MS);
const findMonth = (day: number, months: number) =>
  Date.UTC(getDate(day).getUTCFullYear(), getDate(day).getUTCMonth() + months, 1) / DAY_MS;

/** Divides days into whole years and months, and what is before and after them. `period`: as in `commission_cells`. */
export function divideDays({ from, to }: Omit<SumDays, 'of'>) {
  const spans: { readonly from: number; readonly to: number; readonly period: number | null }[] = [];
  for (let day = from, end = from; day <= to; day = end + 1) {
    const isMonth = findMonth(day, 0) === day && findMonth(day, 1) - 1 <= to;
    const isYear = isMonth && getDate(day).getUTCMonth() === 0 && findMonth(day, 12) - 1 <= to;
    end = Math.min(to, findMonth(day, isYear ? 12 : 1) - 1);
    const month = isYear ? 0 : getDate(day).getUTCMonth() + 1;
    spans.push({ from: day, to: end, period: isMonth ? getDate(day).getUTCFullYear() * 100 + month : null });
  }
  return spans;
}

/** Sums of folded commissions, in the database of the ledger. Each method rejects with `LedgerError`. */
export class CommissionSums {
  readonly #database: Database;
  /** Paths do not change. */
  readonly #paths = new Map<number, CreditPath>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Grows with each change of what is folded. */
  async readVersion(): Promise<number> {
    const row = await this.#database.readRow('SELECT version FROM fold_versions');
    return Number(row?.['version'] ?? 0);
  }

  /** The days on which a later version than this one has changed what counts. */
  async readChangedDays(version: number) {
    const rows = await this.#database.read('SELECT clock, day FROM fold_days WHERE version > ?', version);
    return rows.map(({ clock, day }) => ({ isBooked: clock === 0, day: Number(day) }));
  }

  /** The first and the last day of bookings; null without any. */
  async readBookedDays(): Promise<SumDays | null> {
    const end = (order: string) =>
      `(SELECT day FROM commission_days WHERE clock = 0 ORDER BY day ${order} LIMIT 1)`;
    const row = await this.#database.readRow(`SELECT ${end('ASC')} AS first, ${end('DESC')} AS last`);
    return row?.['first'] == null ? null : { from: Number(row['first']), to: Number(row['last']) };
  }

  /** Sums what counts by path. */
  async readCells(days: Omit<SumDays, 'of'>, options: CellOptions): Promise<readonly CommissionCell[]> {
    const { main, by = 'path', paths = null, isForeign = false } = options;
    const isWhole = by !== 'path' || paths !== null;
    const spans = isWhole ? [{ ...days, period: null }] : divideDays(days);
    const periods = spans.flatMap(({ period }) => period ?? []);
    const edges = spans.flatMap(({ from, to, period }) => (period === null ? [[from, to] as const] : []));
    const cells = `SELECT group_concat(json_array(path, ${SUMMED}, count, amount, reversed, decided, pending, squares)) AS list
      FROM commission_cells WHERE period IN (SELECT value FROM json_each(?1)) AND count <> 0
      AND (?2 IS NULL OR currency = ?2) GROUP BY period, path / 200`;
    const whole = [days.from, days.to] as const;
    const ranges = [
      ...(isForeign ? [] : edges.map((edge) => [edge, 'own'] as const)),
      ...(options.rates === null ? [] : [[whole, 'foreign'] as const]),
    ];
    const lists = await Promise.all([
      ...(periods.length === 0 ? [] : [this.#readLists(cells, JSON.stringify(periods), main)]),
      ...ranges.map(([[from, to], kind]) =>
        this.#readLists(
          buildCellSelect(by, kind),
          from,
          to,
          main,
          paths === null ? null : JSON.stringify(paths),
          options.rates?.list ?? '[]',
        ),
      ),
    ]);
    return this.#parseCells(lists.flat());
  }

  /** The sums of each day of some; `currency`: of it alone, null: of all. */
  async readDays({ of, from, to }: SumDays, currency: string | null): Promise<readonly CommissionDay[]> {
    const sql = `SELECT group_concat(json_array(day, ${SUMMED}, count, amount, reversed)) AS list FROM commission_days
      WHERE clock = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR currency = ?4) AND count <> 0 GROUP BY day`;
    const rows = await this.#readLists(sql, Number(of !== 'booking'), from, to, currency);
    return rows.map(([day, ...summed]) => ({ day: Number(day), ...parseSummed(summed) }));
  }

  /**
   * All commissions that were booked on some days, by the weeks of their clicks and bookings; by the day of the booking in all
   * currencies but one.
   */
  async readCohorts(converted: string | null, { from, to }: SumDays): Promise<readonly CommissionCohort[]> {
    const sql = `SELECT group_concat(item) AS list FROM (SELECT currency AS code, json_array(week,
        iif(?1 IS NULL OR currency = ?1, day * ${DAY_MS} / ${WEEK_MS} * ${WEEK_MS}, day * ${DAY_MS}), ${SUMMED}, sum(count), sum(amount),
        sum(reversed)) AS item, week / ${50 * WEEK_MS} AS part FROM commission_days WHERE clock = 0 AND day BETWEEN ?2 AND ?3 AND count <> 0
      GROUP BY week, iif(?1 IS NULL OR currency = ?1, day * ${DAY_MS} / ${WEEK_MS} * ${WEEK_MS}, day * ${DAY_MS}), ${SUMMED})
      GROUP BY part, code`;
    const rows = await this.#readLists(sql, converted, from, to);
    return rows.map(([week, booked, ...summed]) => ({
      week: Number(week),
      booked: Number(booked),
      ...parseSummed(summed),
    }));
  }

  /** How customers of a currency differ, whose clicks are of some weeks (ms since 1970, `to` exclusive). */
  async readSpreads(currency: string, from: number, to: number) {
    const sql = `SELECT age, sum(customers) AS customers, sum(amount) AS amount, sum(seen) AS seen, sum(later) AS later
      FROM commission_spreads WHERE currency = ? AND week >= ? AND week < ? GROUP BY age`;
    return (await this.#database.read(sql, currency, from, to)).map(parseSpread);
  }

  /** What partners decided about pending commissions, by the days that it took them. */
  async readDecisions() {
    const rows = await this.#database.read('SELECT * FROM commission_decisions WHERE count <> 0');
    return rows
      .map(parseDecision)
      .map(({ decision, ...decided }) => ({ ...decided, isApproved: decision === 'approved' }));
  }

  /** What is to be paid, or was; of some paths (ids), null for all. */
  async readDues(paths: readonly number[] | null): Promise<readonly Due[]> {
    const { keys } = SUMS.commission_dues;
    const rows = `(SELECT * FROM folded_commissions WHERE ifnull(path, 0) IN (SELECT value FROM json_each(?)))`;
    const select = `WITH rows AS ${rows} SELECT ${keys.join(', ')}, count(*) AS count, sum(amount) AS amount
      FROM ${SUMS.commission_dues.from} GROUP BY ${keys.join(', ')}`;
    const table = paths === null ? 'commission_dues' : `(${select})`;
    const sql = `SELECT group_concat(json_array(${keys.join(', ')}, count, amount)) AS list FROM ${table}
      WHERE count <> 0 GROUP BY partner, account, currency, status, program_day / 100`;
    const lists = await this.#readLists(sql, ...(paths === null ? [] : [JSON.stringify(paths)]));
    return lists.map(([partner, account, currency, status, ...rest]) => {
      const [programDay, settledDay, paidDay, settleDays, hasPayment, count, amount] = rest.map(Number);
      return {
        partner: String(partner),
        account: String(account),
        currency: String(currency),
        status: parseStatus(status),
        programDay: programDay ?? 0,
        settledDay: settledDay ?? -1,
        paidDay: paidDay ?? -1,
        settleDays: settleDays ?? -1,
        hasPayment: hasPayment === 1,
        count: count ?? 0,
        amount: amount ?? 0,
      };
    });
  }

  /**
   * Finds where reports that do not count, and the networks' own lists, differ from what counts; at most so many of each kind.
   * Totals are compared with the commissions of their click; a list by id where it can, the rest as a sum since its first day,
   * because totals and other ways in have ids of their own.
   */
  async readDifferences(listed: readonly ListedCommission[], limit: number) {
    const lists = await Promise.all([
      this.#database.read(`${SELECT_DIFFERING} LIMIT ?`, limit),
      this.#database.read(`${SELECT_TOTALS} LIMIT ?`, limit),
      listed.length === 0
        ? []
        : this.#database.read(`${SELECT_LISTED} LIMIT ?`, JSON.stringify(listed), limit),
    ]);
    return lists.flat().map(({ partner, id, currency, counted, reported }) => ({
      partner: String(partner),
      /** Of the commission or total; `all since 2026-10-01` for the commissions that a network lists. */
      id: String(id),
      currency: String(currency),
      /** Minor units, as what the other source reports. */
      counted: Number(counted),
      reported: Number(reported),
    }));
  }

  /** What all paths credit, by their ids. */
  async readPaths(): Promise<ReadonlyMap<number, CreditPath>> {
    await this.#addPaths('id NOT IN (SELECT value FROM json_each(?))', [...this.#paths.keys()]);
    return this.#paths;
  }

  async #addPaths(condition: string, ids: readonly number[]) {
    const sql = `SELECT group_concat(json_array(id, path)) AS list FROM commission_visits WHERE ${condition} GROUP BY id / 1000`;
    for (const [id, text] of await this.#readLists(sql, JSON.stringify(ids))) {
      const [page, placement, entryPage, partner, marks, ...rest] = pathSchema.parse(
        JSON.parse(String(text)),
      );
      const [campaigns, paidCampaign, sources, paidSource, pages, answers] = rest;
      this.#paths.set(Number(id), {
        page,
        placement,
        entryPage,
        partner,
        isClickCounted: marks % PATH_IS_FREE === 1,
        isFree: marks >= PATH_IS_FREE,
        campaigns,
        paidCampaign,
        sources,
        paidSource,
        pages,
        answers,
      });
    }
  }

  /** Reads the paths of rows, which begin with their ids. */
  async #findPaths(rows: readonly (readonly unknown[])[]) {
    const unknown = new Set(rows.map(([id]) => Number(id)).filter((id) => id !== 0 && !this.#paths.has(id)));
    if (unknown.size > 0) await this.#addPaths('id IN (SELECT value FROM json_each(?))', [...unknown]);
  }

  async #parseCells(rows: readonly (readonly unknown[])[]): Promise<readonly CommissionCell[]> {
    await this.#findPaths(rows);
    return rows.map(([id, state, partner, currency, status, count, amount, reversed, ...rest]) => {
      const [decided, pending, squares, day = null, original] = rest;
      return {
        ...parseSummed([state, partner, currency, status, count, amount, reversed]),
        path: this.#paths.get(Number(id)) ?? null,
        day: day === null ? null : Number(day),
        decided: Number(decided),
        pending: Number(pending),
        squares: Number(squares),
        ...(original != null && { original: parseOriginal(original) }),
      };
    });
  }

  async #readLists(sql: string, ...values: readonly SqlValue[]): Promise<readonly (readonly unknown[])[]> {
    const rows = await this.#database.read(sql, ...values);
    return rows.flatMap(({ list }) => parseList(JSON.parse(`[${list}]`)));
  }
}

const SELECT_DIFFERING = `SELECT partner, native_id AS id, currency, iif(is_counted, amount, 0) AS counted, reported
  FROM folded_commissions INDEXED BY folded_differing WHERE is_test = 0 AND is_dismissed = 0 AND native_id NOT GLOB 'sub:*'
    AND reported <> iif(is_counted, amount, 0) ORDER BY first_fact`;
const SELECT_TOTALS = `SELECT partner, id, currency, reported, (SELECT total(amount) FROM folded_commissions AS own
      WHERE own.click_id = totals.click_id AND own.partner = totals.partner AND own.currency = totals.currency
        AND is_counted = 1 AND native_id NOT GLOB 'sub:*') AS counted
  FROM (SELECT partner, native_id AS id, click_id, currency, min(first_fact) AS first, sum(amount) AS reported
    FROM folded_commissions INDEXED BY folded_totals WHERE native_id GLOB 'sub:*' AND is_test = 0 AND is_dismissed = 0
      AND click_id IS NOT NULL GROUP BY partner, click_id, currency HAVING total(is_counted) = 0) AS totals
  WHERE counted <> reported ORDER BY first`;
/** Ids are looked for in each account of a partner. */
const SELECT_LISTED = `WITH RECURSIVE listed AS MATERIALIZED (SELECT key, value ->> 'partner' AS partner, value ->> 'id' AS id,
    value ->> 'currency' AS currency, value ->> 'amount' AS amount, value ->> 'time' AS time FROM json_each(?)),
  accounts (partner, account) AS (
    SELECT partner, (SELECT min(account) FROM folded_commissions AS own WHERE own.partner = known.partner)
      FROM (SELECT DISTINCT partner FROM listed) AS known
    UNION ALL SELECT partner, (SELECT min(account) FROM folded_commissions AS own
      WHERE own.partner = accounts.partner AND own.account > accounts.account) FROM accounts WHERE account IS NOT NULL),
  pairs AS MATERIALIZED (SELECT listed.key AS key, own.id AS row, own.amount AS counted, max(first_fact) FROM listed
    CROSS JOIN accounts ON accounts.partner = listed.partner CROSS JOIN folded_commissions AS own
      ON (own.partner, own.account, own.native_id, own.currency) = (listed.partner, accounts.account, listed.id, listed.currency)
    WHERE is_counted = 1 GROUP BY listed.key),
  rests AS MATERIALIZED (SELECT min(key) AS key, partner, currency, min(time) / ${DAY_MS} * ${DAY_MS} AS since,
    total(iif(row IS NULL, amount, 0)) AS reported FROM listed LEFT JOIN pairs USING (key) GROUP BY partner, currency)
  SELECT * FROM (SELECT 0 AS place, key, partner, id, currency, counted, amount AS reported FROM listed JOIN pairs USING (key)
    UNION ALL SELECT 1, key, partner, 'all since ' || date(since / 1000, 'unixepoch'), currency, (SELECT total(amount)
      FROM folded_commissions AS own INDEXED BY folded_by_time WHERE own.event_time >= rests.since AND is_counted = 1
        AND own.partner = rests.partner AND own.currency = rests.currency AND own.id NOT IN (SELECT row FROM pairs)), reported
      FROM rests)
  WHERE counted <> reported ORDER BY place, key`;

/** A schema would take as long as all else, because views read up to some ten thousand lists. */
function parseList(list: unknown): readonly (readonly unknown[])[] {
  const isRow = (row: unknown): row is readonly unknown[] => Array.isArray(row);
  if (Array.isArray(list) && list.every(isRow)) return list;
  throw new LedgerError('unavailable', 'a sum of commissions cannot be read');
}

/** Added to the number that says whether the click is counted (1), for a visit without journey. */
export const PATH_IS_FREE = 2;

const pathSchema = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.number(),
  z.array(z.string()),
  z.number(),
  z.array(z.string()),
  z.number(),
  z.array(z.string()),
  z.record(z.string(), z.string()),
]);

const originalSchema = z.tuple([z.string(), z.number(), z.number(), z.string().nullable()]);

/** What was converted; null where there was no rate. */
function parseOriginal(item: unknown): NonNullable<MoneySum['original']> | null {
  const [currency, amount, reversedAmount, day] = originalSchema.parse(item);
  return day === null ? null : { currency, amount, reversedAmount, rate: { day } };
}

/** Rounded half away from zero, as `ExchangeRate.convert` does. */
const convert = (amount: string) =>
  `iif(top IS NULL, ${amount}, CAST(sign(${amount}) * ((2 * abs(${amount}) * top + bottom) / (2 * bottom)) AS INTEGER))`;
/** Groups of columns with a type are looked up by an index; what JSON lists alone would be read for each commission. */
export const buildPrices = (
  value: string,
) => `prices AS MATERIALIZED (SELECT CAST(value ->> 0 AS TEXT) AS code, CAST(value ->> 1 AS INTEGER) AS priced,
  value ->> 2 AS top, value ->> 3 AS bottom, value ->> 4 AS price_day FROM json_each(${value}) GROUP BY code, priced)`;
const IS_PRICED = '(currency = ? OR top IS NOT NULL)';
const JOIN_PRICES = 'LEFT JOIN prices ON code = currency AND priced = booked_day';
/** Without rates there is no join, which would be made for each commission. */
export const buildPricing = (prices: SumRates | null) =>
  prices === null
    ? { join: '', isPriced: 'currency = ?', toMain: (amount: string) => amount }
    : { join: JOIN_PRICES, isPriced: IS_PRICED, toMain: convert };
/**
 * Sums the commissions of some days: the own ones are of the currency of totals. Values: the first and the last day, the
 * currency, the paths and the rates.
 */
function buildCellSelect(by: NonNullable<CellOptions['by']>, kind: 'own' | 'foreign'): string {
  const isForeign = kind === 'foreign';
  const keys = [
    SUMMED,
    'ifnull(path, 0)',
    ...(by === 'path' ? [] : ['click_day']),
    ...(isForeign ? ['price_day IS NULL'] : []),
  ];
  const tables = ['folded_commissions', ...(isForeign ? [JOIN_PRICES] : [])];
  const conditions = [
    'click_day BETWEEN ?1 AND ?2 AND is_counted = 1',
    isForeign ? 'currency <> ?3' : '(?3 IS NULL OR currency = ?3)',
    '(?4 IS NULL OR ifnull(path, 0) IN (SELECT value FROM json_each(?4)))',
  ];
  const [amount, reversed] = isForeign
    ? [convert('amount'), convert('reversed_amount')]
    : ['amount', 'reversed_amount'];
  const rate = isForeign ? 'ifnull(top * 1.0 / bottom, 1.0)' : '1.0';
  const currency = isForeign ? 'iif(price_day IS NULL, currency, ?3)' : 'currency';
  const item = [
    'ifnull(path, 0)',
    `state, partner, ${currency}, status, count(*), sum(worth), sum(taken)`,
    `sum(worth * ${rate} * before_decided), sum(worth * ${rate} * before_pending), sum(worth * 1.0 * worth)`,
    by === 'path' ? 'NULL' : 'click_day',
    ...(isForeign ? ['json_array(currency, sum(amount), sum(reversed_amount), max(price_day))'] : []),
  ];
  return `WITH ${buildPrices('?5')} SELECT group_concat(item) AS list FROM (SELECT json_array(${item.join(', ')}) AS item, path / 200 AS part
    FROM (SELECT *, ${amount} AS worth, ${reversed} AS taken FROM ${tables.join(' ')} WHERE ${conditions.join(' AND ')})
    GROUP BY ${keys.join(', ')}) GROUP BY part`;
}

function parseStatus(status: unknown): CommissionStatus {
  if (!STATUSES.has(status)) throw new LedgerError('unavailable', `there is no status ${status}`);
  return status as CommissionStatus;
}

function parseSummed(row: readonly unknown[]): SummedCommissions {
  const [state, partner, currency, status, count, amount, reversed] = row;
  return {
    state: Number(state),
    partner: String(partner),
    currency: String(currency),
    status: parseStatus(status),
    count: Number(count),
    amount: Number(amount),
    reversedAmount: Number(reversed),
  };
}
