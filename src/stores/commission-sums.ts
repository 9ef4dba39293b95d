import { z } from 'zod';
import { DAY_MS, WEEK_MS } from '../core/clock.ts';
import type { ReportClock } from '../core/commissions/credit/commission-report.ts';
import type { CreditPath } from '../core/commissions/credit/credit.ts';
import type { MoneySum } from '../core/commissions/exchange-rates.ts';
import { COMMISSION_STATUSES, type CommissionStatus } from '../core/commissions/ledger/commission-fact.ts';
import type { Due } from '../core/commissions/ledger/due-date.ts';
import type { buildScope } from './commission-entries.ts';
import { LedgerError } from './ledger-rows.ts';
import type { Database, SqlStatement, SqlValue } from './sql/sql-executor.ts';

const YEAR = `CAST(strftime('%Y00', day * 86400, 'unixepoch') AS INTEGER)`;
const MONTH = `CAST(strftime('%Y%m', day * 86400, 'unixepoch') AS INTEGER)`;
const CLICK_WEEK = `clicked_at / ${WEEK_MS} * ${WEEK_MS}`;
const AGE = `max(0, (event_time - clicked_at + ${WEEK_MS - 1}) / ${WEEK_MS})`;
const BOOKED = `iif(status = 'unknown', 0, amount)`;
const CLOCKS = `(SELECT *, iif(clock, click_day, booked_day) AS day FROM rows, (SELECT 0 AS clock UNION ALL SELECT 1))`;

