import { SqlTemporaryStore } from '../../../src/stores/temporary-values.ts';
import { describeTemporaryStore } from '../../../test/contract/temporary-store.ts';
import { setUpD1 } from './set-up-d1.ts';

const open = setUpD1('CONSOLE');

describeTemporaryStore('D1', () => {
  const executor = open();
  return { store: new SqlTemporaryStore(executor), close: () => executor.close() };
});
