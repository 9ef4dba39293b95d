import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of earlier builds, by the hash of their source and recipe. */
export interface MediaCache {
  has(name: string): boolean;
  /** Writes a file atomically. */
  put(name: string, data: Buffer): Promise<void>;
  /** Copies a cached file to the folder that is served. */
  copy(name: string, target: string): Promise<void>;
  /** Removes the files that this run has neither read nor written. */
  prune(): Promise<void>;
}

/** Opens a cache in a folder, which it creates when missing. */
export async function openMediaCache(dir: string): Promise<MediaCache> {
  await mkdir(dir, { recursive: true });
  const cached = new Set(await readdir(dir));
  const used = new Set<string>();
  let drafts = 0;
  return {
    has: (name) => {
      used.add(name);
      return cached.has(name);
    },
    put: async (name, data) => {
      drafts += 1;
      const draft = path.join(dir, `${name}.${process.pid}-${drafts}.part`);
      await writeFile(draft, data);
      await rename(draft, path.join(dir, name));
      cached.add(name);
      used.add(name);
    },
    copy: (name, target) => copyFile(path.join(dir, name), target),
    prune: async () => {
      const idle = [...cached].filter((name) => !used.has(name));
      await Promise.all(idle.map((name) => rm(path.join(dir, name), { force: true })));
    },
  };
}

/** Builds the key of a file from its source and the recipe that creates it. */
export function buildMediaKey(source: string, recipe: string): string {
  return createHash('sha256').update(recipe).update('\0').update(source).digest('hex').slice(0, 32);
}
