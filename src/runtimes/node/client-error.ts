import type { Duplex } from 'node:stream';

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Responds to what is not a valid request: broken HTTP, headers that are too long, a client that is too slow.
 * Node leaves these to the socket, so the headers that every response carries are written out here. A connection that
 * nothing has arrived on is closed without a response: browsers open connections ahead of need, and a 408 that crosses
 * their first request would be taken for its response.
 */
export function respondToClientError(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Duplex & { readonly bytesRead?: number },
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' });
  socket.end(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}
