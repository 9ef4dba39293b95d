import { describe, expect, it } from 'vitest';
import { type ContentVersions, stampCopy, type WorkingCopy } from '../../src/stores/content-versions.ts';

const NOW = Date.UTC(2026, 10, 20);
const FILE = 'pages/help.yaml';

/** Asserts what the versions of content files do over a database. `create` returns an empty store each time. */
export function describeContentVersions(name: string, create: () => ContentVersions): void {
  describe(`content versions: ${name}`, () => {
    const buildVersion = (text: string, operator = 'Ada') => ({
      text,
      hash: `hash of ${text}`,
      operator,
      savedAt: NOW,
    });

    it('has the versions of each file, the newest first, with their texts', async () => {
      const store = create();
      await store.add(FILE, buildVersion('one', ''));
      await store.add(FILE, buildVersion('two \u{1f9ed} \r\n'));
      await store.add('site.yaml', buildVersion('other'));
      const [version] = [{ hash: 'hash of one', operator: '', savedAt: NOW, savedAs: '' }];
      expect(await store.readAll(FILE)).toEqual([
        { ...version, number: 2, hash: 'hash of two \u{1f9ed} \r\n', operator: 'Ada' },
        { ...version, number: 1 },
      ]);
      expect(await store.readText(FILE, 2)).toBe('two \u{1f9ed} \r\n');
      expect(await store.readText(FILE, 3)).toBeNull();
      expect([...(await store.readTexts(FILE, 0, 1))]).toEqual([[1, 'one']]);
      expect(await store.readAll('pages/none.yaml')).toEqual([]);
      expect(await store.readNewest()).toEqual(
        new Map([
          [FILE, { operator: 'Ada', savedAt: NOW }],
          ['site.yaml', { operator: 'Ada', savedAt: NOW }],
        ]),
      );
    });

    it('adds no version with the text of the newest one, and one with the text of an older one', async () => {
      const store = create();
      for (const text of ['one', 'one', 'two', 'one']) await store.add(FILE, buildVersion(text));
      expect((await store.readAll(FILE)).map(({ number, hash }) => [number, hash])).toEqual([
        [3, 'hash of one'],
        [2, 'hash of two'],
        [1, 'hash of one'],
      ]);
    });

    it('gives the versions of a renamed file to its new path, with the path that they had', async () => {
      const store = create();
      await store.add('pages/new.yaml', buildVersion('removed before'));
      for (const text of ['one', 'two']) await store.add(FILE, buildVersion(text));
      await store.move(FILE, 'pages/new.yaml');
      await store.add('pages/new.yaml', buildVersion('three'));
      expect(await store.readAll(FILE)).toEqual([]);
      const list = async (file: string) =>
        (await store.readAll(file)).map(({ number, savedAs }) => [number, savedAs]);
      expect(await list('pages/new.yaml')).toEqual([
        [4, ''],
        [3, FILE],
        [2, FILE],
        [1, ''],
      ]);
      await store.move('pages/new.yaml', FILE);
      expect(await list(FILE)).toEqual([
        [4, 'pages/new.yaml'],
        [3, ''],
        [2, ''],
        [1, 'pages/new.yaml'],
      ]);
      expect(await store.readText(FILE, 3)).toBe('two');
    });

    it('has the newest hundred of a file', async () => {
      const store = create();
      for (let number = 1; number <= 102; number += 1) await store.add(FILE, buildVersion(String(number)));
      const numbers = (await store.readAll(FILE)).map(({ number }) => number);
      expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 102, 3]);
      expect(await store.readText(FILE, 2)).toBeNull();
    });

    const buildCopy = (text: string, changes: Partial<WorkingCopy> = {}): WorkingCopy => ({
      file: FILE,
      operator: 'ada',
      name: 'Ada',
      base: 'hash',
      text,
      page: 'p',
      number: 1,
      place: '',
      savedAt: NOW,
      ...changes,
    });

    it('has one working copy of a file for each operator, which moves with the file', async () => {
      const store = create();
      const [ada, bob] = [buildCopy('a\r\n\u{1f9ed}'), buildCopy('b', { operator: 'bob' })];
      expect(await store.keepCopy(ada, '')).toEqual(ada);
      await store.keepCopy(bob, '');
      await store.keepCopy(buildCopy('other', { file: 'site.yaml' }), '');
      expect(await store.readCopies(FILE)).toEqual([ada, bob]);
      expect(await store.readCopies()).toHaveLength(3);
      await store.removeCopy(FILE, 'ada', NOW - 1);
      await store.move(FILE, 'pages/new.yaml');
      expect((await store.readCopies('pages/new.yaml')).map(({ text }) => text)).toEqual([ada.text, 'b']);
      await store.removeCopy('pages/new.yaml', 'ada', NOW);
      await store.removeCopy('pages/new.yaml', 'bob');
      expect((await store.readCopies()).map(({ file }) => file)).toEqual(['site.yaml']);
    });

    it('replaces a working copy by a later one of its page, or by one that has seen it', async () => {
      const store = create();
      const keep = async (text: string, page: string, number: number, follows = '') =>
        (await store.keepCopy(buildCopy(text, { page, number }), follows))?.text;
      expect(await keep('one', 'p', 2)).toBe('one');
      expect(await keep('late', 'p', 1)).toBe('one');
      expect(await keep('twice', 'p', 2)).toBe('one');
      expect(await keep('two', 'p', 3)).toBe('two');
      expect(await keep('unseen', 'q', 9)).toBe('two');
      expect(await keep('unseen', 'q', 9, 'p 2')).toBe('two');
      expect(await keep('seen', 'q', 1, stampCopy(buildCopy('two', { number: 3 })))).toBe('seen');
    });

    it('refuses the working copy that would make those of an operator too large, and keeps the others', async () => {
      const store = create();
      const keep = async (file: string, length: number, operator = 'ada') =>
        (await store.keepCopy(buildCopy('x'.repeat(length), { file, operator, number: length }), ''))?.text
          .length;
      const sizes = Array.from({ length: 50 }, (_, index) => keep(`${index}`, index === 0 ? 999_999 : 1e6));
      expect((await Promise.all(sizes)).reduce((sum = 0, size = 0) => sum + size)).toBe(49_999_999);
      expect(await keep('more', 2)).toBeUndefined();
      expect(await keep('more', 1)).toBe(1);
      expect(await keep('more', 2)).toBe(1);
      expect(await keep('more', 2, 'bob')).toBe(2);
    });
  });
}
