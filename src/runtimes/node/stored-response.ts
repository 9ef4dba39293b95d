import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildEtag, isUnmodified, type ReadResponse, readResponse } from '../../server/http/responses.ts';
import { EncodedBody, isCompressible, type Variant } from './encoded-body.ts';

/**
 * A response in memory: the one path on which files, pages, feeds and handler responses are validated and compressed.
 */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Strong validator of the uncompressed body, without quotes; null: the response has none. */
  readonly etag: string | null;
  readonly body: EncodedBody;
}

/**
 * Stores a response in memory; successful ones that may be stored get a validator. A body that is the same as that of
 * `previous`, the response stored before, keeps its compressed variants. `isRepeated`: the response is probably sent
 * often.
 */
export function storeResponse(
  { status, headers, body: content }: ReadResponse,
  {
    previous,
    isRepeated = true,
  }: { readonly previous?: StoredResponse | undefined; readonly isRepeated?: boolean } = {},
): StoredResponse {
  const isStored = status === 200 && !/no-store/.test(headers['cache-control'] ?? '');
  const etag = isStored ? buildEtag(content) : null;
  const isSame = etag !== null && previous?.etag === etag;
  const options = { isRepeated, isCompressible: isCompressible(headers['content-type'] ?? '') };
  return { status, headers, etag, body: isSame ? previous.body : new EncodedBody(content, options) };
}

/** Sends a stored response through Node, in an encoding that the client accepts, or 304 when its copy is current. */
export async function sendStoredResponse(
  request: IncomingMessage,
  response: ServerResponse,
  stored: StoredResponse,
  requestId: string,
): Promise<void> {
  const { headers: accepted } = request;
  const selecting = select(stored, accepted, accepted['accept-encoding']?.toString());
  const { status, headers, bytes } = selecting instanceof Promise ? await selecting : selecting;
  headers['x-request-id'] = requestId;
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Builds the web response in an encoding that the client accepts, or 304 when its copy is current. */
export async function buildStoredResponse(request: Request, stored: StoredResponse): Promise<Response> {
  const accepted = request.headers;
  const { status, headers, bytes } = await select(
    stored,
    {
      'if-match': accepted.get('if-match') ?? undefined,
      'if-none-match': accepted.get('if-none-match') ?? undefined,
      'if-modified-since': accepted.get('if-modified-since') ?? undefined,
    },
    accepted.get('accept-encoding') ?? undefined,
  );
  return new Response(bytes ?? null, { status, headers });
}

/** Shorter responses of handlers fit into a few packets as they are. */
const MIN_BYTES = 4_096;

/** Compresses the response of a handler when it states a long text body and was not compressed before. */
export async function compressResponse(response: Response, request: Request): Promise<Response> {
  const { headers } = response;
  if (Number(headers.get('content-length') ?? 0) < MIN_BYTES) return response;
  if (headers.has('content-encoding') || headers.has('vary')) return response;
  if (!isCompressible(headers.get('content-type') ?? '')) return response;
  return buildStoredResponse(request, {
    ...storeResponse(await readResponse(response), { isRepeated: false }),
    etag: null,
  });
}

/** What is sent of a stored response; without `bytes` for 304. */
interface Selected {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes?: Buffer<ArrayBuffer>;
}

/** Headers of a request that decide whether a body is sent. */
type Conditions = Readonly<
  Partial<Record<'if-match' | 'if-none-match' | 'if-modified-since', string | undefined>>
>;

function select(
  { status, headers, etag, body }: StoredResponse,
  conditions: Conditions,
  acceptEncoding: string | undefined,
): Selected | Promise<Selected> {
  const all: Record<string, string> = { ...headers };
  if (body.varies) all['vary'] = 'Accept-Encoding';
  const isTagged = etag !== null && status === 200;
  const { 'if-match': wanted, 'if-none-match': known } = conditions;
  // RFC 9110, 13.1.1: another version than the one that was asked for is not sent. Weak tags match nothing.
  if (isTagged && wanted !== undefined && findCurrentTag(wanted.replace(/W\/"[^"]*"/g, ''), etag) === null)
    return { status: 412, headers: { ...all, 'content-length': '0' } };
  const isUnchanged =
    known === undefined && isUnmodified(conditions['if-modified-since'], headers['last-modified']);
  const current = isTagged ? findCurrentTag(isUnchanged ? '*' : known, etag) : null;
  if (current !== null) {
    delete all['content-length'];
    all['etag'] = current;
    return { status: 304, headers: all };
  }
  const finish = ({ encoding, bytes, etagSuffix }: Variant): Selected => {
    if (etag !== null) all['etag'] = `"${etag}${etagSuffix}"`;
    if (encoding !== 'identity') all['content-encoding'] = encoding;
    all['content-length'] = String(bytes.byteLength);
    return { status, headers: all, bytes };
  };
  const variant = body.select(acceptEncoding);
  return variant instanceof Promise ? variant.then(finish) : finish(variant);
}

/** The tag of `If-None-Match` that names this body in any encoding; null when the client has another body or none. */
function findCurrentTag(ifNoneMatch: string | undefined, etag: string): string | null {
  if (ifNoneMatch === undefined) return null;
  if (ifNoneMatch.trim() === '*') return `"${etag}"`;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.find((tag) => tag === `"${etag}"` || (tag.startsWith(`"${etag}-`) && SUFFIX.test(tag))) ?? null;
}

const SUFFIX = /-(?:br|gzip)(?:-fast)?"$/;
