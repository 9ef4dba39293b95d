import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { guardDiskSpace } from './guard-disk-space.ts';

const MEGABYTE = 1_048_576;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('takes no events while too little space is free, keeps reading and removing, and recovers', async () => {
  let free = 100 * MEGABYTE;
  const inner = createMemoryEventStore();
  const store = guardDiskSpace(inner, { folder: '/', minFreeMb: 50, readFree: async () => free });
  expect(await store.probe()).toBeNull();
  await store.append([buildSampleEvent({ session: 'a' })]);
  free = 49 * MEGABYTE;
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
  expect(await store.probe()).toContain('MIN_FREE_MB');
  expect(await store.count({})).toBe(1);
  expect(await store.remove({ session: 'a' })).toBe(1);
  free = 51 * MEGABYTE;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await store.append([buildSampleEvent()])).toMatchObject({ stored: 1 });
  await store.close();
});

it('leaves it to the store when the free space cannot be read', async () => {
  const readFree = () => Promise.reject(new Error('no such folder'));
  const store = guardDiskSpace(createMemoryEventStore(), { folder: '/', minFreeMb: 50, readFree });
  expect(await store.probe()).toBeNull();
  expect(await store.append([buildSampleEvent()])).toMatchObject({ stored: 1 });
  await store.close();
});

it('reads the free space of the folder', async () => {
  vi.useRealTimers();
  const options = { folder: import.meta.dirname, minFreeMb: 1_000_000_000 };
  const store = guardDiskSpace(createMemoryEventStore(), options);
  expect(await store.probe()).toContain('MB are free');
  await store.close();
});
