import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Partner } from '../partners/partner.ts';
import { buildOutboundUrl, type OutboundLink } from './outbound.ts';
import { UNKNOWN_VISIT, type Visit } from './visit.ts';

const highlevel: Partner = {
  key: 'highlevel',
  name: 'GoHighLevel',
  site: 'https://www.gohighlevel.com/',
  affiliate: { parameter: 'fp_ref', value: 'hlmax' },
  subId: { parameter: 'fp_sid', maxLength: 64 },
  destinations: new Map([
    ['home', 'https://www.gohighlevel.com/'],
    ['pricing', 'https://www.gohighlevel.com/pricing'],
    ['trial', 'https://www.gohighlevel.com/pricing'],
    ['features', 'https://www.gohighlevel.com/features'],
    ['demo', 'https://www.gohighlevel.com/demo?plan=a&utm_source=theirs&fp_ref=thief'],
  ]),
};

const link: OutboundLink = {
  pageKey: 'pricing',
  source: '',
  content: '',
  clickId: 'click-1',
  reduced: false,
};

const visit: Visit = {
  session: 'session-1',
  page: '/blog/crm-basics',
  campaign: {
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'autumn',
    utm_content: 'ignored',
    utm_term: 'crm & more',
    gclid: 'g1',
    fbclid: 'f1',
    campaign_id: 'c1',
    ad_group_id: 'ag1',
    ad_id: 'ad1',
    msclkid: 'not sent',
  },
  journeyPages: ['blog', 'blog.crm_basics', 'home', 'assessment', 'template', 'sixth'],
  entryPage: 'blog',
  sessionTime: 42,
  answers: {
    businessType: 'Digital Marketing Agency',
    budget: '$500 - $1,000',
    revenue: 'Scaling ($25K - $100K)',
    challenges: [
      'High costs of current tools',
      'Sales funnel optimization',
      'Lead generation and acquisition',
      'Email marketing and automation',
    ],
  },
};

const read = (change: Partial<OutboundLink>, seen: Visit = visit) =>
  new URL(buildOutboundUrl(highlevel, { ...link, ...change }, seen));

