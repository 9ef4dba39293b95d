import { openEventDatabase } from '../support/open-event-database.ts';
import { describeRollupStore } from './rollup-store.ts';

describeRollupStore('sqlite', openEventDatabase);
