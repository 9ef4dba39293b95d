import { beforeEach, describe, expect, it } from 'vitest';
import { EventStoreError } from '../../core/journey/event-store.ts';
import type { SiteEvent } from '../../core/journey/site-event.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { type ContactAttempt, createContactDesk } from './contact-desk.ts';
import { createFormTokens } from './form-token.ts';

const values = { topic: 'expert', name: 'Ada', email: 'ada@example.com', message: 'Two\nlines' };

let now = 0;
let stored: SiteEvent[] = [];
let isBroken = false;
let desk = open();

function open() {
  return createContactDesk({
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
  });
}

beforeEach(() => {
  now = 1_700_000_000_000;
  stored = [];
  isBroken = false;
  desk = open();
});

function attempt(change: Partial<ContactAttempt> = {}): ContactAttempt {
  const token = desk.issueToken();
  now += 10_000;
  return {
    values,
    topics: ['general', 'expert'],
    token,
    trap: '',
    page: '/contact',
    clientAddress: '192.0.2.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    gpc: false,
    ...change,
  };
}

describe('a message', () => {
  it('is stored whole, as an event of its page', async () => {
    expect(await desk.submit(attempt())).toEqual({ sent: true });
    expect(stored).toMatchObject([
      { name: 'contact_message', page: '/contact', label: 'expert', data: values, flags: [] },
    ]);
  });

  it('sent twice with one form is one event', async () => {
    const one = attempt();
    await desk.submit(one);
    await desk.submit(one);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
    expect(stored[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('that was changed and sent again with one form is another event', async () => {
    const one = attempt();
    await desk.submit(one);
    await desk.submit({ ...one, values: { ...values, message: 'More' } });
    expect(new Set(stored.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['the hidden field filled in', { trap: 'https://spam.example' }],
    ['a program as sender', { userAgent: 'curl/8.0' }],
  ])('with %s is kept, and flagged', async (_, change) => {
    expect(await desk.submit(attempt(change))).toEqual({ sent: true });
    expect(stored[0]?.flags).toEqual(['bot']);
  });
});

describe('an attempt', () => {
  it('with a wrong field is answered with what is wrong, and the form stays good', async () => {
    const one = attempt({ values: { ...values, email: 'nobody' } });
    expect(await desk.submit(one)).toEqual({
      sent: false,
      status: 422,
      errors: { email: expect.stringContaining('name@example.com') },
      token: one.token,
    });
  });

  it('that came too fast may be sent again with the same form', async () => {
    const token = desk.issueToken();
    now += 2_999;
    const fast = { ...attempt({ token }), token };
    now -= 10_000;
    const outcome = await desk.submit(fast);
    expect(outcome).toMatchObject({ sent: false, status: 422, token });
    now += 1;
    expect(await desk.submit(fast)).toEqual({ sent: true });
  });

  it.each([
    ['an old form', () => (now += 25 * 3_600_000)],
    ['a form from before a restart', () => (desk = createOther())],
  ])('with %s gets a new one to send', async (_, happen) => {
    const one = attempt();
    happen();
    const outcome = await desk.submit(one);
    expect(outcome).toMatchObject({
      sent: false,
      status: 422,
      errors: { form: expect.stringContaining('once more') },
    });
    now += 5_000;
    const token = outcome.sent ? '' : outcome.token;
    expect(await desk.submit({ ...one, token })).toEqual({ sent: true });
  });

  it('after too many messages has to wait, and other addresses do not', async () => {
    await desk.submit(attempt());
    now -= 10_000;
    await desk.submit(attempt());
    now -= 10_000;
    expect(await desk.submit(attempt())).toMatchObject({
      sent: false,
      status: 429,
      errors: { form: expect.stringContaining('2 minutes') },
    });
    expect(await desk.submit(attempt({ clientAddress: '192.0.2.2' }))).toEqual({ sent: true });
  });

  it('while nothing can be stored is told so, and succeeds later', async () => {
    isBroken = true;
    const one = attempt();
    expect(await desk.submit(one)).toMatchObject({ sent: false, status: 503, token: one.token });
    isBroken = false;
    expect(await desk.submit(one)).toEqual({ sent: true });
  });
});

function createOther() {
  return createContactDesk({
    store: {
      append: async (events) => {
        stored.push(...events);
        return { stored: events.length, duplicates: 0, conflicts: 0 };
      },
    },
    tokens: createFormTokens({ key: 'another', now: () => now }),
    limiter: createRateLimiter({ perSecond: 0, burst: 0, maxAddresses: 1, now: () => now }),
    now: () => now,
  });
}
