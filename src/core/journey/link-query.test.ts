import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGoLink } from './go-link.ts';
import { buildLinkQuery, LINK_QUERY_LIMIT, type Luggage } from './link-query.ts';
import { UNKNOWN_VISIT } from './visit.ts';

const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';
const luggage: Luggage = {
  click: CLICK,
  session: '5d0e8f3a-1b2c-4d5e-8f9a-0b1c2d3e4f5a',
  page: '/blog/crm-basics',
  campaign: { utm_source: 'news & views', gclid: 'abc', li_fat_id: 'l1' },
  journey: {
    entryPage: '/blog',
    entryTime: 1_000_000,
    currentPage: '/blog/crm-basics',
    pageVisits: ['/blog', '/blog/crm-basics', '/a-b', '/c', '/d', '/sixth'],
    timeSpent: 9000,
    referrer: 'direct',
    userAgent: 'Browser/1',
  },
  answers: JSON.stringify({
    businessType: 'Other',
    budget: '$1,000+',
    revenue: 'r',
    challenges: ['a, b', 'c'],
  }),
  now: 1_035_500,
};

describe('a decorated link', () => {
  it('brings the visit to the redirect', () => {
    const query = buildLinkQuery('?page=trial&source=hero', luggage);
    expect(parseGoLink(query.slice(1), false)).toEqual({
      pageKey: 'trial',
      source: 'hero',
      content: '',
      clickToken: CLICK,
      visit: {
        session: luggage.session,
        page: '/blog/crm-basics',
        campaign: luggage.campaign,
        journeyPages: ['blog', 'blog.crm_basics', 'a_b', 'c', 'd'],
        entryPage: 'blog',
        sessionTime: 35,
        answers: { businessType: 'Other', budget: '$1,000+', revenue: 'r', challenges: ['a, b', 'c'] },
      },
      hasVisit: true,
      isAgain: false,
    });
  });

  it('pressed again carries the new click and nothing twice', () => {
    const once = buildLinkQuery('?page=trial', { ...luggage, click: 'a' });
    const twice = new URLSearchParams(buildLinkQuery(once, { ...luggage, now: 1_060_000 }));
    expect(twice.getAll('click')).toEqual([CLICK]);
    expect(twice.getAll('session_time')).toEqual(['60']);
  });

  it('carries the session of an unknown journey', () => {
    const query = buildLinkQuery('', { ...luggage, campaign: {}, journey: null, answers: '' });
    expect([...new URLSearchParams(query).keys()]).toEqual(['click', 'session', 'from']);
  });

  it('stays within its limit and keeps what matters most', () => {
    const campaign = Object.fromEntries(
      Object.keys(luggage.campaign).map((name) => [name, '日'.repeat(256)]),
    );
    const query = buildLinkQuery('?page=trial', { ...luggage, campaign, answers: 'x'.repeat(10_000) });
    expect(query.length).toBeLessThanOrEqual(LINK_QUERY_LIMIT + 1);
    const link = parseGoLink(query.slice(1), false);
    expect([link.pageKey, link.clickToken, link.visit.session]).toEqual(['trial', CLICK, luggage.session]);
    expect(link.visit.answers).toEqual(UNKNOWN_VISIT.answers);
  });
});

describe('the query of the redirect', () => {
  it.each([
    ['is empty', ''],
    ['names a thief', 'fp_ref=thief&redir_url=https://evil.test&url=//evil.test'],
    ['is broken', '%E0%A4%A&=&&%&page'],
  ])('that %s is an unknown visit', (_, query) => {
    const link = parseGoLink(query, false);
    expect(link).toEqual({
      pageKey: '',
      source: '',
      content: '',
      clickToken: '',
      visit: UNKNOWN_VISIT,
      hasVisit: false,
      isAgain: false,
    });
  });

  it.each([
    ['a session with markup', 'session=<b>', { session: '' }],
    ['a page elsewhere', 'from=//evil.test/x', { page: '' }],
    ['a time that is no number', 'session_time=1e9', { sessionTime: null }],
    ['too many pages', 'journey_pages=/a+/b+/c+/d+/e+/f+/g', { journeyPages: ['a', 'b', 'c', 'd', 'e'] }],
    ['pages elsewhere', 'journey_pages=//evil.test+javascript:x+/b', { journeyPages: ['b'] }],
    ['broken answers', 'answers=%7B', { answers: UNKNOWN_VISIT.answers }],
  ])('is cleaned: %s', (_, query, part) => {
    expect(parseGoLink(query, false).visit).toMatchObject(part);
  });

  it('takes the first value that is not empty', () => {
    expect(parseGoLink('source=&source=a&source=b&page=&page=demo', false)).toMatchObject({
      source: 'a',
      pageKey: 'demo',
    });
  });

  it('takes a click token only when it is a UUID', () => {
    expect(parseGoLink(`click=${CLICK.toUpperCase()}`, false).clickToken).toBe(CLICK);
    expect(parseGoLink('click=1', false).clickToken).toBe('');
  });

  it('under Global Privacy Control is read for its page and utm values alone', () => {
    const query = buildLinkQuery('?page=trial', luggage).slice(1);
    expect(parseGoLink(query, true)).toMatchObject({
      clickToken: CLICK,
      visit: { ...UNKNOWN_VISIT, page: '/blog/crm-basics', campaign: { utm_source: 'news & views' } },
    });
  });

  it('reads what the redirect page found in session storage', () => {
    const stored = JSON.stringify([
      JSON.stringify({ utm_source: 'x', session: 's-1' }),
      JSON.stringify({
        entryPage: '/blog',
        entryTime: 1000,
        currentPage: '/help',
        pageVisits: ['/blog', '/help'],
        timeSpent: 0,
      }),
      JSON.stringify({ businessType: 'Other', challenges: [] }),
      31_000,
    ]);
    const link = parseGoLink(`again=1&stored=${encodeURIComponent(stored)}`, false);
    expect(link.isAgain).toBe(true);
    expect(link.visit).toMatchObject({
      session: 's-1',
      page: '/help',
      campaign: { utm_source: 'x' },
      journeyPages: ['blog', 'help'],
      entryPage: 'blog',
      sessionTime: 30,
      answers: { businessType: 'Other' },
    });
  });

  it.each([
    'null',
    '[]',
    '{',
    '[1,2,3,4]',
    '["{","{","{",null]',
    '{"length":1e9}',
    '[[[[',
    '"x"',
    '[{"toString":1},{"entryPage":{}}]',
  ])('reads nothing from storage that holds %s', (stored) => {
    expect(parseGoLink(`stored=${encodeURIComponent(stored)}`, false).hasVisit).toBe(false);
  });

  it('never throws, whatever it holds', () => {
    const name = fc.constantFrom(
      'page',
      'source',
      'click',
      'session',
      'from',
      'stored',
      'challenges',
      'utm_source',
      'journey_pages',
    );
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('%'), fc.constant('\ud800'));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), fc.boolean(), (pairs, reduced) => {
        const query = pairs.map(([key, value]) => `${key}=${value}`).join('&');
        expect(JSON.stringify(parseGoLink(query, reduced)).isWellFormed()).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});
