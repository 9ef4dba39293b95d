import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPartner } from '../../../test/support/console-ledger.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { NO_ANSWER_CODES } from '../assessment/answers.ts';
import {
  buildClickId,
  findTokenCandidates,
  TOKEN_ENCODINGS,
  TOKEN_LENGTHS,
} from '../commissions/ledger/click-token.ts';
import { buildOutboundTable } from '../consent/stored-items.ts';
import { buildOutboundUrl, type OutboundClick } from './build-outbound-url.ts';
import { type OutboundLink, UNKNOWN_VISIT, type Visit } from './outbound-link.ts';
import { FORWARDED } from './partner.ts';

const SUB_ID = { parameter: 'fp_sid', maxLength: 64, encoding: 'uuid', keepsCase: false } as const;

const highlevel = buildPartner('highlevel', {
  campaign: 'marketing_automation',
  affiliate: { parameter: 'fp_ref', value: 'hlmax' },
  subId: SUB_ID,
  destinations: new Map([
    ['home', 'https://www.gohighlevel.com/'],
    ['pricing', 'https://www.gohighlevel.com/pricing'],
    ['trial', 'https://www.gohighlevel.com/pricing'],
    ['features', 'https://www.gohighlevel.com/features'],
    ['demo', 'https://www.gohighlevel.com/demo?plan=a&utm_source=theirs&fp_ref=thief'],
  ]),
});

