import { createHash } from 'node:crypto';
import { type FrozenJourney, NO_CAMPAIGN } from '../core/commissions/credit/credit.ts';
import type { NewFact, StoredFact } from '../core/commissions/ledger/commission-fact.ts';
import type {
  CommissionDecision,
  LabelDay,
  NewDecision,
  RateDay,
} from '../core/commissions/ledger/stored-money.schema.ts';
import { UNKNOWN_SOURCE } from '../core/events/visit-source.ts';
import { CommissionEntries } from './commission-entries.ts';
import { CommissionSums } from './commission-sums.ts';
import { FoldedCommissions } from './folded-commissions.ts';
import {
  buildFactStatements,
  type CommissionImport,
  FACT_ITEM,
  IS_COUNTED_FACT,
  LedgerError,
  parseDecisionRow,
  parseFactItem,
  parseImportRow,
  parseJourneyItem,
  parseJourneyRow,
  parseRateRow,
  parseRawRow,
  parseUnreadRow,
  type RawMessage,
  type UnreadMessage,
} from './ledger-rows.ts';
import { Database, type SqlExecutor } from './sql/sql-executor.ts';
import {
  batchCounted,
  buildListStatements,
  type Lease,
  READ_STATE,
  readItems,
  takeLease,
  WRITE_STATE,
} from './sql/statements.ts';

/** What one message, file or page of an API brings, stored in one transaction. */
export interface LedgerBatch {
  readonly facts: readonly NewFact[];
  readonly raw?: RawMessage | undefined;
  /** The first journey of a click is stored; later ones change nothing. */
  readonly journeys?: readonly FrozenJourney[] | undefined;
  readonly decisions?: readonly NewDecision[] | undefined;
  /** The first weights of an id on a day are stored; later ones change nothing. */
  readonly labelDays?: readonly LabelDay[] | undefined;
  /** An import that the facts are all of, which counts with them. */
  readonly whole?: CommissionImport | undefined;
}

/** Which facts to read; without a field, all. */
export interface FactFilter {
  readonly partner?: string | undefined;
  readonly nativeId?: string | undefined;
  readonly nativeIds?: readonly string[];
}

