import fc from 'fast-check';
import { afterAll } from 'vitest';
import { IS_FULL_LENGTH } from './cases.ts';
import { closeMemoryDatabases } from './memory-executor.ts';

// A sample tries the same values in every run; at full length each run tries others.
if (!IS_FULL_LENGTH) fc.configureGlobal({ seed: 1 });

afterAll(closeMemoryDatabases);
