import { createHash } from 'node:crypto';

/** Reads the whole body of a response. `headers` are by lower-case name. */
export async function readResponse(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  const headers: Readonly<Record<string, string>> = Object.fromEntries(response.headers);
  return { status: response.status, headers, body };
}

/** Builds a strong validator of a body, without quotes. */
export function buildEtag(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** Builds an uncached JSON response with its length, so that servers need not read the body to know it. */
export function buildJsonResponse(
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify(value);
  const all = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  return new Response(body, { status, headers: all });
}
