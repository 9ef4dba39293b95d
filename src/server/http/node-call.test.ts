import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyTooLargeError, BodyUnreadableError } from './message.ts';
import { createNodeCall, sendAnswer } from './node-call.ts';

const LIMIT = 1_000;
const ABOUT = { path: '/', query: '', clientAddress: '', requestId: '' };

let server: Server;
let port: number;
let errors: unknown[];

/** Answers with the length of the body, or 413. */
beforeEach(async () => {
  errors = [];
  server = createServer(async (request, response) => {
    const call = createNodeCall(request, ABOUT);
    const answer = await call.body(LIMIT).then(
      (body) => ({ status: 200, headers: {}, body: String(body.byteLength) }),
      (error: unknown) => {
        errors.push(error);
        return { status: 413, headers: {}, body: 'too large' };
      },
    );
    sendAnswer(request, response, answer, { 'x-extra': '1' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes as they are and resolves with all that comes back until the server closes. */
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

describe('a body', () => {
  it.each([0, 1, LIMIT])('of %d bytes is read', async (length) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(length) });
    expect([answer.status, await answer.text()]).toEqual([200, String(length)]);
    expect(answer.headers.get('x-extra')).toBe('1');
  });

  it('that is announced too long is refused before it comes, and the connection closes', async () => {
    const answer = await exchange(head('Content-Length: 1000000000'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toMatch(/too large$/);
    expect(errors).toEqual([expect.any(BodyTooLargeError)]);
  });

  it('that turns out too long is refused while it still comes, and the answer arrives', async () => {
    const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
    const answer = await exchange(head('Transfer-Encoding: chunked'), () => chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large$/);
  });

  it('that breaks off is an error of its own', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head('Content-Length: 100')}half`);
    await once(server, 'request');
    socket.destroy();
    await expect.poll(() => errors).toEqual([expect.any(BodyUnreadableError)]);
  });

  it('leaves the connection open for the next request when it was read', async () => {
    const two = `${head('Content-Length: 2')}ab${head('Content-Length: 3\r\nConnection: close')}abc`;
    expect((await exchange(two)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});
