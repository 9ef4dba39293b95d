import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { EventArchiver } from '../../../src/adapters/events/event-archiver.ts';
import { buildEventValues, EVENT_COLUMNS } from '../../../src/adapters/events/event-row.ts';
import {
  ARCHIVE_FOLDER,
  createFolderEventArchive,
} from '../../../src/adapters/events/folder-event-archive.ts';
import { FileExecutor } from './file-executor.ts';
import type { SiteData } from './open-databases.ts';
import type { TransferRow } from './transfer-file.ts';

/** The columns of an archived event, in the order of its values. */
const COLUMNS: readonly string[] = EVENT_COLUMNS;

/**
 * Reads the archived events of a site as rows of the table of events, into whose columns they move back. Throws for
 * archived events of a worker: they are in R2.
 */
export async function* readArchivedRows(
  site: SiteData,
  events: DatabaseSync | undefined,
): AsyncGenerator<TransferRow[1]> {
  if (events === undefined || !hasArchive(events)) return;
  if (site.isEdge) {
    throw new Error(
      'Events of this worker are in its archive (EVENT_HOT_DAYS), which this command cannot read yet.',
    );
  }
  const archive = createFolderEventArchive(path.join(site.dataDir, ARCHIVE_FOLDER));
  const order = readColumns(events).map((column) => COLUMNS.indexOf(column));
  for await (const event of new EventArchiver(new FileExecutor(events), archive).read({})) {
    const values = buildEventValues(event);
    yield order.map((index) => toTransferValue(values[index]));
  }
}

function toTransferValue(
  value: ReturnType<typeof buildEventValues>[number] | undefined,
): TransferRow[1][number] {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return null;
}

/** A database of an older version has no archive. */
function hasArchive(db: DatabaseSync): boolean {
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'archive_state'").get()) return false;
  return Number(db.prepare('SELECT archived_before FROM archive_state').get()?.['archived_before']) > 0;
}

function readColumns(db: DatabaseSync): readonly string[] {
  const rows = db
    .prepare("SELECT name FROM pragma_table_info('events') WHERE name <> 'seq' ORDER BY cid")
    .all();
  return rows.map((row) => String(row['name']));
}
