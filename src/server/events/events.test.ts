import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryEventArchive } from '../../../test/support/memory-event-archive.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { EVENTS_PER_ROLLUP } from '../../stores/rollups.ts';
import { createSiteJobs } from '../site.ts';
import { createRollupJob } from './events.ts';

const NOW = Date.now();

/** Runs the jobs once over an old and a new event; returns how many events are where afterwards. */
async function runJobs(settings: Readonly<Record<string, string>>) {
  const archive = createMemoryEventArchive();
  const clock = { now: () => NOW, monotonic: () => performance.now() };
  const site = await createTestSite({ settings, clock, platform: { openEventArchive: () => archive } });
  await site.visitors.events.append(
    [0, 40].map((days) => buildSampleEvent({ serverTime: NOW - days * DAY_MS })),
  );
  for (const job of createSiteJobs(site)) await job.run();
  return { stored: await site.visitors.events.count({}), files: (await archive.list()).length };
}

it('archives nothing unless it is set', async () =>
  expect(await runJobs({})).toEqual({ stored: 2, files: 0 }));

it('archives events older than EVENT_HOT_DAYS', async () =>
  expect(await runJobs({ EVENT_HOT_DAYS: '30' })).toEqual({ stored: 1, files: 1 }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('advances until a batch is not full, again after an event, and not after it was stopped', async () => {
  const results = [EVENTS_PER_ROLLUP, EVENTS_PER_ROLLUP, 5, 0];
  const site = await createTestSite();
  const advance = vi
    .spyOn(site.money.rollups, 'advance')
    .mockImplementation(async () => results.shift() ?? 0);
  const job = createRollupJob(site);
  job.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(3);
  await site.visitors.events.append([buildSampleEvent()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(advance).toHaveBeenCalledTimes(4);
  await job.stop();
  await site.visitors.events.append([buildSampleEvent()]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(advance).toHaveBeenCalledTimes(4);
});
