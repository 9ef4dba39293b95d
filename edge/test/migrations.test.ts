import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';

const DATABASES = ['EVENTS', 'COMMISSIONS', 'CONSOLE', 'NOTIFICATIONS', 'ARTICLES'] as const;
const CREATE = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER) (\w+)/;

it.each(DATABASES)('creates every table, index and trigger of %s in D1', async (name) => {
  await applyD1Migrations(env[name], env.MIGRATIONS[name]);
  const wanted = env.MIGRATIONS[name]
    .flatMap(({ queries }) => queries)
    .flatMap((query) => CREATE.exec(query)?.[1] ?? []);
  const { results } = await env[name].prepare('SELECT name FROM sqlite_master').all<{ name: string }>();
  expect(wanted.length).toBeGreaterThan(0);
  expect(results.map((row) => row.name)).toEqual(expect.arrayContaining(wanted));
});
