import path from 'node:path';
import { SqlEventStore } from '../../src/stores/events.ts';
import {
  DATABASE_FILE,
  NodeSqliteExecutor,
  type NodeSqliteOptions,
} from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';

/** Opens the event store of a data folder, as the site does. */
export function openEventStore(
  dir: string,
  report: (message: string) => void = () => undefined,
  options: Partial<NodeSqliteOptions> = {},
): SqlEventStore {
  return new SqlEventStore(
    new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report, ...options }),
  );
}
