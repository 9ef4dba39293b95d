/** @module-tag rest */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';

const LIMIT_MS = 11_000;

let site: Site;
let port: number;

beforeAll(async () => {
  site = await startSite();
  port = Number(new URL(site.url).port);
});
afterAll(() => site.remove());

interface Client {
  readonly socket: Socket;
  received(): string;
  /** Resolves with how long the connection lasted, in ms. */
  readonly closed: Promise<number>;
}

function open(first: string): Client {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(first);
  const closed = once(socket, 'close').then(() => performance.now() - began);
  return { socket, received: () => received, closed };
}

const head = (lines: string) =>
  `POST /api/journey HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`;

it('are cut within ten seconds, and other visitors do not wait for them', {
  tags: ['measures'],
}, async () => {
  const scale = watchMachine();
  const clients = Array.from({ length: 60 }, () => open(head('Content-Length: 60000')));
  const drip = setInterval(() => {
    for (const { socket } of clients) if (socket.writable) socket.write('x');
  }, 1_000);
  await sleep(500);
  const began = performance.now();
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(scale(5_000));
  const lasted = await Promise.all(clients.map(({ closed }) => closed));
  clearInterval(drip);
  expect(Math.max(...lasted)).toBeLessThan(scale(LIMIT_MS));
  expect(Math.min(...lasted)).toBeGreaterThan(1_000);
});

it('get 408 within five seconds when nothing of a body arrives', { tags: ['measures'] }, async () => {
  const scale = watchMachine();
  const { received, closed } = open(head('Content-Length: 9'));
  expect(await closed).toBeLessThan(scale(5_000));
  expect(received()).toMatch(/^HTTP\/1\.1 408 /);
});

it('get no response, only the end, on a connection that they opened and did not use', {
  tags: ['measures'],
}, async () => {
  const scale = watchMachine();
  const { received, closed } = open('');
  expect(await closed).toBeLessThan(scale(LIMIT_MS));
  expect(received()).toBe('');
});

it('get a response to a body that arrives at 3 KB a second', async () => {
  const body = JSON.stringify({ events: [], padding: 'x'.repeat(15_000) });
  const { socket, received } = open(head(`Content-Length: ${body.length}\r\nConnection: close`));
  for (let at = 0; at < body.length; at += 3_000) {
    socket.write(body.slice(at, at + 3_000));
    await sleep(1_000);
  }
  await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /);
});

it.each([
  ['a body that is announced too long', head('Content-Length: 1000000000000\r\nExpect: 100-continue'), 413],
  [
    'a body where none is taken',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    200,
  ],
  ['another expectation', head('Content-Length: 9\r\nExpect: 200-maybe'), 417],
])('are not asked to continue for %s', async (_, request, status) => {
  const { socket, received } = open(request);
  await expect.poll(received).toContain('\r\n\r\n');
  expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\r\nx-request-id: \\S+\r\n`, 'i'));
  socket.destroy();
});

it('are asked to continue when the announced body is short enough', async () => {
  const { socket, received } = open(head('Content-Length: 13\r\nExpect: 100-continue'));
  await expect.poll(received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"events":[]}');
  await expect.poll(received).toContain('HTTP/1.1 400 ');
  socket.destroy();
});

it('get 413 at once for a body that is announced too long, and the connection closes', {
  tags: ['measures'],
}, async () => {
  const scale = watchMachine();
  const { received, closed } = open(head('Content-Length: 1000000000'));
  expect(await closed).toBeLessThan(scale(9_000));
  expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  expect(received()).toContain('"code":"body-too-large"');
});

it('get 413 for a body that never ends', { tags: ['measures'] }, async () => {
  const scale = watchMachine();
  const { socket, received, closed } = open(head('Transfer-Encoding: chunked'));
  const pump = setInterval(() => socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 2);
  expect(await closed).toBeLessThan(scale(9_000));
  clearInterval(pump);
  expect(received()).toMatch(/^HTTP\/1\.1 413 /);
});
