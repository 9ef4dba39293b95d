import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES } from '../../../../test/support/cases.ts';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildSampleJourney } from '../../../../test/support/sample-commissions.ts';
import { buildSourceName, classifySource } from '../../events/visit-source.ts';
import {
  buildCampaignName,
  buildCampaignSource,
  buildCredit,
  CREDIT_MODELS,
  type FrozenJourney,
  isPaidTouch,
} from './credit.ts';

const search = { campaign: { utm_source: 'google', utm_medium: 'cpc', gclid: 'g1' }, time: 1 };
const letter = { campaign: { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'may' }, time: 2 };

const journey = buildSampleJourney({
  ...{ touches: [search, letter], pages: ['home', 'blog', 'pricing'], entryPage: 'home', answers: {} },
});

it.each([
  ['first', [{ touch: 'google / cpc / (none)', amount: 101 }]],
  ['last', [{ touch: 'letter / email / may', amount: 101 }]],
  ['lastPaid', [{ touch: 'google / cpc / (none)', amount: 101 }]],
  [
    'linear',
    [
      { touch: 'google / cpc / (none)', amount: 51 },
      { touch: 'letter / email / may', amount: 50 },
    ],
  ],
  ['clickPage', [{ touch: '/pricing', amount: 101 }]],
  ['entryPage', [{ touch: 'home', amount: 101 }]],
  [
    'linearPages',
    [
      { touch: 'home', amount: 34 },
      { touch: 'blog', amount: 34 },
      { touch: 'pricing', amount: 33 },
    ],
  ],
] as const)('the model %s credits %j', (model, credits) => {
  expect(buildCredit(101, journey, model)).toEqual(credits);
});

it('a direct visit is credited to direct, or to the page of the click', () => {
  const direct = { ...journey, touches: [], pages: [], entryPage: '' };
  expect(buildCredit(5, direct, 'lastPaid')).toEqual([{ touch: 'No campaign', amount: 5 }]);
  expect(buildCredit(5, direct, 'linear')).toEqual([{ touch: 'No campaign', amount: 5 }]);
  expect(buildCredit(5, direct, 'entryPage')).toEqual([{ touch: '/pricing', amount: 5 }]);
  expect(buildCredit(5, direct, 'linearPages')).toEqual([{ touch: '/pricing', amount: 5 }]);
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

const anyJourney = fc
  .record({
    touches: fc.array(
      fc.record({
        campaign: fc.dictionary(fc.constantFrom('utm_source', 'utm_medium', 'gclid'), fc.string()),
        time: fc.nat(),
      }),
      { maxLength: 6 },
    ),
    pages: fc.array(fc.constantFrom('home', 'blog', 'a', 'b', 'c'), { maxLength: 6 }),
    entryPage: fc.constantFrom('', 'home', 'a'),
  })
  .map((parts): FrozenJourney => ({ ...journey, ...parts }));

const anyAmount = fc.oneof(fc.constantFrom(0, 1, -1, 2 ** 40, -(2 ** 40)), fc.integer());

it('under every model the credit sums to the amount, and a full reversal returns every touch to 0', () =>
  forAll(CASES, [anyJourney, anyAmount, fc.constantFrom(...CREDIT_MODELS)], (given, amount, model) => {
    const credit = buildCredit(amount, given, model);
    expect(credit.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
    expect(credit.length).toBeGreaterThan(0);
    expect(buildCredit(0, given, model).every((part) => part.amount === 0)).toBe(true);
  }));

it('the credit after a partial refund is the credit of what is left', () =>
  forAll(
    CASES,
    [anyJourney, anyAmount, anyAmount, fc.constantFrom(...CREDIT_MODELS)],
    (given, before, after, model) => {
      const booked = new Map(buildCredit(before, given, model).map(({ touch, amount }) => [touch, amount]));
      for (const { touch, amount } of buildCredit(after, given, model)) {
        const delta = amount - (booked.get(touch) ?? 0);
        booked.set(touch, (booked.get(touch) ?? 0) + delta);
      }
      expect([...booked.values()].reduce((sum, amount) => sum + amount, 0)).toBe(after);
    },
  ));

it('leaves the tag that an assistant adds by itself out of credit by campaign', () => {
  const tag = { campaign: { utm_source: 'ChatGPT.com' }, time: 1 };
  const own = { campaign: { utm_source: 'newsletter', utm_medium: 'email' }, time: 2 };
  const credit = (touches: FrozenJourney['touches'], model: (typeof CREDIT_MODELS)[number]) =>
    buildCredit(100, { ...journey, touches }, model).map(({ touch }) => touch);
  expect(credit([tag], 'last')).toEqual(['No campaign']);
  for (const model of ['first', 'last', 'lastPaid', 'linear'] as const)
    expect(credit([own, tag], model)).toEqual(['newsletter / email / (none)']);
  const tagged = { campaign: { utm_source: 'chatgpt.com', utm_campaign: 'custom-gpt' }, time: 1 };
  expect(credit([tagged], 'last')).toEqual(['chatgpt.com / (none) / custom-gpt']);
});

it.each([
  ['first', 'search / Google 300'],
  ['last', 'email / newsletter 300'],
  ['lastPaid', 'paid social / Facebook 300'],
  ['linear', 'search / Google 100, paid social / Facebook 100, email / newsletter 100'],
  ['clickPage', 'email / newsletter 300'],
] as const)('credits sources under the model %s', (model, expected) => {
  const sources = {
    first: { channel: 'search', name: 'Google' },
    between: [{ channel: 'paid social', name: 'Facebook' }],
    last: { channel: 'email', name: 'newsletter' },
  } as const;
  const list = (own: FrozenJourney) =>
    buildCredit(300, own, model, 'source')
      .map(({ touch, amount }) => `${touch} ${amount}`)
      .join(', ');
  expect(list({ ...journey, sources })).toBe(expected);
  expect(list(journey)).toBe('unknown 300');
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
  await forAll(100, [anyTag, anyTag, anyTag], (utm_source, utm_medium, utm_campaign) => {
    const tags = Object.entries({ utm_source, utm_medium, utm_campaign }).filter(
      ([, tag]) => tag !== undefined,
    );
    fc.pre(tags.length > 0);
    const campaign = Object.fromEntries(tags);
    const source = buildSourceName(classifySource({ campaign, referrer: undefined }, []));
    expect(buildCampaignSource(buildCampaignName(campaign))).toBe(source);
  });
});
