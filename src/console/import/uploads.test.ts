import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
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
    for (const [index, id] of rows.entries()) {
      if (id instanceof Error) throw id;
      yield { line: index + 2, row: { id }, extra: [] };
    }
  },
});

it('a file that cannot be read to its end leaves the one before, and nothing of itself', async () => {
  const { temporary, uploads } = createUploads();
  await uploads.put({ ...UPLOAD, id: 'first' }, buildFile(['1', '2']));
  const damaged = buildFile(['3', new Error('the file is damaged')]);
  await expect(uploads.put({ ...UPLOAD, id: 'second' }, damaged)).rejects.toThrow('the file is damaged');
  expect(await uploads.get('first', 'o-1')).toMatchObject({ rows: 2, parts: 2 });
  expect(await temporary.readAll('upload-part', NOW)).toEqual([
    '[{"line":2,"extra":[],"cells":["1"]}]',
    '[{"line":3,"extra":[],"cells":["2"]}]',
  ]);
});

it('a file takes the place of the one before', async () => {
  const { temporary, uploads } = createUploads();
  await uploads.put({ ...UPLOAD, id: 'first' }, buildFile(['1']));
  await uploads.put({ ...UPLOAD, id: 'second' }, buildFile(['2']));
  expect(await uploads.get('first', 'o-1')).toBeNull();
  expect(await temporary.readAll('upload-part', NOW)).toEqual(['[{"line":2,"extra":[],"cells":["2"]}]']);
});

const readAll = async (uploads: ImportUploads, upload: Parameters<ImportUploads['readRows']>[0]) => {
  const rows: FileRow[] = [];
  for await (const row of uploads.readRows(upload)) rows.push(row);
  return rows;
};

it('rows are read as they were stored: with their lines, the cells that they lack, and those behind the last column', async () => {
  const { uploads } = createUploads();
  const rows: readonly FileRow[] = [
    { line: 3, row: { id: '1', note: undefined }, extra: [] },
    { line: 7, row: { id: '2', note: 'x' }, extra: ['3'] },
    // An element of XML may lack what another one has.
    { line: 8, row: { note: 'y', day: '2026-11-01' }, extra: [] },
  ];
  const file = {
    ...buildFile([]),
    async *readRows() {
      yield* rows;
    },
  };
  const upload = await uploads.put({ ...UPLOAD, id: 'first' }, file);
  expect(upload.headers).toEqual(['id', 'note', 'day']);
  expect(await readAll(uploads, upload)).toEqual([
    rows[0],
    rows[1],
    { line: 8, row: { id: '', note: 'y', day: '2026-11-01' }, extra: [] },
  ]);
});

it('rows that an earlier version has stored are read', async () => {
  const { temporary, uploads } = createUploads();
  const upload = await uploads.put({ ...UPLOAD, id: 'first' }, buildFile(['1']));
  await temporary.put(
    { kind: 'upload-part', key: 'first/0', value: '[["1"],["2"]]', expiresAt: NOW + 1 },
    { now: NOW },
  );
  expect(await readAll(uploads, upload)).toEqual([
    { line: 0, row: { id: '1' }, extra: [] },
    { line: 0, row: { id: '2' }, extra: [] },
  ]);
});
