import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Admission } from './admission.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request as the server sees it, with a connection that the test moves on. */
function createExchange({ bodyBytes = 0, responseBytes = 0 } = {}) {
  const socket = Object.assign(new EventEmitter(), { bytesRead: 0, writableLength: 0, remoteAddress: 'a' });
  const headers = bodyBytes > 0 ? { 'content-length': String(bodyBytes) } : {};
  const request = Object.assign(new EventEmitter(), { headers, socket });
  const getHeader = () => responseBytes;
  const response = Object.assign(new EventEmitter(), { req: request, getHeader });
  return {
    socket,
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    receive: (bytes: number) => {
      socket.bytesRead += bytes;
    },
    endBody: () => request.emit('end'),
    send: (isTaken: boolean) => {
      socket.writableLength = isTaken ? 0 : responseBytes;
      response.emit('prefinish');
    },
    close: () => response.emit('close'),
  };
}

const PLAIN = { client: 'a', isEssential: false };

function admit(admission: Admission, options?: Parameters<typeof createExchange>[0], visitor = PLAIN) {
  const exchange = createExchange(options);
  return { ...exchange, refusal: admission.admit(exchange.request, exchange.response, visitor) };
}

function findSlow(admission: Admission): string[] {
  const found: string[] = [];
  admission.findSlow((_, direction) => found.push(direction));
  return found;
}

it.each([
  ['bodies that do not arrive', { bodyBytes: 9 }, false],
  ['responses that are not read', { responseBytes: 400_000 }, true],
])('refuses a client beyond its share of %s, and no other client', (_, options, isSent) => {
  const admission = new Admission();
  const open = Array.from({ length: 64 }, () => admit(admission, options));
  expect(open.map(({ refusal }) => refusal)).toEqual(open.map(() => null));
  if (isSent) for (const exchange of open) exchange.send(false);
  expect(admit(admission).refusal).toBe('share');
  expect(admit(admission, {}, { client: 'a', isEssential: true }).refusal).toBeNull();
  expect(admit(admission, {}, { client: 'b', isEssential: false }).refusal).toBeNull();
  open[0]?.close();
  expect(admit(admission).refusal).toBeNull();
});

it('counts a request while the server works on it, gives one client half, and refuses essential ones last', () => {
  const admission = new Admission();
  const admitMany = (count: number, client: string, isEssential = false) =>
    Array.from({ length: count }, () => admit(admission, {}, { client, isEssential }).refusal);
  expect(new Set(admitMany(500, 'a'))).toEqual(new Set([null]));
  expect(admitMany(1, 'a')).toEqual(['share']);
  expect(new Set(admitMany(500, 'b'))).toEqual(new Set([null]));
  expect(admitMany(1, 'c')).toEqual(['capacity']);
  expect(new Set(admitMany(500, 'a', true))).toEqual(new Set([null]));
  expect(admitMany(1, 'a', true)).toEqual(['capacity']);
});

it.each(['receive', 'process', 'send', 'read', 'respond early'] as const)(
  'frees everything of a request that closes in the state %s',
  (state) => {
    const admission = new Admission();
    for (let count = 0; count < 5_000; count += 1) {
      const exchange = admit(admission, { bodyBytes: 9, responseBytes: 9 });
      expect(exchange.refusal).toBeNull();
      if (state === 'process' || state === 'send' || state === 'read') exchange.endBody();
      if (state === 'respond early') {
        exchange.send(false);
        exchange.endBody();
      }
      if (state === 'send' || state === 'read') exchange.send(state === 'send');
      exchange.close();
    }
  },
);

it('reports a body that arrives at less than 1 KB a second, after a pause', async () => {
  const admission = new Admission();
  const fast = admit(admission, { bodyBytes: 60_000 });
  admit(admission, { bodyBytes: 9 });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(findSlow(admission)).toEqual([]);
  fast.receive(6_000);
  await vi.advanceTimersByTimeAsync(200);
  expect(findSlow(admission)).toEqual(['sends']);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(findSlow(admission)).toEqual(['sends', 'sends']);
});

it('reports a response that is read at less than 16 KB a second, after a pause', async () => {
  const admission = new Admission();
  admit(admission, { responseBytes: 163_840 }).send(false);
  admit(admission, { responseBytes: 400_000 }).send(true);
  await vi.advanceTimersByTimeAsync(14_900);
  expect(findSlow(admission)).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(findSlow(admission)).toEqual(['reads']);
});

it('refuses the 1,001st connection of an address until one closes', () => {
  const admission = new Admission();
  const connect = () => createExchange().socket;
  const first = connect();
  const isAdmitted = (socket: ReturnType<typeof connect>) =>
    admission.admitConnection(socket as unknown as Socket);
  expect(isAdmitted(first)).toBe(true);
  for (let count = 1; count < 1_000; count += 1) expect(isAdmitted(connect())).toBe(true);
  expect(isAdmitted(connect())).toBe(false);
  expect(isAdmitted(Object.assign(connect(), { remoteAddress: 'b' }))).toBe(true);
  first.emit('close');
  expect(isAdmitted(connect())).toBe(true);
});
