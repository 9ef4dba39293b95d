import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type NotificationChannel,
  NotificationError,
  type OperatorNotification,
} from '../../core/console/notification.ts';

/** Where a webhook goes. */
export interface WebhookOptions {
  /** An https address, or one of this machine (see `isWebhookAddress`). */
  readonly url: string;
  readonly secret: string;
  /** ms since 1970. */
  readonly now: () => number;
  /** For the whole exchange; 10,000 when left out. */
  readonly timeoutMs?: number;
}

/**
 * Posts notifications as JSON, signed as Standard Webhooks describes: `webhook-signature` is `v1,` and the base64 of
 * the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. Redirects are not followed.
 */
export function createWebhookChannel({
  url,
  secret,
  now,
  timeoutMs = 10_000,
}: WebhookOptions): NotificationChannel {
  return {
    send(notification) {
      const body = Buffer.from(JSON.stringify(buildBody(notification)));
      const { id } = notification;
      const timestamp = String(Math.floor(now() / 1_000));
      const signature = createHmac('sha256', secret)
        .update(`${id}.${timestamp}.`)
        .update(body)
        .digest('base64');
      return post(new URL(url), body, timeoutMs, {
        'content-type': 'application/json',
        'content-length': String(body.length),
        'user-agent': 'Signpost',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      });
    },
  };
}

function buildBody({ id, kind, subject, text, fields, createdAt }: OperatorNotification) {
  return { id, type: kind, time: new Date(createdAt).toISOString(), subject, text, data: fields };
}

function post(
  address: URL,
  body: Buffer,
  timeoutMs: number,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const create = address.protocol === 'https:' ? requestHttps : requestHttp;
    let isSent = false;
    const fail = (error: NotificationError) => {
      clearTimeout(timer);
      reject(error);
      request.destroy();
    };
    const request = create(address, { method: 'POST', headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      response.resume();
      if (statusCode >= 200 && statusCode < 300) {
        clearTimeout(timer);
        request.destroy();
        resolve();
      } else fail(explainStatus(statusCode));
    });
    const timer = setTimeout(
      () => fail(new NotificationError(isSent ? 'unknown' : 'not-sent', 'webhook: no response in time')),
      timeoutMs,
    );
    request.on('socket', (socket) => {
      const markSent = () => {
        isSent = true;
      };
      socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', markSent);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const reason = `webhook: ${error.code ?? 'the connection failed'}`;
      fail(new NotificationError(isSent ? 'unknown' : 'not-sent', reason));
    });
    request.end(body);
  });
}

/** Busy and failing servers are asked again; a redirect or any other refusal is final. */
function explainStatus(status: number): NotificationError {
  const isTemporary = status === 408 || status === 429 || status >= 500;
  return new NotificationError(isTemporary ? 'not-sent' : 'refused', `webhook: status ${status}`);
}
