import { Ledger } from '../../../src/stores/ledger.ts';
import { describeLedger } from '../../../test/contract/ledger.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('COMMISSIONS');

describeLedger('D1', () => new Ledger(open()));
