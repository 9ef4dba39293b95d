import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/clock.ts';
import { type AlertFacts, buildAlerts, findQuantile, type PartnerActivity } from './build-alerts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const daysAgo = (...days: readonly number[]) => days.map((day) => NOW - day * DAY_MS);

const buildPartner = (fields: Partial<PartnerActivity> = {}): PartnerActivity => ({
  partner: 'kit',
  name: 'Kit',
  arrivals: [],
  leads: 0,
  clicksSinceLead: 0,
  clicks: 100,
  advice: null,
  pending: null,
  ...fields,
});
const build = (facts: Partial<AlertFacts>) =>
  buildAlerts({
    now: NOW,
    unread: [],
    partners: [],
    failedSyncs: [],
    links: [],
    heldDeletions: null,
    data: [],
    content: [],
    disk: { freeMb: 100_000, minFreeMb: 256 },
    backup: { last: NOW, firstEvent: null },
    ...facts,
  });
const keys = (facts: Partial<AlertFacts>) => build(facts).map(({ key }) => key);

it('finds nothing when everything is well', () => expect(build({ partners: [buildPartner()] })).toEqual([]));

it('messages that could not be read are the first alert, with their number and the reason', () => {
  const unread = [{ name: 'Kit', count: 3, problem: 'missing: id, amount' }];
  const [alert] = build({ unread, failedSyncs: [{ network: 'impact', problem: '401', pending: null }] });
  expect(alert).toMatchObject({ text: '3 messages of Kit could not be read.', view: 'partners' });
  expect(alert?.detail).toContain('missing: id, amount');
});

it('a broken link puts at stake what the clicks to its partner have brought', () => {
  const link = {
    partner: 'kit',
    name: 'Kit',
    address: 'https://kit.com/pricing',
    clicks: 40,
    state: 'broken',
    reason: 'responds with status 404',
    money: { amount: 8_000, currency: 'USD' },
  };
  const [alert] = build({ links: [link] });
  expect(alert).toMatchObject({
    key: 'link:https://kit.com/pricing',
    kind: 'link',
    amount: 8_000,
    href: '/console/partners#links',
    text: 'A link to Kit is broken: responds with status 404.',
  });
  expect(alert?.detail).toContain('got part of 40 clicks at $2.00 in the last 30 days');
});

it.each([
  [0, 'No link to this partner was clicked, so https://kit.com/ lost no reader in the last 30 days.'],
  [1, 'https://kit.com/ got the one click in the last 30 days.'],
  [2, 'https://kit.com/ got part of 2 clicks in the last 30 days.'],
])('a broken link says what depends on it after %i clicks', (clicks, text) => {
  const link = { partner: 'kit', name: 'Kit', address: 'https://kit.com/', state: 'broken', reason: 'gone' };
  expect(build({ links: [{ ...link, clicks, money: null }] })[0]?.detail).toContain(text);
});

describe('a network that is silent', () => {
  const everyDay = Array.from({ length: 30 }, (_, index) => index);

  it('for longer than in 99 of 100 cases is an alert', () => {
    const arrivals = daysAgo(...everyDay.map((day) => day + 3));
    const [alert] = build({ partners: [buildPartner({ arrivals })] });
    expect(alert).toMatchObject({ key: 'silent:kit', text: 'Kit has reported nothing for 3 days.' });
    expect(alert?.detail).toContain('at most 1 day.');
  });

  it('puts at stake what it has not decided yet', () => {
    const arrivals = daysAgo(...everyDay.map((day) => day + 3));
    const pending = { amount: 41_200, currency: 'USD' };
    expect(build({ partners: [buildPartner({ arrivals, pending })] })[0]).toMatchObject({
      ...pending,
      href: '/console/partners/import#postbacks',
    });
  });

  it('for as long as once in 30 times before is no alert', () => {
    const arrivals = daysAgo(10, ...everyDay.map((day) => day + 20));
    expect(keys({ partners: [buildPartner({ arrivals })] })).toEqual([]);
  });

  it('is no alert while too little is known of it, or nothing', () =>
    expect(keys({ partners: [buildPartner({ arrivals: daysAgo(90, 91, 92) }), buildPartner()] })).toEqual(
      [],
    ));

  it('counts days, so that many messages of one day are one', () => {
    const arrivals = Array.from({ length: 500 }, (_, index) => NOW - 20 * DAY_MS - index);
    expect(keys({ partners: [buildPartner({ arrivals })] })).toEqual([]);
  });
});

