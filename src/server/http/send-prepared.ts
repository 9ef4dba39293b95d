import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, Form } from '../compression.ts';

/** An answer that is sent many times. */
export interface PreparedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Strong validator of the uncompressed body, without quotes; null: it has none. */
  readonly etag: string | null;
  readonly body: Body;
}

/** Sends a prepared body in the form the client takes, or 304 when it has it already. */
export async function sendPrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: PreparedAnswer,
): Promise<void> {
  const { status, headers, etag, body } = prepared;
  const all: Record<string, string> = { ...headers };
  if (body.varies) all['vary'] = 'Accept-Encoding';
  const known = status === 200 && etag !== null ? findSame(request.headers['if-none-match'], etag) : null;
  if (known !== null) {
    all['etag'] = known;
    response.writeHead(304, all);
    response.end();
    return;
  }
  const picked = body.pick(request.headers['accept-encoding']?.toString());
  const form: Form = picked instanceof Promise ? await picked : picked;
  if (status === 200 && etag !== null) all['etag'] = `"${etag}${form.mark}"`;
  if (form.encoding !== 'identity') all['content-encoding'] = form.encoding;
  all['content-length'] = String(form.bytes.byteLength);
  response.writeHead(status, all);
  response.end(request.method === 'HEAD' ? undefined : form.bytes);
}

/** The validator that the client holds for this body, in whichever form it got it; null: it holds another. */
function findSame(ifNoneMatch: string | undefined, etag: string): string | null {
  if (ifNoneMatch === undefined) return null;
  if (ifNoneMatch.trim() === '*') return `"${etag}"`;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.find((tag) => tag === `"${etag}"` || (tag.startsWith(`"${etag}-`) && MARKED.test(tag))) ?? null;
}

const MARKED = /-(?:br|gzip)(?:-quick)?"$/;
