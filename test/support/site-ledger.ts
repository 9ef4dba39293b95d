import { DatabaseSync } from 'node:sqlite';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';
import { runCommand } from './run-command.ts';
import type { Site } from './site.ts';

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

/** Creates the address at which a network reports to a running site; the ledger appears with it. */
export async function createPostbackUrl(
  { dataDir, url }: Pick<Site, 'dataDir' | 'url'>,
  partner = 'highlevel',
): Promise<string> {
  return (
    await runCommand('commissions', ['postback-url', partner], { DATA_DIR: dataDir, SITE_URL: url })
  ).stdout.trim();
}
