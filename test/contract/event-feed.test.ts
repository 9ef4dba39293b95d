import { openEventDatabase } from '../support/open-event-database.ts';
import { describeEventFeed } from './event-feed.ts';

describeEventFeed('sqlite', openEventDatabase);
