import { JsonEventStore } from '../../../src/stores/queued-events.ts';
import { describeEventStore } from '../../../test/contract/event-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('EVENTS');

describeEventStore('D1', () => new JsonEventStore(open()));
