import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The ways in which an upstream can fail on a real socket. */
export const FAULTS = [
  'down',
  'hang',
  'hang-after-headers',
  'slow-drip',
  'truncated',
  'truncated-chunks',
  'reset',
  'garbage',
  'broken-json',
  'html-with-200',
  'wrong-type',
  'wrong-shape',
  'invalid-utf8',
  'empty-body',
  'status-401',
  'status-403',
  'status-429',
  'status-500',
  'status-503',
  'redirect-loop',
  'redirect-to-loopback',
  'redirect-to-nowhere',
  'endless-body',
  'huge-length',
  'gzip-bomb',
  'bad-gzip',
  'not-http',
] as const;

export type Fault = (typeof FAULTS)[number];

/** What a working upstream responds. */
export interface UpstreamResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** A real HTTP server on a free port of the loopback, which can be made to fail. */
export interface Upstream {
  readonly url: string;
  /** Method, path and query of every call so far. */
  readonly calls: string[];
  /** Request headers of the last call. */
  lastHeaders(): IncomingMessage['headers'];
  /** Delays working responses by so many ms. */
  delay(ms: number): void;
  fail(fault: Fault | null): Promise<void>;
  /** Returns the number of open sockets. */
  sockets(): number;
  /** So does the end of a block in which it is `await using`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Part of every failing response; must never reach a visitor. */
export const UPSTREAM_SECRET = 'Traceback: secret-key-1234 at /srv/app.py';

/** Starts an upstream that responds by `respond` until `fail` is called. */
export async function startUpstream(respond: (url: URL) => UpstreamResponse): Promise<Upstream> {
  const calls: string[] = [];
  let fault: Fault | null = null;
  let delayMs = 0;
  let headers: IncomingMessage['headers'] = {};
  let open = 0;
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    headers = request.headers;
    if (fault) return failWith(fault, request, response);
    const json = respond(new URL(request.url ?? '/', 'http://upstream'));
    setTimeout(() => sendJson(response, json), delayMs);
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
    socket.on('error', () => undefined);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const close = async () => {
    if (server.listening) await stop();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    lastHeaders: () => headers,
    delay: (ms) => {
      delayMs = ms;
    },
    fail: async (next) => {
      if (next === 'down' && server.listening) await stop();
      if (next !== 'down' && !server.listening) await listen(port);
      fault = next;
    },
    sockets: () => open,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function sendJson(response: ServerResponse, { status = 200, headers = {}, json }: UpstreamResponse): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(json));
}

const JSON_TYPE = { 'content-type': 'application/json' };
const secretJson = JSON.stringify({ error: UPSTREAM_SECRET, message: UPSTREAM_SECRET });

function failWith(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, headers: Record<string, string | number>, body: string | Buffer) => {
    response.writeHead(status, headers);
    response.end(body);
  };
  const status = /^status-(\d{3})$/.exec(fault)?.[1];
  if (status) {
    const wait = status === '429' || status === '503' ? { 'retry-after': '30' } : {};
    send(Number(status), { ...JSON_TYPE, ...wait }, secretJson);
    return;
  }
  const acts: Partial<Record<Fault, () => void>> = {
    hang: () => undefined,
    'hang-after-headers': () => {
      response.writeHead(200, JSON_TYPE);
      response.write('{"articles":[');
    },
    'slow-drip': () => drip(response),
    truncated: () => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 5_000 });
      response.write(secretJson);
      setTimeout(() => response.destroy(), 20);
    },
    'truncated-chunks': () => {
      response.writeHead(200, JSON_TYPE);
      response.write(secretJson);
      setTimeout(() => response.destroy(), 20);
    },
    reset: () => request.socket.resetAndDestroy(),
    garbage: () => send(200, JSON_TYPE, Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 37) % 251))),
    'broken-json': () => send(200, JSON_TYPE, `{"articles":[{"slug":"${UPSTREAM_SECRET}"`),
    'html-with-200': () => send(200, { 'content-type': 'text/html' }, `<h1>${UPSTREAM_SECRET}</h1>`),
    'wrong-type': () => send(200, { 'content-type': 'text/plain' }, '{"articles":[],"hasMore":false}'),
    'wrong-shape': () => send(200, JSON_TYPE, '{"articles":{"a":1},"posts":7,"title":[]}'),
    'invalid-utf8': () => send(200, JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    'empty-body': () => send(200, JSON_TYPE, ''),
    'redirect-loop': () => send(302, { location: request.url ?? '/' }, ''),
    'redirect-to-loopback': () => send(302, { location: 'http://127.0.0.1:1/secret' }, ''),
    'redirect-to-nowhere': () => send(302, { location: 'http://' }, ''),
    'endless-body': () => pour(response),
    'huge-length': () => send(200, { ...JSON_TYPE, 'content-length': 1_000_000_000 }, '{'),
    'gzip-bomb': () => send(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, BOMB),
    'bad-gzip': () => send(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, Buffer.from('not gzip at all')),
    'not-http': () => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  };
  acts[fault]?.();
}

/** 50 MB of spaces in 50 kB. */
const BOMB = gzipSync(Buffer.alloc(50_000_000, ' '));

/** Sends one byte a second without an end. */
function drip(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  response.write('{');
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
}

/** Sends bytes as fast as the client reads them, without an end. */
function pour(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const chunk = Buffer.alloc(65_536, ' ');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}
