import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import {
  buildLinkQuery,
  MAX_LINK_QUERY,
  parseLinkQuery,
  UNKNOWN_VISIT,
  type Visit,
} from './outbound-link.ts';

const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';
const visit: Visit = {
  session: '5d0e8f3a-1b2c-4d5e-8f9a-0b1c2d3e4f5a',
  page: '/blog/crm-basics',
  firstTouch: { utm_source: 'news & views', gclid: 'abc', li_fat_id: 'l1' },
  lastTouch: { utm_source: 'ad = 1', utm_term: 'a+b' },
  entryPage: '/blog',
  referrer: 'https://www.google.com',
  journeyPages: ['/blog', '/blog/crm-basics', '/a-b', '/c', '/d'],
  sessionTime: 35,
  answers: JSON.stringify({ businessType: 'other', challenges: ['costs', 'a, b', 'leads'] }),
};
const read = (query: string, gpc = false) => parseLinkQuery(new URLSearchParams(query), gpc);

it('a decorated link carries the whole visit to the redirect', () =>
  expect(read(buildLinkQuery('?page=trial&source=hero&position=final-cta', visit, CLICK))).toEqual({
    pageKey: 'trial',
    source: 'hero',
    position: 'final-cta',
    content: '',
    clickToken: CLICK,
    visit,
    hasVisit: true,
    isRepeated: false,
  }));

it('a decorated link carries a last touch that equals the first one once', () => {
  const same = { ...visit, lastTouch: visit.firstTouch };
  const query = buildLinkQuery('', same, CLICK);
  expect(query).not.toContain('last_touch');
  expect(read(query).visit).toEqual(same);
});

it('a link that is decorated twice carries the new click, and nothing twice', () => {
  const once = buildLinkQuery('?page=trial', visit, '9b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12');
  const twice = new URLSearchParams(buildLinkQuery(once, { ...visit, sessionTime: 60 }, CLICK));
  expect(twice.getAll('click')).toEqual([CLICK]);
  expect(twice.getAll('session_time')).toEqual(['60']);
});

it('a link carries the session and page alone when nothing else is known', () => {
  const query = buildLinkQuery('', { ...UNKNOWN_VISIT, session: 's', page: '/help' }, CLICK);
  expect([...new URLSearchParams(query).keys()]).toEqual(['click', 'session', 'from']);
});

it('a link stays within its limit and carries the most important parameters', () => {
  const firstTouch = Object.fromEntries(
    Object.keys(visit.firstTouch).map((name) => [name, '日'.repeat(256)]),
  );
  const query = buildLinkQuery('?page=trial', { ...visit, firstTouch, answers: 'x'.repeat(10_000) }, CLICK);
  expect(query.length).toBeLessThanOrEqual(MAX_LINK_QUERY + 1);
  const link = read(query);
  expect([link.pageKey, link.clickToken, link.visit.session]).toEqual(['trial', CLICK, visit.session]);
  expect(link.visit.answers).toBe('');
});

it.each([
  ['is empty', ''],
  ['names another affiliate', 'fp_ref=thief&redir_url=https://evil.test&url=//evil.test'],
  ['is broken', '%E0%A4%A&=&&%&page'],
])('a query that %s is an unknown visit', (_, query) => {
  const link = read(query);
  expect(link).toEqual({
    pageKey: '',
    source: '',
    position: '',
    content: '',
    clickToken: '',
    visit: UNKNOWN_VISIT,
    hasVisit: false,
    isRepeated: false,
  });
});

it.each([
  ['a session with markup', 'session=<b>', { session: '' }],
  ['a page of another site', 'from=//evil.test/x', { page: '' }],
  ['a time that is not a whole number', 'session_time=1e9', { sessionTime: null }],
  ['too many pages', 'journey_pages=/a+/b+/c+/d+/e+/f', { journeyPages: ['/a', '/b', '/c', '/d', '/e'] }],
  ['pages of other sites', 'journey_pages=//evil.test+javascript:x+/b', { journeyPages: ['/b'] }],
])('cleans %s', (_, query, part) => expect(read(query).visit).toMatchObject(part));

it('takes the first value that is not empty', () =>
  expect(read('source=&source=a&source=b&page=&page=demo')).toMatchObject({ source: 'a', pageKey: 'demo' }));

it.each([
  ['hero', 'hero'],
  ['plans-starter', 'plans-starter'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), ''],
  ['Hero', ''],
  ['hero / x', ''],
  ['1', ''],
  ['https://evil.test', ''],
  ['<b>', ''],
])('parses the position %j as %j', (given, position) => {
  expect(read(`position=${encodeURIComponent(given)}`).position).toBe(position);
});

it('takes a click token only when it is a UUID', () => {
  expect(read(`click=${CLICK.toUpperCase()}`).clickToken).toBe(CLICK);
  expect(read('click=1').clickToken).toBe('');
});

it('takes the page, the utm parameters and the token alone under Global Privacy Control', () =>
  expect(read(buildLinkQuery('?page=trial', visit, CLICK), true)).toMatchObject({
    clickToken: CLICK,
    visit: {
      ...UNKNOWN_VISIT,
      page: '/blog/crm-basics',
      firstTouch: { utm_source: 'news & views' },
      lastTouch: visit.lastTouch,
    },
  }));

it('parses the records that the redirect page found in storage', () => {
  const stored = JSON.stringify([
    JSON.stringify({ utm_source: 'x', last: { utm_source: 'y' }, session: 's-1' }),
    JSON.stringify({
      entryPage: '/blog',
      entryTime: 1000,
      currentPage: '/help',
      pageVisits: ['/blog', '/help'],
      timeSpent: 0,
    }),
    '{"businessType":"other"}',
    31_000,
  ]);
  const link = read(`again=1&stored=${encodeURIComponent(stored)}`);
  expect(link.isRepeated).toBe(true);
  expect(link.visit).toEqual({
    session: 's-1',
    page: '/help',
    firstTouch: { utm_source: 'x' },
    lastTouch: { utm_source: 'y' },
    referrer: 'direct',
    journeyPages: ['/blog', '/help'],
    entryPage: '/blog',
    sessionTime: 30,
    answers: '{"businessType":"other"}',
  });
});

it.each(
  'null [] { [1,2,3,4] ["{","{","{",null] {"length":1e9} [[[[ "x" [{"toString":1},{"entryPage":{}}]'.split(
    ' ',
  ),
)('takes nothing from storage that contains %s', (stored) => {
  expect(read(`stored=${encodeURIComponent(stored)}`).hasVisit).toBe(false);
});

it('takes nothing from storage of a visitor who asks for privacy, or whose visit is not stored', () => {
  const stored = JSON.stringify([JSON.stringify({ utm_source: 'x', session: 's-1' })]);
  const query = `stored=${encodeURIComponent(stored)}`;
  expect([read(query), read(query, true), read(`free&${query}`)].map(({ visit }) => visit.session)).toEqual([
    's-1',
    '',
    '',
  ]);
});

it('never throws, whatever the query contains', async () => {
  const name = fc.constantFrom(
    'page',
    'source',
    'position',
    'click',
    'session',
    'from',
    'stored',
    'answers',
    'utm_source',
    'last_touch',
    'journey_pages',
  );
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('%'), fc.constant('\ud800'));
  await forAll(1, [fc.array(fc.tuple(name, text)), fc.boolean()], (pairs, gpc) => {
    const query = pairs.map(([key, value]) => `${key}=${value}`).join('&');
    expect(JSON.stringify(parseLinkQuery(new URLSearchParams(query), gpc)).isWellFormed()).toBe(true);
  });
});
