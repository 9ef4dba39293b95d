import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { NO_LOG } from '../../../test/support/no-log.ts';
import type { Visitor } from '../../server/http/route.ts';
import { createHttpServer } from './http-server.ts';
import { storeResponse } from './stored-response.ts';

/** Longer than a client may take before the first byte of its body. */
const STORE_OPENS_MS = 4_000;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server whose application responds with `respond`; resolves with its port. */
async function serve(
  respond: (request: Request) => Promise<Response>,
  trustedProxyHops = 0,
  given: Partial<Parameters<typeof createHttpServer>[0]> = {},
): Promise<number> {
  server = createHttpServer({
    app: { fetch: respond },
    security: { api: {} },
    routes: [],
    files: new Map(),
    pages: new Map(),
    content: { read: () => ({ redirects: new Map() }), pageParameters: new Map() },
    findRoute: () => undefined,
    trustedProxyHops,
    crawlers: { count: () => undefined },
    log: NO_LOG,
    onResponse: null,
    ...given,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('responds to a body that has arrived although the application takes seconds to read it', {
  tags: ['rest'],
}, async () => {
  const port = await serve(async (request) => {
    await sleep(STORE_OPENS_MS);
    return new Response(`read: ${await request.text()}`);
  });
  const response = await fetch(`http://127.0.0.1:${port}/console/setup/x`, { method: 'POST', body: 'form' });
  expect([response.status, await response.text()]).toEqual([200, 'read: form']);
});

it.each([
  ['', '0'],
  ['Content-Length: 4\r\n', '4'],
  ['Transfer-Encoding: chunked\r\n', 'null'],
])('tells the application how long the body of a POST is: %j', async (framing, expected) => {
  const port = await serve(async ({ headers }) => new Response(String(headers.get('content-length'))));
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${framing}\r\n`);
  let received = '';
  for await (const chunk of socket) received += chunk;
  expect(received.endsWith(`\r\n\r\n${expected}`)).toBe(true);
});

it.each(['GET', 'POST'])(
  'waits for an application longer than for a silent client: %s',
  { tags: ['rest'] },
  async (method) => {
    const port = await serve(async (request) => {
      await sleep(2_500);
      return new Response(`read: ${await request.text()}`);
    });
    // Long enough for a busy machine to connect.
    server.timeout = 1_500;
    const body = method === 'POST' ? 'form' : null;
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, body });
    expect(await response.text()).toBe(`read: ${body ?? ''}`);
  },
);

it.each([
  ['none', {}, { 'x-kind': 'api', 'content-security-policy': 'api' }],
  ['a policy', { 'content-security-policy': 'own' }, { 'x-kind': 'api', 'content-security-policy': 'own' }],
])('adds to a response the security headers that it lacks; it brings %s', async (_, own, expected) => {
  const security = { api: { 'x-kind': 'api', 'content-security-policy': 'api' } };
  const respond = async (request: Request) =>
    new Response(`é${await request.text()}`, { status: 202, headers: { ...own, 'x-own': 'yes' } });
  const port = await serve(respond, 0, { security });
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"é":1}' });
  const { 'x-request-id': requestId, ...headers } = Object.fromEntries(response.headers);
  expect([response.status, await response.text()]).toEqual([202, 'é{"é":1}']);
  expect(headers).toMatchObject({ ...expected, 'x-own': 'yes', 'content-length': '10' });
  expect(requestId).toMatch(/^[\w-]{12}$/);
});

it('shows the application who has sent a request', async () => {
  const app = {
    fetch: async (request: Request, visitor?: Visitor | object) =>
      Response.json([request.url, request.headers.get('X-One'), visitor]),
  };
  const port = await serve(async () => new Response(), 1, { app });
  const url = `http://127.0.0.1:${port}/go/x?page=a%2Fb|c`;
  const headers = { 'x-one': '1', 'x-forwarded-for': '198.51.100.1' };
  const response = await fetch(url, { headers });
  const visitor = { clientAddress: '198.51.100.1', requestId: response.headers.get('x-request-id') };
  expect(await response.json()).toEqual([url, '1', visitor]);
});

it.each(['Host: a b', 'Host: a\r\nHost: a', 'Host: a\r\nhost: b'])(
  'responds with a problem to %j',
  async (hosts) => {
    const port = await serve(async () => new Response('page'), 0, { security: { api: { 'x-kind': 'api' } } });
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.end(`GET / HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    const [received] = await once(socket, 'data');
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-kind: api[\s\S]*"code":"invalid-request"/);
  },
);

it.each([
  ['another coding before it', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked', 0],
  ['another coding in its line', 'Transfer-Encoding: gzip, chunked', 0],
  ['itself before it', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', 0],
  ['a length', 'Transfer-Encoding: chunked\r\nContent-Length: 3', 0],
  ['nothing else', 'Transfer-Encoding: CHUNKED', 2],
])(
  'serves a chunked request with %s beside it only where all agree on its end',
  async (_, header, served) => {
    const seen: string[] = [];
    const port = await serve(async (request) => {
      seen.push(`${new URL(request.url).pathname} ${await request.text()}`);
      return new Response('ok');
    });
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    const next = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    socket.write(`POST /first HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n3\r\nabc\r\n0\r\n\r\n${next}`);
    await once(socket, 'close');
    expect(seen.sort()).toEqual(served === 2 ? ['/first abc', '/next '] : []);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(
      served === 2 ? ['HTTP/1.1 200', 'HTTP/1.1 200'] : ['HTTP/1.1 400'],
    );
  },
);

it('disconnects a client that sends nothing more of its body', async () => {
  const port = await serve(async (request) => new Response(await request.text()));
  server.timeout = 100;
  const socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na');
  await once(socket, 'close');
});

/** Sends a body in pieces, one each `everyMs`; resolves with all that comes back, and the longest time between two. */
async function sendSlowly(port: number, pieces: number, everyMs: number) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const piece = 'x'.repeat(2_000);
  const length = pieces * piece.length;
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  let [longest, last] = [0, performance.now()];
  for (let sent = 0; sent < pieces && socket.writable; sent += 1) {
    await sleep(everyMs);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    socket.write(piece);
  }
  if (!socket.destroyed) await once(socket, 'close');
  return { received, longest };
}

it('takes a body for as long as its bytes arrive', { tags: ['rest'] }, async () => {
  const port = await serve(async (request) => new Response(`read: ${(await request.text()).length}`));
  server.headersTimeout = 250;
  server.timeout = 1_000;
  for (let isStalled = true; isStalled; ) {
    const { received, longest } = await sendSlowly(port, 15, 100);
    // A machine that stops the test stops the bytes: then nothing is known.
    isStalled = longest > server.timeout / 2;
    if (!isStalled) expect(received).toContain('read: 30000');
  }
});

it.each([
  ['a visitor', 0, 5],
  ['a proxy', 1, 130],
])('keeps the connection of %s open for longer than it says', async (_, hops, seconds) => {
  const port = await serve(async () => new Response('ok'), hops);
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(headers.get('keep-alive')).toBe(`timeout=${seconds}`);
  expect(server.keepAliveTimeoutBuffer).toBeGreaterThanOrEqual(3_000);
});

it.each([
  ['without a body', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['with a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc'],
  [
    'with a chunked body',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ],
  ['with an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'],
])('parses no more than the first refused one of 500 pipelined requests %s', async (_, request) => {
  const port = await serve(() => new Promise(() => undefined));
  let parsed = 0;
  server.prependListener('request', () => {
    parsed += 1;
  });
  const socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  socket.end(request.repeat(500));
  await once(socket, 'close');
  expect(parsed).toBe(10);
});

const CACHED = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('"cached"'),
};

it('asks the application for a former address whose path is that of a cached page', async () => {
  const port = await serve(async () => Response.json('application'), 0, {
    pages: new Map([['/', storeResponse(CACHED)]]),
    content: {
      read: () => ({ redirects: new Map([['/?p=12', '/blog/twelve']]) }),
      pageParameters: new Map(),
    },
  });
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  expect([await read('/?x=13'), await read('/?p=13'), await read('/?p=12')]).toEqual([
    'cached',
    'application',
    'application',
  ]);
});

it('sends the cached page of a piece at its own address alone', async () => {
  const port = await serve(async () => Response.json('application'), 0, {
    pages: new Map([['/blog/post', storeResponse(CACHED)]]),
    content: {
      read: () => ({ redirects: new Map(), addresses: new Map([['/blog/post', '/2022/post/']]) }),
      pageParameters: new Map(),
    },
  });
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  expect(await Promise.all(['/2022/post/', '/2022/post', '/blog/post'].map(read))).toEqual([
    'cached',
    'application',
    'application',
  ]);
});

it('counts the requests of cached pages by the address that the proxy names, and of files none', async () => {
  const store = (type: string) =>
    storeResponse({
      status: 200,
      headers: { 'content-type': type, 'cache-control': 'public, max-age=0' },
      body: Buffer.from('page'),
    });
  const counted: unknown[] = [];
  const port = await serve(async () => new Response(null, { status: 404 }), 1, {
    files: new Map([['/a.css', store('text/css')]]),
    pages: new Map([['/a', store('text/html; charset=utf-8')]]),
    crawlers: { count: (...request) => void counted.push(request) },
  });
  const headers = { 'user-agent': 'GPTBot/1.3', 'x-forwarded-for': '198.51.100.1, 192.0.2.1' };
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init });
  const etag = (await send('/a')).headers.get('etag') ?? '';
  const again = await send('/a?utm_source=x', { headers: { ...headers, 'if-none-match': etag } });
  expect(again.status).toBe(304);
  await send('/a', { method: 'HEAD' });
  await send('/a.css');
  await send('/none');
  expect(counted).toEqual(Array(2).fill(['/a', 'GPTBot/1.3', '192.0.2.1']));
});
