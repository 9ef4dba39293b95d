import { env } from 'cloudflare:workers';
import { createR2EventArchive } from '../../../src/stores/r2-event-archive.ts';
import { describeEventArchive } from '../../../test/contract/event-archive.ts';
import { describeEventArchiver } from '../../../test/contract/event-archiver.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('EVENTS');

describeEventArchive('R2', () => createR2EventArchive(env.ARCHIVE));
describeEventArchiver('D1', open);
