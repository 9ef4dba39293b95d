import { beforeEach, expect, it } from 'vitest';
import { EventStoreError } from '../../core/events/event-store.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { type ContactAttempt, createContactService } from './contact.ts';
import { createFormGate, createFormTokens } from './form-gate.ts';

const values = { topic: 'expert', name: 'Ada', email: 'ada@example.com', message: 'Two\nlines' };

let now = 0;
let stored: SiteEvent[] = [];
let isBroken = false;
let service = create();

function create() {
  return createContactService(
    createFormGate({
      store: {
        append: async (events) => {
          if (isBroken) throw new EventStoreError('unavailable', '[events:test] full');
          stored.push(...events);
          return { stored: events.length, duplicates: 0, conflicts: 0 };
        },
      },
      tokens: createFormTokens({ key: 'secret', now: () => now }),
      limiter: createRateLimiter({ perSecond: 1 / 120, burst: 2, maxAddresses: 10, now: () => now }),
      now: () => now,
    }),
  );
}

beforeEach(() => {
  now = 1_700_000_000_000;
  stored = [];
  isBroken = false;
  service = create();
});

function attempt(change: Partial<ContactAttempt> = {}): ContactAttempt {
  const token = service.issueToken();
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
  expect(await service.submit(attempt())).toEqual({ sent: true });
  expect(stored).toMatchObject([
    { name: 'contact_message', page: '/contact', label: 'expert', data: values, flags: [] },
  ]);
});

it('stores a message that is sent twice with one form as one event', async () => {
  const one = attempt();
  await service.submit(one);
  await service.submit(one);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
  expect(stored[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('stores a message that is changed and sent again with one form as another event', async () => {
  const one = attempt();
  await service.submit(one);
  await service.submit({ ...one, values: { ...values, message: 'More' } });
  expect(new Set(stored.map(({ id }) => id)).size).toBe(2);
});

it.each([
  ['a filled honeypot (spam)', { honeypot: 'https://spam.example' }],
  ['a bot as sender', { visitor: { gpc: false, flags: ['bot' as const] } }],
])('stores a message with %s and the flag bot', async (_, change) => {
  expect(await service.submit(attempt(change))).toEqual({ sent: true });
  expect(stored[0]?.flags).toEqual(['bot']);
});

it('refuses an invalid field with its error, and the form stays valid', async () => {
  const one = attempt({ values: { ...values, email: 'not an address' } });
  expect(await service.submit(one)).toEqual({
    sent: false,
    status: 422,
    errors: { email: expect.stringContaining('name@example.com') },
    token: one.token,
  });
});

it('refuses a form that was filled in too fast, and accepts the same form later', async () => {
  const token = service.issueToken();
  now += 2_999;
  const fast = { ...attempt({ token }), token };
  now -= 10_000;
  const outcome = await service.submit(fast);
  expect(outcome).toMatchObject({
    sent: false,
    status: 422,
    errors: { form: expect.stringContaining('faster than a person can type') },
    token,
  });
  now += 1;
  expect(await service.submit(fast)).toEqual({ sent: true });
});

it.each([
  ['an old form', () => (now += 25 * 3_600_000)],
  ['a form from before a restart', () => (service = createOther())],
])('refuses %s and issues a new token that is accepted', async (_, happen) => {
  const one = attempt();
  happen();
  const outcome = await service.submit(one);
  expect(outcome).toMatchObject({
    sent: false,
    status: 422,
    errors: { form: expect.stringContaining('once more') },
  });
  now += 5_000;
  const token = outcome.sent ? '' : outcome.token;
  expect(await service.submit({ ...one, token })).toEqual({ sent: true });
});

it('makes a client that sent too many messages wait, and no other client', async () => {
  await service.submit(attempt());
  now -= 10_000;
  await service.submit(attempt());
  now -= 10_000;
  expect(await service.submit(attempt())).toMatchObject({
    sent: false,
    status: 429,
    errors: { form: expect.stringContaining('2 minutes') },
  });
  expect(await service.submit(attempt({ clientAddress: '192.0.2.2' }))).toEqual({ sent: true });
});

it('responds 503 while nothing can be stored, and succeeds later', async () => {
  isBroken = true;
  const one = attempt();
  expect(await service.submit(one)).toMatchObject({ sent: false, status: 503, token: one.token });
  isBroken = false;
  expect(await service.submit(one)).toEqual({ sent: true });
});

function createOther() {
  return createContactService(
    createFormGate({
      store: {
        append: async (events) => {
          stored.push(...events);
          return { stored: events.length, duplicates: 0, conflicts: 0 };
        },
      },
      tokens: createFormTokens({ key: 'another', now: () => now }),
      limiter: createRateLimiter({ perSecond: 0, burst: 0, maxAddresses: 1, now: () => now }),
      now: () => now,
    }),
  );
}
