import { EVENT_LIMITS } from '../../core/events/site-event.ts';
import type { Settings } from '../settings.ts';
import type { SharedRateLimiter } from './rate-limiter.ts';
import { buildProblem } from './responses.ts';
import type { AppContext, Handler } from './route.ts';
import { getSiteOrigin, isSameOrigin } from './same-origin.ts';

/** A request body that cannot be used. `unreadable`: the client stopped sending or sent too slowly. */
export class RequestBodyError extends Error {
  readonly code: 'too-large' | 'unreadable';

  constructor(code: 'too-large' | 'unreadable', message: string, options?: ErrorOptions) {
    super(`[http:body] ${message}`, options);
    this.name = 'RequestBodyError';
    this.code = code;
  }
}

/** Reads a whole body of at most `maxBytes`. Rejects with `RequestBodyError`; a longer body is not read to its end. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > maxBytes)
    throw new RequestBodyError('too-large', `more than ${maxBytes} bytes`);
  if (announced === '0') return new Uint8Array();
  try {
    // The server takes no more bytes than announced. A body of unknown length is counted as it comes.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return await readStream(request, maxBytes);
  } catch (cause) {
    if (cause instanceof RequestBodyError) throw cause;
    throw new RequestBodyError('unreadable', 'the body did not arrive', { cause });
  }
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new RequestBodyError('too-large', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the fields of a posted form; none when the body is not a form. */
export function readPostedForm(body: Body): Promise<FormData> {
  return body.formData().catch(() => new FormData());
}

/**
 * Creates a handler for JSON that pages of this site post, at most 64 KB. Requests that are not are refused before
 * `respond` runs.
 */
export function createJsonPost(
  settings: Settings,
  limiter: SharedRateLimiter,
  /** `bytes`: length of the body. */
  respond: (body: unknown, context: AppContext, bytes: number) => Promise<Response>,
  /** Whether pages of another origin may post too; they send JSON as `text/plain`, which needs no question before. */
  isListed: (origin: string | null) => boolean = () => false,
): Handler {
  const siteOrigin = getSiteOrigin(settings);
  return async (context) => {
    const refusal = await refuseUnread(context, limiter, siteOrigin, isListed);
    if (refusal) return refusal;
    const bytes = await readBody(context.req.raw, EVENT_LIMITS.bodyBytes);
    const body = parseJson(bytes);
    if (body === undefined) return buildProblem('invalid-json', context.env.requestId);
    return respond(body.value, context, bytes.byteLength);
  };
}

/**
 * Takes the cost of a request from the tokens of its address; a 429 response when too few are left, else null. A limiter
 * in memory responds at once.
 */
export function refuseForRate(
  { env: { clientAddress, requestId } }: AppContext,
  limiter: SharedRateLimiter,
  cost: number,
): Response | null | Promise<Response | null> {
  const refuse = (seconds: number) =>
    seconds === 0
      ? null
      : buildProblem('rate-limited', requestId, { headers: { 'retry-after': String(seconds) } });
  const seconds = limiter.take(clientAddress, cost);
  return typeof seconds === 'number' ? refuse(seconds) : seconds.then(refuse);
}

/** Checks what needs no byte of the body. */
function refuseUnread(
  context: AppContext,
  limiter: SharedRateLimiter,
  siteOrigin: string | null,
  isListed: (origin: string | null) => boolean,
): ReturnType<typeof refuseForRate> {
  const { headers } = context.req.raw;
  if (isListed(headers.get('origin'))) return refuseForRate(context, limiter, 1);
  if (!isSameOrigin(headers, siteOrigin)) return buildProblem('cross-site', context.env.requestId);
  if (!isPlainJson(headers)) return buildProblem('unsupported-media-type', context.env.requestId);
  return refuseForRate(context, limiter, 1);
}

function isPlainJson(headers: Headers): boolean {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') return false;
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(headers.get('content-type') ?? '');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Undefined: not JSON, or not in UTF-8. */
function parseJson(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return undefined;
  }
}
