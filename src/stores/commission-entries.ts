import { z } from 'zod';
import { DAY_MS } from '../core/clock.ts';
import { findReason, groupByCommission, type LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import { buildCommissionKey, type CommissionStatus } from '../core/commissions/ledger/commission-fact.ts';
import type { DueDays } from '../core/commissions/ledger/due-date.ts';
import { creditSchema } from '../core/commissions/ledger/stored-money.schema.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { buildPrices, buildPricing, type SumDays, type SumRates } from './commission-sums.ts';
import type { FoldedCommissions } from './folded-commissions.ts';
import {
  KINDS,
  LedgerError,
  parseJourneyItem,
  parseLabel,
  parseNumberCell,
  parseTextCell,
  STATUSES,
} from './ledger-rows.ts';
import type { Database, SqlValue } from './sql/sql-executor.ts';

/** Which commissions to read: those of which all that is given is true. */
export interface EntryScope {
  readonly days?: SumDays | undefined;
  /** Whether it is booked at a time (ms since 1970) or later. */
  readonly since?: number;
  readonly partners?: readonly string[] | undefined;
  readonly account?: string | undefined;
  readonly nativeId?: string;
  readonly clickId?: string;
  readonly statuses?: readonly CommissionStatus[] | undefined;
  readonly currency?: string | null;
  /** Ids of paths; 0 is that of commissions without a click. */
  readonly paths?: readonly number[] | null;
  /** What its id, its sub-id or its click contains. */
  readonly text?: string;
  readonly isCounted?: boolean;
  /** Whether it waits for a decision about its click. */
  readonly isWaiting?: true;
  readonly isLabelled?: true;
  /** Whether its click is known. */
  readonly isClicked?: true;
  /** Keys of `buildDueKey`. */
  readonly dues?: readonly string[];
  /** Whether it was written with a later version of the table. */
  readonly changedAfter?: number;
}

/** The order of commissions, and which of them. */
export interface EntryOrder {
  readonly by: keyof typeof ORDERS;
  readonly isDescending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** By amount: the rates at which they are compared. */
  readonly prices?: SumRates | null;
  /** By the day when they are due: the day of each key of `buildDueKey`. */
  readonly dueDays?: readonly (readonly [key: string, day: string | null])[];
}

const ORDERS = {
  arrival: 'first_fact',
  partner: 'partner',
  id: 'native_id',
  status: 'status',
  booked: 'event_time',
  page: 'page',
  campaign: 'campaign',
  clicked: 'clicked_at',
  amount: 'amount',
  due: `iif(is_counted AND amount <> 0, ifnull(due_day, '9999-12-31'), '9999-12-31')`,
} as const;

/** A commission as the table has it. It has no messages: `readFacts` reads them. */
export interface FoldedEntry extends LedgerEntry {
  readonly due: DueDays;
}

const DUE_KEY = `json_array(partner, account, currency, status, program_day, settled_day, paid_day, settle_days,
  iif(has_payment, json('true'), json('false')))`;

/** The beginning of a key of `buildDueKey`. */
const dueSchema = z.tuple([z.string(), z.string(), z.string(), z.string(), z.number()]).rest(z.unknown());

/** The condition of a scope on `folded_commissions AS own`. */
function buildScope(scope: EntryScope) {
  const conditions = ['true'];
  const values: SqlValue[] = [];
  /** Adds a condition, unless its value is not given. */
  const add = (sql: string, ...given: readonly (SqlValue | undefined)[]) => {
    const known = given.filter((value) => value !== undefined);
    if (known.length < given.length) return;
    conditions.push(sql);
    values.push(...known);
  };
  const addList = (column: string, list: readonly unknown[] | null | undefined) =>
    add(`${column} IN (SELECT value FROM json_each(?))`, list ? JSON.stringify(list) : undefined);
  const { days, dues } = scope;
  add('account = ?', scope.account);
  add('native_id = ?', scope.nativeId);
  add('click_id = ?', scope.clickId);
  add('currency = ?', scope.currency ?? undefined);
  add(`${days?.of === 'booking' ? 'booked_day' : 'click_day'} BETWEEN ? AND ?`, days?.from, days?.to);
  add('event_time >= ?', scope.since);
  add('changed > ?', scope.changedAfter);
  addList('partner', scope.partners);
  addList('status', scope.statuses);
  addList('ifnull(path, 0)', scope.paths);
  if (dues !== undefined) {
    // A key is built of few rows. The day of a booking in the program's time zone may be one earlier or later.
    const known = dues.map((due) => dueSchema.parse(JSON.parse(due)));
    const find = (choose: (one: number, other: number) => number, none: number) =>
      known.reduce((found, [, , , , day]) => choose(found, day), none);
    const [first, last] = [find(Math.min, Number.MAX_SAFE_INTEGER), find(Math.max, -1)];
    add('is_counted = 1 AND amount <> 0 AND booked_day BETWEEN ? AND ?', first - 1, last + 1);
    addList('+partner', [...new Set(known.map(([partner]) => partner))]);
    addList('+status', [...new Set(known.map(([, , , status]) => status))]);
    addList(DUE_KEY, dues);
  }
  const text = scope.text?.trim().toLowerCase();
  add(
    '(instr(lower(native_id), ?) OR instr(lower(token), ?) OR instr(lower(click_id), ?))',
    text,
    text,
    text,
  );
  if (scope.isCounted !== undefined) add(`is_counted = ${Number(scope.isCounted)}`);
  if (scope.isWaiting) add(IS_WAITING);
  if (scope.isClicked) add('clicked_at IS NOT NULL');
  if (scope.isLabelled) add('labelled IS NOT NULL');
  return { where: conditions.join(' AND '), values };
}

/** Whoever takes some of these by their remainder takes them from everywhere: ids of a file can have a pattern. */
const MIXED_ID = '(own.id * 2654435761 / 65536)';
const LONG_DAYS = 60;

/** Few commissions are labelled, and the newest of many days are not sorted: the database cannot know it. */
function findIndex({ isLabelled, days, dues }: EntryScope, order: EntryOrder | undefined): string {
  if (isLabelled) return 'INDEXED BY folded_labelled';
  if (dues !== undefined) return 'INDEXED BY folded_by_booked_day';
  const isLong = days !== undefined && days.to - days.from > LONG_DAYS;
  return isLong && order?.by === 'booked' && order.limit > 0 ? 'INDEXED BY folded_by_time' : '';
}

const IS_WAITING = 'clicked_at IS NULL AND labelled IS NULL AND is_dismissed = 0 AND is_test = 0';
const ROWS_PER_READ = 1_000;

const COLUMNS = `own.partner, account, native_id, kind, status, amount, reversed_amount, currency, sale_amount, token, own.click_id,
  click_time, event_time, change_time, is_test, is_dismissed, is_returned, is_disputed, json(conflicts), label, json(labelled),
  is_counted, is_later_payment, program_day, settled_day, paid_day, settle_days, has_payment,
  iif(clicked_at IS NULL, NULL, json(journey))`;
const SELECT_ENTRIES = `SELECT group_concat(json_array(given.key, ${COLUMNS})) AS list FROM json_each(?) AS given
  CROSS JOIN folded_commissions AS own ON own.id = given.value LEFT JOIN journeys ON journeys.click_id = own.click_id
  GROUP BY given.key / 200`;

/** Single folded commissions, in the database of the ledger. Each method rejects with `LedgerError`. */
export class CommissionEntries {
  readonly #database: Database;
  readonly #folded: FoldedCommissions;

  constructor(database: Database, folded: FoldedCommissions) {
    this.#database = database;
    this.#folded = folded;
  }

  async count(scope: EntryScope): Promise<number> {
    const { where, values } = buildScope(scope);
    const sql = `SELECT count(*) AS count FROM folded_commissions AS own WHERE ${where}`;
    return Number((await this.#database.readRow(sql, ...values))?.['count'] ?? 0);
  }

  /**
   * Reads commissions, some hundred at a time, in the order of arrival unless another one is given. `firstEventTime`: of the
   * events, null without any.
   */
  async *readPages(
    scope: EntryScope,
    firstEventTime: number | null,
    order?: EntryOrder,
  ): AsyncGenerator<readonly FoldedEntry[]> {
    const { where, values } = buildScope(scope);
    const { by = 'arrival', isDescending = false, limit = -1, offset = 0 } = order ?? {};
    const direction = isDescending ? 'DESC' : 'ASC';
    const index = findIndex(scope, order);
    const known =
      by === 'amount' ? order?.prices?.list : by === 'due' && JSON.stringify(order?.dueDays ?? []);
    const { join: joinPrices, toMain } = buildPricing((by === 'amount' && order?.prices) || null);
    const amount = toMain('amount');
    const sorted =
      by === 'amount' ? `iif(${amount} = 0, -${toMain('reversed_amount')}, ${amount})` : ORDERS[by];
    const join = by === 'due' ? `LEFT JOIN due_days ON due_key = ${DUE_KEY}` : joinPrices;
    const rows = `folded_commissions AS own ${index} ${join}`;
    // The last amount of the page is found in an index alone, so that few rows are read and sorted.
    const isCut = by === 'amount' && limit > 0;
    const cut = `AND ${sorted} ${isDescending ? '>=' : '<='} ifnull((SELECT ${sorted} FROM ${rows} WHERE ${where}
      ORDER BY 1 ${direction} LIMIT 1 OFFSET ?), ${sorted})`;
    const sql = `WITH ${buildPrices('?1')}, due_days AS MATERIALIZED (SELECT value ->> 0 AS due_key, value ->> 1 AS due_day
        FROM json_each(?1) GROUP BY due_key) SELECT json_group_array(id) AS ids FROM (SELECT own.id FROM ${rows}
      WHERE ${where} ${isCut ? cut : ''} ORDER BY ${sorted} ${direction}, event_time DESC, native_id LIMIT ? OFFSET ?)`;
    const cutValues = isCut ? [...values, limit + offset - 1] : [];
    const found = await this.#database.readRow(sql, known || '[]', ...values, ...cutValues, limit, offset);
    const ids = z.array(z.number()).parse(parseJson(String(found?.['ids'] ?? '[]')));
    for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
      const list = JSON.stringify(ids.slice(start, start + ROWS_PER_READ));
      const rows = await this.#database.read(SELECT_ENTRIES, list);
      const items = rows.flatMap(({ list }) => z.array(z.array(z.unknown())).parse(JSON.parse(`[${list}]`)));
      const sorted = items.sort(([one], [other]) => Number(one) - Number(other));
      yield sorted.map(([, ...item]) => parseEntry(item, firstEventTime));
    }
  }

  /**
   * How long half of the commissions took at most in ms (nearest rank), by partner: from a click to its first one of all, and from
   * the booking to the approval. `every`: one of so many is read.
   */
  async readDurations(scope: EntryScope, every = 1) {
    const { where, values } = buildScope(scope);
    const place = (name: string) => `SELECT '${name}' AS name, partner, ${name} AS value,
      row_number() OVER (PARTITION BY partner ORDER BY ${name}) AS place, count(*) OVER (PARTITION BY partner) AS count
      FROM taken WHERE ${name} IS NOT NULL`;
    const sql = `WITH taken AS MATERIALIZED (SELECT partner, approval_time AS approve,
        iif(clicked_at IS NOT NULL AND previous_day = -1 AND NOT EXISTS (${EARLIER}), max(0, event_time - clicked_at), NULL) AS convert
      FROM folded_commissions AS own WHERE ${where} AND ${MIXED_ID} % ? = 0)
      SELECT name, partner, count, min(iif(place * 2 >= count, value, NULL)) AS median
      FROM (${place('convert')} UNION ALL ${place('approve')}) GROUP BY name, partner`;
    const rows = await this.#database.read(sql, ...values, every);
    return rows.map(({ name, partner, count, median }) => ({
      is: name === 'convert' ? ('convert' as const) : ('approve' as const),
      partner: String(partner),
      durations: { median: Number(median), count: Number(count) },
    }));
  }

  /** The same commissions with their messages. */
  async readFacts<Entry extends LedgerEntry>(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const facts = new Map<string, LedgerEntry['facts']>();
    for (let start = 0; start < entries.length; start += ROWS_PER_READ) {
      const ids = entries.slice(start, start + ROWS_PER_READ).map(({ commission }) => commission);
      const messages = await this.#folded.readMessages(ids);
      for (const [key, own] of groupByCommission(messages.facts)) facts.set(key, own);
    }
    return entries.map((entry) => ({
      ...entry,
      facts: facts.get(buildCommissionKey(entry.commission)) ?? [],
    }));
  }

  /** The first and the last moment of clicks and bookings; of what counts alone where `isCounted`. Null without any. */
  async readTimes(isCounted: boolean) {
    const find = (column: string, direction: string) =>
      `(SELECT ${column} FROM folded_commissions ${isCounted ? 'WHERE is_counted = 1' : ''} ORDER BY ${column} ${direction} LIMIT 1)`;
    const row =
      await this.#database.readRow(`SELECT ${find('click_day', '')} AS first_click, ${find('click_day', 'DESC')} AS last_click,
      ${find('booked_day', '')} AS first_booked, ${find('booked_day', 'DESC')} AS last_booked`);
    const get = (name: string) => (typeof row?.[name] === 'number' ? row[name] : null);
    return {
      click: [get('first_click'), get('last_click')],
      booking: [get('first_booked'), get('last_booked')],
    } as const;
  }

  /** When the network of each partner reported, the last time of each day, and how many commissions arose; without tests. */
  async readActivity() {
    const days = await this.#database.read(`WITH RECURSIVE ${SELECT_PARTNERS}, ${walkDays('last_arrival')},
      ${walkDays('first_arrival')} SELECT partner, time AS last FROM last_arrivals WHERE time IS NOT NULL
      UNION SELECT partner, time FROM first_arrivals WHERE time IS NOT NULL`);
    const rows = await this.#database.read(`SELECT partner, count(*) AS leads, max(event_time) AS last
      FROM folded_commissions WHERE is_test = 0 AND kind IN ('lead', 'sale') GROUP BY partner`);
    const arrivals = Map.groupBy(days, ({ partner }) => String(partner));
    const leads = new Map(
      rows.map(({ partner, leads, last }) => [String(partner), [Number(leads), Number(last)] as const]),
    );
    return new Map(
      [...arrivals].map(([partner, own]) => {
        const [count = 0, lastLead = null] = leads.get(partner) ?? [];
        return [partner, { arrivals: own.map(({ last }) => Number(last)), leads: count, lastLead }] as const;
      }),
    );
  }

  /** When the newest message of each partner arrived, ms since 1970. */
  async readLastArrivals(partners: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql = `SELECT value AS partner, (SELECT max(last_arrival) FROM folded_commissions WHERE partner = value) AS last
      FROM json_each(?)`;
    const rows = await this.#database.read(sql, JSON.stringify(partners));
    return new Map(
      rows.flatMap(({ partner, last }) => (last === null ? [] : [[String(partner), Number(last)]])),
    );
  }
}

const SELECT_PARTNERS = `known (partner) AS (SELECT min(partner) FROM folded_commissions
  UNION ALL SELECT (SELECT min(partner) FROM folded_commissions AS next WHERE next.partner > known.partner) FROM known
  WHERE partner IS NOT NULL)`;
/** The last time of each day of a partner, from day to day by an index. */
const walkDays = (column: 'first_arrival' | 'last_arrival') => {
  const find = (condition: string) => `(SELECT max(${column}) FROM folded_commissions AS own
    WHERE own.partner = before.partner AND own.is_test = 0${condition})`;
  return `${column}s (partner, time) AS (SELECT partner, ${find('')} FROM known AS before WHERE partner IS NOT NULL
    UNION ALL SELECT partner, ${find(` AND own.${column} < before.time / ${DAY_MS} * ${DAY_MS}`)}
    FROM ${column}s AS before WHERE time IS NOT NULL)`;
};

/** The day before is that of the currency. */
const EARLIER = `SELECT 1 FROM folded_commissions AS other WHERE other.click_id = own.click_id AND other.is_counted = 1
  AND other.currency <> own.currency AND (other.event_time, other.native_id) < (own.event_time, own.native_id)`;

function parseEntry(item: readonly unknown[], firstEventTime: number | null): FoldedEntry {
  const [partner, account, nativeId, kind, status, amount, reversedAmount, currency, saleAmount, ...rest] =
    item;
  const [
    token,
    clickId,
    clickTime,
    eventTime,
    changeTime,
    isTest,
    isDismissed,
    isReturned,
    isDisputed,
    ...more
  ] = rest;
  const [
    conflicts,
    label,
    labelled,
    isCounted,
    isLater,
    programDay,
    settledDay,
    paidDay,
    settleDays,
    ...last
  ] = more;
  const [hasPayment, journey] = last;
  if (!KINDS.has(kind) || !STATUSES.has(status))
    throw new LedgerError('unavailable', `folded_commissions has an unreadable row (${nativeId})`);
  const commission: LedgerEntry['commission'] = {
    partner: String(partner),
    account: String(account),
    nativeId: String(nativeId),
    kind: kind as LedgerEntry['commission']['kind'],
    status: status as CommissionStatus,
    amount: Number(amount),
    reversedAmount: Number(reversedAmount),
    currency: String(currency),
    saleAmount: parseNumberCell(saleAmount),
    token: String(token),
    clickId: parseTextCell(clickId),
    clickTime: parseNumberCell(clickTime),
    eventTime: Number(eventTime),
    changeTime: Number(changeTime),
    isTest: isTest === 1,
    isDismissed: isDismissed === 1,
    isReturned: isReturned === 1,
    isDisputed: isDisputed === 1,
    conflicts: z
      .array(z.number())
      .parse(conflicts)
      .map((sequence) => ({ sequence })),
    ...(label !== null && { label: parseLabel(label, nativeId) }),
  };
  const known = journey === null || journey === undefined ? null : parseJourneyItem(journey);
  const credit = labelled === null ? undefined : creditSchema.parse(labelled);
  return {
    commission,
    journey: known,
    facts: [],
    reason: known === null && credit === undefined ? findReason(commission, firstEventTime) : null,
    isCounted: isCounted === 1,
    ...(isLater === 1 && { isLaterPayment: true }),
    ...(credit !== undefined && { labelled: credit }),
    due: {
      programDay: Number(programDay),
      settledDay: Number(settledDay),
      paidDay: Number(paidDay),
      settleDays: Number(settleDays),
      hasPayment: hasPayment === 1,
    },
  };
}
