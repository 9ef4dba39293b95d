import { beforeEach, describe, expect, it } from 'vitest';
import { buildHttpCall } from '../../../test/support/http-call.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { readShippedAssessment } from '../../../test/support/shipped-content.ts';
import { createMemoryEventStore } from '../../adapters/events/memory-event-store.ts';
import { type EventStore, EventStoreError } from '../../core/journey/event-store.ts';
import type { HttpAnswer, HttpHandler } from '../http/message.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createAssessmentsHandler } from './assessments.ts';

const NOW = Date.UTC(2025, 10, 20);
const answers = {
  businessType: 'Digital Marketing Agency',
  revenue: 'Growing ($5K - $25K)',
  challenges: ['High costs of current tools'],
  budget: '$300 - $500',
};
const submission = { id: '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52', session: 's1', time: NOW - 5, answers };
const assessment = readShippedAssessment();

let store: EventStore;
let handle: HttpHandler;

function createHandler(over: EventStore): HttpHandler {
  const limiter = createRateLimiter({ perSecond: 1, burst: 100, maxAddresses: 10, now: () => 0 });
  return createAssessmentsHandler({
    store: over,
    clock: { now: () => NOW },
    limiter,
    siteOrigin: null,
    assessment,
  });
}

beforeEach(() => {
  store = createMemoryEventStore();
  handle = createHandler(store);
});

const post = (body: unknown, headers = {}) =>
  handle(buildHttpCall(JSON.stringify(body), headers, { path: '/api/assessments' }));
const read = (answer: HttpAnswer): unknown => JSON.parse(String(answer.body));
const stored = () => collect(store.read({}));

describe('POST /api/assessments', () => {
  it('stores the answers with the recommendation, and says so', async () => {
    const answer = await post(submission);
    expect(answer.status).toBe(202);
    expect(read(answer)).toEqual({ stored: 1, duplicates: 0 });
    expect(await stored()).toEqual([
      {
        id: submission.id,
        name: 'assessment_completed',
        session: 's1',
        page: '/assessment',
        label: 'Digital Marketing Agency_to_GoHighLevel',
        value: 1,
        data: {
          business_type: 'Digital Marketing Agency',
          revenue: 'Growing ($5K - $25K)',
          challenges: ['High costs of current tools'],
          budget: '$300 - $500',
          platform: 'GoHighLevel',
        },
        campaign: {},
        clientTime: NOW - 5,
        serverTime: NOW,
        flags: [],
      },
    ]);
  });

  it('the same id again changes nothing', async () => {
    await post(submission);
    const again = await post({ ...submission, answers: { ...answers, budget: '$1,000+' } });
    expect(again.status).toBe(202);
    expect(read(again)).toEqual({ stored: 0, duplicates: 1 });
    expect(await stored()).toMatchObject([{ data: { budget: '$300 - $500' } }]);
  });

  it('takes over nothing but the answers', async () => {
    await post({ ...submission, email: 'a@b.example', answers: { ...answers, name: 'Somebody' } });
    expect(JSON.stringify(await stored())).not.toMatch(/a@b|Somebody|192\.0\.2\.1|Chrome/);
  });

  it('stores no answers of a visitor with Sec-GPC', async () => {
    await post(submission, { 'sec-gpc': '1' });
    const [kept] = await stored();
    expect(kept).toMatchObject({ data: { platform: 'GoHighLevel' }, label: '', flags: ['gpc'] });
    expect(JSON.stringify(kept)).not.toMatch(/Agency|Growing|High costs/);
  });

  it.each([
    ['GET', {}, 405],
    ['POST', { 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('refuses %s %j with %d', async (method, headers, status) => {
    const answer = await handle(buildHttpCall(JSON.stringify(submission), headers, { method }));
    expect(answer.status).toBe(status);
    expect(await store.count({})).toBe(0);
  });

  it.each([
    ['not an object', [], 'The body has to be an object.'],
    ['no id', { ...submission, id: undefined }, 'id '],
    ['an id of another form', { ...submission, id: '<b>' }, 'id '],
    ['a session of another form', { ...submission, session: 'a b' }, 'session '],
    ['no answers', { ...submission, answers: undefined }, 'answers '],
    [
      'an answer that is no option',
      { ...submission, answers: { ...answers, budget: '<b>' } },
      'answers.budget',
    ],
    ['no challenge', { ...submission, answers: { ...answers, challenges: [] } }, 'answers.challenges'],
  ])('refuses %s with 400 and names the field', async (_, body, detail) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(read(answer)).toMatchObject({ code: 'invalid-request', detail: expect.stringContaining(detail) });
    expect(String(answer.body)).not.toContain('<b>');
    expect(await store.count({})).toBe(0);
  });

  it('refuses more than 64 KB with 413', async () => {
    const answer = await handle(buildHttpCall(JSON.stringify(submission).padEnd(65_537)));
    expect(answer.status).toBe(413);
  });

  it('answers 503 when the store cannot take it', async () => {
    const broken = { ...store, append: () => Promise.reject(new EventStoreError('unavailable', 'full')) };
    const answer = await createHandler(broken)(buildHttpCall(JSON.stringify(submission)));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
  });
});
