import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { parseEventRow } from '../../src/stores/events.ts';
import { DATABASE_FILE } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import type { SqlRow } from '../../src/stores/sql/sql-executor.ts';
import { COMPILE_CACHE } from './site.ts';

const run = promisify(execFile);

/** Runs `signpost events export` over a data folder and returns its lines (one JSON object each). */
export async function exportEvents(dataDir: string, ...options: readonly string[]): Promise<string[]> {
  const { stdout } = await run(PINNED_NODE, ['src/commands/main.ts', 'events', 'export', ...options], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, DATA_DIR: dataDir },
    maxBuffer: 512 * 1024 * 1024,
  });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Every stored event of a data folder, flagged ones too, in the order in which they were stored. */
export function readEvents(dataDir: string): SiteEvent[] {
  const file = path.join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return database
      .prepare('SELECT * FROM events ORDER BY seq')
      .all()
      .map((row) => parseEventRow(row as SqlRow));
  } finally {
    database.close();
  }
}
