import { NotificationError } from '../../core/console/notification.ts';
import {
  type GuardedRequest,
  type GuardedResponse,
  type HttpPost,
  readBodyText,
  runExchange,
  sendAndFollow,
} from './http-get.ts';

/** `HttpGet` for Workers, over `fetch`, which decompresses bodies. */
export function fetchGet(address: URL, options: GuardedRequest): Promise<GuardedResponse> {
  return runExchange(options.deadlineMs, async (signal) => {
    const { status, headers, body } = await sendAndFollow(address, options, {
      send: (current) =>
        fetch(current, {
          headers: options.headers,
          signal,
          redirect: 'manual',
          cache: 'no-store',
          ...(options.body !== undefined && { method: 'POST', body: options.body }),
        }),
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

/**
 * `HttpPost` for Workers, over `fetch`, which does not tell a connection that was refused from one that was cut: both
 * are `unknown`. For an address that it cannot reach, Cloudflare responds itself with a status from 520 on.
 */
export const fetchPost: HttpPost = async (address, { headers, body, timeoutMs }) => {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel().catch(() => undefined);
    return response.status;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate ? 'no response in time' : 'the connection failed';
    throw new NotificationError('unknown', `webhook: ${reason}`);
  }
};
