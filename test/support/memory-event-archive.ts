import type { EventArchive } from '../../src/stores/archive.ts';

/** Creates an archive that lives as long as the process. */
export function createMemoryEventArchive(): EventArchive {
  const files = new Map<string, Uint8Array>();
  return {
    async write(name, content) {
      files.set(name, content.slice());
    },
    async read(name) {
      return files.get(name)?.slice() ?? null;
    },
    async list() {
      return [...files.keys()].sort();
    },
    async remove(name) {
      files.delete(name);
    },
  };
}
