import { type BufferedResponse, buildResponse } from './buffered-response.ts';

/** Builds an uncached JSON response with its length, so that servers need not read the body to know it. */
export function buildJsonResponse(
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return buildResponse(buildBufferedJson(value, status, headers));
}

/** Builds an uncached JSON response that stays in memory: for short ones that are sent often. */
export function buildBufferedJson(
  value: object,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): BufferedResponse {
  const body = Buffer.from(JSON.stringify(value));
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': String(body.byteLength),
      ...headers,
    },
    body,
  };
}