const REPORTING_CURRENCY = 'reporting-currency';
const RATES_VERSION = 'rates-version';
/** Another value after each change, whichever database the rates came from. */
const RENEW_RATES_VERSION = `INSERT INTO state (key, value) VALUES ('${RATES_VERSION}', hex(randomblob(8)))
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const SELECT_RATES = `SELECT day, base, origin, json_group_object(rate.key, rate.value) AS rates
  FROM exchange_rates, json_each(exchange_rates.rates) AS rate
  WHERE day >= ?1 AND (?2 IS NULL OR
    (base IN (SELECT value FROM json_each(?2)) AND rate.key IN (SELECT value FROM json_each(?2))))
  GROUP BY day, base, origin`;

/** Ids of one query: half a megabyte of JSON, of the 2 MB that D1 binds as one value. */
const IDS_PER_QUERY = 10_000;
/** The journey gets a new position, so that readers that have the earlier one read it again. */
const REMOVE_VISIT = `UPDATE journeys SET sequence = (SELECT max(sequence) + 1 FROM journeys),
  journey = json_set(journey, '$.touches', json('[]'), '$.pages', json('[]'), '$.entryPage', '',
    '$.answers', json('{}'), '$.experimentArm', '', '$.sources', json(?))
  WHERE click_id = ?`;
/** What was folded of it, until it is folded again; the last number keeps the path one of its own. */
const REMOVE_PATH = `UPDATE commission_visits SET path = json_set(path, '$[2]', '', '$[5]', json('[]'), '$[6]', -1, '$[7]', json('[]'),
    '$[8]', -1 - id, '$[9]', json('[]'), '$[10]', json('{}'))
  WHERE id IN (SELECT path FROM folded_commissions WHERE click_id = ?1) AND id NOT IN
    (SELECT path FROM folded_commissions WHERE path IS NOT NULL AND click_id IS NOT ?1)`;
/** What a commission had before it was assigned to another click is left behind without one. */
const REMOVE_UNUSED_PATHS = `DELETE FROM commission_visits WHERE id NOT IN
  (SELECT path FROM folded_commissions WHERE path IS NOT NULL)`;
const REMOVE_CAMPAIGN = `UPDATE folded_commissions SET campaign = '${NO_CAMPAIGN}' WHERE click_id = ? AND campaign IS NOT NULL`;
/** The sources of a visit that was removed. They are stored, so that they are not completed from events. */
const NO_SOURCES = JSON.stringify({ first: UNKNOWN_SOURCE, last: UNKNOWN_SOURCE });
/** Only journeys without sources change, so that a second run changes nothing. */
const ADD_SOURCES = `UPDATE journeys SET sequence = (SELECT max(sequence) + 1 FROM journeys),
  journey = json_set(journey, '$.sources', json(?))
  WHERE click_id = ? AND json_type(journey, '$.sources') IS NULL`;
/** The state that has the position up to which journeys have their sources, as far as events said them. */
const SOURCES_STATE = 'journey-sources';
const SELECT_WITHOUT_SOURCES = `SELECT sequence, click_id, json_type(journey, '$.sources') IS NULL AS is_open FROM journeys
  WHERE sequence > (SELECT CAST(ifnull(max(value), '0') AS INTEGER) FROM state WHERE key = ?)
  ORDER BY sequence LIMIT ?`;
/** The ids are one value, because D1 binds at most 100. A text shorter than a UUID finds what begins with it. */
const SELECT_JOURNEYS = `SELECT journey FROM json_each(?) AS ids CROSS JOIN journeys
  ON click_id BETWEEN ids.value AND iif(length(ids.value) < 36, ids.value || 'g', ids.value)`;
const INSERT_RAW = 'INSERT INTO raw_messages (id, partner, arrived_at, content) VALUES (?, ?, ?, ?)';
const INSERT_UNREAD = `INSERT INTO unread_messages (id, partner, source, arrived_at, problem, content)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (SELECT count(*) FROM unread_messages WHERE partner = ?2) < ?7
  ON CONFLICT (id) DO UPDATE SET problem = excluded.problem`;
const INSERT_JOURNEYS = `INSERT INTO journeys (click_id, journey) SELECT value ->> 0, value ->> 1 FROM json_each(?)
  WHERE true ON CONFLICT (click_id) DO NOTHING`;
const INSERT_LABEL_DAYS = `INSERT INTO label_days (partner, label, day, weights)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
  ON CONFLICT (partner, label, day) DO NOTHING`;
/** Which ids and days of a list have no weights yet. */
const SELECT_NEW_LABEL_DAYS = `SELECT value ->> 1 AS label, value ->> 2 AS day FROM json_each(?) WHERE NOT EXISTS
  (SELECT 1 FROM label_days WHERE partner = value ->> 0 AND label = value ->> 1 AND day = value ->> 2)`;
const INSERT_DECISION = `INSERT INTO decisions (partner, account, native_id, action, click_id, origin, decided_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
/** Rates of a day that are not given stay; a day that says nothing new is not written. */
const WRITE_RATES = `INSERT INTO exchange_rates (day, base, origin, rates, changed_at)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?2 FROM json_each(?1) WHERE true
  ON CONFLICT (day, base, origin) DO UPDATE
  SET rates = json_patch(rates, excluded.rates), changed_at = excluded.changed_at
  WHERE json_patch(rates, excluded.rates) <> rates`;
const INSERT_IMPORT = `INSERT INTO imports (import_id, partner, file, state, rows, changed_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const buildImportStatement = ({ id, partner, file, state, rows, changedAt }: CommissionImport) => ({
  sql: INSERT_IMPORT,
  values: [id, partner, file, state, rows, changedAt],
});
/** The id under which a message waits: the same for the same message. */
export const buildUnreadId = ({ partner, content }: Pick<UnreadMessage, 'partner' | 'content'>) =>
  createHash('sha256').update(`${partner} ${content}`).digest('base64url').slice(0, 24);

/** Unread messages of one partner: 13 MB of the longest ones. */
const MAX_UNREAD = 200;

/**
 * What networks reported, and what operators decided. Facts and decisions are appended, never changed or removed. The
 * contract suite is `test/contract/ledger.ts`. Every method rejects with `LedgerError`.
 */
export class Ledger {
  readonly #database: Database;
  /** Whether there is a ledger yet: the first write creates it, and until then it reads as empty. */
  readonly exists: () => boolean;
  /** Its commissions, one row each. */
  readonly folded: FoldedCommissions;
  readonly entries: CommissionEntries;
  readonly sums: CommissionSums;

  /** The executor is closed with the ledger. */
  constructor(executor: SqlExecutor, exists = () => true) {
    this.#database = withLedgerErrors(executor);
    this.exists = exists;
    this.folded = new FoldedCommissions(this.#database);
    this.entries = new CommissionEntries(this.#database, this.folded);
    this.sums = new CommissionSums(this.#database);
  }

  /**
   * Resolves once everything is on disk, with the number of facts that are new. A fact with the identity and content
   * of a stored one changes nothing.
   */
  async append({ facts, raw, journeys = [], decisions = [], labelDays = [], whole }: LedgerBatch) {
    const statements = buildFactStatements(facts);
    const stored = await batchCounted(this.#database, statements, [
      ...(raw ? [{ sql: INSERT_RAW, values: [raw.id, raw.partner, raw.arrivedAt, raw.content] }] : []),
      ...buildListStatements(
        INSERT_JOURNEYS,
        journeys.map((journey) => [journey.clickId, JSON.stringify(journey)]),
      ),
      ...buildListStatements(
        INSERT_LABEL_DAYS,
        labelDays.map(({ partner, label, day, ...weights }) => [
          partner,
          label,
          day,
          JSON.stringify(weights),
        ]),
      ),
      ...decisions.map(({ partner, account, nativeId, action, clickId, origin, decidedAt }) => ({
        sql: INSERT_DECISION,
        values: [partner, account, nativeId, action, clickId, origin, decidedAt],
      })),
      ...(whole ? [buildImportStatement(whole)] : []),
    ]);
    return { stored, duplicates: facts.length - stored };
  }

  /** Facts in the order of arrival, without those of imports that were undone or not committed. */
  readFacts({ partner, nativeId, nativeIds }: FactFilter = {}): Promise<readonly StoredFact[]> {
    const conditions = [
      IS_COUNTED_FACT,
      ...(partner === undefined ? [] : ['partner = ?']),
      ...(nativeId === undefined ? [] : ['native_id = ?']),
      ...(nativeIds === undefined ? [] : ['native_id IN (SELECT value FROM json_each(?))']),
    ];
    const sql = `SELECT sequence, ${FACT_ITEM} AS item FROM facts WHERE sequence > ? AND ${conditions.join(' AND ')}`;
    const list = nativeIds && JSON.stringify(nativeIds);
    const values = [partner, nativeId, list].filter((value) => value !== undefined);
    return readItems(this.#database, sql, values, parseFactItem);
  }

  /** Of ids of a partner on days (`YYYY-MM-DD`), those without weights. */
  async listNewLabelDays(partner: string, wanted: readonly (readonly [label: string, day: string])[]) {
    const list = JSON.stringify(wanted.map((one) => [partner, ...one]));
    const rows = this.exists() ? await this.#database.read(SELECT_NEW_LABEL_DAYS, list) : null;
    return rows === null ? wanted : rows.map((row) => [String(row['label']), String(row['day'])] as const);
  }

  async readDecisions(): Promise<readonly CommissionDecision[]> {
    return (await this.#database.read('SELECT * FROM decisions ORDER BY sequence')).map(parseDecisionRow);
  }

  /** Journeys of the clicks whose ids (UUID) begin with one of the given texts; of all clicks when left out. */
  async readJourneys(clickIds?: readonly string[]): Promise<readonly FrozenJourney[]> {
    if (clickIds === undefined) {
      const sql = 'SELECT sequence, journey AS item FROM journeys WHERE sequence > ?';
      return readItems(this.#database, sql, [], parseJourneyItem);
    }
    const journeys = new Map<string, FrozenJourney>();
    for (let start = 0; start < clickIds.length; start += IDS_PER_QUERY) {
      const ids = JSON.stringify(clickIds.slice(start, start + IDS_PER_QUERY));
      const rows = await this.#database.read(SELECT_JOURNEYS, ids);
      for (const journey of rows.map(parseJourneyRow)) journeys.set(journey.clickId, journey);
    }
    return [...journeys.values()];
  }

  /**
   * Removes from the journeys of clicks what came before the click: campaigns with their click ids, pages and answers.
   * The commissions stay matched. Resolves with the number of journeys.
   */
  async removeVisits(clickIds: readonly string[]): Promise<number> {
    if (!this.exists() || clickIds.length === 0) return 0;
    return batchCounted(
      this.#database,
      clickIds.map((clickId) => ({ sql: REMOVE_VISIT, values: [NO_SOURCES, clickId] })),
      [
        ...clickIds.flatMap((clickId) =>
          [REMOVE_PATH, REMOVE_CAMPAIGN].map((sql) => ({ sql, values: [clickId] })),
        ),
        { sql: REMOVE_UNUSED_PATHS, values: [] },
      ],
    );
  }

  /**
   * Reads which of the next journeys have no sources; `upTo` is the position after them, null when there are no more.
   */
  async readWithoutSources(limit: number) {
    const rows = await this.#database.read(SELECT_WITHOUT_SOURCES, SOURCES_STATE, limit);
    const last = rows.at(-1);
    return {
      clickIds: rows.filter((row) => row['is_open'] === 1).map((row) => String(row['click_id'])),
      upTo: last === undefined ? null : Number(last['sequence']),
    };
  }

  /**
   * Stores the sources of journeys that have none, and that the journeys up to a position are done. Resolves with the
   * number of journeys that changed.
   */
  async addSources(
    journeys: readonly {
      readonly clickId: FrozenJourney['clickId'];
      readonly sources?: FrozenJourney['sources'];
    }[],
    upTo: number,
  ) {
    return batchCounted(
      this.#database,
      journeys.map(({ clickId, sources }) => ({
        sql: ADD_SOURCES,
        values: [JSON.stringify(sources), clickId],
      })),
      [{ sql: WRITE_STATE, values: [SOURCES_STATE, String(upTo)] }],
    );
  }

  /** Stores a new state of an import, which makes all of its facts count or none. */
  async writeImport(state: CommissionImport): Promise<void> {
    await this.#database.batch([buildImportStatement(state)]);
  }

  /** The newest state of every import, in the order of their first commit. */
  async readImports(): Promise<readonly CommissionImport[]> {
    const sql = `SELECT *, import_id AS id, (SELECT min(sequence) FROM imports first WHERE first.import_id = imports.import_id) AS position
      FROM imports WHERE sequence IN (SELECT max(sequence) FROM imports GROUP BY import_id) ORDER BY position`;
    return (await this.#database.read(sql)).map(parseImportRow);
  }

  async readRaw(id: string): Promise<RawMessage | null> {
    const row = await this.#database.readRow('SELECT * FROM raw_messages WHERE id = ?', id);
    return row ? parseRawRow(row) : null;
  }

  /** Removes messages that arrived before a time; resolves with how many. */
  removeRaw(before: number): Promise<number> {
    return this.#database.change('DELETE FROM raw_messages WHERE arrived_at < ?', before);
  }

  /**
   * Stores a message that could not be read; the same message again changes its problem alone. False when its partner has as many as
   * are stored, and this one is not among them.
   */
  async addUnread(message: Omit<UnreadMessage, 'id'>): Promise<boolean> {
    const { partner, source, arrivedAt, problem, content } = message;
    const id = buildUnreadId(message);
    const [, known] = await this.#database.batch([
      { sql: INSERT_UNREAD, values: [id, partner, source, arrivedAt, problem, content, MAX_UNREAD] },
      {
        sql: 'SELECT 1 FROM unread_messages WHERE partner = ? AND content = ? LIMIT 1',
        values: [partner, content],
      },
    ]);
    return (known?.rows.length ?? 0) > 0;
  }

  /** Messages that could not be read, in the order of arrival. */
  async readUnread(): Promise<readonly UnreadMessage[]> {
    const sql = 'SELECT * FROM unread_messages ORDER BY arrived_at, id';
    return (await this.#database.read(sql)).map(parseUnreadRow);
  }

  /** How many messages could not be read, by partner, with the reason of the newest one. */
  async countUnread(): Promise<readonly { partner: string; count: number; problem: string }[]> {
    const sql = `SELECT partner, problem, count(*) AS count, max(arrived_at) FROM unread_messages
      GROUP BY partner ORDER BY partner`;
    const rows = await this.#database.read(sql);
    return rows.map(({ partner, count, problem }) => ({
      partner: String(partner),
      count: Number(count),
      problem: String(problem),
    }));
  }

  async removeUnread(ids: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM unread_messages WHERE id IN (SELECT value FROM json_each(?))';
    await this.#database.change(sql, JSON.stringify(ids));
  }

  /** A value that a part of the ledger remembers: a cursor, an import profile, the key of postback URLs. */
  async readState(key: string): Promise<string | null> {
    const row = await this.#database.readRow(READ_STATE, key);
    return row === undefined ? null : String(row['value']);
  }

  async writeState(key: string, value: string): Promise<void> {
    await this.#database.change(WRITE_STATE, key, value);
  }

  /** Replaces a value that is still what was read; false when it is another one. */
  async replaceState(key: string, before: string, value: string): Promise<boolean> {
    const sql = 'UPDATE state SET value = ? WHERE key = ? AND value = ?';
    return (await this.#database.change(sql, value, key, before)) === 1;
  }

  /** Replaces a value by a function of it; a missing value is `first`. Retried when another writer came in between. */
  async changeState(key: string, first: string, change: (before: string) => string): Promise<void> {
    for (;;) {
      const before = await this.readState(key);
      const next = change(before ?? first);
      if (next === before) return;
      if (
        before === null
          ? (await this.createState(key, next)) === next
          : await this.replaceState(key, before, next)
      )
        return;
    }
  }

  /**
   * The currency in which the console shows totals, null without one, and the version of the rates: equal versions have
   * equal rates.
   */
  async readRateState(): Promise<{ readonly reportingCurrency: string | null; readonly version: string }> {
    const sql = `SELECT key, value FROM state WHERE key IN ('${REPORTING_CURRENCY}', '${RATES_VERSION}')`;
    const rows = await this.#database.read(sql);
    const get = (key: string) => String(rows.find((row) => row['key'] === key)?.['value'] ?? '');
    return { reportingCurrency: get(REPORTING_CURRENCY) || null, version: get(RATES_VERSION) };
  }

  /** Stores the currency (ISO 4217) in which the console shows totals; null: each currency by itself. */
  async writeReportingCurrency(currency: string | null): Promise<void> {
    await this.writeState(REPORTING_CURRENCY, currency ?? '');
  }

  /** Rates from a day on, of pairs of some currencies; of all when left out. In no order. */
  async readRates(from: string, currencies?: readonly string[]): Promise<readonly RateDay[]> {
    const list = currencies === undefined ? null : JSON.stringify(currencies);
    return (await this.#database.read(SELECT_RATES, from, list)).map(parseRateRow);
  }

  /** Which rates there are, by currency and origin: the first and the newest day, `YYYY-MM-DD`, and their number. */
  async readRateCoverage() {
    const sql = `SELECT base, rate.key AS quote, origin, min(day) AS first, max(day) AS last, count(*) AS days
      FROM exchange_rates, json_each(exchange_rates.rates) AS rate WHERE rate.value IS NOT NULL
      GROUP BY base, rate.key, origin ORDER BY base, rate.key, origin`;
    const rows = await this.#database.read(sql);
    return rows.map(({ base, quote, origin, first, last, days }) => ({
      base: String(base),
      quote: String(quote),
      origin: origin === 'ecb' ? ('ecb' as const) : ('operator' as const),
      from: String(first),
      to: String(last),
      days: Number(days),
    }));
  }

  /** The rates of all files together: first and newest day, their number, the currencies of the newest; null without any. */
  async readRateFile() {
    const sql = `SELECT min(day) AS first, max(day) AS last, count(*) AS days,
      (SELECT count(*) FROM (SELECT rates FROM exchange_rates WHERE origin = 'ecb' ORDER BY day DESC LIMIT 1) AS newest,
        json_each(newest.rates)) AS currencies
      FROM exchange_rates WHERE origin = 'ecb'`;
    const row = await this.#database.readRow(sql);
    if (row === undefined || row['days'] === 0) return null;
    const { first, last, days, currencies } = row;
    return { from: String(first), to: String(last), days: Number(days), currencies: Number(currencies) };
  }

  /** The newest days with rates that were typed in. */
  async readTypedRates(limit: number): Promise<readonly RateDay[]> {
    const sql = `SELECT day, base, origin, rates FROM exchange_rates WHERE origin = 'operator' AND rates <> '{}'
      ORDER BY day DESC, base LIMIT ?`;
    return (await this.#database.read(sql, limit)).map(parseRateRow);
  }

  /**
   * Stores rates; those of a day that are not given stay, and a rate of null is taken back. Resolves with the number of
   * days that are new or changed.
   */
  async writeRates(
    days: readonly (Omit<RateDay, 'rates'> & { readonly rates: Readonly<Record<string, string | null>> })[],
    changedAt: number,
  ): Promise<number> {
    const rows = days.map(({ day, base, origin, rates }) => [day, base, origin, JSON.stringify(rates)]);
    const statements = buildListStatements(WRITE_RATES, rows, changedAt);
    const results = await this.#database.batch([...statements, { sql: RENEW_RATES_VERSION }]);
    return results.slice(0, statements.length).reduce((sum, { changes }) => sum + changes, 0);
  }

  /** Removes all rates that came from files; resolves with the number of days. */
  async removeFileRates(): Promise<number> {
    const [result] = await this.#database.batch([
      { sql: `DELETE FROM exchange_rates WHERE origin = 'ecb'` },
      { sql: RENEW_RATES_VERSION },
    ]);
    return result?.changes ?? 0;
  }

  /** Stores a value unless the key has one; resolves with the value that the key has now. */
  async createState(key: string, value: string): Promise<string> {
    const sql = 'INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING';
    const [, known] = await this.#database.batch([
      { sql, values: [key, value] },
      { sql: READ_STATE, values: [key] },
    ]);
    return String(known?.rows[0]?.['value']);
  }

  /** The newest messages of some partners, the newest first. */
  async readNewestFacts(partners: readonly string[], limit: number): Promise<readonly StoredFact[]> {
    const sql = `SELECT ${FACT_ITEM} AS item FROM facts WHERE partner IN (SELECT value FROM json_each(?))
      AND source IN ('postback', 'webhook') ORDER BY sequence DESC LIMIT ?`;
    const rows = await this.#database.read(sql, JSON.stringify(partners), limit);
    return rows.map(({ item }) => parseFactItem(JSON.parse(String(item))));
  }

  /** When the newest message of each partner arrived, in ms since 1970. */
  async readLastMessages(): Promise<ReadonlyMap<string, number>> {
    return new Map(
      (await this.#database.read(SELECT_LAST_MESSAGES)).map(({ partner, last }) => [
        String(partner),
        Number(last),
      ]),
    );
  }

  /** Takes or prolongs a lease until a time; false while another holder has it. */
  takeLease(name: string, lease: Lease): Promise<boolean> {
    return takeLease(this.#database, name, lease);
  }

  /** Why nothing can be stored now; null when it can, and before the first write. */
  async probe(): Promise<string | null> {
    if (!this.exists()) return null;
    return this.#database.change('INSERT OR REPLACE INTO store_probe VALUES (1, ?)', Date.now()).then(
      () => null,
      (error: Error) => error.message,
    );
  }

  hasJustWritten(): boolean {
    return this.#database.hasJustWritten();
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

const IS_MESSAGE = `source IN ('postback', 'webhook')`;
/** From one partner to the next one by the index: all messages would take seconds where there are millions. */
const SELECT_LAST_MESSAGES = `WITH RECURSIVE known (partner) AS (SELECT min(partner) FROM facts WHERE ${IS_MESSAGE}
  UNION ALL SELECT (SELECT min(partner) FROM facts AS next WHERE next.partner > known.partner AND ${IS_MESSAGE}) FROM known
  WHERE partner IS NOT NULL) SELECT partner, (SELECT max(arrived_at) FROM facts AS own
    WHERE own.partner = known.partner AND ${IS_MESSAGE}) AS last FROM known WHERE partner IS NOT NULL`;

/** Runs on an executor with the errors of the ledger. */
export function withLedgerErrors(executor: SqlExecutor): Database {
  return new Database(executor, (error) => {
    const code = error.code === 'closed' ? 'closed' : 'unavailable';
    return new LedgerError(code, error.message, { cause: error });
  });
}
