import { afterAll, vi } from 'vitest';

// The configuration undoes it before each test. The files of a process share it, so the next one begins without it, too.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
