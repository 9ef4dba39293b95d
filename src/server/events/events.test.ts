import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryEventArchive } from '../../../test/support/memory-event-archive.ts';
import { openEventDatabase } from '../../../test/support/open-event-database.ts';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { DAY_MS } from '../../core/clock.ts';
import { SqlEventStore } from '../../stores/events.ts';
import { parseSettings } from '../settings.ts';
import { createEvents, createRollupJob } from './events.ts';

const NOW = Date.now();

/** Runs the due jobs once over an old and a new event; returns how many events are where afterwards. */
async function runJobs(settings: Readonly<Record<string, string>>) {
  const archive = createMemoryEventArchive();
  const executor = openEventDatabase();
  const store = new SqlEventStore(executor);
  const events = createEvents({
    settings: parseSettings(settings),
    content: { assessment: readSampleAssessment() },
    platform: {
      clock: { now: () => NOW, monotonic: () => performance.now() },
      openEvents: () => ({ executor, store }),
      openEventArchive: () => archive,
      hasTimers: false,
    },
    log: { info: ignore, warn: ignore, error: ignore },
  });
  await store.append([0, 40].map((days) => buildSampleEvent({ serverTime: NOW - days * DAY_MS })));
  await events.runDueJobs();
  const result = { stored: await store.count({}), files: (await archive.list()).length };
  await events.close();
  return result;
}

const ignore = () => undefined;

it('archives nothing unless it is set', async () => {
  expect(await runJobs({})).toEqual({ stored: 2, files: 0 });
});

it('archives events older than EVENT_HOT_DAYS', async () => {
  expect(await runJobs({ EVENT_HOT_DAYS: '30' })).toEqual({ stored: 1, files: 1 });
});

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
