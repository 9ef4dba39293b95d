import { expect, it } from 'vitest';
import { SAMPLE_CLICK } from '../../../../test/support/sample-commissions.ts';
import { buildSampleEvent } from '../../../../test/support/sample-events.ts';
import { buildJourney } from './build-journey.ts';

const click = buildSampleEvent({
  id: SAMPLE_CLICK,
  name: 'affiliate_redirect',
  page: '/pricing',
  label: 'highlevel_trial',
  serverTime: 1_000,
  campaign: { utm_source: 'ads', gclid: 'g' },
  data: {
    partner: 'highlevel',
    destination: 'trial',
    source: 'hero',
    entry_page: 'blog',
    journey_pages: ['blog', 'blog.crm_basics'],
    assessment_type: 'agency',
    budget: 'budget_low',
    challenges: ['leads', 'costs'],
  },
});

const view = (page: string, serverTime: number, campaign = {}) =>
  buildSampleEvent({ page, serverTime, campaign });

it('copies what led to the click from the events of its session', () => {
  const session = [
    view('/blog', 100, { utm_source: 'newsletter' }),
    view('/blog/crm-basics', 200, { utm_source: 'newsletter' }),
    view('/blog', 300, { utm_source: 'ads', gclid: 'g' }),
    view('/pricing', 900, { utm_source: 'ads', gclid: 'g' }),
    click,
    view('/after', 2_000, { utm_source: 'later' }),
  ];
  expect(buildJourney(click, session)).toEqual({
    clickId: SAMPLE_CLICK,
    clickTime: 1_000,
    page: '/pricing',
    placement: 'hero',
    label: 'highlevel_trial',
    partner: 'highlevel',
    destination: 'trial',
    touches: [
      { campaign: { utm_source: 'newsletter' }, time: 100 },
      { campaign: { utm_source: 'ads', gclid: 'g' }, time: 300 },
    ],
    pages: ['/blog', '/blog/crm-basics', '/pricing'],
    entryPage: '/blog',
    answers: { businessType: 'agency', budget: 'budget_low', challenges: 'leads,costs' },
    experimentArm: '',
    sources: {
      first: { channel: 'email', name: 'newsletter' },
      last: { channel: 'paid search', name: 'Google' },
    },
  });
});

it.each([
  [{ source: 'hero', position: 'plans-starter' }, 'hero / plans-starter'],
  [{ source: 'hero' }, 'hero'],
  [{ position: 'header' }, '(none) / header'],
  [{}, ''],
])('names the place of a link with %j %j', (data, placement) => {
  expect(buildJourney(buildSampleEvent({ ...click, data }), []).placement).toBe(placement);
});

it('has what the link carried when no event of the session is stored', () =>
  expect(buildJourney(click, [])).toMatchObject({
    touches: [{ campaign: { utm_source: 'ads', gclid: 'g' }, time: null }],
    pages: ['blog', 'blog.crm_basics', '/pricing'],
    entryPage: 'blog',
  }));

it('begins where the link says when the view of the entry page was stored after the click, or never', () => {
  const late = [view('/blog/crm-basics', 200), view('/blog', 5_000)];
  expect(buildJourney(click, late)).toMatchObject({
    entryPage: '/blog',
    pages: ['/blog', '/blog/crm-basics', '/pricing'],
  });
  expect(buildJourney(click, late.slice(0, 1))).toMatchObject({
    entryPage: 'blog',
    pages: ['blog', '/blog/crm-basics', '/pricing'],
  });
});

it('has the pages of the session when the link carried none, and those beyond the first five', () => {
  const session = [view('/a', 100), view('/b', 200)];
  const carriesNone = { ...click, data: { partner: 'highlevel' } };
  expect(buildJourney(carriesNone, session)).toMatchObject({
    entryPage: '/a',
    pages: ['/a', '/b', '/pricing'],
  });
  const carriesFirst = { ...click, data: { entry_page: 'a', journey_pages: ['a'] } };
  expect(buildJourney(carriesFirst, session)).toMatchObject({
    entryPage: '/a',
    pages: ['/a', '/b', '/pricing'],
  });
});

it('leaves bots and prefetches out', () => {
  const bot = { ...view('/bot', 100, { utm_source: 'bot' }), flags: ['bot' as const] };
  expect(buildJourney({ ...click, campaign: {} }, [bot])).toMatchObject({ touches: [], entryPage: 'blog' });
});

it.each(['free', 'gpc'] as const)(
  'knows the first page and that of the click alone with the flag %s',
  (flag) => {
    const data = { partner: 'kit', entry_page: 'blog', visit_channel: 'email', visit_source: 'news' };
    const journey = buildJourney({ ...click, session: '', flags: [flag], data }, []);
    expect(journey).toMatchObject({ isFree: true, pages: ['blog', '/pricing'], entryPage: 'blog' });
    expect(journey.sources?.first).toEqual(journey.sources?.last);
  },
);
