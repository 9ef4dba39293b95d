import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRollupJob } from './rollup-job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('advances until nothing is left, again after a second, and not after it was stopped', async () => {
  const results = [2_000, 2_000, 5, 0, 0];
  const advance = vi.fn(async () => results.shift() ?? 0);
  const job = createRollupJob({ advance }, { warn: () => undefined });
  job.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(5);
  await job.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(advance).toHaveBeenCalledTimes(5);
});
