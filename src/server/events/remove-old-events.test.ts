import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { addOperator, SHARE_LINK } from '../../../test/support/operators.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildRetentionLimit, createRetentionJob, planRetention } from './remove-old-events.ts';

const NOW = Date.UTC(2025, 10, 20);
const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const createLines = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() });

/** Starts retention with events of the given ages in days, in a site that was started on the days before. */
async function setUp(ages: readonly number[], offsetMs = 0) {
  const store = createMemoryEventStore();
  const executor = new MemoryExecutor(openMemoryDatabase());
  const readings = [1, 2, 3, 0].map((days) => NOW - days * DAY_MS);
  const sql = 'UPDATE clock_readings SET newest = ?, second = ?, third = ?, confirmed = ?';
  await executor.batch([{ sql, values: readings }]);
  await store.append(ages.map((age) => buildSampleEvent({ serverTime: NOW - age * DAY_MS })));
  const clock = { offsetMs, now: () => Date.now() + clock.offsetMs, monotonic: () => Date.now() - NOW };
  const log = createLines();
  const start = async () => {
    const platform = { hasTimers: true, openEvents: () => ({ executor, store }) };
    const site = await createTestSite({ events: store, clock, log, platform });
    await site.visitors.trustedTime.advance?.();
    const job = createRetentionJob(site);
    job.start();
    return { job, site, readWarnings: () => site.visitors.retention.readWarnings() };
  };
  return { store, executor, clock, log, start, retention: await start() };
}

it('removes what is too old at the start and then every day, and nothing else', async () => {
  const { store, retention } = await setUp([396.5, 395.5, 0]);
  await vi.advanceTimersByTimeAsync(5_000);
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

it.each([[[500]], [[400, 3_650]], [[3_650, 3_650]], [[-9_000, 500]]])(
  'deletes nothing of any kind after starts with clocks that are %j days ahead',
  async (offsets) => {
    const { store, clock, start } = await setUp([390, 200, 0]);
    const { site } = await start();
    const expiresAt = NOW + 5 * DAY_MS;
    await addOperator(site.operators.accounts, { id: 'o', name: 'Ada' });
    await site.operators.accounts.writeShareLink({ ...SHARE_LINK, createdAt: NOW, expiresAt });
    await site.money.ledger.append({
      facts: [],
      raw: { id: 'r', partner: 'kit', arrivedAt: NOW, content: '{}' },
    });
    const removals = [
      vi.spyOn(site.visitors.archive, 'removeBefore'),
      vi.spyOn(store, 'remove'),
      vi.spyOn(site.money.ledger, 'removeRaw'),
    ];
    for (const days of offsets) {
      clock.offsetMs = days * DAY_MS;
      const next = await start();
      await store.append([buildSampleEvent({ serverTime: clock.now() })]);
      await vi.advanceTimersByTimeAsync(3 * HOUR_MS);
      const trusted = await next.site.visitors.trustedTime.read();
      expect(trusted).toBeLessThanOrEqual(Date.now());
      await site.operators.temporaryValues.put(
        { kind: 'upload', key: 'u', value: '', expiresAt },
        { now: clock.now() },
      );
      await site.operators.temporaryValues.removeExpired(trusted ?? 0);
      await site.operators.accounts.removeExpired((trusted ?? 0) - 30 * DAY_MS, trusted ?? 0);
    }
    for (const removal of removals)
      for (const [before] of removal.mock.calls)
        expect(typeof before === 'number' ? before : Reflect.get(before, 'before')).toBeLessThan(NOW);
    expect(await store.count({})).toBe(3 + offsets.length);
    expect(await site.operators.accounts.readShareLinks(NOW)).toHaveLength(1);
    expect(await site.money.ledger.readRaw('r')).not.toBeNull();
    expect(await site.operators.temporaryValues.read('upload', 'u', NOW)).not.toBeNull();
  },
);

it('trusts a new site and one after a long pause with the third start on another day, or after two weeks', async () => {
  const { executor, clock, start, retention } = await setUp([0]);
  await executor.batch([
    { sql: 'UPDATE clock_readings SET newest = 0, second = 0, third = 0, confirmed = 0' },
  ]);
  const read = async () => (await start()).site.visitors.trustedTime.read();
  // A supervisor that starts a crashing process again and again is one start.
  expect([await read(), await read(), await read()]).toEqual([null, null, null]);
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(await read()).toBeNull();
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(await read()).toBe(NOW);
  // The power was off for half a year; the clock goes on.
  clock.offsetMs = 180 * DAY_MS;
  const { site } = await start();
  const isTrusted = async () => Number(await site.visitors.trustedTime.read()) > clock.now() - 20 * DAY_MS;
  expect(await isTrusted()).toBe(false);
  for (let week = 0; week < 2; week += 1) {
    await vi.advanceTimersByTimeAsync(7 * DAY_MS);
    await site.visitors.trustedTime.advance?.();
  }
  expect(await isTrusted()).toBe(true);
  await retention.job.stop();
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
