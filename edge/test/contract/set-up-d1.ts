import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach } from 'vitest';
import { D1Executor } from '../../../src/stores/sql/d1-executor.ts';

/** Empties a D1 database with every migration before each test of the suite; returns what opens an executor on it. */
export function setUpD1(name: keyof typeof env.MIGRATIONS): () => D1Executor {
  beforeEach(async () => {
    await reset();
    await applyD1Migrations(env[name], env.MIGRATIONS[name]);
  });
  return () => new D1Executor(env[name]);
}
