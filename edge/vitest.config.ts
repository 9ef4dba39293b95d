import path from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { unstable_readConfig } from 'wrangler';

const ROOT = path.resolve(import.meta.dirname, '..');
const readMigrations = (folder: string) => readD1Migrations(path.join(ROOT, 'migrations', folder));

interface RateLimit {
  readonly name: string;
  readonly namespace_id: string;
  readonly simple: { readonly limit: number; readonly period: 10 | 60 };
}

const CONFIG = path.join(import.meta.dirname, 'wrangler.jsonc');
const { ratelimits } = unstable_readConfig({ config: CONFIG });

/** Runs tests in workerd with a local D1 database for each set of migrations. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    cloudflareTest(async () => ({
      miniflare: {
        compatibilityDate: '2026-11-17',
        compatibilityFlags: ['nodejs_compat'],
        d1Databases: ['EVENTS', 'COMMISSIONS', 'CONSOLE', 'NOTIFICATIONS', 'ARTICLES'],
        r2Buckets: ['ARCHIVE'],
        ratelimits: Object.fromEntries(ratelimits.map(({ name, ...limit }: RateLimit) => [name, limit])),
        bindings: {
          MIGRATIONS: {
            EVENTS: await readMigrations('.'),
            COMMISSIONS: await readMigrations('commissions'),
            CONSOLE: await readMigrations('console'),
            NOTIFICATIONS: await readMigrations('notifications'),
            ARTICLES: await readMigrations('articles'),
          },
        },
      },
    })),
  ],
  test: { name: 'edge', include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
