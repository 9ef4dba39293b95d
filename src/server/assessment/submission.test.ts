import { beforeEach, expect, it } from 'vitest';
import { createRouteClient, type RouteClient } from '../../../test/support/route-client.ts';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { type EventStore, EventStoreError } from '../../stores/events.ts';
import { createCollector } from '../events/collector.ts';

const NOW = Date.UTC(2025, 10, 20);
const answers = { businessType: 'agency', revenue: 'growing', challenges: ['costs'], budget: '300-500' };
const submission = { id: '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52', session: 's1', time: NOW - 5, answers };
const pageView = {
  id: '1b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52',
  name: 'page_view',
  session: 's1',
  page: '/help',
  time: NOW - 4,
};
const assessment = readSampleAssessment();

let store: EventStore;
let request: RouteClient;

async function createClient(events?: EventStore): Promise<RouteClient> {
  const clock = { now: () => NOW, monotonic: () => 0 };
  const site = await createTestSite({ clock, content: { assessment }, ...(events && { events }) });
  store = site.visitors.events;
  return createRouteClient({ method: 'POST', path: '/api/journey', handle: createCollector(site) });
}

beforeEach(async () => {
  request = await createClient();
});

const post = (entries: readonly unknown[], headers = {}) =>
  request(JSON.stringify({ events: entries }), headers);
const readStoredEvents = () => collect(store.read({}));

it('stores a submission with the recommendation, and responds 202', async () => {
  const response = await post([submission]);
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ stored: 1, duplicates: 0, rejected: [] });
  expect(await readStoredEvents()).toEqual([
    {
      id: submission.id,
      name: 'assessment_completed',
      session: 's1',
      page: '/assessment',
      label: 'agency_to_GoHighLevel',
      value: 1,
      data: {
        business_type: 'agency',
        revenue: 'growing',
        challenges: ['costs'],
        budget: '300-500',
        platform: 'GoHighLevel',
      },
      campaign: {},
      clientTime: NOW - 5,
      serverTime: NOW,
      flags: [],
    },
  ]);
});

it('stores a submission between the events of a batch', async () => {
  expect((await post([pageView, submission])).status).toBe(202);
  expect((await readStoredEvents()).map(({ name }) => name)).toEqual(['page_view', 'assessment_completed']);
});

it('stores nothing of a submission but the answers', async () => {
  await post([
    {
      ...submission,
      email: 'a@b.example',
      label: 'forged',
      data: { platform: 'forged' },
      answers: { ...answers, name: 'Ada' },
    },
  ]);
  expect(JSON.stringify(await readStoredEvents())).not.toMatch(/a@b|Ada|forged|192\.0\.2\.1|Chrome/);
});

it('stores no answers of a visitor with Sec-GPC', async () => {
  await post([submission], { 'sec-gpc': '1' });
  const [event] = await readStoredEvents();
  expect(event).toMatchObject({ data: { platform: 'GoHighLevel' }, label: '', flags: ['gpc'] });
  expect(JSON.stringify(event)).not.toMatch(/agency|growing|costs/);
});

it.each([
  ['no id', { ...submission, id: undefined }, 'id '],
  ['an id that is no UUID', { ...submission, id: '<b>' }, 'id '],
  ['no session', { ...submission, session: undefined }, 'session '],
  ['a session with a space', { ...submission, session: 'a b' }, 'session '],
  ['answers that are null', { ...submission, answers: null }, 'answers '],
  [
    'an answer that is no option',
    { ...submission, answers: { ...answers, budget: '<b>' } },
    'answers.budget',
  ],
  ['no challenge', { ...submission, answers: { ...answers, challenges: [] } }, 'answers.challenges'],
])('responds 400 to a submission with %s and names the field', async (_, entry, detail) => {
  const response = await post([entry]);
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining(detail),
  });
  expect(text).not.toContain('<b>');
  expect(await store.count({})).toBe(0);
});

it('responds 202 to a batch with an invalid submission, stores the rest, and reports the rejection', async () => {
  const response = await post([{ ...submission, answers: {} }, pageView]);
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({
    stored: 1,
    rejected: [{ index: 0, id: submission.id, code: 'invalid-field' }],
  });
});

it('responds 503 to a submission that the event store cannot take', async () => {
  const broken = { ...store, append: () => Promise.reject(new EventStoreError('unavailable', 'full')) };
  const response = await (await createClient(broken))(JSON.stringify({ events: [submission] }));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
});

it('stores the answers of a visit that is not stored in the browser without what could join them to it', async () => {
  await post([
    { ...submission, session: '', free: true },
    { ...submission, id: pageView.id, free: 1 },
  ]);
  const [first, ...others] = await readStoredEvents();
  expect(first).toMatchObject({ session: '', page: '', label: '', campaign: {}, flags: ['free'] });
  expect(first?.data).toMatchObject({ business_type: 'agency', budget: '300-500' });
  expect(others).toEqual([]);
});
