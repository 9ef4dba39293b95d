import { beforeEach, describe, expect, it } from 'vitest';
import type { EventArchive } from '../../src/stores/archive.ts';
import { buildArchiveName } from '../../src/stores/archive-name.ts';

const name = (oldest: number) => buildArchiveName(oldest, oldest + 1, '0123456789abcdef');

/** Asserts the contract of the port. `create` returns an empty archive each time. */
export function describeEventArchive(title: string, create: () => EventArchive): void {
  describe(`event archive: ${title}`, () => {
    let archive: EventArchive;
    beforeEach(() => {
      archive = create();
    });

    it('is empty at first', async () => {
      expect(await archive.list()).toEqual([]);
      expect(await archive.read(name(1))).toBeNull();
    });

    it('returns every byte as it was written', async () => {
      const content = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
      await archive.write(name(1), content);
      expect(await archive.read(name(1))).toEqual(content);
    });

    it('lists names in the order of time, whatever the order of writing', async () => {
      for (const time of [3_000, 20, 100]) await archive.write(name(time), Uint8Array.of(1));
      expect(await archive.list()).toEqual([name(20), name(100), name(3_000)]);
    });

    it('replaces a file of the same name', async () => {
      await archive.write(name(1), Uint8Array.of(1, 2));
      await archive.write(name(1), Uint8Array.of(3));
      expect(await archive.read(name(1))).toEqual(Uint8Array.of(3));
      expect(await archive.list()).toHaveLength(1);
    });

    it('removes a file, and ignores one that is not there', async () => {
      await archive.write(name(1), Uint8Array.of(1));
      await archive.write(name(2), Uint8Array.of(2));
      await archive.remove(name(1));
      await archive.remove(name(1));
      expect(await archive.list()).toEqual([name(2)]);
    });
  });
}
