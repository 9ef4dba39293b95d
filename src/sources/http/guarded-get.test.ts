import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startUpstream,
  type Upstream,
  type UpstreamResponse,
} from '../../../test/support/upstream-server.ts';
import { fetchGet } from './fetch.ts';
import { guardedGet } from './guarded-http.ts';

let upstream: Upstream;
let other: Upstream;
beforeAll(async () => {
  other = await startUpstream(() => ({ json: 'other' }));
  upstream = await startUpstream(respond);
});
afterAll(async () => {
  await upstream.close();
  await other.close();
});

function respond(url: URL): UpstreamResponse {
  const to = url.searchParams.get('to');
  if (to !== null) return { status: 302, headers: { location: to }, json: null };
  return { json: 'x'.repeat(Number(url.searchParams.get('size') ?? 1)) };
}

describe.each([
  ['node:http', guardedGet],
  ['fetch', fetchGet],
])('a GET over %s', (_, read) => {
  const get = (path: string, maxBytes = 100) =>
    read(new URL(path, upstream.url), { headers: { 'x-key': 'k' }, deadlineMs: 5_000, maxBytes });

  it('follows a redirect on the same host', async () => expect((await get('/?to=/moved')).text).toBe('"x"'));

  it('does not follow a redirect to another host, port or scheme, nor a fourth one', async () => {
    const others = [
      other.url,
      'https://127.0.0.1/',
      'file:///etc/passwd',
      `http://u:p@${upstream.url.slice(7)}/`,
    ];
    for (const to of [...others, '//127.0.0.1:1/', 'data:application/json,1']) {
      await expect(get(`/?to=${encodeURIComponent(to)}`)).rejects.toMatchObject({ code: 'redirected' });
    }
    expect(other.calls).toEqual([]);
    const nested = (depth: number): string =>
      depth ? `/?to=${encodeURIComponent(nested(depth - 1))}` : '/end';
    expect((await get(nested(3))).status).toBe(200);
    await expect(get(nested(4))).rejects.toMatchObject({ code: 'redirected' });
  });

  it.each([
    [98, true],
    [99, false],
  ])('accepts a body of %i characters and two quotes: %s', async (size, fits) => {
    const isAccepted = await get(`/?size=${size}`).then(
      () => true,
      () => false,
    );
    expect(isAccepted).toBe(fits);
  });

  it('closes the connection of a response that is too large', async () => {
    const before = upstream.sockets();
    await upstream.fail('endless-body');
    await expect(get('/')).rejects.toMatchObject({ code: 'too-large' });
    await upstream.fail(null);
    await expect.poll(() => upstream.sockets()).toBeLessThanOrEqual(before);
  });
});
