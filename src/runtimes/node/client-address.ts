import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseSubscriber } from '../../server/http/rate-limiter.ts';

/**
 * Address of the client: the socket's, or, behind `hops` trusted proxies, the entry of `X-Forwarded-For` that the
 * outermost trusted proxy wrote. Entries further left are whatever the client sent and are never read. A request
 * that passed fewer proxies, or whose entry is no address, counts under the address of its connection.
 */
export function readClientAddress(request: IncomingMessage, hops: number): string {
  const socket = parseAddress(request.socket.remoteAddress ?? '') ?? '';
  if (hops === 0) return socket;
  const entry = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-hops);
  return parseAddress(entry?.trim() ?? '') ?? socket;
}

/** The part of the client's address that one subscriber cannot change at will. */
export function readClientKey(request: IncomingMessage, hops: number): string {
  return parseSubscriber(readClientAddress(request, hops));
}

/** IPv4 in IPv6 (`::ffff:192.0.2.1`) comes out as IPv4; a port (`192.0.2.1:80`, `[2001:db8::1]:80`) goes. */
function parseAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}
