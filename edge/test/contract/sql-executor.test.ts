import { describeSqlExecutor } from '../../../test/contract/sql-executor.ts';
import { setUpD1 } from './set-up-d1.ts';

describeSqlExecutor('D1', setUpD1('EVENTS'));