const visit: Visit = {
  session: 'session-1',
  page: '/blog/crm-basics',
  firstTouch: {
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
  lastTouch: { utm_source: 'later', gclid: 'later' },
  referrer: 'https://www.google.com',
  journeyPages: ['/blog', '/blog/crm-basics', '/', '/assessment', '/template', '/sixth'],
  entryPage: '/blog',
  sessionTime: 42,
  answers: '',
};

const link: OutboundLink = {
  pageKey: 'pricing',
  source: '',
  position: '',
  content: '',
  clickToken: '',
  visit,
  isRepeated: false,
};

const click: OutboundClick = {
  id: 'click-1',
  gpc: false,
  answers: {
    businessType: 'agency',
    budget: 'budget_mid',
    revenue: '25k-100k',
    challenges: ['leads', 'email', 'funnels', 'costs'],
    unknown: { businessType: 'business', budget: 'budget_unspecified' },
  },
};

const read = (change: Partial<OutboundLink>, changedClick: Partial<OutboundClick> = {}) =>
  new URL(buildOutboundUrl(highlevel, { ...link, ...change }, { ...click, ...changedClick }));

describe('an outbound address', () => {
  it('carries the whole table, in order', () =>
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
    ]));

  it('takes a group of parameters from the last touch where the first touch has none of it', () => {
    const lastTouch = { utm_source: 'ad', utm_medium: 'cpc', gclid: 'g2' };
    const send = (firstTouch: Visit['firstTouch']) =>
      Object.fromEntries(read({ visit: { ...visit, firstTouch, lastTouch } }).searchParams);
    expect(send({ utm_source: 'newsletter' })).toMatchObject({
      utm_source: 'newsletter',
      utm_medium: 'web',
      gclid: 'g2',
    });
    const byClickId = send({ fbclid: 'f1' });
    expect(byClickId).toMatchObject({ utm_source: 'ad', utm_medium: 'cpc', fbclid: 'f1' });
    expect(byClickId).not.toHaveProperty('gclid');
  });

  it('of an unknown visit is the least that is always there', () =>
    expect(
      read(
        { visit: { ...UNKNOWN_VISIT, page: '/go/highlevel' } },
        { id: '', answers: { ...NO_ANSWER_CODES, unknown: click.answers.unknown } },
      ).href,
    ).toBe(
      'https://www.gohighlevel.com/pricing?fp_ref=hlmax&utm_source=go.highlevel&utm_medium=web' +
        '&utm_campaign=marketing_automation&utm_content=cta_business_budget_unspecified_go.highlevel',
    ));

  it('of a visit without a campaign and without answers leaves out what no file names', () => {
    const unknown = { ...link, visit: { ...UNKNOWN_VISIT, page: '/' } };
    const partner = { ...highlevel, campaign: undefined };
    const url = buildOutboundUrl(partner, unknown, { ...click, answers: NO_ANSWER_CODES });
    expect(new URL(url).search).toBe(
      '?fp_ref=hlmax&utm_source=home&utm_medium=web&utm_content=cta_home&fp_sid=click-1',
    );
  });

  it.each([
    [['affiliate', 'subId'], 'fp_ref fp_sid'],
    [['affiliate'], 'fp_ref'],
    [['affiliate', 'campaign'], 'fp_ref utm_source utm_medium utm_campaign utm_term'],
    [['affiliate', 'utm'], 'fp_ref utm_source utm_medium utm_campaign utm_content'],
    [['affiliate', 'ads'], 'fp_ref gclid fbclid campaign_id ad_group_id ad_id'],
    [['affiliate', 'journey'], 'fp_ref journey_pages session_time entry_page'],
    [['affiliate', 'answers'], 'fp_ref assessment_type revenue_range challenges'],
    [FORWARDED, [...read({}).searchParams.keys()].join(' ')],
  ] as const)('with forward %j has %s alone, which the privacy page names', (forward, names) => {
    const subId = forward.some((name) => name === 'subId') ? SUB_ID : null;
    const partner = { ...highlevel, forward, subId };
    const sent = [...new URL(buildOutboundUrl(partner, link, click)).searchParams.keys()];
    expect(sent.join(' ')).toBe(names);
    const table = buildOutboundTable([partner]).split('\n').slice(2).join();
    const named = new Set([...table.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect([...named].sort()).toEqual([...sent].sort());
  });

  it('without `answers` has the codes for no answer, also in templates', () => {
    const partner = { ...highlevel, forward: ['affiliate', 'utm'] } as const;
    const { searchParams } = new URL(buildOutboundUrl(partner, link, click));
    expect(searchParams.get('utm_content')).toBe('cta_business_budget_unspecified_blog.crm_basics');
  });

  it.each([
    ['{partner}-{page}', 'highlevel-blog.crm_basics'],
    ['my_{content}_{businessType}', 'my_agency'],
    ['{content|a_b}_x', 'a_b_x'],
    ['_plain__', '_plain__'],
    ['', null],
  ])('fills the template %j as %j', (content, expected) => {
    const url = new URL(buildOutboundUrl({ ...highlevel, utm: { content } }, link, click));
    expect(url.searchParams.get('utm_content')).toBe(expected);
  });

  it('of a visit without a campaign names the campaign of the partner file', () => {
    const unknown = { ...link, visit: { ...UNKNOWN_VISIT, page: '/' } };
    const url = buildOutboundUrl({ ...highlevel, campaign: 'desks' }, unknown, click);
    expect(new URL(url).searchParams.get('utm_campaign')).toBe('desks');
  });

  it.each([
    ['DE', 'pricing', 'https://www.gohighlevel.com/de'],
    ['DE', 'unknown', 'https://www.gohighlevel.com/de'],
    ['DE', 'demo', 'https://www.gohighlevel.com/demo'],
    ['FR', 'pricing', 'https://www.gohighlevel.com/pricing'],
    ['__proto__', 'pricing', 'https://www.gohighlevel.com/pricing'],
    ['', 'pricing', 'https://www.gohighlevel.com/pricing'],
  ])('for region %j and page key %j leads to %s, paid to us', (region, pageKey, expected) => {
    const regions = new Map([['DE', new Map([['pricing', 'https://www.gohighlevel.com/de?fp_ref=thief']])]]);
    const url = new URL(
      buildOutboundUrl({ ...highlevel, regions }, { ...link, pageKey }, { ...click, region }),
    );
    expect(url.origin + url.pathname).toBe(expected);
    expect(url.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
  });

  it('under Global Privacy Control carries the affiliate parameter, utm values and the click id alone', () =>
    expect([...read({ source: 'hero' }, { gpc: true }).searchParams]).toEqual([
      ['fp_ref', 'hlmax'],
      ['utm_source', 'newsletter'],
      ['utm_medium', 'email'],
      ['utm_campaign', 'autumn'],
      ['utm_content', 'hero_business_budget_unspecified_blog.crm_basics'],
      ['utm_term', 'crm & more'],
      ['fp_sid', 'click-1'],
    ]));

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
    expect(read({ visit: { ...visit, sessionTime } }).searchParams.get('session_time')).toBe(sent);
  });

  it("keeps a destination's own query, save for what the table sets", () => {
    const url = read({ pageKey: 'demo' });
    expect(url.searchParams.get('plan')).toBe('a');
    expect(url.searchParams.getAll('utm_source')).toEqual(['newsletter']);
    expect(url.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
  });

  it('leaves the click id out for a program without a sub-id, and cuts it to what the program takes', () => {
    const without = buildOutboundUrl({ ...highlevel, subId: null }, link, click);
    expect(without).not.toContain('click-1');
    const short = buildOutboundUrl(
      { ...highlevel, subId: { ...SUB_ID, parameter: 's', maxLength: 3 } },
      link,
      click,
    );
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
const anyCampaign = fc.dictionary(
  fc.oneof(fc.constantFrom('utm_source', 'utm_term', 'gclid', 'fp_ref', 'ad_id'), anyText),
  anyText,
);
const anyVisit: fc.Arbitrary<Visit> = fc.record({
  session: anyText,
  page: anyText,
  firstTouch: anyCampaign,
  lastTouch: anyCampaign,
  referrer: anyText,
  journeyPages: fc.array(anyText, { maxLength: 8 }),
  entryPage: anyText,
  sessionTime: fc.oneof(fc.constant(null), fc.double(), fc.integer()),
  answers: anyText,
});
const anyClick: fc.Arbitrary<OutboundClick> = fc.record({
  id: anyText,
  gpc: fc.boolean(),
  answers: fc.record({
    businessType: anyText,
    budget: anyText,
    revenue: anyText,
    challenges: fc.array(anyText, { maxLength: 8 }),
    unknown: fc.record({ businessType: anyText, budget: anyText }),
  }),
});
const anyLink: fc.Arbitrary<OutboundLink> = fc.record({
  pageKey: fc.oneof(anyText, fc.constantFrom(...highlevel.destinations.keys())),
  source: anyText,
  position: anyText,
  content: anyText,
  clickToken: anyText,
  visit: anyVisit,
  isRepeated: fc.boolean(),
});

const TABLE =
  /^(plan|fp_ref|utm_(source|medium|campaign|content|term)|journey_pages|session_time|entry_page|assessment_type|revenue_range|challenges|gclid|fbclid|campaign_id|ad_group_id|ad_id|fp_sid)$/;

/** The destination of a network that has the affiliate id in its path, or in a query of a form that no parameter has. */
const ADDRESSES = [
  'https://hubspot.sjv.io/c/123456/789/11111',
  'https://hubspot.sjv.io/c/123456/789/11111?u=https%3A%2F%2Fwww.hubspot.com%2F&subId1=theirs&sharedid=',
  'https://shop.test/buy?via=old%20blog&x=a+b&%7e=1&flag&utm_source=me&gclid=mine#part',
];
const pathPartner = (address: string) =>
  buildPartner('path', {
    affiliate: null,
    campaign: 'path',
    subId: { ...SUB_ID, parameter: 'subId1' },
    destinations: new Map([['pricing', address]]),
  });

it('keeps the bytes of a destination that has the affiliate id, and gives the click id to its sub-id', () => {
  const unknown = { ...link, visit: { ...UNKNOWN_VISIT, page: '/' } };
  const built = ADDRESSES.map((address) => buildOutboundUrl(pathPartner(address), unknown, click));
  const utm = (names: string) =>
    '&utm_source=home&utm_medium=web&utm_campaign=path&utm_content=cta_agency_budget_mid_home'
      .split('&')
      .filter((part) => names.includes(part.split('=')[0] ?? ''))
      .join('&');
  expect(built.map((address) => address.replace(/&(?:assessment|revenue|challenges)[^&#]*/g, ''))).toEqual([
    `https://hubspot.sjv.io/c/123456/789/11111?${utm('utm_source utm_medium utm_campaign utm_content').slice(1)}&subId1=click-1`,
    `https://hubspot.sjv.io/c/123456/789/11111?u=https%3A%2F%2Fwww.hubspot.com%2F&sharedid=${utm('utm_source utm_medium utm_campaign utm_content')}&subId1=click-1`,
    `https://shop.test/buy?via=old%20blog&x=a+b&%7e=1&flag&utm_source=me&gclid=mine${utm('utm_medium utm_campaign utm_content')}&subId1=click-1#part`,
  ]);
});

describe('for any input at all', () => {
  it('a destination that has the affiliate id stays as it is, whatever a visitor sends', async () => {
    await forAll(4, [anyLink, anyClick], (seenLink, seenClick) => {
      for (const address of ADDRESSES) {
        const text = buildOutboundUrl(pathPartner(address), seenLink, seenClick);
        const [wanted, url] = [new URL(address), new URL(text)];
        expect(url.origin + url.pathname + url.hash).toBe(wanted.origin + wanted.pathname + wanted.hash);
        const list = ({ search }: URL) =>
          search
            .slice(1)
            .split('&')
            .filter((part) => part !== '' && !part.startsWith('subId1='));
        const own = list(wanted);
        expect(list(url).slice(0, own.length)).toEqual(own);
        const names = [...url.searchParams.keys()];
        expect(new Set(names).size).toBe(names.length);
        expect(text).toMatch(/^[!-~]+$/);
      }
    });
  });

  it('the host and path are the partner’s, it is paid to us once, and no value adds a parameter', async () => {
    const paths = [...highlevel.destinations.values()].map((text) => new URL(text).pathname);
    await forAll(10, [anyLink, anyClick], (seenLink, seenClick) => {
      const text = buildOutboundUrl(highlevel, seenLink, seenClick);
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
    });
  });
});

it('returns every click id from the sub-id parameter in every encoding, whatever the network may change', async () => {
  const subIds = fc
    .record({
      encoding: fc.constantFrom(...TOKEN_ENCODINGS),
      extra: fc.integer({ min: 0, max: 200 }),
      keepsCase: fc.boolean(),
    })
    .map(({ encoding, extra, keepsCase }) => ({
      parameter: 'sid',
      encoding,
      maxLength: TOKEN_LENGTHS[encoding] + extra,
      keepsCase: keepsCase || encoding === 'base62',
    }));
  const changes = fc.record({ case: fc.constantFrom('none', 'upper', 'lower'), stripsDashes: fc.boolean() });
  await forAll(1, [fc.uuid(), subIds, changes], (clickId, subId, change) => {
    const sent = new URL(buildOutboundUrl({ ...highlevel, subId }, link, { ...click, id: clickId }));
    let returned = (sent.searchParams.get('sid') ?? '').slice(0, subId.maxLength);
    if (change.stripsDashes) returned = returned.replaceAll('-', '');
    if (!subId.keepsCase && change.case === 'upper') returned = returned.toUpperCase();
    if (!subId.keepsCase && change.case === 'lower') returned = returned.toLowerCase();
    expect(findTokenCandidates(returned).map(({ hex }) => buildClickId(hex))).toContain(clickId);
  });
});
