import { BodyTooLargeError, type HttpCall } from '../../src/server/http/message.ts';

/** Builds a call as the server hands it to a handler: a POST of JSON from the site itself, unless changed. */
export function buildHttpCall(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  about: Partial<Pick<HttpCall, 'method' | 'path' | 'query' | 'clientAddress'>> = {},
): HttpCall {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ...headers,
  };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    method: 'POST',
    path: '/api/journey',
    query: '',
    clientAddress: '192.0.2.1',
    requestId: 'request-1',
    ...about,
    header: (name) => all[name],
    body: async (limit) => {
      if (bytes.byteLength > limit) throw new BodyTooLargeError(limit);
      return bytes;
    },
  };
}
