import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';

/** Opens a new, empty database of events in a folder that is removed after the test. */
export function openEventDatabase(): NodeSqliteExecutor {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'signpost-events-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: () => undefined });
}
