import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { openConsoleDatabase } from '../../src/stores/node-databases.ts';
import { describeTemporaryStore } from './temporary-store.ts';

const root = mkdtempSync(path.join(tmpdir(), 'temporary-'));
afterAll(() => rm(root, { recursive: true }));

describeTemporaryStore('sqlite', () => {
  const { operators, temporary } = openConsoleDatabase(
    mkdtempSync(path.join(root, 'store-')),
    () => undefined,
  );
  return { store: temporary, close: () => operators.close() };
});
