import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readClientAddress } from './connections.ts';

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
