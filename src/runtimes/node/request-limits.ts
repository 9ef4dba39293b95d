import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Why a request is not processed: `share`: its client has too many others open; `capacity`: the server is busy. */
type Refusal = 'share' | 'capacity';

/** Requests that the server works on: their bodies have arrived and their responses are not complete. */
const MAX_PROCESSING = 1_000;
/** Essential requests are refused only beyond this many. */
const MAX_PROCESSING_ESSENTIAL = 1_500;
const MAX_PROCESSING_PER_CLIENT = 500;
/** Requests whose bodies or responses wait for their clients. */
const MAX_WAITING = 4_000;
const MAX_WAITING_PER_CLIENT = 64;
/** The share of one client in the connections, where its address is that of the connection. */
const MAX_CONNECTIONS_PER_CLIENT = 1_000;

/** Requests of one connection that wait for the response before theirs. Neither browsers nor proxies send any. */
const MAX_PIPELINED = 8;
/**
 * The share of one client in them, over all its connections: the system takes megabytes of responses for each connection,
 * also when no one reads them, and copying gigabytes in one turn of the event loop stops it for seconds.
 */
const MAX_PIPELINED_PER_CLIENT = 64;
/** How long an address that sent more is not served, on no connection, so that it cannot send them again at once. */
const REFUSAL_MS = 5_000;

/**
 * A client that is slower than this after the pause is disconnected. There is no longest time: what a body or a response
 * may take follows from its length.
 */
const RECEIVE = { pauseMs: 3_000, bytesPerSecond: 1_024 } as const;
const SEND = { pauseMs: 5_000, bytesPerSecond: 16_384 } as const;
/** What is left of a body after its response is read for the connection alone, so its length gives it no time. */
const REST = { pauseMs: 3_000, bytesPerSecond: Number.POSITIVE_INFINITY } as const;

/** A longer step between two checks is a busy or suspended process: its own delay is not the client's. */
const MAX_STEP_MS = 1_000;

/** A request whose body or response waits for its client. */
interface Waiting {
  readonly client: string;
  readonly socket: Socket;
  readonly pace: typeof RECEIVE | typeof SEND | typeof REST;
  /** How long the server has waited for the client, in ms. */
  waitedMs: number;
  /** When `waitedMs` was last brought up to date, in ms of `performance.now()`. */
  checkedAt: number;
  /** The request whose body arrives; null while the response is sent. */
  readonly request: IncomingMessage | null;
  /** Bytes of the connection before this body. */
  readonly bytesBefore: number;
  /** Length of the response. */
  readonly bytesToSend: number;
}

/**
 * Decides which requests are processed. Every bound that clients share has a share for one client, so that one of them
 * cannot take all of it by sending or reading slowly.
 */
export class Admission {
  readonly #waiting = new Set<Waiting>();
  readonly #shares = new Counter();
  readonly #connections = new Counter();
  readonly #pipelined = new Counter<Socket>();
  readonly #pipelinedShares = new Counter();
  readonly #refused = new Map<string, number>();
  readonly #processingShares = new Counter();
  #processing = 0;

