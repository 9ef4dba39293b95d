// npm run -s events -- export | count | delete | prune: the stored events, also while the site runs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSqliteEventReader } from '../src/adapters/events/sqlite-event-reader.ts';
import { createSqliteEventStore, EVENT_FILE } from '../src/adapters/events/sqlite-event-store.ts';
import type { EventStore } from '../src/core/journey/event-store.ts';
import { buildRetentionLimit } from '../src/core/journey/retention.ts';
import { parseConfig } from '../src/server/config.ts';
import { type EventCommand, parseCommand, USAGE, UsageError } from './event-commands/parse-command.ts';
import { writeExport } from './event-commands/write-export.ts';

const { DATA_DIR, RETENTION_MONTHS } = process.env;
const report = (message: string) => process.stderr.write(`${message}\n`);

async function run(command: EventCommand): Promise<void> {
  const config = parseConfig({ DATA_DIR, RETENTION_MONTHS });
  const file = path.join(config.DATA_DIR, EVENT_FILE);
  if (!existsSync(file)) {
    throw new Error(
      `There are no events at ${file}: DATA_DIR has to name the folder that the site writes to.`,
    );
  }
  if (command.kind === 'export' || command.kind === 'count') {
    await use(createSqliteEventReader(file, report), (reader) => readEvents(reader, command));
  } else {
    const store = createSqliteEventStore({ dir: config.DATA_DIR, report, lockWaitMs: 5_000 });
    await use(store, (open) => removeEvents(open, command, config.RETENTION_MONTHS));
  }
}

async function readEvents(
  reader: Pick<EventStore, 'read' | 'count'>,
  command: Extract<EventCommand, { kind: 'export' | 'count' }>,
): Promise<void> {
  if (command.kind === 'count') process.stdout.write(`${await reader.count(command.filter)}\n`);
  else await writeExport(reader.read(command.filter), command.format, process.stdout);
}

async function removeEvents(
  store: Pick<EventStore, 'remove'>,
  command: Extract<EventCommand, { kind: 'delete' | 'prune' }>,
  months: number,
): Promise<void> {
  const filter =
    command.kind === 'delete'
      ? { session: command.session }
      : { before: buildRetentionLimit(Date.now(), months) };
  process.stdout.write(`${await store.remove(filter)} events removed\n`);
}

async function use<T extends { close(): Promise<void> }>(store: T, work: (store: T) => Promise<void>) {
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

// Whoever reads may have enough before the end (`… | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}\n`);
  process.exitCode = 1;
}
