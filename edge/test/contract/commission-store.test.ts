import { SqlCommissionStore } from '../../../src/stores/ledger.ts';
import { describeCommissionStore } from '../../../test/contract/commission-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('COMMISSIONS');

describeCommissionStore('D1', () => new SqlCommissionStore(open()));
