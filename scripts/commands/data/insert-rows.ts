import type { SqlStatement } from '../../../src/stores/sql/sql-executor.ts';
import type { TransferValues } from './transfer-file.ts';
import type { TransferDatabase } from './transfer-site.ts';
import type { TransferTable } from './transfer-tables.ts';

/** Rows of one transaction. D1 takes 2 MB in one value, which has the rows as JSON. */
const CHUNK = { rows: 2_000, length: 400_000 };
/** Statements of one transaction: the free plan of D1 allows 50 for each call. */
const MAX_STATEMENTS = 50;

/** Collects rows of a table and inserts them in transactions. */
export class RowInserter {
  readonly #database: TransferDatabase;
  readonly #table: TransferTable;
  readonly #columns: readonly string[];
  #rows: TransferValues[] = [];
  #length = 0;
  #added = 0;

  constructor(database: TransferDatabase, table: TransferTable, columns: readonly string[]) {
    this.#database = database;
    this.#table = table;
    this.#columns = columns;
  }

  async add(values: TransferValues): Promise<void> {
    this.#rows.push(values);
    for (const value of values) this.#length += typeof value === 'string' ? value.length : 8;
    const maxRows = this.#table.known === 'add' ? MAX_STATEMENTS : CHUNK.rows;
    if (this.#rows.length >= maxRows || this.#length >= CHUNK.length) await this.flush();
  }

  /** Inserts what is left; resolves with the number of rows that were not there before. */
  async flush(): Promise<number> {
    if (this.#rows.length > 0) {
      const results = await this.#database.batch(this.#buildStatements());
      this.#added += results.reduce((sum, { changes }) => sum + changes, 0);
      this.#rows = [];
      this.#length = 0;
    }
    return this.#added;
  }

  #buildStatements(): SqlStatement[] {
    const { name, known } = this.#table;
    const list = this.#columns.join(', ');
    if (known === 'add') {
      const equal = this.#columns.map((column, index) => `${column} IS ?${index + 1}`).join(' AND ');
      const values = this.#columns.map((_, index) => `?${index + 1}`).join(', ');
      const sql = `INSERT INTO ${name} (${list}) SELECT ${values} WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE ${equal})`;
      return this.#rows.map((row) => ({ sql, values: row }));
    }
    const values = this.#columns.map((_, index) => `value ->> '$[${index}]'`).join(', ');
    const verb = known === 'keep' ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE';
    const sql = `${verb} INTO ${name} (${list}) SELECT ${values} FROM json_each(?) ORDER BY key`;
    return [{ sql, values: [JSON.stringify(this.#rows)] }];
  }
}
