import { env } from 'cloudflare:workers';
import { describe } from 'vitest';
import { Activity } from '../../../src/stores/activity.ts';
import { createR2EventArchive } from '../../../src/stores/archive.ts';
import { ContentVersions } from '../../../src/stores/content-versions.ts';
import { Costs } from '../../../src/stores/costs.ts';
import { SqlEventStore } from '../../../src/stores/events.ts';
import { Ledger } from '../../../src/stores/ledger.ts';
import { Operators } from '../../../src/stores/operators.ts';
import { createJsonWrites } from '../../../src/stores/queued-events.ts';
import { TemporaryValues } from '../../../src/stores/temporary-values.ts';
import { describeActivity } from '../../../test/contract/activity.ts';
import { describeContentVersions } from '../../../test/contract/content-versions.ts';
import { describeCosts } from '../../../test/contract/costs.ts';
import { describeEventArchive } from '../../../test/contract/event-archive.ts';
import { describeEventArchiver } from '../../../test/contract/event-archiver.ts';
import { describeEventStore } from '../../../test/contract/event-store.ts';
import { describeFoldedCommissions } from '../../../test/contract/folded-commissions.ts';
import { describeLedger } from '../../../test/contract/ledger.ts';
import { describeLinks } from '../../../test/contract/links.ts';
import { describeOperators } from '../../../test/contract/operators.ts';
import { describeRollups } from '../../../test/contract/rollups.ts';
import { describeSqlExecutor } from '../../../test/contract/sql-executor.ts';
import { describeTemporaryValues } from '../../../test/contract/temporary-values.ts';
import { setUpD1 } from './set-up-d1.ts';

describe('events', () => {
  const open = setUpD1('EVENTS');
  describeSqlExecutor('D1', open);
  describeEventStore('D1', () => new SqlEventStore(open(), createJsonWrites));
  // Each case is a few round trips.
  describeRollups('D1', open, 0.2);
  describeEventArchive('R2', () => createR2EventArchive(env.ARCHIVE));
  describeEventArchiver('D1', open);
});

describe('commissions', () => {
  const open = setUpD1('COMMISSIONS');
  describeLedger('D1', () => new Ledger(open()));
  describeCosts('D1', open, (executor) => new Costs(executor));
  describeFoldedCommissions('D1', open);
  describeLinks('D1', open);
});

describe('console', () => {
  const open = setUpD1('CONSOLE');
  describeOperators('D1', () => new Operators(open()));
  describeTemporaryValues('D1', () => new TemporaryValues(open()));
  describeContentVersions('D1', () => new ContentVersions(open()));
  describeActivity('D1', open, (executor) => new Activity(executor));
});
