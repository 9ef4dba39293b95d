import type { Context } from 'hono';
import type { BufferedResponse } from './buffered-response.ts';

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

/** Hono's context of one request to the application. */
export type AppContext = Context<AppEnv>;

/** A buffered response is short: it is sent as it is, without being compressed. */
export type HandlerResponse = Response | BufferedResponse;

/** Responds to one request. A rejection becomes a problem response, see `buildErrorProblem`. */
export type Handler = (context: AppContext) => HandlerResponse | Promise<HandlerResponse>;

/** A path that a handler responds at. GET includes HEAD; any other method gets 405. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'GET, POST';
  /** Exact path, or a pattern such as `/api/postbacks/:partner/:token`. */
  readonly path: string;
  readonly handle: Handler;
  /** true: the response is the same for every visitor, so it may be cached by its path. */
  readonly isShared?: boolean;
}
