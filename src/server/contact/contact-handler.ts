import { parseContactValues } from '../../core/contact/contact-message.ts';
import { createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import { buildJsonResponse } from '../http/json-response.ts';
import type { Handler } from '../http/route.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import type { ContactService } from './contact-service.ts';

export interface ContactOptions extends JsonPostOptions {
  readonly service: ContactService;
  /** Returns the keys of the topics that a form offers, by path of its page. */
  readonly getForms: () => ReadonlyMap<string, readonly string[]>;
}

/**
 * `POST /api/contact`: the message of a contact form as JSON, with the path of its `page`. 202 `{ sent: true }` when
 * it is on disk, else 422, 429 or 503 with `{ sent: false, errors, token }`: a sentence for each wrong field, and the
 * token to send next.
 */
export function createContactHandler(options: ContactOptions): Handler {
  return createJsonPost(options, async (body, { req, env }) => {
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
    const parseText = (name: string) => {
      const value: unknown = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const forms = options.getForms();
    const [first = ''] = forms.keys();
    const page = forms.has(parseText('page')) ? parseText('page') : first;
    const outcome = await options.service.submit({
      values: parseContactValues((field) => fields.get(field)),
      topics: forms.get(page) ?? [],
      token: parseText('token'),
      honeypot: parseText('website'),
      page,
      clientAddress: env.clientAddress,
      visitor: readVisitorSignals(req.raw),
    });
    const { status, ...result } = outcome.sent ? { status: 202, ...outcome } : outcome;
    return buildJsonResponse(result, status);
  });
}
