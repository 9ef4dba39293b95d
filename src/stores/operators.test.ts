import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openOperatorStore } from '../../test/support/node-databases.ts';
import { CONSOLE_FILE } from './node-databases.ts';

const root = mkdtempSync(path.join(tmpdir(), 'operators-'));
afterAll(() => rm(root, { recursive: true }));

const createFolder = () => mkdtempSync(path.join(root, 'store-'));

it('a damaged database is refused and left as it is, never replaced by an empty one', async () => {
  const folder = createFolder();
  const file = path.join(folder, CONSOLE_FILE);
  const store = openOperatorStore(folder, () => undefined);
  await store.readOperators();
  await store.close();
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const damage = Buffer.alloc(8_192, 'x');
  writeFileSync(file, damage);
  const damaged = openOperatorStore(folder, () => undefined);
  await expect(damaged.readOperators()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(damaged.removeShareLink('x')).rejects.toMatchObject({ code: 'unavailable' });
  await damaged.close();
  expect(readFileSync(file)).toEqual(damage);
});
