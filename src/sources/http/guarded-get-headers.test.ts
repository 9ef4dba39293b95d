/** @module-tag rest */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guardedGet } from './guarded-http.ts';
import { HttpError } from './http-get.ts';

const MAX_BYTES = 1_000_000;
const DEADLINE_MS = 400;

/** Unusual values of every header that a client interprets. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-encoding': [
    'gzip',
    'GZIP',
    'x-gzip',
    'deflate',
    'br',
    'zstd',
    'compress',
    'identity',
    'aes128gcm',
    '',
    ',',
    'gzip, gzip',
    'gzip,gzip,gzip,gzip,gzip',
    'gzip,gzip,gzip,gzip,gzip,gzip',
    'br,gzip,deflate,br,gzip,deflate,br',
    'identity,identity,identity,identity,identity,identity,identity',
    `${'gzip,'.repeat(400)}gzip`,
    '__proto__',
    'gzip;q=1',
    '\u00ff\u00fe',
    '"gzip"',
    'gzip,identity',
    'deflate, gzip',
    'gzip;',
  ],
  'content-type': ['', 'application/json; charset=utf-16', 'text/html', 'a/b;'.repeat(500), '\u00e9'],
  'content-length': ['0', '1', '99999999999999999999', '-1', '1e3', '0x10', '1, 1', '1, 2', ' '],
  'transfer-encoding': ['chunked', 'gzip, chunked', 'chunked, chunked', 'identity', 'xchunked', 'gzip'],
  location: ['', '/', '//evil.example', 'javascript:1', '%', '\u00ff', `/${'a'.repeat(10_000)}`],
  'retry-after': ['-1', '1e9', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', '9'.repeat(300)],
  connection: ['close', 'upgrade', 'keep-alive, upgrade', 'content-encoding', 'x'.repeat(5_000)],
  upgrade: ['websocket', 'h2c', 'TLS/1.0'],
  'keep-alive': ['timeout=0', 'timeout=-1', 'timeout=99999999999', 'max=0', 'x'],
  'set-cookie': ['a=b', `a=${'b'.repeat(9_000)}`],
  trailer: ['content-encoding', 'x'],
  link: ['<https://x/>; rel=preload', '<'.repeat(2_000)],
  'alt-svc': ['h3=":443"', 'clear'],
  'www-authenticate': ['Basic realm="x"', 'Negotiate'],
  te: ['trailers'],
  'content-range': ['bytes 0-0/0', 'bytes */-1'],
  date: ['Thu, 01 Jan 9999 99:99:99 GMT'],
  age: ['-1'],
  etag: ['x'.repeat(12_000)],
  vary: ['*, '.repeat(2_000)],
  refresh: ['0; url=//evil.example'],
  expect: ['100-continue'],
  'x-long': ['x'.repeat(20_000)],
  '': ['name is missing'],
  'bad name': ['x'],
};
const STATUSES = [
  '200 OK',
  '204 No Content',
  '206 Partial Content',
  '304 Not Modified',
  '101 Switching',
  '302 Found',
  '103 Early Hints',
  '599 Odd',
];
const BODIES = {
  small: '{"a":1}',
  large: `[${'"x",'.repeat(150_000)}1]`,
  endless: ' '.repeat(600_000),
} as const;

type BodyName = keyof typeof BODIES;
const RESPONSES = STATUSES.flatMap((status) =>
  (Object.keys(BODIES) as BodyName[]).flatMap((body) =>
    Object.entries(HEADERS).flatMap(([name, values]) =>
      values.map((value) => ({ status, name, value, body })),
    ),
  ),
);
const FALLBACK = { status: '404 Not Found', name: 'x', value: '1', body: 'small' } as const;

let server: Server;
let origin: string;
const sockets = new Set<Socket>();
const uncaught: unknown[] = [];
const onUncaught = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
  server = createServer((request) => {
    // A redirect leads to an address that is not in the table.
    const { status, name, value, body } = RESPONSES[Number(request.url?.slice(1))] ?? FALLBACK;
    const { socket } = request;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.write(`HTTP/1.1 ${status}\r\n${name}: ${value}\r\n\r\n`, 'latin1');
    socket.write(BODIES[body]);
    if (body !== 'endless') socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  process.off('uncaughtException', onUncaught);
  process.off('unhandledRejection', onUncaught);
});

it('ends with a response or an HttpError for every header, status and body, and closes its connection', async () => {
  expect(RESPONSES.length).toBeGreaterThan(1_000);
  const wrong: string[] = [];
  const queue = RESPONSES.map((response, index) => ({ index, response }));
  const work = async (part: IterableIterator<(typeof queue)[number]>) => {
    for (const { index, response } of part) {
      const url = new URL(`/${index}`, origin);
      const error = await guardedGet(url, { headers: {}, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES }).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null && !(error instanceof HttpError))
        wrong.push(`${JSON.stringify(response)}: ${error}`);
    }
  };
  // Most requests of endless bodies only wait for their deadline, so that many of them fit side by side.
  for (const [isEndless, workers] of [
    [false, 40],
    [true, 200],
  ] as const) {
    const part = queue.filter(({ response }) => (response.body === 'endless') === isEndless).values();
    await Promise.all(Array.from({ length: workers }, () => work(part)));
  }
  expect(wrong).toEqual([]);
  await expect.poll(() => sockets.size).toBe(0);
  await sleep(50);
  expect(uncaught).toEqual([]);
});
