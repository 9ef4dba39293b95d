import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { UploadFolder } from '../../stores/upload-folder.ts';
import { receiveForm } from './upload-form.ts';

/** A posted form whose body arrives in pieces of some bytes; `end`: where its connection is cut. */
async function buildRequest(form: FormData, size: number, end?: number, headers = {}): Promise<Request> {
  const whole = new Response(form);
  const body = new Uint8Array(await whole.arrayBuffer()).subarray(0, end);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < body.length) controller.enqueue(body.slice(at, at + size));
      else if (end === undefined) controller.close();
      else controller.error(new Error('cut'));
      at += size;
    },
  });
  const init = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': whole.headers.get('content-type') ?? '', ...headers },
  };
  return new Request('http://x/', init);
}

function buildForm(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

function open() {
  const path = createFolder();
  const folder = new UploadFolder(path);
  return { folder, list: () => readdirSync(path) };
}

const MAX = 1_000;

it('reads what a browser sends, wherever the pieces of its body end', async () => {
  const text = '\r\n--x\r\n\r\n--\r\n'.repeat(9);
  const form = buildForm({
    token: 'a"b\nü',
    'na"me': text,
    file: new File([text], '../../Größe "2".csv'),
    none: new File([], 'empty.csv'),
    after: '',
  });
  for (const size of [1, 2, 3, 7, 64, 10_000]) {
    const { folder, list } = open();
    const read = await receiveForm(await buildRequest(form, size), folder, () => MAX);
    expect([...read.keys()]).toEqual(['token', 'na"me', 'file', 'none', 'after']);
    expect(read.get('token')).toBe('a"b\r\nü');
    expect(read.get('na"me')).toBe(text);
    expect(read.get('after')).toBe('');
    const [file, none] = [read.get('file') as File, read.get('none') as File];
    expect([file.name, await file.text(), none.size]).toEqual(['Größe "2".csv', text, 0]);
    expect(list()).toHaveLength(2);
    await folder.release(read);
    expect(list()).toEqual([]);
  }
});

it.each([
  ['one file', [MAX], true],
  ['one file', [MAX + 1], false],
  ['two files', [MAX - 1, 1], true],
  ['two files', [MAX, 1], false],
])('takes %s of %j bytes: %j', async (_, sizes, isTaken) => {
  const { folder, list } = open();
  const files = sizes.map((size, index) => [`file${index}`, new File(['x'.repeat(size)], 'a.csv')]);
  const reading = receiveForm(
    await buildRequest(buildForm(Object.fromEntries(files)), 100),
    folder,
    () => MAX,
  );
  if (isTaken) expect([...(await reading).values()].map((file) => (file as File).size)).toEqual(sizes);
  else await expect(reading).rejects.toMatchObject({ code: 'too-large' });
  expect(list()).toHaveLength(isTaken ? sizes.length : 0);
});

it('refuses what is announced to be longer before a file begins, and fields of more than 256 KB', async () => {
  const { folder, list } = open();
  const form = buildForm({ token: 'a', file: new File(['x'], 'a.csv') });
  const announce = async (bytes: number) =>
    receiveForm(
      await buildRequest(form, 100, undefined, { 'content-length': String(bytes) }),
      folder,
      () => MAX,
    );
  await expect(announce(MAX + 262_145)).rejects.toMatchObject({ code: 'too-large' });
  expect((await announce(MAX + 262_144)).has('file')).toBe(true);
  const send = async (length: number) =>
    receiveForm(await buildRequest(buildForm({ a: 'x'.repeat(length) }), 9_000), folder, () => MAX);
  expect((await send(262_143)).get('a')).toHaveLength(262_143);
  await expect(send(262_144)).rejects.toMatchObject({ code: 'too-large' });
  expect(list()).toHaveLength(1);
});

it('reads nothing of a file that the fields before it do not allow', async () => {
  const { folder, list } = open();
  const seen: string[] = [];
  const form = buildForm({ token: 'forged', file: new File(['x'], 'a.csv'), after: 'b' });
  const read = await receiveForm(await buildRequest(form, 100), folder, (fields) => {
    seen.push(...fields.keys());
    return 0;
  });
  expect([seen, [...read.keys()], list()]).toEqual([['token'], ['token'], []]);
});

it('leaves nothing of a body that is cut, wherever that is', async () => {
  const { folder, list } = open();
  const form = buildForm({
    token: 'a',
    file: new File(['x'.repeat(200)], 'a.csv'),
    links: new File(['y'], 'b.csv'),
  });
  const length = (await new Response(form).arrayBuffer()).byteLength;
  for (let end = 0; end < length - 4; end += 13) {
    const reading = receiveForm(await buildRequest(form, 50, end), folder, () => MAX);
    await expect(reading).rejects.toMatchObject({ code: 'unreadable' });
    expect(list()).toEqual([]);
  }
});

it('reads nothing of what is no form', async () => {
  const { folder } = open();
  const request = new Request('http://x/', { method: 'POST', body: 'a=b' });
  expect([...(await receiveForm(request, folder, () => MAX)).keys()]).toEqual([]);
});

it('takes a name of any length and alphabet for the disk', async () => {
  const { folder, list } = open();
  for (const name of [
    '..',
    '.',
    'a/..',
    '漢'.repeat(300),
    `${'😀'.repeat(300)}.csv`,
    '\u0000\u202e',
    '.htaccess',
  ]) {
    const arriving = await folder.begin(name);
    const file = await arriving.finish();
    await folder.keep(file, 'kept');
    expect(readdirSync(folder.locate('kept', file.name).slice(0, -file.name.length))).toEqual([file.name]);
    expect(folder.has('kept', file.name)).toBe(true);
    await folder.remove('kept');
  }
  expect(list()).toEqual([]);
});
