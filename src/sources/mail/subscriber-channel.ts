import { z } from 'zod';
import { type NotificationChannel, NotificationError } from '../../core/console/notification.ts';
import type { NewsletterService } from '../../core/contact/newsletter-signup.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { readBodyText } from '../http/http-get.ts';

export interface SubscriberOptions {
  readonly service: NewsletterService;
  readonly key: string;
  /** The Kit form that new subscribers are added to; empty for none. */
  readonly formId: string;
  /** Empty: the address of the service's API. */
  readonly baseUrl: string;
  /** For each request; 10,000 when left out. */
  readonly timeoutMs?: number;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

type Post = (path: string, body: Readonly<Record<string, string>>) => Promise<Answer>;

/** A longer response counts as missing. */
const MAX_BYTES = 65_536;
/** Buttondown's error codes when an address is invalid or blocked: it will never take it. */
const REFUSED_CODE = /^(email_(invalid|blocked|empty)|subscriber_blocked)$/;

const buttondownSchema = z.object({ id: z.string() });
const buttondownErrorSchema = z.object({ code: z.string() });
const kitSchema = z.object({ subscriber: z.object({ id: z.number() }) });

/**
 * Signs up for a newsletter at a service, which keeps one subscriber for each address: an attempt whose response is
 * missing or cannot be read is made again. Errors never contain the address.
 */
export function createSubscriberChannel(options: SubscriberOptions): NotificationChannel {
  const subscribe = options.service === 'kit' ? subscribeToKit : subscribeToButtondown;
  const post = createPost(options);
  return {
    async send({ fields: { email } }) {
      await subscribe(post, String(email ?? ''), options.formId);
    },
  };
}

async function subscribeToButtondown(post: Post, email: string): Promise<void> {
  const response = await post('/v1/subscribers', { email_address: email });
  const code = buttondownErrorSchema.safeParse(response.json).data?.code ?? '';
  if (response.status === 409 || code === 'email_already_exists') return;
  if (!isSuccess(response)) throw explain(response, REFUSED_CODE.test(code));
  check(buttondownSchema, response);
}

/** With a form a subscriber begins inactive, and the form's email asks for confirmation. */
async function subscribeToKit(post: Post, email: string, formId: string): Promise<void> {
  const state = formId === '' ? 'active' : 'inactive';
  const created = await post('/v4/subscribers', { email_address: email, state });
  if (!isSuccess(created)) throw explain(created, created.status === 422);
  check(kitSchema, created);
  if (formId === '') return;
  const added = await post(`/v4/forms/${formId}/subscribers`, { email_address: email });
  if (!isSuccess(added)) throw explain(added, false);
  check(kitSchema, added);
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

function check(schema: z.ZodType, { status, json }: Answer): void {
  if (!schema.safeParse(json).success)
    throw new NotificationError('not-sent', `newsletter service: status ${status} with another response`);
}

/** A wrong key or form can be corrected, and quotas end: the sign-up waits. */
function explain({ status }: Answer, isRefused: boolean): NotificationError {
  return new NotificationError(isRefused ? 'refused' : 'not-sent', `newsletter service: status ${status}`);
}

const ADDRESSES = { buttondown: 'https://api.buttondown.com', kit: 'https://api.kit.com' } as const;

function createPost({ service, key, baseUrl, timeoutMs = 10_000 }: SubscriberOptions): Post {
  const base = (baseUrl === '' ? ADDRESSES[service] : baseUrl).replace(/\/+$/, '');
  const credentials: Readonly<Record<string, string>> =
    service === 'kit' ? { 'x-kit-api-key': key } : { authorization: `Token ${key}` };
  return async (path, body) => {
    try {
      const response = await fetch(base + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'application/json', 'content-type': 'application/json', ...credentials },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, json: parseJson(await readBodyText(response.body, null, MAX_BYTES)) };
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'the connection failed';
      throw new NotificationError('not-sent', `newsletter service: no response (${reason})`);
    }
  };
}
