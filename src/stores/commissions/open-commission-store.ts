import path from 'node:path';
import { NodeSqliteExecutor, type NodeSqliteOptions } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlAnalyticsOutbox } from './sql-analytics-outbox.ts';
import { SqlCommissionStore } from './sql-commission-store.ts';

/** The name of the ledger's database in the data folder. */
export const LEDGER_FILE = 'commissions.sqlite';

/** What is in the database of a ledger. Closing the store closes both. */
export interface LedgerDatabase {
  readonly store: SqlCommissionStore;
  readonly analytics: SqlAnalyticsOutbox;
}

/**
 * Opens the ledger of a data folder. It has a file of its own because it must never be replaced by an empty one: while
 * it is damaged everything is refused, whereas damaged events are replaced by an empty database.
 */
export function openLedgerDatabase(
  dataDir: string,
  report: (message: string) => void,
  options: Pick<NodeSqliteOptions, 'lockWaitMs' | 'stallMs' | 'isInline'> = {},
): LedgerDatabase {
  const file = path.join(dataDir, LEDGER_FILE);
  const settings = { file, report, ...options, migrations: 'commissions', isReplaceable: false };
  const executor = new NodeSqliteExecutor(settings);
  return { store: new SqlCommissionStore(executor), analytics: new SqlAnalyticsOutbox(executor) };
}

/** Opens the ledger of a data folder for those who do not report to analytics. */
export function openCommissionStore(
  ...parameters: Parameters<typeof openLedgerDatabase>
): SqlCommissionStore {
  return openLedgerDatabase(...parameters).store;
}
