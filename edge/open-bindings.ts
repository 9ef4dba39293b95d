import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Miniflare } from 'miniflare';
import { startRemoteProxySession, unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { z } from 'zod';
import { applyMigrations } from './apply-migrations.ts';
import { createMiniflare } from './create-miniflare.ts';

/** The configuration of the worker. */
export const WORKER_CONFIG = path.join(import.meta.dirname, 'wrangler.jsonc');

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

/** Opens the local state and applies the migrations. */
export async function openLocalBindings(dataDir: string): Promise<OpenedBindings> {
  const miniflare = await startStorage(readStorage(), dataDir, {});
  await applyMigrations(miniflare);
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
      rmSync(folder, { recursive: true, force: true });
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
