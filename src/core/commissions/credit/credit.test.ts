import { expect, it } from 'vitest';
import { buildSampleJourney } from '../../../../test/support/sample-commissions.ts';
import {
  buildCampaignName,
  buildCreditPath,
  type FrozenJourney,
  getCampaign,
  getSource,
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
] as const)('the %s campaign before the click is %j', (model, name) =>
  expect(getCampaign(buildCreditPath(journey), model)).toBe(name),
);

it('a direct visit has no campaign', () =>
  expect(getCampaign(buildCreditPath({ ...journey, touches: [] }))).toBe('No campaign'));

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
  const credit = (touches: FrozenJourney['touches'], model: 'first' | 'last') =>
    getCampaign(buildCreditPath({ ...journey, touches }), model);
  expect(credit([tag], 'last')).toBe('No campaign');
  for (const model of ['first', 'last'] as const)
    expect(credit([own, tag], model)).toBe('newsletter / email / (none)');
  const tagged = { campaign: { utm_source: 'chatgpt.com', utm_campaign: 'custom-gpt' }, time: 1 };
  expect(credit([tagged], 'last')).toBe('chatgpt.com / (none) / custom-gpt');
});

it('the source of a click is that of the visit in which it happened', () => {
  const sources = {
    first: { channel: 'search', name: 'Google' },
    between: [{ channel: 'paid social', name: 'Facebook' }],
    last: { channel: 'email', name: 'newsletter' },
  } as const;
  expect(getSource(buildCreditPath({ ...journey, sources }))).toBe('email / newsletter');
  expect(getSource(buildCreditPath(journey))).toBe('unknown');
});
