// npm run -s events -- --help: exports, counts and removes the stored events, also while the site runs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SqlEventReader } from '../../src/adapters/events/sql-event-reader.ts';
import { SqlEventStore } from '../../src/adapters/events/sql-event-store.ts';
import { SqlRollupStore } from '../../src/adapters/events/sql-rollup-store.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../src/adapters/sql/node-sqlite/node-sqlite-executor.ts';
import type { CountFilter, EventStore } from '../../src/core/events/event-store.ts';
import { isCounted, type SiteEvent } from '../../src/core/events/site-event.ts';
import { parseConfig } from '../../src/server/config.ts';
import { buildRetentionLimit, planRetention } from '../../src/server/events/retention-plan.ts';
import { buildCountReport, rebuildCounts } from './events/counts.ts';
import { type EventCommand, parseCommand, USAGE, UsageError } from './events/parse-command.ts';
import { writeExport } from './events/write-export.ts';

const { DATA_DIR, RETENTION_MONTHS, TIME_ZONE } = process.env;
const report = (message: string) => process.stderr.write(`${message}\n`);

async function run(command: EventCommand): Promise<void> {
  if (command.kind === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const config = parseConfig({ DATA_DIR, RETENTION_MONTHS, TIME_ZONE });
  const file = path.join(config.DATA_DIR, DATABASE_FILE);
  if (!existsSync(file)) {
    throw new Error(`There are no events at ${file}: set DATA_DIR to the folder that the site writes to.`);
  }
  if (command.kind === 'report' || command.kind === 'rebuild') {
    const executor = new NodeSqliteExecutor({ file, report, lockWaitMs: 5_000 });
    const store = new SqlRollupStore(executor, config.TIME_ZONE);
    await use(executor, async () => {
      if (command.kind === 'report') process.stdout.write(await buildCountReport(store, command.report));
      else process.stdout.write(`${await rebuildCounts(store)} events counted\n`);
    });
    return;
  }
  if (command.kind === 'export' || command.kind === 'count') {
    const reader = new SqlEventReader(createNodeSqliteReader({ file, report }));
    await use(reader, () => readEvents(reader, command));
  } else {
    const store = new SqlEventStore(new NodeSqliteExecutor({ file, report, lockWaitMs: 5_000 }));
    await use(store, () => removeEvents(store, command, config.RETENTION_MONTHS));
  }
}

async function readEvents(
  reader: Pick<EventStore, 'read' | 'count'>,
  command: Extract<EventCommand, { kind: 'export' | 'count' }>,
): Promise<void> {
  if (command.kind === 'count') process.stdout.write(`${await reader.count(command.filter)}\n`);
  else await writeExport(readCounted(reader, command.filter), command.format, process.stdout);
}

/** The events of a filter; those that no visitor caused only if it says `all`. */
async function* readCounted(
  reader: Pick<EventStore, 'read'>,
  filter: CountFilter,
): AsyncGenerator<SiteEvent> {
  for await (const event of reader.read(filter)) if (filter.all || isCounted(event)) yield event;
}

async function removeEvents(
  store: Pick<EventStore, 'readTimeRange' | 'remove'>,
  command: Extract<EventCommand, { kind: 'delete' | 'prune' }>,
  months: number,
): Promise<void> {
  const filter =
    command.kind === 'delete'
      ? { session: command.session }
      : { before: await readRetentionLimit(store, command.isForced, months) };
  process.stdout.write(`${await store.remove(filter)} events removed\n`);
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
