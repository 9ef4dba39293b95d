import { describe, expect, it } from 'vitest';
import { CAMPAIGN_PARAMETERS, parseCampaign, parseCampaignRecord } from './campaign.ts';

describe('a campaign', () => {
  it.each(CAMPAIGN_PARAMETERS)('keeps %s', (name) => {
    expect(parseCampaign(`?${name}=value%20one`, false)).toEqual({ [name]: 'value one' });
  });

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
  ])('with %s', (_, query, campaign) => {
    expect(parseCampaign(query, false)).toEqual(campaign);
  });

  it('under Global Privacy Control is its utm parameters alone', () => {
    const query = CAMPAIGN_PARAMETERS.map((name) => `${name}=x`).join('&');
    expect(Object.keys(parseCampaign(query, true))).toEqual([
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_content',
      'utm_term',
    ]);
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
    expect(parseCampaignRecord(record, false)).toEqual(campaign);
  });
});
