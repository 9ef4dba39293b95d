import { afterAll, vi } from 'vitest';
import { closeMemoryDatabases } from './memory-executor.ts';

// The files of a process share these: the next one begins without them, too.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
afterAll(closeMemoryDatabases);
