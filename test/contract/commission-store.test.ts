import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { MemoryCommissionStore } from '../../src/stores/memory-commission-store.ts';
import { openCommissionStore } from '../../src/stores/node-databases.ts';
import { describeCommissionStore } from './commission-store.ts';

const root = mkdtempSync(path.join(tmpdir(), 'commissions-'));
afterAll(() => rm(root, { recursive: true }));

describeCommissionStore('memory', () => new MemoryCommissionStore());

describeCommissionStore('sqlite', () =>
  openCommissionStore(mkdtempSync(path.join(root, 'store-')), () => undefined),
);
