import { statfs } from 'node:fs/promises';
import { type EventStore, EventStoreError } from '../../stores/events.ts';

/** Time between two checks; events can fill a few megabytes in it. */
const CHECK_MS = 1_000;
const MEGABYTE = 1_048_576;

export interface DiskSpaceOptions {
  /** The folder of the store. */
  readonly folder: string;
  /** MB that stay free; 0: no limit. */
  readonly minFreeMb: number;
  /** Reads the free bytes of a folder's file system. */
  readonly readFree?: (folder: string) => Promise<number>;
}

/**
 * Wraps a store so that it takes no events while little space is free on its disk: the cache of articles, logs and
 * other programs keep room. Reading and removing still work.
 */
export function guardDiskSpace(store: EventStore, options: DiskSpaceOptions): EventStore {
  const { folder, minFreeMb, readFree = readFreeBytes } = options;
  let isFull = false;
  const check = async () => {
    // Without an answer, the store itself finds out whether it can write.
    const free = await readFree(folder).catch(() => Number.POSITIVE_INFINITY);
    isFull = free < minFreeMb * MEGABYTE;
  };
  const timer = minFreeMb > 0 ? setInterval(() => void check(), CHECK_MS).unref() : undefined;
  const ready = minFreeMb > 0 ? check() : undefined;
  const reason = `less than ${minFreeMb} MB are free (MIN_FREE_MB)`;
  return {
    append: (events) =>
      isFull
        ? Promise.reject(new EventStoreError('unavailable', `[events] ${reason}`))
        : store.append(events),
    read: (filter) => store.read(filter),
    count: (filter) => store.count(filter),
    readTimeRange: () => store.readTimeRange(),
    remove: (filter) => store.remove(filter),
    async probe() {
      await ready;
      return isFull ? reason : store.probe();
    },
    close() {
      clearInterval(timer);
      return store.close();
    },
  };
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
