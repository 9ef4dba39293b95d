import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import {
  convertV4MiniflareOptions,
  EDGE,
  Log,
  LogLevel,
  loadWorkerd,
  Miniflare,
  startRemoteProxySession,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from '#cloudflare-tools';
import { ROOT } from '../../../../scripts/start/pinned-node.mjs';
import { createPrivateFolder, remove } from '../../../stores/disk.ts';

type WorkerOptions = Parameters<typeof convertV4MiniflareOptions>[0];

/** A CommonJS module, whose default export is the path of the program for this machine. */
const workerdSchema = z.object({ default: z.string() });

/** Creates a workerd with one worker, whose simulators keep their state in `edge` below the data folder. */
export function createMiniflare(
  worker: Extract<WorkerOptions, { workers: unknown }>['workers'][number],
  { host, port, dataDir }: { readonly host: string; readonly port: number; readonly dataDir: string },
): Miniflare {
  const state = path.join(dataDir, 'edge');
  createPrivateFolder(state);
  process.env['WORKERD'] = workerdSchema.parse(loadWorkerd()).default;
  process.env['MINIFLARE_WORKERD_PATH'] ??= path.join(ROOT, 'edge/run-workerd.sh');
  return new Miniflare({
    ...convertV4MiniflareOptions({ workers: [worker] }),
    host,
    port,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: state,
  });
}

const MIGRATIONS = path.join(ROOT, 'migrations');

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

/** The configuration of the worker. */
export const WORKER_CONFIG = path.join(EDGE, 'wrangler.jsonc');

/** What the configuration of the worker says about its storage. */
const storageSchema = z.looseObject({
  d1_databases: z.array(
    z.looseObject({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string().exactOptional(),
    }),
  ),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })),
});

/** The same, as workerd takes it. */
const optionsSchema = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  d1Databases: z.record(z.string(), z.looseObject({ id: z.string() })),
  r2Buckets: z.record(z.string(), z.looseObject({ id: z.string() })),
});

/** The databases and the bucket of the worker, without the worker. */
export interface OpenedBindings {
  readonly miniflare: Miniflare;
  close(): Promise<void>;
}

type Connection = Parameters<typeof unstable_getMiniflareWorkerOptions>[2];

/** What workerd says when another process, such as a site that runs, writes to the same file: it does not wait. */
const LOCKED = /SQLITE_BUSY|internal error; reference/;
const MAX_TRIES = 50;

/** Repeats work on the local state, for about five seconds, while another process writes to it. */
export async function repeatWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !LOCKED.test(String(error))) throw error;
      await setTimeout(100);
    }
  }
}

/** Opens the local state and applies the migrations. */
export async function openLocalBindings(dataDir: string): Promise<OpenedBindings> {
  const miniflare = await startStorage(readStorage(), dataDir, {});
  await repeatWhileLocked(() => applyMigrations(miniflare));
  return { miniflare, close: () => miniflare.dispose() };
}

/**
 * Opens the databases and the bucket of the deployed worker with the operator's own login: wrangler uploads a worker of
 * its own for that time, which passes the calls on. Throws when wrangler is not signed in.
 */
export async function openRemoteBindings(): Promise<OpenedBindings> {
  const config = readStorage();
  const missing = listMissingDatabases();
  if (missing.length > 0) {
    throw new Error(
      `edge/wrangler.jsonc has no "database_id" of ${missing.join(', ')}: see docs/deployment.md.`,
    );
  }
  const bindings = Object.fromEntries([
    ...config.d1_databases.map(({ binding, ...database }) => [
      binding,
      { type: 'd1' as const, ...database, remote: true },
    ]),
    ...config.r2_buckets.map(({ binding, ...bucket }) => [
      binding,
      { type: 'r2_bucket' as const, ...bucket, remote: true },
    ]),
  ]);
  const session = await startRemoteProxySession(bindings);
  await session.ready;
  const { remoteProxyConnectionString } = session;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-remote-'));
  const miniflare = await startStorage(config, folder, { remoteProxyConnectionString });
  return {
    miniflare,
    async close() {
      await miniflare.dispose();
      await session.dispose();
      remove(folder);
    },
  };
}

/** The names of the databases that `wrangler.jsonc` has no `database_id` of. */
export function listMissingDatabases(): readonly string[] {
  return readStorage()
    .d1_databases.filter(({ database_id: id }) => !id)
    .map(({ database_name: name }) => name);
}

type Storage = ReturnType<typeof readStorage>;

function readStorage() {
  return storageSchema.parse(unstable_readConfig({ config: WORKER_CONFIG }));
}

/** Starts workerd with the databases and the bucket of the configuration, and a worker that does nothing. */
async function startStorage(config: Storage, dataDir: string, connection: Connection): Promise<Miniflare> {
  const remote = connection?.remoteProxyConnectionString !== undefined;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(
    {
      ...unstable_readConfig({ config: WORKER_CONFIG }),
      d1_databases: config.d1_databases.map((database) => ({ ...database, remote })),
      r2_buckets: config.r2_buckets.map((bucket) => ({ ...bucket, remote })),
    },
    undefined,
    connection,
  );
  const miniflare = createMiniflare(
    {
      modules: [{ type: 'ESModule', path: 'main.mjs', contents: 'export default {};' }],
      ...optionsSchema.parse(workerOptions),
    },
    { host: '127.0.0.1', port: 0, dataDir },
  );
  await miniflare.ready;
  return miniflare;
}
