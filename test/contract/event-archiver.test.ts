import { openEventDatabase } from '../support/open-event-database.ts';
import { describeEventArchiver } from './event-archiver.ts';

describeEventArchiver('sqlite', openEventDatabase);
