import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of earlier builds, by the hash of their source and recipe. */
export type MediaCache = Awaited<ReturnType<typeof openMediaCache>>;

/** Opens a cache in a folder, which it creates when missing. */
export async function openMediaCache(dir: string) {
  await mkdir(dir, { recursive: true });
  const cached = new Set(await readdir(dir));
  const used = new Set<string>();
  let drafts = 0;
  return {
    has: (name: string) => {
      used.add(name);
      return cached.has(name);
    },
    /** Writes a file atomically. */
    put: async (name: string, data: Buffer) => {
      drafts += 1;
      const draft = path.join(dir, `${name}.${process.pid}-${drafts}.part`);
      await writeFile(draft, data);
      await rename(draft, path.join(dir, name));
      cached.add(name);
      used.add(name);
    },
    /** Copies a cached file to the folder that is served. */
    copy: (name: string, target: string) => copyFile(path.join(dir, name), target),
    /** Removes the files that this run has neither read nor written. */
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
