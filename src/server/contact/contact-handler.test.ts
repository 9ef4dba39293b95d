import { beforeEach, expect, it } from 'vitest';
import { createRouteClient, type RouteClient } from '../../../test/support/route-client.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { type Page, pageSchema } from '../../core/pages/page.schema.ts';
import type { EventStore } from '../../stores/events.ts';
import { createContactHandler } from './contact.ts';
import type { FormTokens } from './submit-form.ts';

const good = { topic: 'general', name: 'Ada', email: 'ada@example.com', message: 'Hello' };

let now = 0;
let store: EventStore;
let tokens: FormTokens;
let request: RouteClient;

/** A page with a contact form that offers one topic. */
function buildPage(key: string): Page {
  const section = {
    type: 'contact-form',
    topics: [{ key, label: key }],
    button: 'Send',
    thanks: 'Thank you.',
  };
  return pageSchema.parse({ title: 'Contact', description: 'x'.repeat(50), sections: [section] });
}

beforeEach(async () => {
  now = 1_700_000_000_000;
  const pages = new Map([
    ['/contact', buildPage('general')],
    ['/offer', buildPage('demo')],
  ]);
  const clock = { now: () => now, monotonic: () => now };
  const site = await createTestSite({ clock, content: { pages } });
  store = site.visitors.events;
  tokens = site.visitors.formTokens;
  request = createRouteClient({ method: 'POST', path: '/api/contact', handle: createContactHandler(site) });
});

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await request(JSON.stringify(body), headers);
  return { status: response.status, body: await response.json() };
}

function issueAged(): string {
  const token = tokens.issue();
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
])('treats %s as a message without fields', async (_, body) => expect((await post(body)).status).toBe(422));

it('responds 403 to another site', async () =>
  expect((await post({ ...good, token: issueAged() }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403));

it('stores the message of a visitor with Sec-GPC', async () => {
  const { status } = await post({ ...good, token: issueAged() }, { 'sec-gpc': '1' });
  expect(status).toBe(202);
  expect(await collect(store.read({}))).toMatchObject([{ data: good, flags: ['gpc'] }]);
});
