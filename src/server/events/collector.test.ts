import { beforeEach, expect, it } from 'vitest';
import { createRouteClient, type RouteClient } from '../../../test/support/route-client.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { type EventStore, EventStoreError } from '../../stores/events.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createCollector } from './collector.ts';

const NOW = Date.UTC(2025, 10, 20);
const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';
const OTHER_ID = '1b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';
const event = { id: ID, name: 'page_view', session: 's1', page: '/blog', time: NOW - 1_000 };

let store: EventStore;
let request: RouteClient;

async function createClient(changes: Parameters<typeof createTestSite>[0] = {}): Promise<RouteClient> {
  const site = await createTestSite({ clock: { now: () => NOW, monotonic: () => 0 }, ...changes });
  store = site.visitors.events;
  return createRouteClient({ method: 'POST', path: '/api/journey', handle: createCollector(site) });
}

beforeEach(async () => {
  request = await createClient();
});

const post = (events: unknown, headers = {}) => request(JSON.stringify({ events }), headers);
const stored = () => collect(store.read({}));

it('stores an event and says so', async () => {
  const response = await post([event]);
  expect(response.status).toBe(202);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  expect(await response.json()).toEqual({ stored: 1, duplicates: 0, rejected: [] });
  expect(await stored()).toMatchObject([{ id: ID, clientTime: NOW - 1_000, serverTime: NOW, flags: [] }]);
});

it('stores what it can of a batch and says what it refuses, by place', async () => {
  const response = await post([event, { ...event, id: OTHER_ID, name: 'made_up' }, 7, event]);
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({
    stored: 1,
    duplicates: 1,
    rejected: [
      { index: 1, id: OTHER_ID, code: 'unknown-name', detail: 'name is not an event that browsers send.' },
      { index: 2, id: null, code: 'invalid-field', detail: 'The event has to be an object.' },
    ],
  });
  expect(await store.count({})).toBe(1);
});

it('keeps a click that a browser reports, but does not count it', async () => {
  await post([{ ...event, name: 'affiliate_redirect' }]);
  expect(await stored()).toMatchObject([{ flags: ['duplicate'] }]);
});

it.each([
  ['Googlebot/2.1', ['bot']],
  ['', ['bot']],
])('labels the events of %j', async (userAgent, flags) => {
  await post([event], { 'user-agent': userAgent });
  expect(await stored()).toMatchObject([{ flags }]);
});

it.each([
  [{ referrer: 'https://www.perplexity.ai/search/secret' }, {}, 'AI assistant', 'Perplexity'],
  [{ referrer: 'direct' }, { utm_source: 'chatgpt.com' }, 'AI assistant', 'ChatGPT'],
  [{ referrer: 'https://second.example/a' }, {}, 'internal', undefined],
  [{ referrer: 'https://hub.test/a' }, {}, 'internal', undefined],
  [{ referrer: 'direct', visit_channel: 'search', visit_source: 'Google' }, {}, 'direct', undefined],
  [{ visit_channel: 'search', visit_source: 'Google' }, {}, undefined, undefined],
])('stores the source of a first page view itself: %j with %j', async (data, campaign, channel, name) => {
  request = await createClient({
    settings: { SITE_URL: 'https://signpost.example, http://second.example:8080' },
  });
  await post([{ ...event, data, campaign }], { host: 'hub.test' });
  const [first] = await stored();
  expect([first?.data['visit_channel'], first?.data['visit_source']]).toEqual([channel, name]);
});

it('stores the channel of the campaign alone, and no part of the referrer, of a visitor with Sec-GPC', async () => {
  const data = { entry: true, referrer: 'https://blog.example/secret' };
  const campaign = { utm_source: 'news', utm_medium: 'email', gclid: 'x' };
  const entries = [
    { ...event, data, campaign },
    { ...event, id: OTHER_ID, data: { entry: true, referrer: 'direct' } },
  ];
  await post(entries, { 'sec-gpc': '1', host: 'hub.test' });
  expect((await stored()).map(({ data }) => data)).toEqual([
    { entry: true, visit_channel: 'email' },
    { entry: true, visit_channel: 'unknown', visit_source: 'without journey' },
  ]);
});

it.each([
  [{ entry: true, referrer: 'www.bing.com' }, {}, ['search', 'Bing']],
  [{ entry: true, referrer: 'direct' }, {}, ['direct', undefined]],
  [{ entry: true }, {}, ['unknown', 'without journey']],
  [{ entry: true }, { utm_source: 'news', utm_medium: 'email' }, ['email', 'news']],
  [{}, { utm_source: 'news' }, [undefined, undefined]],
])('decides the source of a visit that is not stored: %j with %j', async (data, campaign, source) => {
  await post([{ ...event, data, campaign, free: true }]);
  const [first] = await stored();
  expect([first?.data['visit_channel'], first?.data['visit_source']]).toEqual(source);
  expect([first?.session, first?.flags]).toEqual(['', ['free']]);
});

