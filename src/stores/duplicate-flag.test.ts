import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { openEventStore } from '../../test/support/open-event-store.ts';
import { buildSampleEvent, collect } from '../../test/support/sample-events.ts';
import { buildEventValues, EVENT_COLUMNS, SqlEventStore } from './events.ts';
import { migrate } from './sql/migrate.ts';
import { createNodeSqliteReader } from './sql/node-sqlite/node-sqlite-executor.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

let dir: string;
beforeEach(() => {
  dir = createFolder();
});

/** Creates a database as programs before migration 0002 left it; one event for each list of flags. */
function createFormerDatabase(...flags: readonly string[]): string {
  const migrations = path.join(dir, 'migrations');
  mkdirSync(migrations);
  cpSync(path.join(ROOT, 'migrations/0001_events.sql'), path.join(migrations, '0001_events.sql'));
  const file = path.join(dir, 'events.sqlite');
  const db = new DatabaseSync(file);
  migrate(db, migrations);
  const insert = db.prepare(
    `INSERT INTO events (${EVENT_COLUMNS.join()}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const text of flags) insert.run(...buildEventValues(buildSampleEvent()).slice(0, -1), text);
  db.close();
  return file;
}

const FORMER = ['double', 'bot,double,gpc', 'double,clock', '', 'bot'];
const CURRENT = ['duplicate', 'bot,duplicate,gpc', 'duplicate,clock', '', 'bot'];

it('reads the flag double of a database that is not migrated yet as duplicate', async () => {
  const reader = new SqlEventStore(createNodeSqliteReader(createFormerDatabase(...FORMER), () => undefined));
  const events = await collect(reader.read({}));
  const counts = [await reader.count({}), await reader.count({ all: true })];
  await reader.close();
  expect(counts).toEqual([1, 5]);
  expect(events.map((event) => event.flags.join())).toEqual(CURRENT);
});

it('rewrites the flag double to duplicate when the store is opened', async () => {
  const file = createFormerDatabase(...FORMER);
  const store = openEventStore(dir);
  expect(await store.probe()).toBeNull();
  await store.close();
  const db = new DatabaseSync(file);
  const rows = db.prepare('SELECT flags FROM events ORDER BY seq').all();
  db.close();
  expect(rows.map((row) => row['flags'])).toEqual(CURRENT);
});
