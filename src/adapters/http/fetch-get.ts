import { type GuardedGetOptions, type GuardedResponse, HttpError, sendAndFollow } from './http-get.ts';

/** `HttpGet` for Workers, over `fetch`, which decompresses bodies. */
export async function fetchGet(address: URL, options: GuardedGetOptions): Promise<GuardedResponse> {
  const { headers, deadlineMs, maxBytes } = options;
  const exchange = new AbortController();
  const { signal } = exchange;
  const timer = setTimeout(() => exchange.abort(new HttpError('timeout')), deadlineMs);
  try {
    const response = await sendAndFollow(address, options, {
      send: (current) => fetch(current, { headers, signal, redirect: 'manual', cache: 'no-store' }),
      getRedirect: ({ status, headers: received }) =>
        status >= 300 && status <= 399 ? received.get('location') : null,
      discard: ({ body }) => void body?.cancel().catch(() => undefined),
    });
    return { status: response.status, headers: response.headers, text: await readBody(response, maxBytes) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof HttpError ? error : new HttpError('unreachable', { cause: error });
  } finally {
    clearTimeout(timer);
    // Closes the connection of a response that was not read to its end.
    exchange.abort();
  }
}

async function readBody({ headers, body }: Response, maxBytes: number): Promise<string> {
  if (Number(headers.get('content-length')) > maxBytes) throw new HttpError('too-large');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new HttpError('too-large');
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError('invalid-body', { cause: error });
  }
}
