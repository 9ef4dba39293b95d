import { Activity } from '../../src/stores/activity.ts';
import { Costs } from '../../src/stores/costs.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { createJsonWrites, QueuedEventStore } from '../../src/stores/queued-events.ts';
import { createMemoryEventArchive } from '../support/memory-event-archive.ts';
import { MemoryExecutor, openMemoryDatabase } from '../support/memory-executor.ts';
import { createMemoryConsole, createMemoryEventStore, createMemoryLedger } from '../support/memory-stores.ts';
import { describeActivity } from './activity.ts';
import { describeContentVersions } from './content-versions.ts';
import { describeCosts } from './costs.ts';
import { describeCrawlerRequests } from './crawler-requests.ts';
import { describeEventArchive } from './event-archive.ts';
import { describeEventArchiver } from './event-archiver.ts';
import { describeEventStore } from './event-store.ts';
import { describeFoldedCommissions } from './folded-commissions.ts';
import { describeLedger } from './ledger.ts';
import { describeLinks } from './links.ts';
import { describeOperators } from './operators.ts';
import { describeRollups } from './rollups.ts';
import { describeTemporaryValues } from './temporary-values.ts';

const openEvents = () => new MemoryExecutor(openMemoryDatabase());

describeEventStore('a statement for each event', createMemoryEventStore);
describeEventStore('JSON', () => new SqlEventStore(openEvents(), createJsonWrites));
describeEventStore(
  'in front of a queue',
  () =>
    new QueuedEventStore({
      store: createMemoryEventStore(),
      queue: { send: () => Promise.reject(new Error('the queue is not needed')) },
      path: 'database',
      waitMs: 30_000,
    }),
);
describeRollups('memory', openEvents);
describeCrawlerRequests('memory', openEvents);
describeEventArchive('memory', createMemoryEventArchive);
describeEventArchiver('memory', openEvents);
describeLedger('memory', createMemoryLedger);
describeCosts(
  'memory',
  () => new MemoryExecutor(openMemoryDatabase('commissions')),
  (executor) => new Costs(executor),
);
describeFoldedCommissions('memory', () => new MemoryExecutor(openMemoryDatabase('commissions')));
describeLinks('memory', () => new MemoryExecutor(openMemoryDatabase('commissions')));
describeOperators('memory', () => createMemoryConsole().operators);
describeTemporaryValues('memory', () => createMemoryConsole().temporary);
describeContentVersions('memory', () => createMemoryConsole().versions);
describeActivity(
  'memory',
  () => new MemoryExecutor(openMemoryDatabase('console')),
  (executor) => new Activity(executor),
);
