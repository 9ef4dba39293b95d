import path from 'node:path';
import { NodeSqliteExecutor, type NodeSqliteOptions } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlCommissionStore } from './sql-commission-store.ts';

/** The name of the ledger's database in the data folder. */
export const LEDGER_FILE = 'commissions.sqlite';

/**
 * Opens the ledger of a data folder. It has a file of its own because it must never be replaced by an empty one: while
 * it is damaged everything is refused, whereas damaged events are replaced by an empty database.
 */
export function openCommissionStore(
  dataDir: string,
  report: (message: string) => void,
  options: Pick<NodeSqliteOptions, 'lockWaitMs' | 'stallMs'> = {},
): SqlCommissionStore {
  const file = path.join(dataDir, LEDGER_FILE);
  return new SqlCommissionStore(
    new NodeSqliteExecutor({ file, report, ...options, migrations: 'commissions', isReplaceable: false }),
  );
}
