import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONSOLE_PATH } from '../../core/paths.ts';
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

/** The client's address, and the part of it that one subscriber cannot change at will. */
interface Client {
  readonly address: string;
  readonly key: string;
}

/** Clients of connections without a proxy, whose requests all have the same. */
const clients = new WeakMap<Socket, Client>();

/** Reads the client of a request. */
export function readClient(request: IncomingMessage, hops: number): Client {
  const known = hops === 0 ? clients.get(request.socket) : undefined;
  if (known !== undefined) return known;
  const address = readClientAddress(request, hops);
  const client = { address, key: parseSubscriber(address) };
  if (hops === 0) clients.set(request.socket, client);
  return client;
}

const WATCHED_REQUESTS = 1_000;
const MIN_BROWSERS = 20;

/**
 * Tells once when most requests come from one address with many browsers: what is in front hides the visitors. Of each
 * thousand requests it looks at the address of the first, so that it costs no request anything.
 */
export class SharedAddressWatch {
  readonly #tell: (address: string) => void;
  readonly #agents = new Set<string>();
  #candidate = '';
  #matches = 0;
  #requests = 0;
  #isTold = false;

  /** `tell` gets the address: that of a proxy, or of a visitor. */
  constructor(tell: (address: string) => void) {
    this.#tell = tell;
  }

  /** Takes a request of a client (its `key`). */
  note(key: string, agent: string): void {
    if (this.#isTold) return;
    if (this.#requests === 0) {
      this.#candidate = key;
      this.#matches = 0;
      this.#agents.clear();
    }
    this.#requests += 1;
    if (key === this.#candidate) {
      this.#matches += 1;
      if (this.#agents.size < MIN_BROWSERS && agent.length <= 300) this.#agents.add(agent);
    }
    if (this.#requests < WATCHED_REQUESTS) return;
    this.#requests = 0;
    if (this.#matches < WATCHED_REQUESTS * 0.8 || this.#agents.size < MIN_BROWSERS) return;
    this.#isTold = true;
    this.#tell(this.#candidate);
  }
}

/** IPv4 in IPv6 (`::ffff:192.0.2.1`) comes out as IPv4; a port (`192.0.2.1:80`, `[2001:db8::1]:80`) goes. */
function parseAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}

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
  error: { readonly code?: string | undefined },
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

/** A client that neither sends nor reads anything for so long is disconnected. */
export const SILENCE_MS = 9_000;
/** How long the application may work on a response; in the console, where a site is moved in, for three minutes and more. */
const MAX_WORK_MS = { others: 60_000, console: 200_000 } as const;

/**
 * How long a connection stays open without a request. Visitors' browsers send a request again whose connection was
 * closed meanwhile. A proxy does not when it has a body, so the proxy has to be the one that closes: nginx does after
 * 60 s, Caddy after 120 s.
 */
const KEEP_ALIVE_MS = { visitor: 5_000, proxy: 130_000 } as const;
/** The connection stays open so much longer than its client is told. */
const BUFFER_MS = 3_000;

/** The times of connections that wait for their next request. */
export function buildKeepAlive(trustedProxyHops: number) {
  const keepAliveTimeout = trustedProxyHops === 0 ? KEEP_ALIVE_MS.visitor : KEEP_ALIVE_MS.proxy;
  return { keepAliveTimeout, keepAliveTimeoutBuffer: BUFFER_MS };
}

/**
 * Disconnects a client after `server.timeout` without a byte. One that has sent its request and waits for the
 * application is not silent: it gets its response, as long as that does not take too long.
 */
export function disconnectWhenSilent(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  let began = performance.now();
  let bytesRead = 0;
  const maxWorkMs = MAX_WORK_MS[request.url?.startsWith(`${CONSOLE_PATH}/`) === true ? 'console' : 'others'];
  response.on('timeout', (socket) => {
    // The application's time begins with the last byte of a body, however long that has taken to arrive.
    if (socket.bytesRead > bytesRead) began = performance.now() - server.timeout;
    bytesRead = socket.bytesRead;
    const isWaiting = !response.headersSent && (request.complete || request.readableLength > 0);
    if (isWaiting && performance.now() - began < maxWorkMs) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
}

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

/** Reads no request after the present one of a connection. */
export function stopParsing(socket: Socket): void {
  const parser = 'parser' in socket ? socket.parser : undefined;
  if (isParser(parser)) parser.onIncoming = () => OTHER_PROTOCOL;
}

/**
 * Whether a body may end elsewhere for a proxy than for Node, which reads several codings, and headers that are repeated,
 * as `chunked` (RFC 9112, section 6.3).
 */
export function hasAmbiguousLength({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && coding.toLowerCase() !== 'chunked';
}

/** Whether a request names its host twice (RFC 9112, 3.2). Node's `headersDistinct` would list every header for that. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function isParser(value: unknown): value is Parser {
  return (
    typeof value === 'object' &&
    value !== null &&
    'onIncoming' in value &&
    typeof value.onIncoming === 'function'
  );
}
