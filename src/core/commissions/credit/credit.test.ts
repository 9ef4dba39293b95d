import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildSampleJourney } from '../../../../test/support/sample-commissions.ts';
import { buildSourceName, classifySource } from '../../events/visit-source.ts';
import {
  buildCampaignName,
  buildCampaignSource,
  CREDIT_MODELS,
  type FrozenJourney,
  findCredited,
  isPaidTouch,
} from './credit.ts';

const search = { campaign: { utm_source: 'google', utm_medium: 'cpc', gclid: 'g1' }, time: 1 };
const letter = { campaign: { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'may' }, time: 2 };

const journey = buildSampleJourney({
  touches: [search, letter],
  pages: ['home', 'blog', 'pricing'],
  entryPage: 'home',
  answers: {},
});

it.each([
  ['first', 'google / cpc / (none)'],
  ['last', 'letter / email / may'],
  ['clickPage', '/pricing'],
] as const)('the model %s credits %j', (model, name) => expect(findCredited(journey, model)).toBe(name));

it('a direct visit is credited to no campaign, and to the page of the click', () => {
  const direct = { ...journey, touches: [], pages: [], entryPage: '' };
  expect(CREDIT_MODELS.map((model) => findCredited(direct, model))).toEqual([
    'No campaign',
    'No campaign',
    '/pricing',
  ]);
});

it.each([
  [{ gclid: 'x' }, true],
  [{ utm_medium: 'PPC' }, true],
  [{ utm_medium: 'paid_social' }, true],
  [{ utm_medium: 'display' }, true],
  [{ utm_medium: 'email' }, false],
  [{ utm_medium: 'organic' }, false],
  [{}, false],
])('a touch with %j is paid: %j', (campaign, isPaid) => {
  expect(isPaidTouch({ campaign, time: null })).toBe(isPaid);
});

it.each([
  [{ utm_source: 'a' }, 'a / (none) / (none)'],
  [{ utm_campaign: 'may' }, '(none) / (none) / may'],
  [{ gclid: 'x' }, 'google / cpc / (gclid)'],
  [{ wbraid: 'x', utm_content: 'blue' }, 'google / cpc / (wbraid)'],
  [{ fbclid: 'x' }, 'facebook / social / (fbclid)'],
  [{ gclid: 'x', utm_source: 'ads' }, 'ads / (none) / (none)'],
  [{}, 'No campaign'],
  [{ campaign_id: '1' }, 'No campaign'],
])('the campaign %j is called %j', (campaign, name) => expect(buildCampaignName(campaign)).toBe(name));

it('leaves the tag that an assistant adds by itself out of credit by campaign', () => {
  const tag = { campaign: { utm_source: 'ChatGPT.com' }, time: 1 };
  const own = { campaign: { utm_source: 'newsletter', utm_medium: 'email' }, time: 2 };
  const credit = (touches: FrozenJourney['touches'], model: (typeof CREDIT_MODELS)[number]) =>
    findCredited({ ...journey, touches }, model);
  expect(credit([tag], 'last')).toBe('No campaign');
  for (const model of ['first', 'last'] as const)
    expect(credit([own, tag], model)).toBe('newsletter / email / (none)');
  const tagged = { campaign: { utm_source: 'chatgpt.com', utm_campaign: 'custom-gpt' }, time: 1 };
  expect(credit([tagged], 'last')).toBe('chatgpt.com / (none) / custom-gpt');
});

it.each([
  ['first', 'search / Google'],
  ['last', 'email / newsletter'],
  ['clickPage', 'email / newsletter'],
] as const)('credits sources under the model %s', (model, expected) => {
  const sources = {
    first: { channel: 'search', name: 'Google' },
    between: [{ channel: 'paid social', name: 'Facebook' }],
    last: { channel: 'email', name: 'newsletter' },
  } as const;
  expect(findCredited({ ...journey, sources }, model, 'source')).toBe(expected);
  expect(findCredited(journey, model, 'source')).toBe('unknown');
});

it.each([
  ['google / cpc / brand', 'paid search / Google'],
  ['facebook / paid_social / spring / 2026', 'paid social / Facebook'],
  ['google / cpc / (gclid)', 'paid search / Google'],
  ['newsletter / (none) / (none)', 'email / newsletter'],
  ['(none) / (none) / brand', 'campaign'],
  ['No campaign', 'unknown'],
])('the campaign %j belongs to the source %j', (campaign, source) =>
  expect(buildCampaignSource(campaign)).toBe(source),
);

it('the name of a campaign says the source that its tags have', async () => {
  const anyTag = fc.option(
    fc.constantFrom('google', 'bing.com', 'letter', 'cpc', 'email', 'social', 'referral'),
    { nil: undefined },
  );
  await forAll(1, [anyTag, anyTag, anyTag], (utm_source, utm_medium, utm_campaign) => {
    const tags = Object.entries({ utm_source, utm_medium, utm_campaign }).filter(
      ([, tag]) => tag !== undefined,
    );
    fc.pre(tags.length > 0);
    const campaign = Object.fromEntries(tags);
    const source = buildSourceName(classifySource({ campaign, referrer: undefined }, []));
    expect(buildCampaignSource(buildCampaignName(campaign))).toBe(source);
  });
});
