import { DatabaseSync } from 'node:sqlite';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';

/** What a ledger has on disk. */
export interface LedgerFacts {
  /** Native id of every stored fact. */
  readonly ids: readonly string[];
  /** Result of SQLite's check of the file. */
  readonly integrity: unknown;
}

/** Reads the stored facts of a data folder. */
export function readLedgerFacts(dataDir: string): LedgerFacts {
  const database = new DatabaseSync(`${dataDir}/${LEDGER_FILE}`, { readOnly: true, timeout: 5_000 });
  const ids = database.prepare('SELECT native_id FROM facts').all();
  const check = database.prepare('PRAGMA integrity_check').get();
  database.close();
  return { ids: ids.map((row) => String(row['native_id'])), integrity: check?.['integrity_check'] };
}
