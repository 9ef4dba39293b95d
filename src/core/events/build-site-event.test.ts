import { expect, it } from 'vitest';
import { buildSiteEvent } from './build-site-event.ts';

const NOW = Date.UTC(2025, 10, 20);
const DAY = 86_400_000;
const parts = { id: '0B0F9A52-3F0E-4D6C-9A52-3F0E4D6C9A52', name: 'page_view' } as const;
const plain = { now: NOW, gpc: false };

it('fills in what is missing', () =>
  expect(buildSiteEvent(parts, plain)).toEqual({
    id: '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52',
    name: 'page_view',
    session: '',
    page: '',
    label: '',
    value: 0,
    data: {},
    campaign: {},
    clientTime: null,
    serverTime: NOW,
    flags: [],
  }));

it.each([
  ['now', NOW, NOW, []],
  ['ten minutes ago', NOW - 600_000, NOW - 600_000, []],
  ['a broken second', NOW + 0.4, NOW, []],
  ['1970', 0, NOW - DAY, ['clock']],
  ['2099', Date.UTC(2099, 0), NOW + DAY, ['clock']],
  ['beyond all dates', 1e18, NOW + DAY, ['clock']],
  ['infinite', Number.POSITIVE_INFINITY, null, ['clock']],
  ['not a number', Number.NaN, null, ['clock']],
  ['a text', 'NaN', null, ['clock']],
  ['null', null, null, ['clock']],
  ['not told, because the server saw the event', undefined, null, []],
])('keeps the server time when the client time is %s', (_, clientTime, expected, flags) => {
  expect(buildSiteEvent({ ...parts, clientTime }, plain)).toMatchObject({
    clientTime: expected,
    serverTime: NOW,
    flags,
  });
});

it('cleans and cuts every text', () => {
  const event = buildSiteEvent(
    {
      ...parts,
      session: 'abc\n',
      page: '/blog?email=a@example.com',
      label: `\x1b[31m${'x'.repeat(500)}`,
      data: { source: 'a\0b', list: ['x\u202Ey', ...Array.from({ length: 40 }, () => 'z')] },
      campaign: {
        utm_source: ' news\r\nletter ',
        utm_term: 'a'.repeat(999),
        utm_medium: ' ',
        other: 'x',
        gclid: 7,
      },
    },
    plain,
  );
  expect(event).toMatchObject({ session: '', page: '/blog', data: { source: 'ab' } });
  expect(event.label).toHaveLength(256);
  expect(event.data['list']).toHaveLength(20);
  expect(event.campaign).toEqual({ utm_source: 'news letter', utm_term: 'a'.repeat(256) });
});

it('keeps twenty keys of custom data, none with a dangerous or odd name', () => {
  const data: Record<string, number> = JSON.parse('{"__proto__":1,"constructor":1,"a b":1}');
  for (let i = 0; i < 30; i++) data[`key_${i}`] = i;
  const event = buildSiteEvent({ ...parts, data }, plain);
  expect(Object.keys(event.data)).toEqual(Array.from({ length: 20 }, (_, i) => `key_${i}`));
});

it.each([
  [-0, 0],
  [Number.NaN, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [1.5, 1.5],
])('keeps the value %d as %d', (value, expected) => {
  expect(Object.is(buildSiteEvent({ ...parts, value }, plain).value, expected)).toBe(true);
});

it('keeps the lines of text that a visitor wrote on purpose', () => {
  const data = { message: `Hello\r\n${'a'.repeat(6_000)}`, name: 'A\nB' };
  const event = buildSiteEvent({ ...parts, name: 'contact_message', data }, plain);
  expect(event.data['name']).toBe('A B');
  expect(event.data['message']).toBe(`Hello\n${'a'.repeat(4_994)}`);
});

it('withholds ad ids, journey and answers from a visitor who asks for privacy', () => {
  const event = buildSiteEvent(
    {
      ...parts,
      name: 'assessment_conversion',
      session: 's1',
      label: 'agency_to_highlevel',
      data: { business_type: 'agency', budget: 'low', journey_pages: ['/'], source: 'hero', gclid: 'x' },
      campaign: { utm_source: 'a', gclid: 'x', li_fat_id: 'x', campaign_id: '1', ad_id: '2' },
    },
    { now: NOW, gpc: true, flags: ['bot'] },
  );
  expect(event).toMatchObject({
    session: 's1',
    label: '',
    data: { source: 'hero' },
    campaign: { utm_source: 'a' },
    flags: ['bot', 'gpc'],
  });
  expect(Object.keys(event.data)).toEqual(['source']);
  expect(Object.keys(event.campaign)).toEqual(['utm_source']);
});

it('keeps of a visit that is not stored the campaign, the first page, the site before it and the source', () => {
  const visit = {
    utm_source: 'news',
    utm_content: 'a',
    gclid: 'x',
    ad_id: '2',
    journey_pages: ['a'],
    session_time: 9,
    budget: 'low',
    analytics_client: '1.2',
    entry_page: 'blog',
  };
  const build = (data: object, fields: object = {}) =>
    buildSiteEvent(
      { ...parts, session: 's1', label: 'x', data: { ...data }, campaign: visit, ...fields },
      { now: NOW, gpc: false, flags: ['free'], source: { channel: 'search', name: 'Bing' } },
    );
  const source = { visit_channel: 'search', visit_source: 'Bing' };
  expect(build({ ...visit, entry: true, referrer: 'https://www.bing.com/search?q=me' })).toMatchObject({
    session: '',
    label: 'x',
    flags: ['free'],
    campaign: { utm_source: 'news', utm_content: 'a' },
    data: {
      utm_source: 'news',
      utm_content: 'a',
      entry_page: 'blog',
      entry: true,
      referrer: 'bing.com',
      ...source,
    },
  });
  expect(build({ referrer: 'direct' }).data).toEqual({ referrer: 'direct', ...source });
  expect(build({ referrer: 'me@example.com' }).data).toEqual(source);
  expect(build({}, { name: 'assessment_conversion' }).label).toBe('');
});

it.each([
  [
    'free',
    false,
    { channel: 'unknown', name: '' },
    { visit_channel: 'unknown', visit_source: 'without journey' },
  ],
  [
    undefined,
    true,
    { channel: 'unknown', name: '' },
    { visit_channel: 'unknown', visit_source: 'without journey' },
  ],
  [undefined, true, { channel: 'direct', name: '' }, { visit_channel: 'direct' }],
  [undefined, false, { channel: 'unknown', name: '' }, {}],
] as const)(
  'stores an unknown source of a visit without journey apart: %s %s %o',
  (flag, gpc, source, data) =>
    expect(buildSiteEvent(parts, { now: NOW, gpc, source, flags: flag ? [flag] : [] }).data).toEqual(data),
);
