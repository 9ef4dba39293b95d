import { describe, expect, it } from 'vitest';
import {
  addArrival,
  buildOutboundCampaign,
  CAMPAIGN_PARAMETERS,
  parseAttribution,
  parseCampaign,
  parseCampaignRecord,
  UTM_PARAMETERS,
} from './campaign.ts';

describe('a campaign', () => {
  it.each(CAMPAIGN_PARAMETERS)('keeps %s', (name) =>
    expect(parseCampaign(`?${name}=value%20one`)).toEqual({ [name]: 'value one' }),
  );

  it.each([
    ['two values: the first counts', 'gclid=a&gclid=b', { gclid: 'a' }],
    ['an empty value before another', 'gclid=&gclid=b', { gclid: 'b' }],
    ['nothing but space', 'utm_source=%20%20', {}],
    ['space around', 'utm_source=%20news%20', { utm_source: 'news' }],
    ['another case of the name', 'UTM_Source=x', {}],
    ['an unknown name', 'utm_other=x&__proto__=y', {}],
    ['a broken escape', 'utm_source=50%&gclid=%E0%A4%A', { utm_source: '50%', gclid: '%A' }],
    ['control and bidirectional characters', 'utm_source=a%00%0d%0a%E2%80%AEb', { utm_source: 'a b' }],
    ['an unpaired surrogate', 'utm_source=a\ud800b', { utm_source: 'ab' }],
    ['an emoji', 'utm_source=%F0%9F%9A%80', { utm_source: '🚀' }],
    ['too long a value', `utm_term=${'x'.repeat(300)}`, { utm_term: 'x'.repeat(256) }],
    ['a pair cut in two by the limit', `utm_term=${'x'.repeat(255)}🚀`, { utm_term: 'x'.repeat(255) }],
    ['a second question mark', '?utm_source=fb?fbclid=IwAR1', { utm_source: 'fb', fbclid: 'IwAR1' }],
    ['one before it', '?p=1?utm_source=fb&utm_medium=social', { utm_source: 'fb', utm_medium: 'social' }],
    [
      'a third one',
      'utm_source=a?utm_medium=b?utm_term=c',
      { utm_source: 'a', utm_medium: 'b', utm_term: 'c' },
    ],
    ['one of a question', 'utm_term=which?&utm_source=a', { utm_term: 'which?', utm_source: 'a' }],
    [
      'an address as another value',
      'u=https%3A%2F%2Fx.example%3Futm_source%3Dx&utm_source=a',
      { utm_source: 'a' },
    ],
    [
      '&amp;',
      'utm_source=a&amp;utm_medium=b&amp;amp;utm_term=c',
      { utm_source: 'a', utm_medium: 'b', utm_term: 'c' },
    ],
  ])('with %s', (_, query, campaign) => expect(parseCampaign(query)).toEqual(campaign));

  it('under Global Privacy Control is its utm parameters alone', () => {
    const query = CAMPAIGN_PARAMETERS.map((name) => `${name}=x`).join('&');
    expect(Object.keys(parseCampaign(query, UTM_PARAMETERS))).toEqual(
      'utm_source utm_medium utm_campaign utm_content utm_term'.split(' '),
    );
  });

  it.each([
    ['nothing', null, {}],
    ['a text', 'utm_source=x', {}],
    [
      'markup and odd types',
      { utm_source: '<b>x</b>\n', gclid: 7, ad_id: ['x'] },
      { utm_source: '<b>x</b>' },
    ],
  ])('reads back from storage: %s', (_, record, campaign) => {
    expect(parseCampaignRecord(record)).toEqual(campaign);
  });
});

const first = { utm_source: 'newsletter', gclid: 'a' };
const later = { utm_source: 'ad' };
const both = { ...first, last: later };

it('stores the first arrival with parameters as the first touch', () =>
  expect(addArrival({ session: 's' }, first, false)).toEqual({ ...first, session: 's' }));

it('changes nothing when a page is opened without parameters', () =>
  expect(addArrival(first, {}, false)).toBe(first));

it('stores a later arrival as the last touch, complete, and keeps the first', () => {
  expect(addArrival(first, later, false)).toEqual(both);
  expect(addArrival(both, { gclid: 'b' }, false)).toEqual({ ...first, last: { gclid: 'b' } });
});

it('changes nothing when the same arrival comes again', () => {
  expect(addArrival(first, first, false)).toBe(first);
  expect(addArrival(both, later, false)).toBe(both);
});

it('takes the parameters of a URL that is shown again only while no campaign is known', () => {
  expect(addArrival(both, first, true)).toBe(both);
  expect(addArrival({ session: 's' }, first, true)).toEqual({ ...first, session: 's' });
});

it('parses what it stored', () => {
  const attribution = { ...both, session: 's' };
  expect(parseAttribution(JSON.parse(JSON.stringify(attribution)))).toEqual(attribution);
});

it.each([
  ['null', null, {}],
  ['a list', [], {}],
  ['invalid fields', { session: 5, last: 'x', gclid: {} }, {}],
  ['a session edited to markup', { session: '<b>'.repeat(100) }, { session: '<b>'.repeat(22).slice(0, 64) }],
])('parses %s', (_, record, attribution) => expect(parseAttribution(record)).toEqual(attribution));

it.each([
  ['the first touch when it has both groups', first, { ...later, gclid: 'b' }, first],
  [
    'the utm group of the last touch when the first has none',
    { gclid: 'a' },
    later,
    { ...later, gclid: 'a' },
  ],
  [
    'the ids of the last touch when the first has none',
    later,
    { gclid: 'b', ad_id: '1' },
    { ...later, gclid: 'b', ad_id: '1' },
  ],
  [
    'nothing of the last touch inside a group that the first has',
    { fbclid: 'f' },
    { gclid: 'b' },
    { fbclid: 'f' },
  ],
  ['the last touch when nothing came before', {}, later, later],
])('sends %s', (_, firstTouch, lastTouch, sent) => {
  expect(buildOutboundCampaign(firstTouch, lastTouch)).toEqual(sent);
});
