import { parseCommand } from '../scripts/commands/events/parse-command.ts';
import { readCounted } from '../scripts/commands/events/read-counted.ts';
import { writeExport } from '../scripts/commands/events/write-export.ts';
import { ArchivedEventReader, EventArchiver } from '../src/stores/archive.ts';
import { SqlEventReader } from '../src/stores/events.ts';
import { createR2EventArchive } from '../src/stores/r2-event-archive.ts';
import { D1Executor } from '../src/stores/sql/d1/d1-executor.ts';
import { startLocalWorker } from './local-worker.ts';
import { readLocalOptions } from './read-local-options.ts';

/** Writes the events of the local state to standard output, also while `npm run edge` serves. */
export async function exportEvents(args: readonly string[]): Promise<void> {
  const command = parseCommand(['export', ...args]);
  if (command.kind !== 'export') throw new Error('There is no help of its own: npm run -s events -- --help');
  const miniflare = await startLocalWorker({ ...readLocalOptions(process.env), port: 0 });
  try {
    const database = new D1Executor(await miniflare.getD1Database('EVENTS'));
    const archive = createR2EventArchive(await miniflare.getR2Bucket('ARCHIVE'));
    const archiver = new EventArchiver(database, archive);
    const reader = new ArchivedEventReader(archiver, new SqlEventReader(database));
    await writeExport(readCounted(reader, command.filter), command.format, process.stdout);
  } finally {
    await miniflare.dispose();
  }
}
