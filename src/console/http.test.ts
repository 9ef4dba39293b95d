import { expect, it } from 'vitest';
import { buildCsvResponse, readConsoleForm } from './http.ts';
import { buildPagedTable, column } from './reports/columns.ts';

const MAX_BYTES = 2_000_000;
const buildRequest = (body: string | ArrayBuffer, type: string) =>
  new Request('http://localhost/console/import', { method: 'POST', body, headers: { 'content-type': type } });

/** A form with a file as bytes: Node's own stream of a form fails in the background when its reader stops early. */
async function buildFileRequest(size: number): Promise<Request> {
  const form = new FormData();
  form.set('file', new File(['x'.repeat(size)], 'a.csv'));
  const encoded = new Response(form);
  return buildRequest(await encoded.arrayBuffer(), encoded.headers.get('content-type') ?? '');
}

it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
  'refuses a form of megabytes of fields: %s',
  async (type) => {
    const reading = readConsoleForm(buildRequest('a=b&'.repeat(100_000), type), MAX_BYTES);
    await expect(reading).rejects.toMatchObject({ name: 'RequestBodyError', code: 'too-large' });
  },
);

it('reads fields, and a file up to the limit of the form', async () => {
  const type = 'application/x-www-form-urlencoded';
  expect((await readConsoleForm(buildRequest('a=b', type), MAX_BYTES)).get('a')).toBe('b');
  const file = (await readConsoleForm(await buildFileRequest(1_000_000), MAX_BYTES)).get('file');
  expect(file instanceof File && file.size).toBe(1_000_000);
  const reading = readConsoleForm(await buildFileRequest(MAX_BYTES), MAX_BYTES);
  await expect(reading).rejects.toMatchObject({ code: 'too-large' });
});

it.each(['', 'application/json', 'multipart/form-data'])('reads no fields of %j', async (type) =>
  expect([...(await readConsoleForm(buildRequest('{"token":"a"}', type), MAX_BYTES)).keys()]).toEqual([]),
);

it('a download reads a page when the one before was taken, protects its cells, and stops with its reader', async () => {
  const state = { pages: 0, isOpen: true };
  async function* readPages() {
    try {
      for (; state.pages < 1_000; state.pages += 1)
        yield Array.from({ length: 1_000 }, (_, row) => `=${row} ${'x'.repeat(100)}`);
    } finally {
      state.isOpen = false;
    }
  }
  const columns = [column<string>('text', 'Text', (text) => text)];
  const response = await buildCsvResponse({ name: 'a', ...buildPagedTable(readPages(), columns) }, false);
  const reader = response.body?.getReader() ?? expect.fail();
  const text = new TextDecoder().decode((await reader.read()).value);
  expect(text.slice(0, 16)).toBe("text\r\n'=0 xxxxxx");
  expect(state.pages).toBeLessThan(4);
  await reader.cancel();
  expect(state.isOpen).toBe(false);
});
