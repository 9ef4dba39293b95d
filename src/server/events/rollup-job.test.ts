import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RollupJob } from './rollup-job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('advances until nothing is left, again after a second, and not after it was stopped', async () => {
  const results = [2_000, 2_000, 5, 0, 0];
  const advance = vi.fn(async () => results.shift() ?? 0);
  const job = new RollupJob({ advance }, { warn: () => undefined });
  job.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(5);
  await job.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(advance).toHaveBeenCalledTimes(5);
});

it('logs a failure once, tries again, and logs the next one', async () => {
  const outcomes = ['fail', 'fail', 'work', 'fail'];
  const warnings: string[] = [];
  const advance = async () => {
    if (outcomes.shift() === 'fail') throw new Error('the disk is full');
    return 0;
  };
  const job = new RollupJob({ advance }, { warn: (message) => warnings.push(message) });
  job.start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(warnings).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(warnings).toHaveLength(2);
  await job.stop();
});
