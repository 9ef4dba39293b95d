import path from 'node:path';
import type { OperatorStore } from '../../core/console/operator-store.ts';
import type { TemporaryStore } from '../../core/console/temporary-store.ts';
import { NodeSqliteExecutor, type NodeSqliteOptions } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlOperatorStore } from './sql-operator-store.ts';
import { SqlTemporaryStore } from './sql-temporary-store.ts';

/** The name of the console's database in the data folder. */
export const CONSOLE_FILE = 'console.sqlite';

/** What is in the database of the console. Closing the operators closes both. */
export interface ConsoleDatabase {
  readonly operators: OperatorStore;
  readonly temporary: TemporaryStore;
}

/**
 * Opens the database of the console in a data folder. A damaged one is never replaced by an empty one: a console
 * without an operator would let the next one-time address create an owner.
 */
export function openConsoleDatabase(
  dataDir: string,
  report: (message: string) => void,
  options: Pick<NodeSqliteOptions, 'lockWaitMs' | 'stallMs' | 'isInline'> = {},
): ConsoleDatabase {
  const file = path.join(dataDir, CONSOLE_FILE);
  const settings = { file, report, ...options, migrations: 'console', isReplaceable: false };
  const executor = new NodeSqliteExecutor(settings);
  return { operators: new SqlOperatorStore(executor), temporary: new SqlTemporaryStore(executor) };
}

/** Opens the operators of a data folder, for commands. */
export function openOperatorStore(...parameters: Parameters<typeof openConsoleDatabase>): OperatorStore {
  return openConsoleDatabase(...parameters).operators;
}
