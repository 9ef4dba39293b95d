// npm run -s events -- --help: exports, counts and removes the stored events, also while the site runs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EventStore } from '../../src/core/events/event-store.ts';
import { buildRetentionLimit, planRetention } from '../../src/server/events/remove-old-events.ts';
import { parseSettings } from '../../src/server/settings.ts';
import { ArchivedEventReader, EventArchiver } from '../../src/stores/archive.ts';
import { SqlEventReader, SqlEventStore } from '../../src/stores/events.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../../src/stores/folder-event-archive.ts';
import { SqlRollupStore } from '../../src/stores/rollups.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { report } from './arguments/run-command.ts';
import { buildCountReport, rebuildCounts } from './events/counts.ts';
import { type EventCommand, parseCommand, USAGE, UsageError } from './events/parse-command.ts';
import { readCounted } from './events/read-counted.ts';
import { writeExport } from './events/write-export.ts';

const { DATA_DIR, RETENTION_MONTHS, TIME_ZONE } = process.env;

async function run(command: EventCommand): Promise<void> {
  if (command.kind === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const config = parseSettings({ DATA_DIR, RETENTION_MONTHS, TIME_ZONE });
  const file = path.join(config.DATA_DIR, DATABASE_FILE);
  if (!existsSync(file)) {
    throw new Error(`There are no events at ${file}: set DATA_DIR to the folder that the site writes to.`);
  }
  if (command.kind === 'export' || command.kind === 'count') {
    await readEvents(config.DATA_DIR, file, command);
    return;
  }
  const executor = new NodeSqliteExecutor({ file, report, lockWaitMs: 5_000 });
  await use(executor, async () => {
    if (command.kind === 'report' || command.kind === 'rebuild') {
      const store = new SqlRollupStore(executor, config.TIME_ZONE);
      if (command.kind === 'report') process.stdout.write(await buildCountReport(store, command.report));
      else process.stdout.write(`${await rebuildCounts(store)} events counted\n`);
      return;
    }
    const archive = createFolderEventArchive(path.join(config.DATA_DIR, ARCHIVE_FOLDER));
    const archiver = new EventArchiver(executor, archive);
    await removeEvents(new SqlEventStore(executor), archiver, command, config.RETENTION_MONTHS);
  });
}

async function readEvents(
  dataDir: string,
  file: string,
  command: Extract<EventCommand, { kind: 'export' | 'count' }>,
): Promise<void> {
  const folder = path.join(dataDir, ARCHIVE_FOLDER);
  if (!existsSync(folder)) {
    // The database is only read, whatever its version.
    const reader = new SqlEventReader(createNodeSqliteReader({ file, report }));
    await use(reader, () => writeEvents(reader, command));
    return;
  }
  const executor = new NodeSqliteExecutor({ file, report, lockWaitMs: 5_000 });
  const archiver = new EventArchiver(executor, createFolderEventArchive(folder));
  const reader = new ArchivedEventReader(archiver, new SqlEventReader(executor));
  await use(executor, () => writeEvents(reader, command));
}

async function writeEvents(
  reader: Pick<EventStore, 'read' | 'count'>,
  command: Extract<EventCommand, { kind: 'export' | 'count' }>,
): Promise<void> {
  if (command.kind === 'count') process.stdout.write(`${await reader.count(command.filter)}\n`);
  else await writeExport(readCounted(reader, command.filter), command.format, process.stdout);
}

async function removeEvents(
  store: Pick<EventStore, 'readTimeRange' | 'remove'>,
  archiver: EventArchiver,
  command: Extract<EventCommand, { kind: 'delete' | 'prune' }>,
  months: number,
): Promise<void> {
  if (command.kind === 'delete') {
    const { session } = command;
    const removed = (await store.remove({ session })) + (await archiver.removeSession(session));
    process.stdout.write(`${removed} events removed\n`);
    return;
  }
  const before = await readRetentionLimit(store, command.isForced, months);
  process.stdout.write(`${await store.remove({ before })} events removed\n`);
  const files = await archiver.removeBefore(before);
  if (files > 0) process.stdout.write(`${files} files removed from the archive\n`);
}

/** Reads the time before which `prune` removes events. Throws when retention refuses and it is not forced. */
async function readRetentionLimit(
  store: Pick<EventStore, 'readTimeRange'>,
  isForced: boolean,
  months: number,
): Promise<number> {
  const range = await store.readTimeRange();
  if (isForced || range === null) return buildRetentionLimit(Date.now(), months);
  const plan = planRetention(range.oldest, Math.min(Date.now(), range.newest), months);
  if (plan.kind === 'refuse') throw new Error(plan.reason);
  return plan.before;
}

async function use(store: Pick<EventStore, 'close'>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await store.close();
  }
}

// The reading program may stop before the end (`… | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}\n`);
  process.exitCode = 1;
}