it.each([
  ['utm_source=news&utm_medium=email&gclid=secret', { utm_source: 'news', utm_medium: 'email' }],
  ['gclid=secret', { utm_source: 'google', utm_medium: 'cpc', utm_campaign: '(gclid)' }],
  ['q=secret', {}],
])('reads the campaign of a page that was left early from its address: %s', async (query, campaign) => {
  const { session: _, ...left } = event;
  await post([{ ...left, data: { entry: true }, free: true }], {
    referer: `https://hub.test/blog?${query}#secret`,
  });
  expect((await stored()).map(({ campaign }) => campaign)).toEqual([campaign]);
  expect(JSON.stringify(await stored())).not.toContain('secret');
});

it('stores nothing that tells the address or the browser of a visitor', async () => {
  await post([event], { 'x-forwarded-for': '198.51.100.7' });
  expect(JSON.stringify(await stored())).not.toMatch(/192\.0\.2\.1|198\.51\.100\.7|Chrome/);
});

it.each([
  ['GET', {}, 405, 'method-not-allowed'],
  ['PUT', {}, 405, 'method-not-allowed'],
  ['OPTIONS', {}, 405, 'method-not-allowed'],
  ['TRACE', {}, 405, 'method-not-allowed'],
  ['POST', { 'sec-fetch-site': 'cross-site' }, 403, 'cross-site'],
  ['POST', { origin: 'null' }, 403, 'cross-site'],
  ['POST', { 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-type': 'application/jsonp' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-type': '' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-encoding': 'gzip' }, 415, 'unsupported-media-type'],
  ['POST', { 'content-encoding': 'br' }, 415, 'unsupported-media-type'],
])('refuses %s %j with %d', async (method, headers, status, code) => {
  const response = await request(JSON.stringify({ events: [event] }), headers, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({ status, code, requestId: 'request-1' });
  expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  expect(await store.count({})).toBe(0);
});

it.each(['application/json', 'application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
  'takes %s',
  async (type) => expect((await post([event], { 'content-type': type })).status).toBe(202),
);

it.each([
  ['', 400, 'invalid-json'],
  ['{', 400, 'invalid-json'],
  ['{"events":[NaN]}', 400, 'invalid-json'],
  [new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'invalid-json'],
  ['null', 400, 'invalid-request'],
  ['[]', 400, 'invalid-request'],
  ['{"events":[]}', 400, 'invalid-request'],
  ['{"__proto__":{"admin":true},"events":[{}]}', 400, 'invalid-request'],
  ['{"events":[{"name":"x"},{}]}', 400, 'invalid-request'],
  [`{"events":[${Array(51).fill('{}').join()}]}`, 413, 'body-too-large'],
  [`{"events":["${'x'.repeat(65_536)}"]}`, 413, 'body-too-large'],
])('refuses the body %j with %d', async (body, status, code) => {
  const response = await request(body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ status, code });
});

it('takes the last of two equal keys, and a byte order mark', async () => {
  const body = JSON.stringify({ events: [event] }).replace('"page":', '"page":"/first","page":');
  expect((await request(`\uFEFF${body}`)).status).toBe(202);
  expect(await stored()).toMatchObject([{ page: '/blog' }]);
});

it('takes exactly 50 events and 65,536 bytes', async () => {
  const events = Array.from({ length: 50 }, (_, i) => ({ ...event, id: `${ID.slice(0, -2)}${10 + i}` }));
  const body = JSON.stringify({ events });
  const response = await request(body.padEnd(65_536));
  expect(await response.json()).toMatchObject({ stored: 50 });
});

it('asks one address to wait when it sends too much, and no other', async () => {
  const postLimiter = createRateLimiter({ perSecond: 1, burst: 5, maxAddresses: 10, now: () => 0 });
  request = await createClient({ postLimiter });
  expect((await post(Array(4).fill(event))).status).toBe(202);
  const refused = await post([event, event]);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  const other = await request(JSON.stringify({ events: [event] }), {}, { clientAddress: '192.0.2.2' });
  expect(other.status).toBe(202);
});

it('counts a long event as as many as its kilobytes', async () => {
  const postLimiter = createRateLimiter({ perSecond: 1, burst: 5, maxAddresses: 10, now: () => 0 });
  request = await createClient({ postLimiter });
  const body = JSON.stringify({ events: [event] });
  expect((await request(body.padEnd(4 * 1_024))).status).toBe(202);
  expect((await request(body.padEnd(1_025))).status).toBe(429);
});

it.each(['unavailable', 'invalid', 'closed'] as const)('responds 503 when the store is %s', async (code) => {
  const broken = { ...store, append: () => Promise.reject(new EventStoreError(code, 'SECRET path')) };
  const response = await (await createClient({ events: broken }))(JSON.stringify({ events: [event] }));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'store-unavailable' });
  expect(text).not.toContain('SECRET');
});

it('responds 408 when the body does not arrive', async () =>
  expect((await request(new Error('aborted'))).status).toBe(408));
