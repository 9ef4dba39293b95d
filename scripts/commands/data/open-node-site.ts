import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openArticleCacheDatabase } from '../../../src/adapters/articles/cache/article-cache-database.ts';
import { LEDGER_FILE } from '../../../src/adapters/commissions/open-commission-store.ts';
import { CONSOLE_FILE } from '../../../src/adapters/console/open-console-database.ts';
import {
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../../../src/adapters/sql/node-sqlite/node-sqlite-executor.ts';
import { DATABASES, type DatabaseName } from './transfer-tables.ts';

/** Where the databases of a site are. */
export interface SiteData {
  readonly dataDir: string;
  /** true: the local D1 databases of `npm run edge`; false: the files of the Node server. */
  readonly isEdge: boolean;
  /** The source of articles, whose copies have a file of their own; `files` has no copies. */
  readonly articleSource: string;
}

/** A table that only one of the D1 databases has; the names of their files say nothing. */
const TABLES: Readonly<Record<DatabaseName, string>> = {
  events: 'events',
  commissions: 'facts',
  console: 'operators',
  notifications: 'deliveries',
  articles: 'articles',
};

const LOCK_WAIT_MS = 10_000;

/** Opens the databases of a site that are there, for reading. */
export function openForExport(site: SiteData): ReadonlyMap<DatabaseName, DatabaseSync> {
  const files = findFiles(site);
  const opened = [...files]
    .filter(([, file]) => existsSync(file))
    .map(([name, file]): [DatabaseName, DatabaseSync] => [
      name,
      new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS }),
    ]);
  if (opened.length === 0)
    throw new Error(`There are no data in ${site.dataDir}: set DATA_DIR to the site's.`);
  return new Map(opened);
}

/** Opens databases of a site for writing; those of the Node server are created when they are missing. */
export async function openForImport(
  site: SiteData,
  names: ReadonlySet<DatabaseName>,
): Promise<ReadonlyMap<DatabaseName, DatabaseSync>> {
  const files = findFiles(site);
  const opened = new Map<DatabaseName, DatabaseSync>();
  for (const name of names) {
    const file = files.get(name);
    if (file === undefined && name === 'articles') continue;
    if (file === undefined) {
      throw new Error(`There is no local D1 database of ${name} in ${site.dataDir}: run npm run edge once.`);
    }
    if (!site.isEdge) await migrateFile(name, file);
    opened.set(name, new DatabaseSync(file, { timeout: LOCK_WAIT_MS }));
  }
  return opened;
}

function findFiles(site: SiteData): ReadonlyMap<DatabaseName, string> {
  return site.isEdge ? findLocalD1(site.dataDir) : listNodeFiles(site);
}

function listNodeFiles({ dataDir, articleSource }: SiteData): ReadonlyMap<DatabaseName, string> {
  const names: [DatabaseName, string][] = [
    ['events', DATABASE_FILE],
    ['commissions', LEDGER_FILE],
    ['console', CONSOLE_FILE],
    ['notifications', 'notifications.sqlite'],
  ];
  if (articleSource !== 'files') names.push(['articles', `articles-${articleSource}.db`]);
  return new Map(names.map(([name, file]) => [name, path.join(dataDir, file)]));
}

function findLocalD1(dataDir: string): ReadonlyMap<DatabaseName, string> {
  const folder = path.join(dataDir, 'edge', 'd1', 'miniflare-D1DatabaseObject');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = new Map<DatabaseName, string>();
  for (const name of names.filter((one) => /^[0-9a-f]{64}\.sqlite$/.test(one))) {
    const file = path.join(folder, name);
    const tables = readTables(file);
    const database = DATABASES.find((one) => tables.has(TABLES[one]));
    if (database !== undefined) found.set(database, file);
  }
  return found;
}

function readTables(file: string): ReadonlySet<unknown> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS });
  try {
    return new Set(
      db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
        .all()
        .map((row) => row['name']),
    );
  } finally {
    db.close();
  }
}

/** Creates the file of a database, or applies the migrations that it does not have yet. */
async function migrateFile(name: DatabaseName, file: string): Promise<void> {
  if (name === 'articles') {
    openArticleCacheDatabase(file, (quarantined) => report(`a damaged file is now ${quarantined}`)).close();
    return;
  }
  const migrations = name === 'events' ? '' : name;
  const executor = new NodeSqliteExecutor({ file, report, migrations, isReplaceable: false });
  try {
    await executor.query({ sql: 'SELECT 1' });
  } finally {
    await executor.close();
  }
}

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}
