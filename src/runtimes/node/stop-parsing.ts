import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What this file uses of the HTTP parser that Node attaches to a connection. */
interface Parser {
  onIncoming(request: IncomingMessage, keepAlive: boolean): number;
}

/** Tells the parser that the bytes after these headers belong to another protocol: it leaves them alone. */
const OTHER_PROTOCOL = 2;

/**
 * Stops parsing a connection once it is destroyed. Node reads 64 KB at once and creates a request and a response for
 * every head in them, all of which stay in memory until the connection is closed: at the end of the turn in which a
 * thousand other connections may be read too.
 */
export function stopParsingWhenDestroyed(socket: Socket): void {
  const parser = 'parser' in socket ? socket.parser : undefined;
  if (!isParser(parser)) return;
  const receive = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) =>
    socket.destroyed ? OTHER_PROTOCOL : receive(request, keepAlive);
}

function isParser(value: unknown): value is Parser {
  return (
    typeof value === 'object' &&
    value !== null &&
    'onIncoming' in value &&
    typeof value.onIncoming === 'function'
  );
}
