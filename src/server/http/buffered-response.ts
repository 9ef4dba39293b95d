import { createHash } from 'node:crypto';

/**
 * A response whose body is in memory. A web-standard `Response` copies its body when it is read, and turns text into
 * bytes and back: for a page that passes through several hands, that costs as much as rendering it.
 */
export interface BufferedResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Reads the whole body of a response. */
export async function readResponse(response: Response): Promise<BufferedResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Builds the web response of one in memory; a web response stays as it is. */
export function buildResponse(response: Response | BufferedResponse): Response {
  if (response instanceof Response) return response;
  return new Response(response.body, { status: response.status, headers: response.headers });
}

/** Builds a strong validator of a body, without quotes. */
export function buildEtag(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
