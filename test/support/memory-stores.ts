import { Ledger } from '../../src/stores/ledger.ts';
import { SqlOperatorStore } from '../../src/stores/operators.ts';
import { SqlTemporaryStore } from '../../src/stores/temporary-values.ts';
import { MemoryExecutor, openMemoryDatabase } from './memory-executor.ts';

/** Creates the stores of the console over a database in memory. */
export function createMemoryConsole() {
  const executor = new MemoryExecutor(openMemoryDatabase('console'));
  return { operators: new SqlOperatorStore(executor), temporary: new SqlTemporaryStore(executor) };
}

/** Creates an empty ledger over a database in memory. */
export function createMemoryLedger(): Ledger {
  return new Ledger(new MemoryExecutor(openMemoryDatabase('commissions')));
}
