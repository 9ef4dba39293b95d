import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildRetentionLimit, createRetentionJob, planRetention } from './remove-old-events.ts';

const NOW = Date.UTC(2025, 10, 20);
const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const createLines = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() });

/** Starts retention with events of the given ages in days. */
async function setUp(ages: readonly number[], offsetMs = 0) {
  const store = createMemoryEventStore();
  await store.append(ages.map((age) => buildSampleEvent({ serverTime: NOW - age * DAY_MS })));
  const clock = { offsetMs, now: () => Date.now() + clock.offsetMs, monotonic: () => Date.now() - NOW };
  const log = createLines();
  const start = async () => {
    const site = await createTestSite({ events: store, clock, log, platform: { hasTimers: true } });
    const job = createRetentionJob(site);
    job.start();
    return { job, readWarnings: () => site.retention.readWarnings() };
  };
  return { store, clock, log, start, retention: await start() };
}

it('removes what is too old an hour after the start and then every day, and nothing else', async () => {
  const { store, retention } = await setUp([396.5, 395.5, 0]);
  await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
  expect(await store.count({})).toBe(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(await store.count({})).toBe(2);
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(await store.count({})).toBe(1);
  await retention.job.stop();
  await vi.advanceTimersByTimeAsync(500 * DAY_MS);
  expect(await store.count({})).toBe(1);
});

it.each([
  ['500 days ahead', 500 * DAY_MS],
  ['30 years ahead', 30 * 365 * DAY_MS],
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
  ['at 2001', Date.UTC(2001, 0, 1) - NOW],
  ['before 1970', -NOW - DAY_MS],
])('removes no event within its retention when the clock is %s at the start', async (_, offsetMs) => {
  const { store } = await setUp([394, 200, 30, 0], offsetMs);
  await vi.advanceTimersByTimeAsync(3 * HOUR_MS);
  expect(await store.count({})).toBe(4);
});

it('removes no event within its retention when the clock jumps while the process runs', async () => {
  const { store, clock } = await setUp([390, 200, 0]);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  clock.offsetMs = 500 * DAY_MS;
  await store.append([buildSampleEvent({ serverTime: clock.now() })]);
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(await store.count({})).toBe(4);
});

it('removes nothing and warns when an earlier start stored events with a wrong clock', async () => {
  const { store, clock, start, log } = await setUp([390, 200, 0], 500 * DAY_MS);
  await store.append([buildSampleEvent({ serverTime: clock.now() })]);
  const next = await start();
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect(await store.count({})).toBe(4);
  expect(next.readWarnings().join()).toContain('npm run events -- prune --force');
  expect(log.warn).toHaveBeenCalledWith('events past their retention were not removed', expect.anything());
});

it('removes nothing and warns when events carry a time of 2001', async () => {
  const { store, retention } = await setUp([365 * 24, 0]);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect(await store.count({})).toBe(2);
  expect(retention.readWarnings()).toHaveLength(1);
});

it('does nothing with an empty store, and removes events of its own process when they are too old', async () => {
  const { store, log } = await setUp([]);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  await store.append([buildSampleEvent({ serverTime: Date.now() })]);
  await vi.advanceTimersByTimeAsync(390 * DAY_MS);
  expect(await store.count({})).toBe(1);
  await vi.advanceTimersByTimeAsync(10 * DAY_MS);
  expect(await store.count({})).toBe(0);
  expect(log.warn).not.toHaveBeenCalled();
});

it('logs a removal that failed and tries again the next day', async () => {
  const remove = vi.fn().mockRejectedValueOnce(new Error('full')).mockResolvedValue(3);
  const readTimeRange = async () => ({ oldest: NOW - 396.5 * DAY_MS, newest: NOW });
  const log = createLines();
  const events = Object.assign(createMemoryEventStore(), { remove, readTimeRange });
  const job = createRetentionJob(await createTestSite({ events, log }));
  job.start();
  await vi.advanceTimersByTimeAsync(DAY_MS + HOUR_MS);
  await job.stop();
  expect(log.warn).toHaveBeenCalledTimes(1);
  expect(log.info).toHaveBeenCalledWith(expect.any(String), { removed: 3, months: 13 });
});

it.each([
  ['2025-11-20T10:00:00Z', 13, '2024-10-20T10:00:00Z'],
  ['2025-01-15T00:00:00Z', 1, '2024-12-15T00:00:00Z'],
  ['2025-05-31T00:00:00Z', 3, '2025-02-28T00:00:00Z'],
  ['2024-02-29T00:00:00Z', 12, '2023-02-28T00:00:00Z'],
  ['2025-11-20T10:00:00Z', 120, '2015-11-20T10:00:00Z'],
])('builds from %s minus %d months the limit %s', (now, months, expected) => {
  expect(buildRetentionLimit(Date.parse(now), months)).toBe(Date.parse(expected));
});

it.each([
  ['2024-10-20', 'remove'],
  ['2024-09-20', 'remove'],
  ['2024-09-18', 'refuse'],
  ['2001-01-01', 'refuse'],
])('plans for the oldest event of %s to %s', (oldest, kind) => {
  expect(planRetention(Date.parse(oldest), Date.parse('2025-11-20'), 13).kind).toBe(kind);
});
