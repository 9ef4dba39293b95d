import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { ImportUploads } from './uploads.ts';

const NOW = 1_000;
const UPLOAD = { operator: 'o-1', partner: 'highlevel', profile: {} } as const;

function createUploads() {
  const { temporary } = createMemoryConsole();
  return { temporary, uploads: new ImportUploads(temporary, () => NOW, 1) };
}

const buildFile = (rows: readonly (string | Error)[]) => ({
  hash: 'hash',
  name: 'report.csv',
  async *readRows() {
    for (const id of rows) {
      if (id instanceof Error) throw id;
      yield { id };
    }
  },
});

it('a file that cannot be read to its end leaves the one before, and nothing of itself', async () => {
  const { temporary, uploads } = createUploads();
  await uploads.put({ ...UPLOAD, id: 'first' }, buildFile(['1', '2']));
  const damaged = buildFile(['3', new Error('the file is damaged')]);
  await expect(uploads.put({ ...UPLOAD, id: 'second' }, damaged)).rejects.toThrow('the file is damaged');
  expect(await uploads.get('first', 'o-1')).toMatchObject({ rows: 2, parts: 2 });
  expect(await temporary.readAll('upload-part', NOW)).toEqual(['[["1"]]', '[["2"]]']);
});

it('a file takes the place of the one before', async () => {
  const { temporary, uploads } = createUploads();
  await uploads.put({ ...UPLOAD, id: 'first' }, buildFile(['1']));
  await uploads.put({ ...UPLOAD, id: 'second' }, buildFile(['2']));
  expect(await uploads.get('first', 'o-1')).toBeNull();
  expect(await temporary.readAll('upload-part', NOW)).toEqual(['[["2"]]']);
});
