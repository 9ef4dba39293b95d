import { createHmac } from 'node:crypto';
import {
  type NotificationChannel,
  NotificationError,
  type OperatorNotification,
} from '../../core/console/notification.ts';
import type { HttpPost } from './http-get.ts';

/** How a key in base64 begins, by Standard Webhooks. */
const ENCODED_KEY = 'whsec_';

/**
 * Posts notifications as JSON, signed as Standard Webhooks describes: `webhook-signature` is `v1,` and the base64 of
 * the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. A secret `whsec_…` is its key in base64, any other one is
 * the key itself. Redirects are not followed.
 */
export function createWebhookChannel(options: {
  /** An https address, or one of this machine (see `isWebhookAddress`). */
  readonly url: string;
  readonly secret: string;
  readonly post: HttpPost;
  /** ms since 1970. */
  readonly now: () => number;
  /** For the whole exchange. */
  readonly timeoutMs?: number;
}): NotificationChannel {
  const { url, secret, post, now, timeoutMs = 10_000 } = options;
  const key = secret.startsWith(ENCODED_KEY)
    ? Buffer.from(secret.slice(ENCODED_KEY.length), 'base64')
    : secret;
  return {
    async send(notification) {
      const body = Buffer.from(JSON.stringify(buildBody(notification)));
      const { id } = notification;
      const timestamp = String(Math.floor(now() / 1_000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Signpost',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      const status = await post(new URL(url), { headers, body, timeoutMs });
      if (status < 200 || status > 299) throw explainStatus(status);
    },
  };
}

function buildBody({ id, kind, subject, text, fields, createdAt }: OperatorNotification) {
  return { id, type: kind, time: new Date(createdAt).toISOString(), subject, text, data: fields };
}

/** Busy and failing servers are asked again; a redirect or any other refusal is final. */
function explainStatus(status: number): NotificationError {
  const isTemporary = status === 408 || status === 429 || status >= 500;
  return new NotificationError(isTemporary ? 'not-sent' : 'refused', `webhook: status ${status}`);
}
