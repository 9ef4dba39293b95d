/**
 * One request as the API handlers see it: plain values, so that the same handler answers
 * behind Node's own server (fast path), an Astro route (development) and a worker.
 */
export interface HttpCall {
  readonly method: string;
  /** Path without query, as sent. */
  readonly path: string;
  /** Query without `?`, as sent. */
  readonly query: string;
  /** Header value by lower-case name; undefined when absent. */
  header(name: string): string | undefined;
  /** The whole body. Rejects with `BodyTooLargeError` past `limit` bytes, `BodyUnreadableError` when it does not come. */
  body(limit: number): Promise<Uint8Array>;
  /** Address of the client after trusted proxy hops; never stored. */
  readonly clientAddress: string;
  /** Appears in the answer (`X-Request-Id`), the log and error pages. */
  readonly requestId: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export type HttpHandler = (call: HttpCall) => Promise<HttpAnswer>;

export class BodyTooLargeError extends Error {
  constructor(limit: number) {
    super(`[http:body] more than ${limit} bytes`);
    this.name = 'BodyTooLargeError';
  }
}

/** The client stopped sending, or sends slower than the time allowed for a whole body. */
export class BodyUnreadableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`[http:body] ${reason}`, options);
    this.name = 'BodyUnreadableError';
  }
}
