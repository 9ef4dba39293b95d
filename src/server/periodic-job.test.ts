import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_LOG } from '../../test/support/no-log.ts';
import { PeriodicJob } from './periodic-job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const INTERVAL_MS = 1_000;

const create = (run: (signal: AbortSignal) => Promise<unknown>, warn: (message: string) => void = vi.fn()) =>
  new PeriodicJob({ ...NO_LOG, warn }, 'it failed', run, INTERVAL_MS);

it('runs after each interval, and not after it was stopped', async () => {
  const run = vi.fn(async () => undefined);
  const job = create(run);
  job.start();
  await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
  expect(run).toHaveBeenCalledTimes(3);
  await job.stop();
  await vi.advanceTimersByTimeAsync(60 * INTERVAL_MS);
  expect(run).toHaveBeenCalledTimes(3);
});

it('asks a run that is in progress to end, and waits for it', async () => {
  let isEnded = false;
  const job = create(async (signal) => {
    while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    isEnded = true;
  });
  job.start();
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  const stopped = job.stop();
  await vi.advanceTimersByTimeAsync(10);
  await stopped;
  expect(isEnded).toBe(true);
});

it('runs once at a time, however often it is called, and stops after a run that was called', async () => {
  let running = 0;
  let runs = 0;
  const ends: (() => void)[] = [];
  const job = new PeriodicJob(
    NO_LOG,
    'failed',
    async () => {
      runs += 1;
      running += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    },
    1_000,
  );
  const called = [job.run(), job.run(), job.run()];
  expect(runs).toBe(1);
  const stopped = job.stop().then(() => running);
  for (const end of ends) end();
  await Promise.all(called);
  expect(await stopped).toBe(0);
  const again = job.run();
  for (const end of ends) end();
  await again;
  expect(runs).toBe(2);
});

it('logs a failure once, tries again, and logs the next one', async () => {
  const outcomes = ['fail', 'fail', 'work', 'fail'];
  const warnings: string[] = [];
  const run = async () => {
    if (outcomes.shift() === 'fail') throw new Error('the disk is full');
  };
  const job = create(run, (message) => warnings.push(message));
  job.start();
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(warnings).toEqual(['it failed']);
  await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  expect(warnings).toEqual(['it failed', 'it failed']);
  await job.stop();
});
