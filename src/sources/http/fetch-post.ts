import { NotificationError } from '../../core/console/notification.ts';
import type { HttpPost } from './http-post.ts';

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
