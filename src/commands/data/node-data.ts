import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../../stores/folder-archive.ts';
import { CONSOLE_FILE, LEDGER_FILE, prepareArticleDatabase } from '../../stores/node-databases.ts';
import { createInlineExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import type { DatabaseName, SiteOpener, TransferSite } from './transfer.ts';

const LOCK_WAIT_MS = 10_000;

/**
 * Opens the files of a Node server, each as it is at one moment. `articleSource`: the source of articles, whose copies
 * have a file of their own; `files` has no copies.
 */
export function createNodeSiteOpener(
  dataDir: string,
  articleSource: string,
  report: (message: string) => void,
): SiteOpener {
  const files = listFiles(dataDir, articleSource);
  return {
    async openForExport() {
      const found = [...files].filter(([, file]) => existsSync(file));
      const opened = found.map(([name, file]): [DatabaseName, DatabaseSync] => [
        name,
        new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS }),
      ]);
      for (const [, db] of opened) db.exec('BEGIN');
      return buildSite(dataDir, opened);
    },
    async openForImport(names) {
      const opened: [DatabaseName, DatabaseSync][] = [];
      for (const name of names) {
        const file = files.get(name);
        if (file === undefined) continue;
        await migrateFile(name, file, report);
        opened.push([name, new DatabaseSync(file, { timeout: LOCK_WAIT_MS })]);
      }
      return buildSite(dataDir, opened);
    },
  };
}

function buildSite(dataDir: string, opened: readonly [DatabaseName, DatabaseSync][]): TransferSite {
  return {
    databases: new Map(opened.map(([name, db]) => [name, createInlineExecutor(db)])),
    archive: createFolderEventArchive(path.join(dataDir, ARCHIVE_FOLDER)),
    async close() {
      for (const [, db] of opened) db.close();
    },
  };
}

function listFiles(dataDir: string, articleSource: string): ReadonlyMap<DatabaseName, string> {
  const names: [DatabaseName, string][] = [
    ['events', DATABASE_FILE],
    ['commissions', LEDGER_FILE],
    ['console', CONSOLE_FILE],
    ['notifications', 'notifications.sqlite'],
  ];
  if (articleSource !== 'files') names.push(['articles', `articles-${articleSource}.db`]);
  return new Map(names.map(([name, file]) => [name, path.join(dataDir, file)]));
}

/** Creates the file of a database, or applies the migrations that it does not have yet. */
async function migrateFile(
  name: DatabaseName,
  file: string,
  report: (message: string) => void,
): Promise<void> {
  if (name === 'articles') {
    prepareArticleDatabase(file, (quarantined) => report(`a damaged file is now ${quarantined}`));
    return;
  }
  const migrations = name === 'events' ? '' : name;
  const executor = new NodeSqliteExecutor({ file, report, migrations, isReplaceable: false, isInline: true });
  try {
    await executor.query({ sql: 'SELECT 1' });
  } finally {
    await executor.close();
  }
}
