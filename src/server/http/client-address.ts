import type { IncomingMessage } from 'node:http';

/**
 * Address of the client: the socket's, or, behind `hops` trusted proxies, the entry of `X-Forwarded-For` that the
 * outermost trusted proxy wrote. Entries further left are whatever the client sent and are never read.
 */
export function readClientAddress(request: IncomingMessage, hops: number): string {
  const socket = request.socket.remoteAddress ?? '';
  if (hops === 0) return socket;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return forwarded.at(-hops) ?? socket;
}