/** Each table of sums: its keys, its sums, and what of the rows is summed. */
const SUMS = {
  commission_cells: {
    keys: ['clock', 'period', 'ifnull(path, 0) AS path', 'state', 'partner', 'currency', 'status'],
    sums: {
      count: '1',
      amount: 'amount',
      reversed: 'reversed_amount',
      squares: 'amount * 1.0 * amount',
      decided: 'amount * 1.0 * before_decided',
      pending: 'amount * 1.0 * before_pending',
    },
    from: `(SELECT *, iif(month, ${MONTH}, ${YEAR}) AS period FROM ${CLOCKS}, (SELECT 0 AS month UNION ALL SELECT 1))
      WHERE is_counted`,
  },
  commission_days: {
    keys: [
      ...['clock', 'day', `iif(clock OR clicked_at IS NULL, 0, ${CLICK_WEEK}) AS week`],
      ...['state', 'partner', 'currency', 'status'],
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
      ...[
        'partner',
        'account',
        'currency',
        'status',
        'program_day',
        'settled_day',
        'paid_day',
        'settle_days',
      ],
      'has_payment',
    ],
    sums: { count: '1', amount: 'amount' },
    from: `rows WHERE is_counted AND amount <> 0 AND status IN ('pending', 'approved', 'paid')`,
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
  return sign === 1 ? [...statements, ...end.map((sql) => ({ sql }))] : statements;
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

/** Days of a clock: numbers since 1970, both inclusive. */
export interface ClockDays {
  readonly clock: ReportClock;
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
  /** The days of a single commission, of its booking and by the clock; null of several. */
  readonly bookedDay: number | null;
  readonly day: number | null;
  /** Of amounts, and of each with what its click had brought before: decided, and pending. */
  readonly squares: number;
  readonly decided: number;
  readonly pending: number;
}

/** A single commission with the customer who brought it, and what it was from each arrival but the last on. */
export interface CommissionHistory extends SummedCommissions {
  /** Of its row. */
  readonly id: number;
  readonly path: CreditPath | null;
  /** Of its booking and by the clock. */
  readonly bookedDay: number;
  readonly day: number;
  readonly customer: string;
  /** ms since 1970. */
  readonly bookedAt: number;
  readonly firstArrival: number;
  readonly lastArrival: number;
  readonly states: z.output<typeof statesSchema>;
}

/** Commissions of one day of the clock that was asked for. */
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

/** How the customers of the clicks of some weeks differ, by the weeks from the click to the booking. */
export interface CustomerSpread {
  readonly age: number;
  readonly customers: number;
  readonly amount: number;
  readonly seen: number;
  readonly later: number;
}

/** What a commission adds to a figure that is compared. */
const COMPARED = {
  confirmed: `iif(status IN ('approved', 'paid'), amount, 0)`,
  pending: `iif(status = 'pending', amount, 0)`,
  expected: `CASE status WHEN 'approved' THEN amount WHEN 'paid' THEN amount WHEN 'pending' THEN amount * ifnull(rate, 1.0) ELSE 0 END`,
  reversed: 'reversed',
  booked: `iif(status IN ('reversed', 'unknown'), 0, amount)`,
} as const;
export type ComparedSum = keyof typeof COMPARED;

/** What journeys say besides paths, of rows with their journeys. */
const VISIT = [
  "iif(clicked_at IS NULL, NULL, journey -> '$.pages')",
  "iif(clicked_at IS NULL, NULL, journey -> '$.answers')",
];
const VISITS = 'folded_commissions AS own LEFT JOIN journeys ON journeys.click_id = own.click_id';

const STATUSES: ReadonlySet<unknown> = new Set(COMMISSION_STATUSES);
const SUMMED = 'state, partner, currency, status';

/** Divides days into those before the first whole month, whole years and months, and those after them. */
function divideDays(from: number, to: number) {
  const periods: number[] = [];
  const getDate = (day: number) => new Date(day * DAY_MS);
  const findMonth = (day: number, months: number) =>
    Date.UTC(getDate(day).getUTCFullYear(), getDate(day).getUTCMonth() + months, 1) / DAY_MS;
  const start = findMonth(from, 0) === from ? from : findMonth(from, 1);
  let day = start;
  while (findMonth(day, 1) - 1 <= to) {
    const isYear = getDate(day).getUTCMonth() === 0 && findMonth(day, 12) - 1 <= to;
    periods.push(getDate(day).getUTCFullYear() * 100 + (isYear ? 0 : getDate(day).getUTCMonth() + 1));
    day = findMonth(day, isYear ? 12 : 1);
  }
  if (periods.length === 0) return { periods, edges: [[from, to] as const] };
  const edges = [[from, start - 1] as const, [day, to] as const].filter(([first, last]) => first <= last);
  return { periods, edges };
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

  /**
   * Sums what counts by path. `converted`: every currency but this one is read as single commissions; null: none.
   */
  async readCells(
    { clock, from, to }: ClockDays,
    converted: string | null,
  ): Promise<readonly CommissionCell[]> {
    const { periods, edges } = divideDays(from, to);
    const day = clock === 'click' ? 'click_day' : 'booked_day';
    const some = `SELECT group_concat(item) AS list FROM (SELECT json_array(ifnull(path, 0), ${SUMMED}, count(*), sum(amount),
        sum(reversed_amount), NULL, sum(amount * 1.0 * before_decided), sum(amount * 1.0 * before_pending), sum(amount * 1.0 * amount))
        AS item, path / 200 AS part FROM folded_commissions WHERE ${day} BETWEEN ?1 AND ?2 AND is_counted = 1
        AND (?3 IS NULL OR currency = ?3) GROUP BY path, ${SUMMED}) GROUP BY part`;
    const cells = `SELECT group_concat(json_array(path, ${SUMMED}, count, amount, reversed, NULL, decided, pending, squares)) AS list
      FROM commission_cells WHERE clock = ?1 AND period IN (SELECT value FROM json_each(?2)) AND count <> 0
      AND (?3 IS NULL OR currency = ?3) GROUP BY period, path / 200`;
    const lists = await Promise.all([
      ...(periods.length === 0
        ? []
        : [this.#readLists(cells, Number(clock === 'click'), JSON.stringify(periods), converted)]),
      ...edges.map(([first, last]) => this.#readLists(some, first, last, converted)),
      ...(converted === null ? [] : [this.#readSingles({ clock, from, to }, converted)]),
    ]);
    return this.#parseCells(lists.flat());
  }

  /** The commissions of some days, each as a cell; of those of some paths (ids), null for all. */
  async readSingleCells(days: ClockDays, paths: readonly number[] | null = null) {
    return this.#parseCells(await this.#readSingles(days, null, paths));
  }

  #readSingles(
    { clock, from, to }: ClockDays,
    except: string | null,
    paths: readonly number[] | null = null,
  ) {
    const day = clock === 'click' ? 'click_day' : 'booked_day';
    const item = `json_array(ifnull(path, 0), ${SUMMED}, 1, amount, reversed_amount, booked_day, before_decided,
      before_pending, NULL, ${day})`;
    const sql = `SELECT group_concat(${item}) AS list FROM folded_commissions
      WHERE ${day} BETWEEN ?1 AND ?2 AND is_counted = 1 AND (?3 IS NULL OR currency <> ?3)
      AND (?4 IS NULL OR ifnull(path, 0) IN (SELECT value FROM json_each(?4))) GROUP BY ${day}`;
    return this.#readLists(sql, from, to, except, paths === null ? null : JSON.stringify(paths));
  }

  /**
   * Sums what counts by everything that its journeys say. `converted`: as of `readCells`; `by`: also by day, or by equal
   * amounts, which are divided each by itself.
   */
  async readVisitCells(
    { clock, from, to }: ClockDays,
    converted: string | null,
    by: 'day' | 'amount' | null,
  ) {
    const day = clock === 'click' ? 'click_day' : 'booked_day';
    const keys = [
      ...['ifnull(path, 0)', 'state', 'partner', 'currency', 'status', ...VISIT],
      'iif(?3 IS NULL OR currency = ?3, NULL, own.id)',
      ...(by === 'day' ? [day] : by === 'amount' ? ['amount', 'reversed_amount'] : []),
    ];
    const item = `json_array(${keys.slice(0, 5).join(', ')}, count(*), sum(amount), sum(reversed_amount),
      iif(?3 IS NULL OR currency = ?3, NULL, booked_day), sum(amount * 1.0 * before_decided), sum(amount * 1.0 * before_pending),
      sum(amount * 1.0 * amount), ${by === 'day' ? day : 'NULL'}, ${VISIT.map((key) => `json(${key})`).join(', ')})`;
    const sql = `SELECT group_concat(item) AS list FROM (SELECT ${item} AS item, partner AS part FROM ${VISITS}
      WHERE ${day} BETWEEN ?1 AND ?2 AND is_counted = 1 GROUP BY ${keys.join(', ')}) GROUP BY part`;
    const rows = await this.#readLists(sql, from, to, converted);
    const cells = await this.#parseCells(rows);
    return cells.map((cell, index) => ({ ...cell, path: addVisit(cell.path, rows[index]?.slice(13)) }));
  }

  /** The ids of commissions by everything that decides whether they pass filters; `days`: undefined for all. */
  async readVisits(days: ClockDays | undefined) {
    const day = days?.clock === 'click' ? 'click_day' : 'booked_day';
    const keys = ['ifnull(path, 0)', 'partner', 'status', ...VISIT];
    const visit = VISIT.map((key) => `json(${key})`).join(', ');
    const sql = `SELECT json_array(${keys.slice(0, 3).join(', ')}, ${visit}, json_group_array(own.id)) AS list
      FROM ${VISITS} WHERE ${days === undefined ? 'true' : `${day} BETWEEN ?1 AND ?2`} GROUP BY ${keys.join(', ')}`;
    const rows = await this.#readLists(sql, ...(days === undefined ? [] : [days.from, days.to]));
    await this.#findPaths(rows);
    return rows.map(([path, partner, status, pages, answers, ids]) => ({
      path: addVisit(this.#paths.get(Number(path)) ?? null, [pages, answers]),
      ...{ partner: String(partner), status: parseStatus(status), ids: z.array(z.number()).parse(ids) },
    }));
  }

  /** How many clicks each visit has of commissions that count, and the ids of the newest of these clicks. */
  async readVisitClicks({ where, values }: ReturnType<typeof buildScope>, limit: number) {
    const isClicked = `${where} AND is_counted = 1 AND clicked_at IS NOT NULL`;
    const keys = ['path', ...VISIT];
    const visit = VISIT.map((key) => `json(${key})`).join(', ');
    const [rows, newest] = await Promise.all([
      this.#readLists(
        `SELECT json_array(path, count(DISTINCT own.click_id), ${visit}) AS list
          FROM ${VISITS} WHERE ${isClicked} GROUP BY ${keys.join(', ')}`,
        ...values,
      ),
      this.#readLists(
        `SELECT json_group_array(id) AS list FROM
          (SELECT click_id AS id FROM folded_commissions AS own WHERE ${isClicked} GROUP BY 1 ORDER BY max(clicked_at) DESC LIMIT ?)`,
        ...[...values, limit],
      ),
    ]);
    await this.#findPaths(rows);
    const visits = rows.flatMap(([id, clicks, ...own]) => {
      const path = addVisit(this.#paths.get(Number(id)) ?? null, own);
      return path === null ? [] : [{ path, clicks: Number(clicks) }];
    });
    return { visits, newest: (newest[0] ?? []).map(String) };
  }

  /**
   * Sums what customers, who are known by the click, brought in two periods, as `compareSums` does; `earlier` as it stood at
   * `asOf` (ms since 1970). `given`: more commissions, as [place of the period, customer, partner, status, amount, reversed].
   */
  async compareCustomers(input: {
    readonly scopes: readonly [now: ReturnType<typeof buildScope>, earlier: ReturnType<typeof buildScope>];
    readonly asOf: number;
    /** Of the earlier period at the time; undefined for all. */
    readonly statuses: readonly CommissionStatus[] | undefined;
    readonly given: readonly (readonly unknown[])[];
    readonly rates: ReadonlyMap<string, number>;
    readonly scale: number;
    readonly figures: readonly ComparedSum[];
  }) {
    const { scopes, asOf, statuses, given, rates, scale, figures } = input;
    const own = ({ where }: (typeof scopes)[number]) =>
      `SELECT *, ifnull(click_id, id) AS customer FROM folded_commissions AS own WHERE ${where}`;
    const seen = `(SELECT value FROM json_each(states) WHERE value ->> 0 <= given.as_of ORDER BY key DESC LIMIT 1)`;
    const sums = figures.flatMap((figure, index) =>
      [0, 1].map((side) => `sum(iif(side = ${side}, ${COMPARED[figure]}, 0)) AS f${index}_${side}`),
    );
    const results = figures.map((_, index) => {
      const [now, before] = [`f${index}_0`, `f${index}_1`];
      const part = `(${now} - ${before} * scale)`;
      return `json_array(total(${now}), total(${before}), total(${part}), total(iif(${now} <> 0 AND ${before} <> 0, ${part} * ${part},
        (${now} + ${before}) * (${now} + ${before}) * 1.0 * scale)), total(${part} <> 0))`;
    });
    const sql = `WITH given AS MATERIALIZED (SELECT ? AS as_of, ? AS statuses, ? AS scale),
      rates AS MATERIALIZED (SELECT key, value AS rate FROM json_each(?)),
      rows AS (SELECT 0 AS side, customer, partner, status, amount, reversed_amount AS reversed FROM (${own(scopes[0])})
        UNION ALL SELECT * FROM (SELECT 1, customer, partner, ifnull(seen ->> 1, status) AS status, ifnull(seen ->> 2, amount),
            ifnull(seen ->> 3, reversed_amount) FROM (SELECT one.*, iif(last_arrival <= given.as_of, NULL, ${seen}) AS seen, given.as_of
              FROM (${own(scopes[1])}) AS one, given)
            WHERE last_arrival <= as_of OR seen ->> 4 = currency)
          WHERE (SELECT statuses FROM given) IS NULL OR status IN (SELECT value FROM json_each((SELECT statuses FROM given)))
        UNION ALL SELECT ${[0, 1, 2, 3, 4, 5].map((place) => `value ->> ${place}`).join(', ')} FROM json_each(?))
      SELECT json_array(${results.join(', ')}) AS list FROM (SELECT ${sums.join(', ')}
        FROM rows LEFT JOIN rates ON rates.key = partner GROUP BY customer), given`;
    const values = [asOf, statuses === undefined ? null : JSON.stringify(statuses), scale];
    const rest = [JSON.stringify(Object.fromEntries(rates)), ...scopes[0].values, ...scopes[1].values];
    const [list = []] = await this.#readLists(sql, ...values, ...rest, JSON.stringify(given));
    return list.map((item) => {
      const [now, before, difference, squares, count] = comparedSchema.parse(item);
      return { now, before, difference, squares, count };
    });
  }

  /** What was booked until a time by partner, and what of it arrived later. */
  async readArrivals({ where, values }: ReturnType<typeof buildScope>, until: number) {
    const size = 'abs(amount) + abs(reversed_amount)';
    const sql = `SELECT json_array(partner, total(${size}), total(iif(first_arrival > ?, ${size}, 0))) AS list
      FROM folded_commissions AS own WHERE event_time <= ? AND ${where} GROUP BY partner`;
    const rows = await this.#readLists(sql, until, until, ...values);
    return rows.map(([partner, all, late]) => ({
      partner: String(partner),
      all: Number(all),
      late: Number(late),
    }));
  }

  /** The commissions of some days in all currencies but one, with their customers and what they were before. */
  async readHistories({ clock, from, to }: ClockDays, except: string): Promise<readonly CommissionHistory[]> {
    const day = clock === 'click' ? 'click_day' : 'booked_day';
    const sql = `SELECT group_concat(json_array(ifnull(path, 0), id, booked_day, ${day}, event_time, first_arrival, last_arrival,
      ifnull(click_id, id), json(states), ${SUMMED}, 1, amount, reversed_amount)) AS list
      FROM folded_commissions WHERE ${day} BETWEEN ?1 AND ?2 AND is_counted = 1 AND currency <> ?3 GROUP BY ${day}`;
    const rows = await this.#readLists(sql, from, to, except);
    await this.#findPaths(rows);
    return rows.map(
      ([path, id, bookedDay, day, bookedAt, firstArrival, lastArrival, customer, states, ...summed]) => ({
        ...parseSummed(summed),
        path: this.#paths.get(Number(path)) ?? null,
        ...{ id: Number(id), bookedDay: Number(bookedDay), day: Number(day), bookedAt: Number(bookedAt) },
        ...{
          firstArrival: Number(firstArrival),
          lastArrival: Number(lastArrival),
          customer: String(customer),
        },
        states: states === null ? [] : statesSchema.parse(states),
      }),
    );
  }

  /** When the newest message of a partner until a time had arrived, ms since 1970; null without any. */
  async readLastArrival(partner: string, until: number): Promise<number | null> {
    const sql = 'SELECT max(arrived_at) AS last FROM facts WHERE partner = ? AND arrived_at <= ?';
    const last = (await this.#database.readRow(sql, partner, until))?.['last'];
    return typeof last === 'number' ? last : null;
  }

  /** The sums of each day of some; `currency`: of it alone, null: of all. */
  async readDays({ clock, from, to }: ClockDays, currency: string | null): Promise<readonly CommissionDay[]> {
    const sql = `SELECT group_concat(json_array(day, ${SUMMED}, count, amount, reversed)) AS list FROM commission_days
      WHERE clock = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR currency = ?4) AND count <> 0 GROUP BY day`;
    const rows = await this.#readLists(sql, Number(clock === 'click'), from, to, currency);
    return rows.map(([day, ...summed]) => ({ day: Number(day), ...parseSummed(summed) }));
  }

  /** All commissions by the weeks of their clicks and bookings; by the day of the booking in all currencies but one. */
  async readCohorts(converted: string | null): Promise<readonly CommissionCohort[]> {
    const sql = `SELECT group_concat(item) AS list FROM (SELECT currency AS code, json_array(week,
        iif(?1 IS NULL OR currency = ?1, day * ${DAY_MS} / ${WEEK_MS} * ${WEEK_MS}, day * ${DAY_MS}), ${SUMMED}, sum(count), sum(amount),
        sum(reversed)) AS item, week / ${50 * WEEK_MS} AS part FROM commission_days WHERE clock = 0 AND count <> 0
      GROUP BY week, iif(?1 IS NULL OR currency = ?1, day * ${DAY_MS} / ${WEEK_MS} * ${WEEK_MS}, day * ${DAY_MS}), ${SUMMED})
      GROUP BY part, code`;
    const rows = await this.#readLists(sql, converted);
    return rows.map(([week, booked, ...summed]) => ({
      ...{ week: Number(week), booked: Number(booked) },
      ...parseSummed(summed),
    }));
  }

  /** How customers of a currency differ, whose clicks are of some weeks (ms since 1970, `to` exclusive). */
  async readSpreads(currency: string, from: number, to: number): Promise<readonly CustomerSpread[]> {
    const sql = `SELECT age, sum(customers) AS customers, sum(amount) AS amount, sum(seen) AS seen, sum(later) AS later
      FROM commission_spreads WHERE currency = ? AND week >= ? AND week < ? GROUP BY age`;
    const rows = await this.#database.read(sql, currency, from, to);
    return rows.map(({ age, customers, amount, seen, later }) => ({
      ...{ age: Number(age), customers: Number(customers), amount: Number(amount) },
      ...{ seen: Number(seen), later: Number(later) },
    }));
  }

  /** What is to be paid, or was; of some commissions or paths (ids), null for all. */
  async readDues(
    paths: readonly number[] | null,
    ids: readonly number[] | undefined,
  ): Promise<readonly Due[]> {
    const { keys } = SUMS.commission_dues;
    const given = ids ?? paths;
    const column = ids === undefined ? 'ifnull(path, 0)' : 'id';
    const rows = `(SELECT * FROM folded_commissions WHERE ${column} IN (SELECT value FROM json_each(?)))`;
    const select = `WITH rows AS ${rows} SELECT ${keys.join(', ')}, count(*) AS count, sum(amount) AS amount
      FROM ${SUMS.commission_dues.from} GROUP BY ${keys.join(', ')}`;
    const table = given === null ? 'commission_dues' : `(${select})`;
    const sql = `SELECT group_concat(json_array(${keys.join(', ')}, count, amount)) AS list FROM ${table}
      WHERE count <> 0 GROUP BY partner, account, currency, status, program_day / 100`;
    const lists = await this.#readLists(sql, ...(given === null ? [] : [JSON.stringify(given)]));
    return lists.map(([partner, account, currency, status, ...rest]) => {
      const [programDay, settledDay, paidDay, settleDays, hasPayment, count, amount] = rest.map(Number);
      return {
        ...{ partner: String(partner), account: String(account), currency: String(currency) },
        ...{ status: parseStatus(status), programDay: programDay ?? 0, settledDay: settledDay ?? -1 },
        ...{ paidDay: paidDay ?? -1, settleDays: settleDays ?? -1, hasPayment: hasPayment === 1 },
        ...{ count: count ?? 0, amount: amount ?? 0 },
      };
    });
  }

  /** What all paths credit, by their ids. */
  async readPaths(): Promise<ReadonlyMap<number, CreditPath>> {
    await this.#addPaths('id NOT IN (SELECT value FROM json_each(?))', [...this.#paths.keys()]);
    return this.#paths;
  }

  async #addPaths(condition: string, ids: readonly number[]) {
    const sql = `SELECT group_concat(json_array(id, path)) AS list FROM commission_paths WHERE ${condition} GROUP BY id / 1000`;
    for (const [id, text] of await this.#readLists(sql, JSON.stringify(ids))) {
      const [page, placement, entryPage, partner, isCounted, ...rest] = pathSchema.parse(
        JSON.parse(String(text)),
      );
      const [campaigns, paidCampaign, sources, paidSource] = rest;
      this.#paths.set(Number(id), {
        ...{ page, placement, entryPage, partner, isClickCounted: isCounted === 1 },
        ...{ campaigns, paidCampaign, sources, paidSource },
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
    return rows.map(
      ([id, state, partner, currency, status, count, amount, reversed, ...rest]): CommissionCell => {
        const [bookedDay, decided, pending, squares, day = null] = rest;
        const summed = parseSummed([state, partner, currency, status, count, amount, reversed]);
        // A single commission has what its click brought before.
        const factor = squares === null ? summed.amount : 1;
        return {
          ...summed,
          path: this.#paths.get(Number(id)) ?? null,
          bookedDay: bookedDay === null ? null : Number(bookedDay),
          day: day === null ? null : Number(day),
          squares: squares === null ? summed.amount ** 2 : Number(squares),
          decided: factor * Number(decided),
          pending: factor * Number(pending),
        };
      },
    );
  }

  async #readLists(sql: string, ...values: readonly SqlValue[]): Promise<readonly (readonly unknown[])[]> {
    const rows = await this.#database.read(sql, ...values);
    return rows.flatMap(({ list }) => parseList(JSON.parse(`[${list}]`)));
  }
}

/** Arrival, status, amount, reversed amount and currency. */
const statesSchema = z.array(
  z.tuple([z.number(), z.enum(COMMISSION_STATUSES), z.number(), z.number(), z.string()]),
);
/** A schema would take as long as all else, because views read up to some ten thousand lists. */
function parseList(list: unknown): readonly (readonly unknown[])[] {
  const isRow = (row: unknown): row is readonly unknown[] => Array.isArray(row);
  if (Array.isArray(list) && list.every(isRow)) return list;
  throw new LedgerError('unavailable', 'a sum of commissions cannot be read');
}

const comparedSchema = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]);
const visitSchema = z.tuple([z.array(z.string()), z.record(z.string(), z.string())]);

/** A path with the pages and answers of its visit. */
function addVisit(path: CreditPath | null, visit: unknown): CreditPath | null {
  if (path === null) return null;
  const [pages, answers] = visitSchema.parse(visit);
  return { ...path, pages, answers };
}

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
]);

function parseStatus(status: unknown): CommissionStatus {
  if (!STATUSES.has(status)) throw new LedgerError('unavailable', `there is no status ${status}`);
  return status as CommissionStatus;
}

function parseSummed(row: readonly unknown[]): SummedCommissions {
  const [state, partner, currency, status, count, amount, reversed] = row;
  return {
    ...{ state: Number(state), partner: String(partner), currency: String(currency) },
    ...{ status: parseStatus(status), count: Number(count), amount: Number(amount) },
    reversedAmount: Number(reversed),
  };
}
