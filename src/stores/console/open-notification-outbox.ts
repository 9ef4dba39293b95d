import path from 'node:path';
import { NodeSqliteExecutor, type NodeSqliteOptions } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlNotificationOutbox } from './sql-notification-outbox.ts';

/** The name of the outbox in the data folder. */
const OUTBOX_FILE = 'notifications.sqlite';

/** Opens the outbox of a data folder, in a file of its own: it has what must not be sent twice, and nothing else. */
export function openNotificationOutbox(
  dataDir: string,
  report: (message: string) => void,
  options: Pick<NodeSqliteOptions, 'lockWaitMs' | 'isInline'> = {},
): SqlNotificationOutbox {
  const file = path.join(dataDir, OUTBOX_FILE);
  return new SqlNotificationOutbox(
    new NodeSqliteExecutor({ file, report, ...options, migrations: 'notifications' }),
  );
}
