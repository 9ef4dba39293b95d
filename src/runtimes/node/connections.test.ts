import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { disconnectWhenSilent, readClientAddress, SharedAddressWatch, SILENCE_MS } from './connections.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const parts: unknown = { socket: { remoteAddress }, headers };
  return parts as IncomingMessage;
}

describe('readClientAddress', () => {
  it.each([
    ['no proxy is trusted: the header means nothing', 0, '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['one proxy: its own entry, the last', 1, '10.0.0.1', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['two proxies: the last but one', 2, '10.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    [
      'any number of forged entries on the left',
      1,
      '10.0.0.1',
      `${'6.6.6.6,'.repeat(500)}198.51.100.7`,
      '198.51.100.7',
    ],
    ['a request that came past the proxy', 1, '192.0.2.1', undefined, '192.0.2.1'],
    ['fewer entries than proxies', 3, '10.0.0.1', '6.6.6.6, 7.7.7.7', '10.0.0.1'],
    ['an empty entry is not skipped', 2, '10.0.0.1', '6.6.6.6,,10.0.0.2', '10.0.0.1'],
    ['an entry that is no address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['an entry with a port', 1, '10.0.0.1', '198.51.100.7:51234', '198.51.100.7'],
    ['an IPv6 entry with a port', 1, '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['IPv4 within IPv6', 0, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['a socket that is gone', 0, '', undefined, ''],
  ])('%s', (_, hops, socket, forwarded, expected) => {
    expect(readClientAddress(request(socket, forwarded), hops)).toBe(expected);
  });
});

it.each([
  ['nine of ten requests, with many browsers', 0.9, 50, ['198.51.100.1']],
  ['nine of ten requests, with one browser', 0.9, 1, []],
  ['half of the requests, with many browsers', 0.5, 50, []],
])('tells once of an address with %s', (_, share, browsers, told) => {
  const tell = vi.fn();
  const watch = new SharedAddressWatch(tell);
  for (let request = 0; request < 5_000; request++) {
    const isShared = request % 10 < share * 10;
    watch.note(isShared ? '198.51.100.1' : `192.0.2.${request % 200}`, `Browser/${request % browsers}`);
  }
  expect(tell.mock.calls.flat()).toEqual(told);
});

/** Lets a body take so long to arrive; returns how long the application may then work on it, in ms. */
function measureWork(bodyMs: number, url = '/contact'): number {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isConnected = true;
  const socket = {
    bytesRead: 1_000,
    setTimeout: () => undefined,
    destroy: () => {
      isConnected = false;
    },
  };
  const request = { url, complete: false, readableLength: 0 };
  const response = Object.assign(new EventEmitter(), { headersSent: false });
  const server: unknown = { timeout: SILENCE_MS };
  const parts: readonly unknown[] = [request, response];
  disconnectWhenSilent(server as Server, parts[0] as IncomingMessage, parts[1] as ServerResponse);
  vi.advanceTimersByTime(bodyMs);
  socket.bytesRead += 16_000_000;
  request.complete = true;
  const began = performance.now();
  while (isConnected) {
    vi.advanceTimersByTime(SILENCE_MS);
    response.emit('timeout', socket);
  }
  return performance.now() - began;
}

it('gives the application the same minute after a body of any duration', () => {
  expect(measureWork(600_000)).toBe(measureWork(0));
  expect(measureWork(600_000)).toBeGreaterThanOrEqual(60_000);
  expect(measureWork(0)).toBeLessThan(75_000);
  // A site that is moved in is given three minutes, and refused in a sentence after them.
  expect(measureWork(0, '/console/partners/import')).toBeGreaterThan(190_000);
});
