import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Admission } from './request-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request as the server sees it, with a connection that the test moves on. */
function createExchange({ bodyBytes = 0, responseBytes = 0 } = {}) {
  const socket = Object.assign(new EventEmitter(), {
    bytesRead: 0,
    writableLength: 0,
    remoteAddress: 'a',
    destroyed: false,
  });
  const headers = bodyBytes > 0 ? { 'content-length': String(bodyBytes) } : {};
  const request = Object.assign(new EventEmitter(), { headers, socket, complete: false, readableLength: 0 });
  const getHeader = () => responseBytes;
  const response = Object.assign(new EventEmitter(), { req: request, getHeader });
  return {
    socket,
    request: request as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    receive: (bytes: number) => {
      socket.bytesRead += bytes;
    },
    buffer: (bytes: number) => {
      request.readableLength = bytes;
    },
    complete: () => {
      request.complete = true;
    },
    endBody: () => request.emit('end'),
    send: (isTaken: boolean) => {
      socket.writableLength = isTaken ? 0 : responseBytes;
      response.emit('prefinish');
    },
    close: () => {
      socket.destroyed = true;
      response.emit('close');
      socket.emit('close');
    },
    /** The response is complete, and the connection stays open. */
    finish: () => response.emit('close'),
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

/** Lets time pass with a check every half second; resolves with what the last check found. */
async function pass(admission: Admission, ms: number): Promise<string[]> {
  let found: string[] = [];
  for (let passed = 0; passed < ms; passed += 500) {
    await vi.advanceTimersByTimeAsync(Math.min(500, ms - passed));
    found = findSlow(admission);
  }
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
  expect(await pass(admission, 2_900)).toEqual([]);
  fast.receive(6_000);
  expect(await pass(admission, 200)).toEqual(['sends']);
  expect(await pass(admission, 6_000)).toEqual(['sends', 'sends']);
});

it('reports a response that is read at less than 16 KB a second, after a pause', async () => {
  const admission = new Admission();
  admit(admission, { responseBytes: 163_840 }).send(false);
  admit(admission, { responseBytes: 400_000 }).send(true);
  expect(await pass(admission, 14_900)).toEqual([]);
  expect(await pass(admission, 200)).toEqual(['reads']);
});

it('takes an upload of 16 MB at the least speed, and reports one that falls below it', async () => {
  const admission = new Admission();
  const steady = admit(admission, { bodyBytes: 16_777_216 });
  const fading = admit(admission, { bodyBytes: 16_777_216 });
  for (let second = 0; second < 16_384; second += 60) {
    steady.receive(60 * 1_024);
    fading.receive(60 * 1_000);
    const found = await pass(admission, 60_000);
    if (found.length > 0) {
      // 24 bytes a second too few: the pause of 3 s is used up after 128 s.
      expect([found, second]).toEqual([['sends'], 120]);
      fading.close();
    }
  }
  expect(findSlow(admission)).toEqual([]);
  steady.complete();
  steady.endBody();
  expect(await pass(admission, 60_000)).toEqual([]);
});

it.each([
  ['drips', false, ['reads']],
  ['ends', true, []],
])('reports what is left of a body after its response when it %s', async (_, doesEnd, expected) => {
  const admission = new Admission();
  const refused = admit(admission, { bodyBytes: 60_000, responseBytes: 9 });
  refused.send(true);
  refused.finish();
  refused.receive(50_000);
  expect(await pass(admission, 2_900)).toEqual([]);
  if (doesEnd) refused.endBody();
  expect(await pass(admission, 200)).toEqual(expected);
});

it('waits for no client whose data the server has not read yet', async () => {
  const admission = new Admission();
  admit(admission, { bodyBytes: 9 }).complete();
  const half = admit(admission, { bodyBytes: 9 });
  half.buffer(4);
  expect(await pass(admission, 8_000)).toEqual([]);
  half.buffer(0);
  expect(await pass(admission, 2_900)).toEqual([]);
  expect(await pass(admission, 200)).toEqual(['sends']);
});

it('counts at most a second of the time in which the process was suspended', async () => {
  const admission = new Admission();
  admit(admission, { bodyBytes: 9 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(findSlow(admission)).toEqual([]);
  expect(await pass(admission, 2_500)).toEqual(['sends']);
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

/** Admits as many pipelined requests of one connection as possible; returns how many. */
function countPipelined(
  admission: Admission,
  { request, response }: ReturnType<typeof createExchange>,
  isDirect = true,
): number {
  const waiting = Object.assign(response, { socket: null });
  for (let count = 0; count < 100; count += 1)
    if (!admission.admitPipelined(request, waiting, isDirect)) return count;
  return 100;
}

it('refuses more than 8 pipelined requests of a connection, and its address for 5 seconds', async () => {
  const admission = new Admission();
  const exchange = createExchange();
  expect(countPipelined(admission, exchange)).toBe(8);
  const socket = exchange.socket as unknown as Socket;
  const isServed = () => {
    const { request, response, socket: own } = createExchange();
    const first = Object.assign(response, { socket: own });
    return admission.admitPipelined(request, first as unknown as ServerResponse, true);
  };
  expect([admission.admitConnection(socket), isServed()]).toEqual([false, false]);
  await pass(admission, 6_000);
  expect([admission.admitConnection(socket), isServed()]).toEqual([true, true]);
});

it('refuses more than 64 pipelined requests of an address, and none of another', () => {
  const admission = new Admission();
  const open = Array.from({ length: 8 }, () => createExchange());
  for (const exchange of open) {
    const waiting = Object.assign(exchange.response, { socket: null });
    for (let count = 0; count < 8; count += 1)
      expect(admission.admitPipelined(exchange.request, waiting, true)).toBe(true);
  }
  const other = createExchange();
  other.socket.remoteAddress = 'b';
  expect(countPipelined(admission, other)).toBe(8);
  // Behind a proxy, the address is that of many visitors.
  expect(countPipelined(admission, createExchange(), false)).toBe(8);
  expect(countPipelined(admission, createExchange())).toBe(0);
});

it('admits a request whose connection waits for no other response', () => {
  const admission = new Admission();
  const { request, response, socket } = createExchange();
  const first = Object.assign(response, { socket });
  for (let count = 0; count < 100; count += 1)
    expect(admission.admitPipelined(request, first as unknown as ServerResponse, true)).toBe(true);
});
