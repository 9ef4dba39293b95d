import { beforeEach, expect, it } from 'vitest';
import { buildHttpCall } from '../../../test/support/http-call.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createMemoryEventStore } from '../../adapters/events/memory-event-store.ts';
import type { EventStore } from '../../core/journey/event-store.ts';
import { type ContactDesk, createContactDesk } from '../contact/contact-desk.ts';
import { createFormTokens } from '../contact/form-token.ts';
import type { HttpHandler } from '../http/message.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createContactHandler } from './contact.ts';

const good = { topic: 'general', name: 'Ada', email: 'ada@example.com', message: 'Hello' };

let now = 0;
let store: EventStore;
let desk: ContactDesk;
let handle: HttpHandler;

beforeEach(() => {
  now = 1_700_000_000_000;
  store = createMemoryEventStore();
  const limiter = createRateLimiter({ perSecond: 0, burst: 0, maxAddresses: 1, now: () => now });
  const tokens = createFormTokens({ key: 'secret', now: () => now });
  desk = createContactDesk({ store, tokens, limiter, now: () => now });
  handle = createContactHandler({ desk, topics: ['general'], page: '/contact', limiter, siteOrigin: null });
});

async function post(body: unknown, headers: Record<string, string> = {}) {
  const answer = await handle(buildHttpCall(JSON.stringify(body), headers));
  return { status: answer.status, body: JSON.parse(String(answer.body)) as unknown };
}

function issueAged(): string {
  const token = desk.issueToken();
  now += 5_000;
  return token;
}

it('a message is answered 202 when it is stored', async () => {
  expect(await post({ ...good, token: issueAged() })).toEqual({ status: 202, body: { sent: true } });
  expect(await collect(store.read({}))).toMatchObject([{ name: 'contact_message', data: good }]);
});

it('a message with wrong fields is answered with a sentence for each, and nothing is stored', async () => {
  const { status, body } = await post({ token: issueAged(), email: 5 });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    sent: false,
    errors: { topic: expect.any(String), name: expect.any(String), email: expect.any(String) },
  });
  expect(await store.count({})).toBe(0);
});

it.each([
  ['a list', []],
  ['null', null],
  ['a number', 5],
  ['a prototype', JSON.parse('{"__proto__":{"name":"x"}}')],
])('%s is a message without fields', async (_, body) => {
  expect((await post(body)).status).toBe(422);
});

it('another site cannot send', async () => {
  expect((await post({ ...good, token: issueAged() }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

it('a visitor who asks for privacy can write too', async () => {
  const { status } = await post({ ...good, token: issueAged() }, { 'sec-gpc': '1' });
  expect(status).toBe(202);
  expect(await collect(store.read({}))).toMatchObject([{ data: good, flags: ['gpc'] }]);
});
