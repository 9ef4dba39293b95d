import { createMemoryLedger } from '../support/memory-stores.ts';
import { describeLedger } from './ledger.ts';

describeLedger('memory', createMemoryLedger);
