import { beforeEach, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../test/support/memory-event-store.ts';
import { createRouteClient, type RouteClient } from '../../../test/support/route-client.ts';
import { collect } from '../../../test/support/sample-events.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { type ContactService, createContactHandler, createContactService } from './contact.ts';
import { createFormGate, createFormTokens } from './form-gate.ts';

const good = { topic: 'general', name: 'Ada', email: 'ada@example.com', message: 'Hello' };

let now = 0;
let store: EventStore;
let service: ContactService;
let request: RouteClient;

beforeEach(() => {
  now = 1_700_000_000_000;
  store = createMemoryEventStore();
  const limiter = createRateLimiter({ perSecond: 0, burst: 0, maxAddresses: 1, now: () => now });
  const tokens = createFormTokens({ key: 'secret', now: () => now });
  service = createContactService(createFormGate({ store, tokens, limiter, now: () => now }));
  const forms = new Map([
    ['/contact', ['general']],
    ['/offer', ['demo']],
  ]);
  const options = { service, getForms: () => forms, limiter, siteOrigin: null };
  const handle = createContactHandler(options);
  request = createRouteClient({ method: 'POST', path: '/api/contact', handle });
});

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await request(JSON.stringify(body), headers);
  return { status: response.status, body: (await response.json()) as unknown };
}

function issueAged(): string {
  const token = service.issueToken();
  now += 5_000;
  return token;
}

it('responds 202 when the message is stored', async () => {
  expect(await post({ ...good, token: issueAged() })).toEqual({ status: 202, body: { sent: true } });
  expect(await collect(store.read({}))).toMatchObject([{ name: 'contact_message', data: good }]);
});

it('a message is checked against the topics of the page that its form is on', async () => {
  const message = { ...good, topic: 'demo', page: '/offer' };
  expect((await post({ ...message, token: issueAged() })).status).toBe(202);
  expect(await collect(store.read({}))).toMatchObject([{ page: '/offer', data: { topic: 'demo' } }]);
  expect((await post({ ...message, page: '/contact', token: issueAged() })).status).toBe(422);
});

it('responds 422 with a sentence for each wrong field, and stores nothing', async () => {
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
])('treats %s as a message without fields', async (_, body) => {
  expect((await post(body)).status).toBe(422);
});

it('responds 403 to another site', async () => {
  expect((await post({ ...good, token: issueAged() }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

it('stores the message of a visitor with Sec-GPC', async () => {
  const { status } = await post({ ...good, token: issueAged() }, { 'sec-gpc': '1' });
  expect(status).toBe(202);
  expect(await collect(store.read({}))).toMatchObject([{ data: good, flags: ['gpc'] }]);
});
