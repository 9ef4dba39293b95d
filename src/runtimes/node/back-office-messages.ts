import type { Transferable } from 'node:worker_threads';
import type { ArticleSummary, UnpublishedArticle } from '../../core/articles/article.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Visitor } from '../../server/http/route.ts';

/** What the site shows at one moment, copied from thread to thread. */
export interface SiteSnapshot {
  readonly content: Content;
  readonly summaries: readonly ArticleSummary[];
  readonly unpublished: readonly UnpublishedArticle[];
  readonly warnings: readonly string[];
}

/** A request on its way to the thread. */
export interface SentRequest {
  readonly visitor: Visitor;
  readonly url: string;
  readonly method: string;
  readonly headers: [string, string][];
  /** The thread asks for the body when it reads it: where there is no console, the site still needs it. */
  readonly hasBody: boolean;
}

/** A response on its way back. A body of known length is moved as a whole, any other as a stream. */
export interface SentResponse {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: ArrayBuffer | ReadableStream<Uint8Array> | null;
}

/** What the site posts to the thread of the back office. */
export type OfficeMessage =
  | { readonly kind: 'site'; readonly site: SiteSnapshot }
  | { readonly kind: 'request'; readonly id: number; readonly request: SentRequest }
  | { readonly kind: 'body'; readonly id: number; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: 'close'; readonly id: number };

/**
 * What the thread replies: that it needs the body of a request, or a response, which is null where there is no console
 * and after `close`.
 */
export type OfficeReply =
  | { readonly id: number; readonly needs: 'body' }
  | { readonly id: number; readonly response: SentResponse | null };

/** What of a body is moved with its message. */
export function listMoved(body: SentResponse['body']): readonly Transferable[] {
  const bodies: readonly unknown[] = [body];
  return bodies.filter(isMovable);
}

/** The types of Node and of the DOM describe the same streams. */
const isMovable = (body: unknown): body is Transferable =>
  body instanceof ReadableStream || body instanceof ArrayBuffer;
