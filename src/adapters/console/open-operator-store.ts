import path from 'node:path';
import { NodeSqliteExecutor, type NodeSqliteOptions } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlOperatorStore } from './sql-operator-store.ts';

/** The name of the console's database in the data folder. */
export const CONSOLE_FILE = 'console.sqlite';

/**
 * Opens the operators of a data folder. A damaged database is never replaced by an empty one: a console without an
 * operator would let the next one-time address create an owner.
 */
export function openOperatorStore(
  dataDir: string,
  report: (message: string) => void,
  options: Pick<NodeSqliteOptions, 'lockWaitMs' | 'stallMs'> = {},
): SqlOperatorStore {
  const file = path.join(dataDir, CONSOLE_FILE);
  return new SqlOperatorStore(
    new NodeSqliteExecutor({ file, report, ...options, migrations: 'console', isReplaceable: false }),
  );
}
