import {
  type GuardedGetOptions,
  type GuardedResponse,
  readBodyText,
  runExchange,
  sendAndFollow,
} from './http-get.ts';

/** `HttpGet` for Workers, over `fetch`, which decompresses bodies. */
export function fetchGet(address: URL, options: GuardedGetOptions): Promise<GuardedResponse> {
  return runExchange(options.deadlineMs, async (signal) => {
    const { status, headers, body } = await sendAndFollow(address, options, {
      send: (current) =>
        fetch(current, { headers: options.headers, signal, redirect: 'manual', cache: 'no-store' }),
      getRedirect: (response) =>
        response.status >= 300 && response.status <= 399 ? response.headers.get('location') : null,
      discard: (response) => void response.body?.cancel().catch(() => undefined),
    });
    return {
      status,
      headers,
      text: await readBodyText(body, headers.get('content-length'), options.maxBytes),
    };
  });
}
