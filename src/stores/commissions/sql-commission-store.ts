import type { CommissionDecision, StoredFact } from '../../core/commissions/commission-fact.ts';
import {
  type CommissionImport,
  type CommissionStore,
  EMPTY_LEDGER,
  type FactFilter,
  type Lease,
  type LedgerBatch,
  type LedgerChanges,
  type LedgerPosition,
  type RawMessage,
} from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { buildLeaseStatement } from '../sql/lease-statement.ts';
import { readItems } from '../sql/read-items.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../sql/sql-executor.ts';
import { convertLedgerErrors } from './convert-ledger-errors.ts';
import {
  LEDGER_FACT_COLUMNS,
  parseDecisionRow,
  parseFactItem,
  parseImportRow,
  parseJourneyItem,
  parseJourneyRow,
  parseRawRow,
} from './ledger-rows.ts';
import {
  buildDecisionStatement,
  buildFactStatements,
  buildImportStatement,
  buildJourneyStatements,
  buildRawStatement,
} from './ledger-statements.ts';

const SELECT_POSITION = `SELECT ${['facts', 'decisions', 'journeys', 'imports']
  .map((table) => `(SELECT ifnull(max(sequence), 0) FROM ${table}) AS ${table}`)
  .join(', ')}`;
/** Facts that count at a position of the imports. */
const COUNTED_FACTS = `(import_id IS NULL OR import_id IN (SELECT import_id FROM imports WHERE state = 'committed'
  AND sequence IN (SELECT max(sequence) FROM imports WHERE sequence <= ? GROUP BY import_id)))`;
const FACT_ITEM = `json_array(${LEDGER_FACT_COLUMNS})`;

/** Ids of one query: half a megabyte of JSON, of the 2 MB that D1 binds as one value. */
const IDS_PER_QUERY = 10_000;
/** The ids are one value, because D1 binds at most 100. A text shorter than a UUID finds what begins with it. */
const SELECT_JOURNEYS = `SELECT journey FROM json_each(?) AS ids CROSS JOIN journeys
  ON click_id BETWEEN ids.value AND iif(length(ids.value) < 36, ids.value || 'g', ids.value)`;
const END = Number.MAX_SAFE_INTEGER;

/** The commission store over any SQL executor, which it closes with itself. */
export class SqlCommissionStore implements CommissionStore {
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  async append({ facts, raw, journeys = [], decisions = [] }: LedgerBatch) {
    const statements = buildFactStatements(facts);
    const results = await this.#write([
      ...statements,
      ...(raw ? [buildRawStatement(raw)] : []),
      ...buildJourneyStatements(journeys),
      ...decisions.map(buildDecisionStatement),
    ]);
    const stored = results.slice(0, statements.length).reduce((sum, { changes }) => sum + changes, 0);
    return { stored, duplicates: facts.length - stored };
  }

  readFacts(filter: FactFilter = {}): Promise<readonly StoredFact[]> {
    return this.#readFactsBetween(EMPTY_LEDGER, { facts: END, imports: END }, filter);
  }

  async readDecisions(after = 0, upTo = END): Promise<readonly CommissionDecision[]> {
    const sql = 'SELECT * FROM decisions WHERE sequence > ? AND sequence <= ? ORDER BY sequence';
    return (await this.#read({ sql, values: [after, upTo] })).map(parseDecisionRow);
  }

  async readJourneys(clickIds?: readonly string[]): Promise<readonly FrozenJourney[]> {
    if (clickIds === undefined) return this.#readJourneysBetween(0, END);
    const journeys = new Map<string, FrozenJourney>();
    for (let start = 0; start < clickIds.length; start += IDS_PER_QUERY) {
      const ids = JSON.stringify(clickIds.slice(start, start + IDS_PER_QUERY));
      const rows = await this.#read({ sql: SELECT_JOURNEYS, values: [ids] });
      for (const journey of rows.map(parseJourneyRow)) journeys.set(journey.clickId, journey);
    }
    return [...journeys.values()];
  }

  async readPosition(): Promise<LedgerPosition> {
    const [row] = await this.#read({ sql: SELECT_POSITION });
    const end = (table: string) => Number(row?.[table] ?? 0);
    return {
      facts: end('facts'),
      decisions: end('decisions'),
      journeys: end('journeys'),
      imports: end('imports'),
    };
  }

  async readChanges(after: LedgerPosition, upTo: LedgerPosition): Promise<LedgerChanges> {
    const [facts, decisions, journeys] = await Promise.all([
      this.#readFactsBetween(after, upTo),
      this.readDecisions(after.decisions, upTo.decisions),
      this.#readJourneysBetween(after.journeys, upTo.journeys),
    ]);
    return { facts, decisions, journeys };
  }

  async #readFactsBetween(
    after: Pick<LedgerPosition, 'facts'>,
    upTo: Pick<LedgerPosition, 'facts' | 'imports'>,
    { partner, nativeId }: FactFilter = {},
  ): Promise<readonly StoredFact[]> {
    const conditions = [
      COUNTED_FACTS,
      ...(partner === undefined ? [] : ['partner = ?']),
      ...(nativeId === undefined ? [] : ['native_id = ?']),
    ];
    const sql = `SELECT sequence, ${FACT_ITEM} AS item FROM facts WHERE sequence > ? AND sequence <= ?
      AND ${conditions.join(' AND ')}`;
    const values = [upTo.facts, upTo.imports, partner, nativeId].filter((value) => value !== undefined);
    return readItems((statement) => this.#read(statement), sql, after.facts, values, parseFactItem);
  }

  async #readJourneysBetween(after: number, upTo: number): Promise<readonly FrozenJourney[]> {
    const sql = 'SELECT sequence, journey AS item FROM journeys WHERE sequence > ? AND sequence <= ?';
    return readItems((statement) => this.#read(statement), sql, after, [upTo], parseJourneyItem);
  }

  async writeImport(change: CommissionImport): Promise<void> {
    await this.#write([buildImportStatement(change)]);
  }

  async readImports(): Promise<readonly CommissionImport[]> {
    const sql = `SELECT *, (SELECT min(sequence) FROM imports first WHERE first.import_id = imports.import_id) AS position
      FROM imports WHERE sequence IN (SELECT max(sequence) FROM imports GROUP BY import_id) ORDER BY position`;
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

  async takeLease(name: string, lease: Lease): Promise<boolean> {
    const [result] = await this.#write([buildLeaseStatement(name, lease)]);
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
    return convertLedgerErrors(this.#executor.batch(statements));
  }

  #read(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return convertLedgerErrors(this.#executor.query(statement));
  }
}
