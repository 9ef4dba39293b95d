import { describeRollupStore } from '../../../test/contract/rollup-store.ts';
import { setUpD1 } from './set-up-d1.ts';

// Each case is a few round trips.
describeRollupStore('D1', setUpD1('EVENTS'), 10);
