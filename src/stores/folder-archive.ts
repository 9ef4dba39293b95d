import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { EventArchive } from './archive.ts';
import { parseArchiveName } from './archive-name.ts';
import { createPrivateFolder, remove, storeWhole } from './disk.ts';

/** The name of the archive in the data folder. */
export const ARCHIVE_FOLDER = 'archive';

/** Creates an archive in a folder, which the first file creates. Other files of the folder are left alone. */
export function createFolderEventArchive(folder: string): EventArchive {
  const resolve = (name: string) => {
    if (parseArchiveName(name) === null)
      throw new Error(`[archive] ${JSON.stringify(name)} is no archive name`);
    return path.join(folder, name);
  };
  return {
    async write(name, content) {
      const file = resolve(name);
      createPrivateFolder(folder);
      // The events are removed from the database next: the file has to survive a power cut.
      await storeWhole(file, content);
    },
    async read(name) {
      const content = await readFile(resolve(name)).catch(ignoreMissing(null));
      return content === null ? null : new Uint8Array(content);
    },
    async list() {
      const names = await readdir(folder).catch(ignoreMissing([]));
      return names.filter((name) => parseArchiveName(name) !== null).sort();
    },
    async remove(name) {
      remove(resolve(name));
    },
  };
}

function ignoreMissing<T>(fallback: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return fallback;
    throw error;
  };
}
