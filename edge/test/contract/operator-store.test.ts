import { SqlOperatorStore } from '../../../src/stores/operators.ts';
import { describeOperatorStore } from '../../../test/contract/operator-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('CONSOLE');

describeOperatorStore('D1', () => new SqlOperatorStore(open()));
