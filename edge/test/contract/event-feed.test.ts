import { describeEventFeed } from '../../../test/contract/event-feed.ts';
import { setUpD1 } from './set-up-d1.ts';

describeEventFeed('D1', setUpD1('EVENTS'));
