import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { JsonEventStore, QueuedEventStore } from '../../src/stores/queued-events.ts';
import { createMemoryEventStore } from '../support/memory-event-store.ts';
import { openEventDatabase } from '../support/open-event-database.ts';
import { openEventStore } from '../support/open-event-store.ts';
import { describeEventStore } from './event-store.ts';

const root = mkdtempSync(path.join(tmpdir(), 'events-'));
afterAll(() => rm(root, { recursive: true }));

describeEventStore('memory', createMemoryEventStore);

describeEventStore('sqlite', () =>
  openEventStore(path.join(mkdtempSync(path.join(root, 'store-')), 'created', 'when missing'), (message) => {
    throw new Error(message);
  }),
);

describeEventStore('one JSON text for each append, sqlite', () => new JsonEventStore(openEventDatabase()));

describeEventStore(
  'a queue behind the memory store',
  () =>
    new QueuedEventStore({
      store: createMemoryEventStore(),
      queue: { send: () => Promise.reject(new Error('the queue is not needed')) },
      path: 'database',
      waitMs: 30_000,
    }),
);
