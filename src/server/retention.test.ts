import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { createMemoryEventStore } from '../adapters/events/memory-event-store.ts';
import { startRetention } from './retention.ts';

const NOW = Date.UTC(2025, 10, 20);
const clock = { now: () => Date.now() };

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const log = () => ({ info: vi.fn(), warn: vi.fn() });

it('removes what is too old at start and every day, and nothing else', async () => {
  const store = createMemoryEventStore();
  await store.append([
    buildSampleEvent({ serverTime: Date.UTC(2024, 9, 19) }),
    buildSampleEvent({ serverTime: Date.UTC(2024, 9, 20, 12) }),
    buildSampleEvent({ serverTime: NOW }),
  ]);
  const stop = startRetention({ store, months: 13, clock, log: log() });
  await vi.advanceTimersByTimeAsync(0);
  expect(await store.count({})).toBe(2);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(await store.count({})).toBe(1);
  stop();
  await vi.advanceTimersByTimeAsync(400 * 86_400_000);
  expect(await store.count({})).toBe(1);
});

it('logs what it could not remove, and tries again', async () => {
  const remove = vi.fn().mockRejectedValueOnce(new Error('full')).mockResolvedValue(3);
  const lines = log();
  const stop = startRetention({ store: { remove }, months: 13, clock, log: lines });
  await vi.advanceTimersByTimeAsync(86_400_000);
  stop();
  expect(lines.warn).toHaveBeenCalledTimes(1);
  expect(lines.info).toHaveBeenCalledWith(expect.any(String), { removed: 3, months: 13 });
});
