const encoder = new TextEncoder();

/** Builds an uncached JSON response with its length, so that servers need not read the body to know it. */
export function buildJsonResponse(
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = encoder.encode(JSON.stringify(value));
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': String(body.byteLength),
      ...headers,
    },
  });
}
