import { beforeEach, expect, it, vi } from 'vitest';
import { NO_LOG } from '../../../test/support/no-log.ts';
import type { ReadResponse } from '../../server/http/responses.ts';
import { EdgeCache } from './edge-cache.ts';

const stored = new Map<string, Response>();
const background: Promise<unknown>[] = [];
const warn = vi.fn();
let now = 0;
let version = 1;
beforeEach(() => {
  stored.clear();
  background.length = 0;
  warn.mockReset();
  now = 1_000_000;
  version = 1;
});

const create = () =>
  new EdgeCache(
    {
      match: async (url) => stored.get(url)?.clone(),
      put: async (url, response) => void stored.set(url, response),
    },
    version,
    (work) => background.push(work),
    { ...NO_LOG, warn },
    () => now,
  );

const buildPage = (text: string, status = 200, cacheControl = 'public, max-age=0, s-maxage=300') => ({
  status,
  headers: { 'content-type': 'text/html', 'cache-control': cacheControl },
  body: Buffer.from(text),
});

const request = (headers: Record<string, string> = {}, method = 'GET') =>
  new Request('https://site.test/page', { method, headers });

async function read(cache: EdgeCache, render: () => Promise<ReadResponse>, sent = request()) {
  const response = await cache.respond(sent, '/page', render);
  const text = await response.text();
  await Promise.all(background);
  return { status: response.status, text, headers: response.headers };
}

it('renders a page once while it is fresh, and sends the policy of the page', async () => {
  const cache = create();
  const render = vi.fn(async () => buildPage('one'));
  expect((await read(cache, render)).text).toBe('one');
  now += 60_000;
  const { text, headers } = await read(cache, render);
  expect([text, headers.get('cache-control')]).toEqual(['one', 'public, max-age=0, s-maxage=300']);
  expect([headers.get('x-stored-at'), headers.get('x-cache-control')]).toEqual([null, null]);
  expect(render).toHaveBeenCalledOnce();
});

it('responds 304 to a client that names the day of its copy, unless it also names another version', async () => {
  const day = 'Fri, 30 Jan 2026 00:00:00 GMT';
  const cache = create();
  const page = buildPage('one');
  const render = async () => ({ ...page, headers: { ...page.headers, 'last-modified': day } });
  for (const [headers, status] of [
    [{ 'if-modified-since': day }, 304],
    [{ 'if-modified-since': day, 'if-none-match': '"another"' }, 200],
    [{ 'if-modified-since': 'Sat, 31 Jan 2026 00:00:00 GMT' }, 200],
  ] as const)
    expect([headers, (await read(cache, render, request(headers))).status]).toEqual([headers, status]);
});

it('reads a page from the cache once while it is fresh, and again when it is stale', async () => {
  await read(create(), async () => buildPage('one'));
  const cache = create();
  const render = async () => buildPage('two');
  const first = await read(cache, render);
  const match = vi.spyOn(stored, 'get');
  const second = await read(cache, render);
  expect([second.text, match.mock.calls.length]).toEqual(['one', 0]);
  expect([...second.headers]).toEqual([...first.headers]);
  now += 60_001;
  // Another instance may have rendered it since.
  stored.set([...stored.keys()][0] ?? '', (await renderElsewhere('three')).clone());
  expect((await read(cache, render)).text).toBe('three');
  match.mockRestore();
});

/** What another instance stores in the cache at this time. */
async function renderElsewhere(text: string): Promise<Response> {
  await read(create(), async () => buildPage(text));
  const response = [...stored.values()].at(-1);
  if (response === undefined) throw new Error('nothing is stored');
  return response;
}

it('sends a stale page at once and the one that is rendered in the background afterwards', async () => {
  const cache = create();
  await read(cache, async () => buildPage('old'));
  now += 60_001;
  expect((await read(cache, async () => buildPage('new'))).text).toBe('old');
  expect((await read(cache, async () => buildPage('newer'))).text).toBe('new');
});

it('renders a page that is stale for more than ten minutes before it responds', async () => {
  const cache = create();
  await read(cache, async () => buildPage('old'));
  now += 660_001;
  expect((await read(cache, async () => buildPage('new'))).text).toBe('new');
});

it.each([
  ['throws', () => Promise.reject(new Error('broken'))],
  ['responds with 500', async () => buildPage('error', 500, 'no-store')],
])('sends an old page when rendering %s', async (_, render) => {
  const cache = create();
  await read(cache, async () => buildPage('old'));
  now += 660_001;
  expect(await read(cache, render)).toMatchObject({ status: 200, text: 'old' });
});

it.each([
  [404, 'no-store'],
  [200, 'no-store'],
  [200, 'private'],
  [500, 'public'],
])('does not store a response with status %i and %s', async (status, cacheControl) => {
  const cache = create();
  expect((await read(cache, async () => buildPage('one', status, cacheControl))).status).toBe(status);
  expect([stored.size, cache.has('/page')]).toEqual([0, false]);
});

it('responds 304 to the tag of the stored page, also to a weak one, and 200 to another', async () => {
  const cache = create();
  const render = async () => buildPage('one');
  const etag = (await read(cache, render)).headers.get('etag') ?? '';
  const send = async (tag: string) => (await read(cache, render, request({ 'if-none-match': tag }))).status;
  expect([await send(etag), await send(`"x", W/${etag}`), await send('*'), await send('"x"')]).toEqual([
    304, 304, 304, 200,
  ]);
});

it('sends no body to HEAD', async () => {
  const { status, text } = await read(create(), async () => buildPage('one'), request({}, 'HEAD'));
  expect([status, text]).toEqual([200, '']);
});

it('does not find the pages of an earlier build', async () => {
  await read(create(), async () => buildPage('old build'));
  version = 2;
  expect((await read(create(), async () => buildPage('new build'))).text).toBe('new build');
});

it('serves pages while the cache fails, and logs it', async () => {
  const fail = async () => Promise.reject(new Error('the cache is down'));
  const cache = new EdgeCache({ match: fail, put: fail }, version, (work) => background.push(work), {
    ...NO_LOG,
    warn,
  });
  expect((await read(cache, async () => buildPage('one'))).text).toBe('one');
  expect(warn).toHaveBeenCalledOnce();
});

it('renders a page for each of the requests that arrive together', async () => {
  const cache = create();
  const render = vi.fn(async () => buildPage('one'));
  const pages = await Promise.all(Array.from({ length: 3 }, () => read(cache, render)));
  expect(pages.map(({ text }) => text)).toEqual(['one', 'one', 'one']);
  expect(render).toHaveBeenCalledTimes(3);
});

it('holds 8 MB of pages in memory and reads older ones from the cache', async () => {
  const cache = create();
  const respond = async (number: number) =>
    (await cache.respond(request(), `/page/${number}`, async () => buildPage('x'.repeat(400_000)))).text();
  for (let number = 0; number < 25; number += 1) await respond(number);
  const match = vi.spyOn(stored, 'get');
  await respond(24);
  await respond(6);
  expect(match).not.toHaveBeenCalled();
  await respond(4);
  expect(match).toHaveBeenCalledOnce();
  match.mockRestore();
});