describe('clicks without a commission', () => {
  it('are an alert past 300 while no rate is known', () => {
    expect(keys({ partners: [buildPartner({ clicksSinceLead: 300 })] })).toEqual([]);
    expect(keys({ partners: [buildPartner({ clicksSinceLead: 301 })] })).toEqual(['no-leads:kit']);
  });

  it('are an alert when the usual rate makes them unlikely: 5 of 1,000 clicks earn, so 919', () => {
    const partner = buildPartner({ leads: 5, clicks: 1_000 });
    expect(keys({ partners: [{ ...partner, clicksSinceLead: 919 }] })).toEqual([]);
    expect(keys({ partners: [{ ...partner, clicksSinceLead: 920 }] })).toEqual(['no-leads:kit']);
  });

  it('do not fail when every click earns', () => {
    const partner = buildPartner({
      clicksSinceLead: 9_999,
      leads: 200,
      clicks: 100,
    });
    expect(keys({ partners: [partner] })).toEqual(['no-leads:kit']);
  });
});

it('names partners whose links carry no click id, once there are clicks', () => {
  expect(keys({ partners: [buildPartner({ advice: 'Do it.' })] })).toEqual(['no-sub-id:kit']);
  expect(keys({ partners: [buildPartner({ advice: 'Do it.', clicks: 0 })] })).toEqual([]);
});

it('names networks that could not be read, with the problem', () =>
  expect(
    build({ failedSyncs: [{ network: 'impact', problem: 'The token was refused.', pending: null }] }),
  ).toMatchObject([{ key: 'sync:impact', detail: 'The token was refused.' }]));

it.each([
  [768, []],
  [767, ['The disk is almost full.']],
  [255, ['The disk is full: no events are stored.']],
])('with %i MB free of 256 that stay free: %j', (freeMb, titles) => {
  expect(build({ disk: { freeMb, minFreeMb: 256 } }).map(({ text }) => text)).toEqual(titles);
});

it('a full disk is more urgent than one that is almost full, and worse than it was', () => {
  const find = (freeMb: number) => build({ disk: { freeMb, minFreeMb: 256 } })[0];
  expect(find(255)).toMatchObject({ key: 'disk', kind: 'disk-full', level: 2 });
  expect(find(256)).toMatchObject({ key: 'disk', kind: 'disk', level: 1 });
});

it('says nothing of a disk that is not known or has no limit', () =>
  expect([keys({ disk: null }), keys({ disk: { freeMb: 1, minFreeMb: 0 } })]).toEqual([[], []]));

it.each([
  [{ last: NOW - 7 * DAY_MS, firstEvent: null }, []],
  [{ last: NOW - 8 * DAY_MS, firstEvent: null }, ['The last backup is 8 days old.']],
  [{ last: null, firstEvent: NOW - 8 * DAY_MS }, ['There is no backup yet.']],
  [{ last: null, firstEvent: NOW - DAY_MS }, []],
  [{ last: null, firstEvent: null }, []],
])('of the backups %j: %j', (backup, titles) => {
  expect(build({ backup }).map(({ text }) => text)).toEqual(titles);
});

it('finds quantiles', () => {
  expect(findQuantile([], 0.99)).toBeNull();
  expect(findQuantile([5], 0.99)).toBe(5);
  expect(findQuantile([...Array(100).keys()], 0.99)).toBe(98);
});

it('articles that are missing from their source are an alert that leads to the view Content', () => {
  const held = { slugs: ['a', 'b'], since: NOW };
  expect(build({ heldDeletions: { held, known: 4 } })).toMatchObject([
    { text: '2 articles are missing from the article source.', view: 'content' },
  ]);
});
