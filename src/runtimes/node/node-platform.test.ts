import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { guardDiskSpace, readCrawlerRanges } from './node-platform.ts';

const MEGABYTE = 1_048_576;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('takes no events while too little space is free, keeps reading and removing, and recovers', async () => {
  let free = 100 * MEGABYTE;
  const inner = createMemoryEventStore();
  const store = guardDiskSpace(inner, '/', 50, async () => free);
  expect(await store.probe()).toBeNull();
  await store.append([buildSampleEvent({ session: 'a' })]);
  free = 49 * MEGABYTE;
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(store.append([buildSampleEvent()])).rejects.toMatchObject({ code: 'unavailable' });
  expect(await store.probe()).toContain('MB are free');
  expect(await store.count({})).toBe(1);
  expect(await store.remove({ session: 'a' })).toBe(1);
  free = 51 * MEGABYTE;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await store.append([buildSampleEvent()])).toMatchObject({ stored: 1 });
  await store.close();
});

it('leaves it to the store when the free space cannot be read', async () => {
  const readFree = () => Promise.reject(new Error('no such folder'));
  const store = guardDiskSpace(createMemoryEventStore(), '/', 50, readFree);
  expect(await store.probe()).toBeNull();
  expect(await store.append([buildSampleEvent()])).toMatchObject({ stored: 1 });
  await store.close();
});

it('reads the free space of the folder', async () => {
  vi.useRealTimers();
  const store = guardDiskSpace(createMemoryEventStore(), import.meta.dirname, 1_000_000_000);
  expect(await store.probe()).toContain('MB are free');
  await store.close();
});

it('reads the files of ranges of a folder, and none where there is no folder', () => {
  const folder = createFolder();
  writeFileSync(path.join(folder, 'gptbot.json'), '{}');
  writeFileSync(path.join(folder, 'README.md'), '');
  expect([...readCrawlerRanges(folder)]).toEqual([['gptbot.json', '{}']]);
  expect(readCrawlerRanges(path.join(folder, 'none')).size).toBe(0);
});
