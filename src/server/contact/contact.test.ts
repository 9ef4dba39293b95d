import { beforeEach, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { EventStoreError } from '../../stores/events.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Site } from '../site.ts';
import { submitContact } from './contact.ts';

type ContactAttempt = Parameters<typeof submitContact>[1];

const values = { topic: 'expert', name: 'Ada', email: 'ada@example.com', message: 'Two\nlines' };

let now = 0;
let stored: SiteEvent[] = [];
let isBroken = false;
let site: Site;

const create = (key: string) =>
  createTestSite({
    settings: { FORM_KEY: key },
    clock: { now: () => now, monotonic: () => now },
    formLimiter: createRateLimiter({ perSecond: 1 / 120, burst: 2, maxAddresses: 10, now: () => now }),
    events: Object.assign(createMemoryEventStore(), {
      append: async (events: readonly SiteEvent[]) => {
        if (isBroken) throw new EventStoreError('unavailable', '[events:test] full');
        stored.push(...events);
        return { stored: events.length, duplicates: 0 };
      },
    }),
  });

const submit = (one: ContactAttempt) => submitContact(site, one);

beforeEach(async () => {
  now = 1_700_000_000_000;
  stored = [];
  isBroken = false;
  site = await create('secret');
});

function attempt(change: Partial<ContactAttempt> = {}): ContactAttempt {
  const token = site.visitors.formTokens.issue();
  now += 10_000;
  return {
    values,
    topics: ['general', 'expert'],
    token,
    honeypot: '',
    page: '/contact',
    clientAddress: '192.0.2.1',
    visitor: { gpc: false, flags: [] },
    ...change,
  };
}

it('stores a message whole, as an event of its page', async () => {
  expect(await submit(attempt())).toEqual({ sent: true });
  expect(stored).toMatchObject([
    { name: 'contact_message', page: '/contact', label: 'expert', data: values, flags: [] },
  ]);
});

it('stores a message that is sent twice with one form as one event', async () => {
  const one = attempt();
  await submit(one);
  await submit(one);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
  expect(stored[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('stores a message that is changed and sent again with one form as another event', async () => {
  const one = attempt();
  await submit(one);
  await submit({ ...one, values: { ...values, message: 'More' } });
  expect(new Set(stored.map(({ id }) => id)).size).toBe(2);
});

it.each([
  ['a filled honeypot (spam)', { honeypot: 'https://spam.example' }],
  ['a bot as sender', { visitor: { gpc: false, flags: ['bot' as const] } }],
])('stores a message with %s and the flag bot', async (_, change) => {
  expect(await submit(attempt(change))).toEqual({ sent: true });
  expect(stored[0]?.flags).toEqual(['bot']);
});

it('refuses an invalid field with its error, and the form stays valid', async () => {
  const one = attempt({ values: { ...values, email: 'not an address' } });
  expect(await submit(one)).toEqual({
    sent: false,
    status: 422,
    errors: { email: expect.stringContaining('name@example.com') },
    token: one.token,
  });
});

it('refuses a form that was filled in too fast, and accepts the same form later', async () => {
  const token = site.visitors.formTokens.issue();
  now += 2_999;
  const fast = { ...attempt({ token }), token };
  now -= 10_000;
  const outcome = await submit(fast);
  expect(outcome).toMatchObject({
    sent: false,
    status: 422,
    errors: { form: expect.stringContaining('faster than a person can type') },
    token,
  });
  now += 1;
  expect(await submit(fast)).toEqual({ sent: true });
});

it.each([
  ['an old form', () => (now += 25 * 3_600_000)],
  ['a form from before a restart', async () => (site = await create('another'))],
])('refuses %s and issues a new token that is accepted', async (_, happen) => {
  const one = attempt();
  await happen();
  const outcome = await submit(one);
  expect(outcome).toMatchObject({
    sent: false,
    status: 422,
    errors: { form: expect.stringContaining('once more') },
  });
  now += 5_000;
  const token = outcome.sent ? '' : outcome.token;
  expect(await submit({ ...one, token })).toEqual({ sent: true });
});

it('makes a client that sent too many messages wait, and no other client', async () => {
  await submit(attempt());
  now -= 10_000;
  await submit(attempt());
  now -= 10_000;
  expect(await submit(attempt())).toMatchObject({
    sent: false,
    status: 429,
    errors: { form: expect.stringContaining('2 minutes') },
  });
  expect(await submit(attempt({ clientAddress: '192.0.2.2' }))).toEqual({ sent: true });
});

it('responds 503 while nothing can be stored, and succeeds later', async () => {
  isBroken = true;
  const one = attempt();
  expect(await submit(one)).toMatchObject({ sent: false, status: 503, token: one.token });
  isBroken = false;
  expect(await submit(one)).toEqual({ sent: true });
});