describe('an outbound address', () => {
  it('carries the whole table, in order', () => {
    expect([...read({ source: 'hero' }).searchParams]).toEqual([
      ['fp_ref', 'hlmax'],
      ['utm_source', 'newsletter'],
      ['utm_medium', 'email'],
      ['utm_campaign', 'autumn'],
      ['utm_content', 'hero_agency_budget_mid_blog.crm_basics'],
      ['utm_term', 'crm & more'],
      ['journey_pages', 'blog-blog.crm_basics-home-assessment-template'],
      ['session_time', '42'],
      ['entry_page', 'blog'],
      ['assessment_type', 'agency'],
      ['revenue_range', '25k-100k'],
      ['challenges', 'leads,email,funnels'],
      ['gclid', 'g1'],
      ['fbclid', 'f1'],
      ['campaign_id', 'c1'],
      ['ad_group_id', 'ag1'],
      ['ad_id', 'ad1'],
      ['fp_sid', 'click-1'],
    ]);
  });

  it('of an unknown visit is the least that is always there', () => {
    expect(
      buildOutboundUrl(highlevel, { ...link, clickId: '' }, { ...UNKNOWN_VISIT, page: '/go/highlevel' }),
    ).toBe(
      'https://www.gohighlevel.com/pricing?fp_ref=hlmax&utm_source=go.highlevel&utm_medium=web' +
        '&utm_campaign=marketing_automation&utm_content=cta_business_budget_unspecified_go.highlevel',
    );
  });

  it('under Global Privacy Control carries the affiliate parameter, utm values and the click id alone', () => {
    expect([...read({ reduced: true, source: 'hero' }).searchParams]).toEqual([
      ['fp_ref', 'hlmax'],
      ['utm_source', 'newsletter'],
      ['utm_medium', 'email'],
      ['utm_campaign', 'autumn'],
      ['utm_content', 'hero_business_budget_unspecified_blog.crm_basics'],
      ['utm_term', 'crm & more'],
      ['fp_sid', 'click-1'],
    ]);
  });

  it.each([
    ['home', '/'],
    ['pricing', '/pricing'],
    ['trial', '/pricing'],
    ['features', '/features'],
    ['demo', '/demo'],
    ['TRIAL', '/pricing'],
    [' trial ', '/pricing'],
    ['', '/pricing'],
    ['https://evil.example', '/pricing'],
    ['//evil.example', '/pricing'],
    ['__proto__', '/pricing'],
    ['constructor', '/pricing'],
  ])('for page key %j leads to %s', (pageKey, path) => {
    const url = read({ pageKey });
    expect([url.origin, url.pathname]).toEqual(['https://www.gohighlevel.com', path]);
  });

  it.each([
    [
      'content before source',
      { content: 'assessment_recommendation', source: 'hero' },
      'assessment_recommendation',
    ],
    ['the source', { source: 'hero' }, 'hero'],
    ['cta without either', {}, 'cta'],
    ['a source cut at 64', { source: 's'.repeat(10_000) }, 's'.repeat(64)],
    ['a source in another script', { source: '日本' }, '日本'],
    ['a source that wants to be a header', { source: 'x\r\nSet-Cookie:a=b' }, 'x Set-Cookie:a=b'],
  ])('begins utm_content with %s', (_, change, begin) => {
    expect(read(change).searchParams.get('utm_content')).toBe(`${begin}_agency_budget_mid_blog.crm_basics`);
  });

  it.each([
    ['null', null, null],
    ['0', 0, '0'],
    ['12.9', 12.9, '12'],
    ['negative', -1, null],
    ['not a number', Number.NaN, null],
    ['longer than a year', 4e7, null],
  ])('with a session time of %s', (_, sessionTime, sent) => {
    expect(read({}, { ...visit, sessionTime }).searchParams.get('session_time')).toBe(sent);
  });

  it("keeps a destination's own query, save for what the table sets", () => {
    const url = read({ pageKey: 'demo' });
    expect(url.searchParams.get('plan')).toBe('a');
    expect(url.searchParams.getAll('utm_source')).toEqual(['newsletter']);
    expect(url.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
  });

  it('leaves the click id out for a program without a sub-id, and cuts it to what the program takes', () => {
    const without = buildOutboundUrl({ ...highlevel, subId: null }, link, visit);
    expect(without).not.toContain('click-1');
    const short = buildOutboundUrl({ ...highlevel, subId: { parameter: 's', maxLength: 3 } }, link, visit);
    expect(new URL(short).searchParams.get('s')).toBe('cli');
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '&fp_ref=thief',
    '#',
    '?',
    '%26fp_ref%3Dx',
    '://evil.test',
    '\ud800',
    '@evil.test/',
    '\r\n',
    '__proto__',
  ),
);
const anyVisit: fc.Arbitrary<Visit> = fc.record({
  session: anyText,
  page: anyText,
  campaign: fc.dictionary(
    fc.oneof(fc.constantFrom('utm_source', 'utm_term', 'gclid', 'fp_ref', 'ad_id'), anyText),
    anyText,
  ),
  journeyPages: fc.array(anyText, { maxLength: 8 }),
  entryPage: anyText,
  sessionTime: fc.oneof(fc.constant(null), fc.double(), fc.integer()),
  answers: fc.record({
    businessType: anyText,
    budget: anyText,
    revenue: anyText,
    challenges: fc.array(anyText, { maxLength: 8 }),
  }),
});
const anyLink: fc.Arbitrary<OutboundLink> = fc.record({
  pageKey: fc.oneof(anyText, fc.constantFrom(...highlevel.destinations.keys())),
  source: anyText,
  content: anyText,
  clickId: anyText,
  reduced: fc.boolean(),
});

const TABLE =
  /^(plan|fp_ref|utm_(source|medium|campaign|content|term)|journey_pages|session_time|entry_page|assessment_type|revenue_range|challenges|gclid|fbclid|campaign_id|ad_group_id|ad_id|fp_sid)$/;

describe('for any input at all', () => {
  it('the host and path are the partner’s, it is paid to us once, and no value adds a parameter', () => {
    const paths = [...highlevel.destinations.values()].map((text) => new URL(text).pathname);
    fc.assert(
      fc.property(anyLink, anyVisit, (anyOf, seen) => {
        const text = buildOutboundUrl(highlevel, anyOf, seen);
        const url = new URL(text);
        const names = [...url.searchParams.keys()];
        expect(url.origin).toBe('https://www.gohighlevel.com');
        expect(paths).toContain(url.pathname);
        expect(url.hash + url.username + url.password).toBe('');
        expect(url.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter((name) => !TABLE.test(name))).toEqual([]);
        expect(text).toMatch(/^[!-~]+$/);
        expect(text.split('?')[1]?.split('&')).toHaveLength(names.length);
      }),
      { numRuns: 12_000 },
    );
  });
});
