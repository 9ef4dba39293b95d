import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createMemoryEventStore } from '../../src/adapters/events/memory-event-store.ts';
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
