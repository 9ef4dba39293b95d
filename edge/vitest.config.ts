import path from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { unstable_readConfig } from 'wrangler';
import { MIGRATION_FOLDERS, WORKER_CONFIG } from '../src/runtimes/cloudflare/tools/bindings.ts';
import { SEED } from '../test/support/cases.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

async function readMigrations() {
  const entries = Object.entries(MIGRATION_FOLDERS).map(
    async ([name, folder]) => [name, await readD1Migrations(path.join(ROOT, 'migrations', folder))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

interface RateLimit {
  readonly name: string;
  readonly namespace_id: string;
  readonly simple: { readonly limit: number; readonly period: 10 | 60 };
}

const { ratelimits } = unstable_readConfig({ config: WORKER_CONFIG });

/** Runs tests in workerd with a local D1 database for each set of migrations. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    cloudflareTest(async () => ({
      miniflare: {
        compatibilityDate: '2026-11-17',
        compatibilityFlags: ['nodejs_compat'],
        d1Databases: Object.keys(MIGRATION_FOLDERS),
        r2Buckets: ['ARCHIVE'],
        ratelimits: Object.fromEntries(ratelimits.map(({ name, ...limit }: RateLimit) => [name, limit])),
        // Workers see no environment.
        bindings: { MIGRATIONS: await readMigrations(), SEED },
      },
    })),
  ],
  test: {
    name: 'edge',
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
