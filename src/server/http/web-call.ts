import { BodyTooLargeError, type HttpAnswer, type HttpCall } from './message.ts';

/** Presents a web `Request` as an `HttpCall`, for servers that have no Node request to hand (development, workers). */
export function createWebCall(
  request: Request,
  about: Pick<HttpCall, 'clientAddress' | 'requestId'>,
): HttpCall {
  const url = new URL(request.url);
  return {
    ...about,
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBody(request, limit),
  };
}

/** Turns a handler's answer into a web `Response`. */
export function buildResponse(answer: HttpAnswer): Response {
  const body = typeof answer.body === 'string' ? answer.body : answer.body && new Uint8Array(answer.body);
  return new Response(body, { status: answer.status, headers: { ...answer.headers } });
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyTooLargeError(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
