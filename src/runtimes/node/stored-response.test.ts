import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildJsonResponse } from '../../server/http/responses.ts';
import { buildStoredResponse, compressResponse, storeResponse } from './stored-response.ts';

const value = (length: number) => ({ text: 'words '.repeat(length / 6) });
const json = (length: number, headers: Readonly<Record<string, string>> = {}) =>
  buildJsonResponse(value(length), 200, headers);

function createRequest(accept?: string): Request {
  return new Request(
    'http://localhost/',
    accept === undefined ? {} : { headers: { 'accept-encoding': accept } },
  );
}

describe('compressResponse', () => {
  it('compresses long text for a client that accepts it', async () => {
    const response = await compressResponse(json(8_000), createRequest('gzip, br'));
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(value(8_000));
  });

  it('states that the response varies to a client that accepts no encoding', async () => {
    const response = await compressResponse(json(8_000), createRequest());
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(await response.json()).toEqual(value(8_000));
  });

  it.each([
    ['a short response', json(600)],
    ['a compressed response', json(8_000, { 'content-encoding': 'gzip' })],
    ['a response that is not text', json(8_000, { 'content-type': 'image/png' })],
    ['a response without a body', new Response(null, { status: 204 })],
  ])('leaves %s as it is', async (_what, response) => {
    expect(await compressResponse(response, createRequest('br'))).toBe(response);
  });
});

const html = '<p>words</p>'.repeat(100);

async function requestStored(headers: Record<string, string>): Promise<Response> {
  const stored = storeResponse({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(html),
  });
  return buildStoredResponse(new Request('http://localhost/', { headers }), stored);
}

describe('buildStoredResponse', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('has its own ETag and length for a client that accepts %s', async (accepted, encoding) => {
    const response = await requestStored({ 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    const suffix = encoding === null ? '' : `-${encoding}-fast`;
    expect(response.headers.get('etag')).toMatch(new RegExp(`^"[\\w-]{22}${suffix}"$`));
    const length = (await response.arrayBuffer()).byteLength;
    expect(response.headers.get('content-length')).toBe(String(length));
  });

  it.each(['br', 'gzip', 'identity'])('responds 304 to the ETag of %s, weak or strong', async (accepted) => {
    const first = await requestStored({ 'accept-encoding': accepted });
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await requestStored({ 'accept-encoding': 'gzip, br', 'if-none-match': tag });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
      expect(again.headers.has('content-length')).toBe(false);
    }
  });

  it.each(['"other"', '"other-br"', ''])('responds 200 to the ETag %j of another body', async (tag) =>
    expect((await requestStored({ 'if-none-match': tag })).status).toBe(200),
  );

  it.each(['br', 'identity'])(
    'responds 412 where If-Match names another version than that of %s',
    async (accepted) => {
      const ask = (tag: string) => requestStored({ 'accept-encoding': accepted, 'if-match': tag });
      const etag = (await ask('*')).headers.get('etag') ?? '';
      const statuses = [];
      for (const tag of [etag, `"other", ${etag}`, '*', '"other"', `W/${etag}`, ''])
        statuses.push((await ask(tag)).status);
      expect(statuses).toEqual([200, 200, 200, 412, 412, 412]);
    },
  );

  it('has no ETag when the response is an error', async () => {
    const stored = storeResponse({ status: 404, headers: {}, body: Buffer.from(html) });
    const response = await buildStoredResponse(new Request('http://localhost/'), stored);
    expect([response.status, response.headers.get('etag')]).toEqual([404, null]);
  });
});
