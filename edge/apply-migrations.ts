import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Miniflare } from 'miniflare';
import { unstable_splitSqlQuery } from 'wrangler';

const MIGRATIONS = path.resolve(import.meta.dirname, '../migrations');

/** The folder below `migrations/` of each database binding, as in `wrangler.jsonc`. */
export const MIGRATION_FOLDERS = {
  EVENTS: '.',
  COMMISSIONS: 'commissions',
  CONSOLE: 'console',
  NOTIFICATIONS: 'notifications',
  ARTICLES: 'articles',
};

/** The table in which `wrangler d1 migrations apply` notes what was applied. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/**
 * Applies the migrations that the local databases do not have yet, each in its own transaction. Those of the events
 * come last: /readyz asks for the events, so the worker is ready when all databases are.
 */
export async function applyMigrations(miniflare: Miniflare): Promise<void> {
  const { EVENTS: events, ...others } = MIGRATION_FOLDERS;
  await Promise.all(
    Object.entries(others).map(([binding, folder]) => migrateDatabase(miniflare, binding, folder)),
  );
  await migrateDatabase(miniflare, 'EVENTS', events);
}

async function migrateDatabase(miniflare: Miniflare, binding: string, folder: string): Promise<void> {
  const database = await miniflare.getD1Database(binding);
  await database.prepare(CREATE_TABLE).run();
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of listMigrations(folder)) {
    if (applied.has(name)) continue;
    const sql = readFileSync(path.join(MIGRATIONS, folder, name), 'utf8');
    await database.batch([
      ...unstable_splitSqlQuery(sql).map((query) => database.prepare(query)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
}

function listMigrations(folder: string): string[] {
  return readdirSync(path.join(MIGRATIONS, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort();
}
