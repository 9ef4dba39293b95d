import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { storeFile } from '../../../test/support/store-file.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';
import { UploadFolder } from '../../stores/upload-folder.ts';
import { ImportUploads } from './uploads.ts';

const NOW = 1_000;
const UPLOAD = { id: 'first', operator: 'o-1', partner: 'highlevel', profile: {} } as const;

function createUploads(batchRows = 2) {
  const { temporary } = createMemoryConsole();
  const path = createFolder();
  const folder = new UploadFolder(path);
  const time = { now: NOW };
  const uploads = new ImportUploads(temporary, folder, () => time.now, batchRows);
  const receive = async (text: string, about: Parameters<ImportUploads['receive']>[0] = UPLOAD) =>
    uploads.receive(about, { name: 'report.csv', file: await storeFile(folder, 'report.csv', text) });
  return { temporary, path, folder, time, uploads, receive, list: () => readdirSync(path).sort() };
}

it('gives the rows of a file in the same batches each time, with their lines, the cells that they lack and have too many', async () => {
  const { uploads, receive } = createUploads();
  const upload = await receive('id,note\n\n1\n\n2,x,3\n4,y\n');
  const read = async () => {
    const batches: (readonly FileRow[])[] = [];
    for await (const batch of uploads.readBatches(upload)) batches.push(batch);
    return batches;
  };
  const row = (line: number, id: string, note?: string, extra: readonly string[] = []) => ({
    line,
    row: { id, note },
    extra,
  });
  const expected = [[row(3, '1'), row(5, '2', 'x', ['3'])], [row(6, '4', 'y')]];
  expect(await read()).toEqual(expected);
  expect(await read()).toEqual(expected);
});

it('divides rows before a batch has more characters than a statement takes', async () => {
  const { uploads, receive } = createUploads(1_000);
  const lines = ['1', '2', '3', '4'].map((id) => `${id},${'x'.repeat(99_000)}`);
  const upload = await receive(['id,note', ...lines].join('\n'));
  const sizes: number[] = [];
  for await (const batch of uploads.readBatches(upload)) sizes.push(batch.length);
  expect(sizes).toEqual([3, 1]);
});

it('says that a file is gone when it was discarded while it is read, also by a reader that has it open', async () => {
  const { uploads, receive } = createUploads();
  const upload = await receive(`id\n${'1\n'.repeat(1_000_000)}`);
  const reading = uploads.read(upload);
  await reading.next();
  await uploads.remove(upload.id);
  await expect(reading.next()).rejects.toThrow('no longer stored here');
  await expect(uploads.read(upload).next()).rejects.toThrow('no longer stored here');
});

it('says that the file of an earlier version is gone, which had its rows in the database', async () => {
  const { temporary, uploads } = createUploads();
  const former = {
    ...UPLOAD,
    name: 'report.csv',
    hash: 'h',
    headers: ['id'],
    rows: 1,
    parts: 1,
    preparing: null,
    running: null,
  };
  await temporary.put(
    { kind: 'upload', key: 'first', value: JSON.stringify(former), expiresAt: NOW + 1 },
    { now: NOW },
  );
  const upload = await uploads.get('first', 'o-1');
  if (upload === null) throw new Error('no upload');
  await expect(uploads.readRows(upload).next()).rejects.toThrow('no longer stored here');
});

it('removes what has expired, and what an ended process has left, but nothing that is arriving or waits', async () => {
  const { temporary, path, folder, time, uploads, list } = createUploads();
  const [kept, refused] = [
    await storeFile(folder, 'a.csv', 'id,amount'),
    await storeFile(folder, 'b.csv', 'id'),
  ];
  await uploads.receive(UPLOAD, { name: 'a.csv', file: kept });
  const arriving = await folder.begin('large.csv');
  await arriving.write(Buffer.from('id'));
  const release = async (file: File) => {
    const form = new FormData();
    form.append('file', file);
    await folder.release(form);
  };
  await uploads.removeLeftovers();
  expect(list()).toHaveLength(3);
  await release(refused);
  expect(list()).toHaveLength(2);
  await release(kept);
  await uploads.removeLeftovers();
  expect(list()).toHaveLength(2);
  time.now += 30 * 60_000 - 1;
  await uploads.removeLeftovers();
  expect(list()).toHaveLength(2);
  time.now += 1;
  await uploads.removeLeftovers();
  expect(list()).toEqual([expect.stringMatching(/^arriving-/)]);
  // The next process, after this one was killed.
  await new ImportUploads(temporary, new UploadFolder(path), () => time.now).removeLeftovers();
  expect(list()).toEqual([]);
  await arriving.discard();
});

it('keeps one of two files that arrive at once, neither having seen the other', async () => {
  const { temporary, uploads, receive, list } = createUploads();
  const readAll = temporary.readAll.bind(temporary);
  const meeting = Promise.withResolvers<void>();
  let readers = 0;
  vi.spyOn(temporary, 'readAll').mockImplementation(async (...asked) => {
    const values = await readAll(...asked);
    readers += 1;
    if (readers === 2) meeting.resolve();
    await meeting.promise;
    return values;
  });
  await Promise.all(['a', 'b'].map((id) => receive('id,note\n1,x\n', { ...UPLOAD, id })));
  expect((await uploads.readAll()).map(({ id }) => id)).toEqual(['b']);
  expect(list()).toHaveLength(1);
});
