import { readContactValues } from '../../core/contact/contact-message.ts';
import type { ContactDesk } from '../contact/contact-desk.ts';
import { createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import type { HttpHandler } from '../http/message.ts';

export interface ContactOptions extends JsonPostOptions {
  readonly desk: ContactDesk;
  /** Keys of the topics that the contact page offers. */
  readonly topics: readonly string[];
  /** Path of the contact page. */
  readonly page: string;
}

/**
 * `POST /api/contact`: the contact form's message as JSON. 202 `{ sent: true }` when it is on disk, else 422, 429 or
 * 503 with `{ sent: false, errors, token }`: a sentence for each wrong field, and the token to send next.
 */
export function createContactHandler(options: ContactOptions): HttpHandler {
  return createJsonPost(options, async (body, call) => {
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
    const readText = (name: string) => {
      const value: unknown = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const outcome = await options.desk.submit({
      values: readContactValues((field) => fields.get(field)),
      topics: options.topics,
      token: readText('token'),
      trap: readText('website'),
      page: options.page,
      clientAddress: call.clientAddress,
      userAgent: call.header('user-agent'),
      gpc: call.header('sec-gpc') === '1',
    });
    const { status, ...answer } = outcome.sent ? { status: 202, ...outcome } : outcome;
    return {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify(answer),
    };
  });
}
