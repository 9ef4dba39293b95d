import { createHash } from 'node:crypto';
import type {
  CommissionDecision,
  NewDecision,
  NewFact,
  StoredFact,
} from '../../core/commissions/commission-fact.ts';
import {
  type CommissionImport,
  type CommissionStore,
  CommissionStoreError,
  type FactFilter,
  type Lease,
  type LedgerBatch,
  type RawMessage,
} from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import {
  SqlError,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from '../sql/sql-executor.ts';
import {
  LEDGER_FACT_COLUMNS,
  parseDecisionRow,
  parseFactItem,
  parseImportRow,
  parseJourneyItem,
  parseJourneyRow,
  parseRawRow,
} from './ledger-rows.ts';

const INSERT_FACT = `INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency,
  sale_amount, token, click_id, click_time, event_time, change_time, source, is_test, raw_id, import_id, arrived_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (partner, account, native_id, content_hash) DO NOTHING`;
const INSERT_RAW = 'INSERT INTO raw_messages (id, partner, arrived_at, content) VALUES (?, ?, ?, ?)';
const INSERT_JOURNEY =
  'INSERT INTO journeys (click_id, journey) VALUES (?, ?) ON CONFLICT (click_id) DO NOTHING';
const INSERT_DECISION = `INSERT INTO decisions (partner, account, native_id, action, click_id, origin, decided_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const INSERT_IMPORT = `INSERT INTO imports (import_id, partner, file, state, rows, changed_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const NEWEST_IMPORTS = 'SELECT max(sequence) FROM imports GROUP BY import_id';
const COUNTED_FACTS = `(import_id IS NULL OR import_id IN
  (SELECT import_id FROM imports WHERE sequence IN (${NEWEST_IMPORTS}) AND state = 'committed'))`;
const TAKE_LEASE = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE until <= ? OR holder = excluded.holder`;

const ROWS_PER_PAGE = 10_000;
/** Values of one statement; SQLite binds at most 32,766. */
const MAX_VALUES = 500;

/** The commission store over any SQL executor, which it closes with itself. */
export class SqlCommissionStore implements CommissionStore {
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  async append({ facts, raw, journeys = [], decisions = [] }: LedgerBatch) {
    const results = await this.#write([
      ...facts.map(buildFactStatement),
      ...(raw ? [{ sql: INSERT_RAW, values: [raw.id, raw.partner, raw.arrivedAt, raw.content] }] : []),
      ...journeys.map((journey) => ({
        sql: INSERT_JOURNEY,
        values: [journey.clickId, JSON.stringify(journey)],
      })),
      ...decisions.map(buildDecisionStatement),
    ]);
    const stored = results.slice(0, facts.length).filter(({ changes }) => changes > 0).length;
    return { stored, duplicates: facts.length - stored };
  }

  async readFacts({ partner, nativeId }: FactFilter = {}): Promise<readonly StoredFact[]> {
    const conditions = [
      COUNTED_FACTS,
      ...(partner === undefined ? [] : ['partner = ?']),
      ...(nativeId === undefined ? [] : ['native_id = ?']),
    ];
    const values = [partner, nativeId].filter((value) => value !== undefined);
    const facts: StoredFact[] = [];
    for (let count = ROWS_PER_PAGE, last = 0; count === ROWS_PER_PAGE; last = facts.at(-1)?.sequence ?? 0) {
      const page = `SELECT json_array(${LEDGER_FACT_COLUMNS.join(', ')}) AS item FROM facts
        WHERE sequence > ? AND ${conditions.join(' AND ')} ORDER BY sequence LIMIT ${ROWS_PER_PAGE}`;
      const items = await this.#readList(page, [last, ...values]);
      facts.push(...items.map(parseFactItem));
      count = items.length;
    }
    return facts;
  }

  async readDecisions(): Promise<readonly CommissionDecision[]> {
    const rows = await this.#read({ sql: 'SELECT * FROM decisions ORDER BY sequence' });
    return rows.map(parseDecisionRow);
  }

  async readJourneys(clickIds?: readonly string[]): Promise<readonly FrozenJourney[]> {
    if (clickIds === undefined) return this.#readAllJourneys();
    const journeys = new Map<string, FrozenJourney>();
    for (let start = 0; start < clickIds.length; start += MAX_VALUES) {
      const ids = clickIds.slice(start, start + MAX_VALUES);
      const conditions = ids.map((id) => (id.length < 36 ? 'click_id BETWEEN ? AND ?' : 'click_id = ?'));
      const sql = `SELECT journey FROM journeys WHERE ${conditions.join(' OR ')}`;
      const values = ids.flatMap((id) => (id.length < 36 ? [id, `${id}g`] : [id]));
      for (const journey of (await this.#read({ sql, values })).map(parseJourneyRow)) {
        journeys.set(journey.clickId, journey);
      }
    }
    return [...journeys.values()];
  }

  async #readAllJourneys(): Promise<readonly FrozenJourney[]> {
    const journeys: FrozenJourney[] = [];
    for (
      let count = ROWS_PER_PAGE, last = '';
      count === ROWS_PER_PAGE;
      last = journeys.at(-1)?.clickId ?? ''
    ) {
      const page = `SELECT journey AS item FROM journeys WHERE click_id > ? ORDER BY click_id LIMIT ${ROWS_PER_PAGE}`;
      const items = await this.#readList(page, [last]);
      journeys.push(...items.map(parseJourneyItem));
      count = items.length;
    }
    return journeys;
  }

  /** Reads a column of JSON as one text: many rows take several times as long to pass from the database's thread. */
  async #readList(page: string, values: readonly SqlValue[]): Promise<readonly unknown[]> {
    const [row] = await this.#read({
      sql: `SELECT '[' || group_concat(item) || ']' AS list FROM (${page})`,
      values,
    });
    const list: unknown = typeof row?.['list'] === 'string' ? JSON.parse(row['list']) : [];
    return Array.isArray(list) ? list : [];
  }

  async writeImport({ id, partner, file, state, rows, changedAt }: CommissionImport): Promise<void> {
    await this.#write([{ sql: INSERT_IMPORT, values: [id, partner, file, state, rows, changedAt] }]);
  }

  async readImports(): Promise<readonly CommissionImport[]> {
    const sql = `SELECT *, (SELECT min(sequence) FROM imports first WHERE first.import_id = imports.import_id) AS position
      FROM imports WHERE sequence IN (${NEWEST_IMPORTS}) ORDER BY position`;
    return (await this.#read({ sql })).map(parseImportRow);
  }

  async readRaw(id: string): Promise<RawMessage | null> {
    const [row] = await this.#read({ sql: 'SELECT * FROM raw_messages WHERE id = ?', values: [id] });
    return row ? parseRawRow(row) : null;
  }

  async removeRaw(before: number): Promise<number> {
    const [result] = await this.#write([
      { sql: 'DELETE FROM raw_messages WHERE arrived_at < ?', values: [before] },
    ]);
    return result?.changes ?? 0;
  }

  async readState(key: string): Promise<string | null> {
    const [row] = await this.#read({ sql: 'SELECT value FROM state WHERE key = ?', values: [key] });
    return row ? String(row['value']) : null;
  }

  async writeState(key: string, value: string): Promise<void> {
    const sql = `INSERT INTO state (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
    await this.#write([{ sql, values: [key, value] }]);
  }

  async createState(key: string, value: string): Promise<string> {
    const sql = 'INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING';
    const [, known] = await this.#write([
      { sql, values: [key, value] },
      { sql: 'SELECT value FROM state WHERE key = ?', values: [key] },
    ]);
    return String(known?.rows[0]?.['value']);
  }

  async takeLease(name: string, { holder, now, until }: Lease): Promise<boolean> {
    const [result] = await this.#write([{ sql: TAKE_LEASE, values: [name, holder, until, now] }]);
    return result?.changes === 1;
  }

  async probe(): Promise<string | null> {
    const sql = 'INSERT OR REPLACE INTO store_probe VALUES (1, ?)';
    return this.#write([{ sql, values: [Date.now()] }]).then(
      () => null,
      (error: Error) => error.message,
    );
  }

  close(): Promise<void> {
    return this.#executor.close();
  }

  #write(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertErrors(this.#executor.batch(statements));
  }

  #read(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return convertErrors(this.#executor.query(statement));
  }
}

function buildFactStatement(fact: NewFact): SqlStatement {
  return {
    sql: INSERT_FACT,
    values: [
      fact.partner,
      fact.account,
      fact.nativeId,
      createHash('sha256').update(fact.content).digest('base64url').slice(0, 24),
      fact.kind,
      fact.status,
      fact.amount,
      fact.currency,
      fact.saleAmount,
      fact.token,
      fact.clickId,
      fact.clickTime,
      fact.eventTime,
      fact.changeTime,
      fact.source,
      Number(fact.isTest),
      fact.rawId,
      fact.importId,
      fact.arrivedAt,
    ],
  };
}

function buildDecisionStatement(decision: NewDecision): SqlStatement {
  const { partner, account, nativeId, action, clickId, origin, decidedAt } = decision;
  return { sql: INSERT_DECISION, values: [partner, account, nativeId, action, clickId, origin, decidedAt] };
}

async function convertErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw new CommissionStoreError(error.code === 'closed' ? 'closed' : 'unavailable', error.message, {
      cause: error,
    });
  }
}
