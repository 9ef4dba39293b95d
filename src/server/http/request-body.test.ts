import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RequestBodyError, readBody } from './request-body.ts';

const LIMIT = 1_000;

let server: Server;
let port: number;
let errors: unknown[];

/** Responds with the length of the body, or 413. */
beforeEach(async () => {
  errors = [];
  const listener = getRequestListener(async (request) => {
    try {
      return new Response(String((await readBody(request, LIMIT)).byteLength));
    } catch (error) {
      errors.push(error);
      return new Response('too large', { status: 413 });
    }
  });
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes as they are and resolves with everything received until the server closes the connection. */
async function exchange(send: string, more?: () => string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(send);
  const pump = more && setInterval(() => socket.write(more()), 1);
  await once(socket, 'close');
  clearInterval(pump);
  return received;
}

const head = (lines: string) => `POST / HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`;

it.each([0, 1, LIMIT])('reads a body of %d bytes', async (length) => {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(length) });
  expect([response.status, await response.text()]).toEqual([200, String(length)]);
});

it('refuses a body that is announced too long before it arrives, and the connection closes', async () => {
  const response = await exchange(head('Content-Length: 1000000000'));
  expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large$/);
  expect(errors).toMatchObject([{ code: 'too-large' }]);
});

it('refuses a body that turns out too long while it still arrives, and the client gets the response', async () => {
  const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
  const response = await exchange(head('Transfer-Encoding: chunked'), () => chunk);
  expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large/);
});

it.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
  'rejects as unreadable when the client disconnects in the middle (%s)',
  async (framing) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head(framing)}4\r\nhalf`);
    await once(server, 'request');
    socket.destroy();
    await expect.poll(() => errors).toEqual([expect.any(RequestBodyError)]);
    expect(errors).toMatchObject([{ code: 'unreadable' }]);
  },
);

it('leaves the connection open for the next request after the body was read', async () => {
  const two = `${head('Content-Length: 2')}ab${head('Content-Length: 3\r\nConnection: close')}abc`;
  expect((await exchange(two)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

it('reads no more of a standard request than the limit', async () => {
  const request = (body: string) => new Request('http://localhost/', { method: 'POST', body });
  expect(await readBody(request('abc'), 3)).toHaveLength(3);
  await expect(readBody(request('abcd'), 3)).rejects.toMatchObject({ code: 'too-large' });
});
