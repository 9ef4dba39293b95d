import type { EventArchive } from '../../../src/core/events/event-archive.ts';
import type { SqlExecutor } from '../../../src/stores/sql/sql-executor.ts';
import type { DatabaseName } from './transfer-tables.ts';

/** A database whose rows move. */
export type TransferDatabase = Pick<SqlExecutor, 'batch' | 'query'>;

/** The data of a site, on Node or on Workers. */
export interface TransferSite {
  readonly databases: ReadonlyMap<DatabaseName, TransferDatabase>;
  readonly archive: EventArchive;
  close(): Promise<void>;
}

/** Opens the data of one site. */
export interface SiteOpener {
  /** Opens the databases that are there, for reading. Throws without any. */
  openForExport(): Promise<TransferSite>;
  /** Opens databases for writing, or creates them; leaves out copies of articles that the site does not have. */
  openForImport(names: ReadonlySet<DatabaseName>): Promise<TransferSite>;
}
