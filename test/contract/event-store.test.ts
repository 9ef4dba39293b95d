import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createMemoryEventStore } from '../../src/adapters/events/memory-event-store.ts';
import { createSqliteEventStore } from '../../src/adapters/events/sqlite-event-store.ts';
import { describeEventStore } from './event-store.ts';

const root = mkdtempSync(path.join(tmpdir(), 'events-'));
afterAll(() => rm(root, { recursive: true }));

describeEventStore('memory', createMemoryEventStore);

describeEventStore('sqlite', () =>
  createSqliteEventStore({
    dir: path.join(mkdtempSync(path.join(root, 'store-')), 'made', 'when missing'),
    report: (message) => {
      throw new Error(message);
    },
  }),
);
