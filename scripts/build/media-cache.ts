import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { copyDraft, createFolder, discard, storeWhole } from '../../src/stores/disk.ts';

/** Files of earlier builds, by the hash of their source and recipe. */
export type MediaCache = Awaited<ReturnType<typeof openMediaCache>>;

/** Opens a cache in a folder, which it creates when missing. */
export async function openMediaCache(dir: string) {
  createFolder(dir);
  const cached = new Set(await readdir(dir));
  const used = new Set<string>();
  return {
    has: (name: string) => {
      used.add(name);
      return cached.has(name);
    },
    /** Writes a file atomically. */
    put: async (name: string, data: Buffer) => {
      await storeWhole(path.join(dir, name), data);
      cached.add(name);
      used.add(name);
    },
    /** Copies a cached file to the folder that is served. */
    copy: (name: string, target: string) => copyDraft(path.join(dir, name), target),
    /** Removes the files that this run has neither read nor written. */
    prune: async () => {
      const idle = [...cached].filter((name) => !used.has(name));
      await Promise.all(idle.map((name) => discard(path.join(dir, name))));
    },
  };
}
