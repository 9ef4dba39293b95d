import { randomFillSync } from 'node:crypto';
import type { HonoRequest } from 'hono';

/** What the runtime in front of the application knows about the sender of a request. */
export interface Visitor {
  /**
   * Address of the client after trusted proxy hops; never stored. Empty for pages that are cached for every visitor.
   */
  readonly clientAddress: string;
  /** Id of the request in the response (`X-Request-Id`), the log and error pages. */
  readonly requestId: string;
}

/** Types of the application: Hono's bindings are the visitor. */
export interface AppEnv {
  readonly Bindings: Visitor;
}

/** One request to the application: the part of Hono's context that handlers use. */
export interface AppContext {
  readonly req: Pick<HonoRequest, 'raw' | 'method' | 'url' | 'path' | 'header' | 'param'>;
  readonly env: Visitor;
}

/** Responds to one request. A rejection becomes a problem response, see `respondToError`. */
export type Handler = (context: AppContext) => Response | Promise<Response>;

/** A path that a handler responds at. GET alone includes HEAD; any other method gets 405. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'GET, POST' | 'GET, HEAD, POST';
  /** Exact path, or a pattern such as `/api/postbacks/:partner/:token`. */
  readonly path: string;
  readonly handle: Handler;
  /** true: the response is the same for every visitor, so it may be cached by its path. */
  readonly isShared?: boolean;
  /** true: the response may be long, and is compressed where the runtime does that. */
  readonly isLong?: boolean;
  /** true: it is refused last when the server is busy, as the health check and the redirects to partners are. */
  readonly isEssential?: boolean;
}

/** Removes slashes at the end. A regular expression would be quadratic in the number of slashes. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Splits a request target into path and query; a fragment, which no client sends, is dropped. */
export function splitTarget(target: string): [string, string] {
  const withoutFragment = target.split('#', 1)[0] ?? '/';
  const mark = withoutFragment.indexOf('?');
  return mark < 0 ? [withoutFragment, ''] : [withoutFragment.slice(0, mark), withoutFragment.slice(mark + 1)];
}

/** The query of a redirect: parsed and serialized again, so that it contains nothing but parameters. */
export function cleanQuery(query: string): string {
  return new URLSearchParams(query.slice(0, 4096)).toString();
}

const BYTES = 9;
/** Filled for many ids at once: random bytes cost per call, not per byte. */
const pool = Buffer.alloc(BYTES * 1_000);
let next = pool.length;

/** Creates an id of 12 characters that is valid in headers, logs and URLs. */
export function createRequestId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  next += BYTES;
  return pool.toString('base64url', next - BYTES, next);
}