  /** Admits a request, or returns why not. `isEssential`: health checks and redirects, which are refused last. */
  admit(
    request: IncomingMessage,
    response: ServerResponse,
    { client, isEssential }: { readonly client: string; readonly isEssential: boolean },
  ): Refusal | null {
    if (this.#processing >= (isEssential ? MAX_PROCESSING_ESSENTIAL : MAX_PROCESSING)) return 'capacity';
    if (!isEssential) {
      if (this.#processingShares.get(client) >= MAX_PROCESSING_PER_CLIENT) return 'share';
      if (this.#shares.get(client) >= MAX_WAITING_PER_CLIENT) return 'share';
      if (this.#waiting.size >= MAX_WAITING) return 'capacity';
    }
    this.#follow(request, response, client);
    return null;
  }

  /** Counts a connection; false when its address has too many, or has just pipelined too many requests. */
  admitConnection(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    if (this.#refused.has(address)) return false;
    if (this.#connections.get(address) >= MAX_CONNECTIONS_PER_CLIENT) return false;
    this.#connections.add(address);
    socket.once('close', () => this.#connections.remove(address));
    return true;
  }

  /**
   * Counts a request that was sent before the response to the one before it; false when its connection or its address has
   * too many. `isDirect`: the address of the connection is that of the client.
   * Node parses all requests of a packet at once and stores their responses in memory until the client reads them.
   */
  admitPipelined({ socket }: IncomingMessage, response: ServerResponse, isDirect: boolean): boolean {
    // All visitors share the address of a proxy.
    const address = isDirect ? (socket.remoteAddress ?? '') : '';
    if (isDirect && this.#refused.has(address)) return false;
    // A response gets its socket once the response before it is complete.
    if (response.socket !== null) return true;
    const hasShare = !isDirect || this.#pipelinedShares.get(address) < MAX_PIPELINED_PER_CLIENT;
    if (this.#pipelined.get(socket) >= MAX_PIPELINED || !hasShare) {
      this.#refused.set(address, performance.now() + REFUSAL_MS);
      return false;
    }
    this.#pipelined.add(socket);
    this.#pipelinedShares.add(address);
    response.once('close', () => {
      this.#pipelined.remove(socket);
      this.#pipelinedShares.remove(address);
    });
    return true;
  }

  /**
   * Calls `disconnect` with the connections of clients that send or read too slowly. Call it twice a second or so. One
   * that `reads` has its response, or a part of it.
   */
  findSlow(disconnect: (socket: Socket, direction: 'sends' | 'reads') => void): void {
    const now = performance.now();
    for (const [address, until] of this.#refused) if (until < now) this.#refused.delete(address);
    for (const waiting of this.#waiting) {
      const { socket, pace, request, bytesBefore, bytesToSend } = waiting;
      const isUnread = pace === RECEIVE && hasUnreadBody(request);
      if (!isUnread) waiting.waitedMs += Math.min(MAX_STEP_MS, now - waiting.checkedAt);
      waiting.checkedAt = now;
      const { pauseMs, bytesPerSecond } = pace;
      const bytes = request === null ? bytesToSend : socket.bytesRead - bytesBefore;
      if (waiting.waitedMs > pauseMs + (bytes / bytesPerSecond) * 1_000)
        disconnect(socket, pace === RECEIVE ? 'sends' : 'reads');
    }
  }

  /** Follows a request from its client to the server and back. */
  #follow(request: IncomingMessage, response: ServerResponse, client: string): void {
    let waiting = hasBody(request) ? this.#wait(RECEIVE, request, response, client) : null;
    let isSent = false;
    const start = () => {
      this.#processing += 1;
      this.#processingShares.add(client);
    };
    const finish = () => {
      this.#processing -= 1;
      this.#processingShares.remove(client);
    };
    const endBody = () => {
      // A response can be complete before the body is.
      if (waiting === null || isSent) return;
      this.#stopWaiting(waiting);
      waiting = null;
      start();
    };
    if (waiting === null) start();
    else request.on('end', endBody);
    response.on('prefinish', () => {
      endBody();
      finish();
      isSent = true;
      // The network has taken what fits; the rest waits for the client.
      if (response.req.socket.writableLength > 0) waiting = this.#wait(SEND, null, response, client);
    });
    response.on('close', () => {
      if (waiting !== null) this.#stopWaiting(waiting);
      else if (!isSent) finish();
      if (isSent && hasBody(request) && !request.complete && !response.req.socket.destroyed)
        this.#followRest(request, response, client);
    });
  }

  /** Follows what is left of a body whose response is complete. */
  #followRest(request: IncomingMessage, response: ServerResponse, client: string): void {
    const { socket } = response.req;
    const waiting = this.#wait(REST, request, response, client);
    const stop = () => {
      socket.off('close', stop);
      request.off('end', stop);
      this.#stopWaiting(waiting);
    };
    socket.once('close', stop);
    request.once('end', stop);
  }

  #wait(
    pace: Waiting['pace'],
    request: IncomingMessage | null,
    response: ServerResponse,
    client: string,
  ): Waiting {
    const { socket } = response.req;
    const waiting = {
      client,
      socket,
      pace,
      waitedMs: 0,
      checkedAt: performance.now(),
      request,
      bytesBefore: socket.bytesRead,
      bytesToSend: request === null ? Number(response.getHeader('content-length') ?? 0) : 0,
    };
    this.#waiting.add(waiting);
    this.#shares.add(client);
    return waiting;
  }

  #stopWaiting(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#shares.remove(waiting.client);
  }
}

/** Whether the client has sent what the server has not read yet: the server is the one that is waited for. */
function hasUnreadBody(request: IncomingMessage | null): boolean {
  return request !== null && (request.complete || request.readableLength > 0);
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Counts by key; a key without a count takes no memory. */
class Counter<Key = string> {
  readonly #counts = new Map<Key, number>();

  get(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key): void {
    this.#counts.set(key, this.get(key) + 1);
  }

  remove(key: Key): void {
    const count = this.get(key) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
