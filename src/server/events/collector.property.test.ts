import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES } from '../../../test/support/cases.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { AD_PARAMETERS } from '../../core/consent/gpc.ts';
import { CAMPAIGN_PARAMETERS } from '../../core/events/campaign.ts';
import { BROWSER_EVENT_NAMES } from '../../core/events/event-definitions.ts';
import { EVENT_LIMITS, type SiteEvent } from '../../core/events/site-event.ts';
import type { JourneyResult } from '../../core/events/wire-event.ts';
import { createCollector } from './collector.ts';

/** For properties that are narrower. */
const NOW = Date.UTC(2025, 10, 20);
const DAY = 86_400_000;

const site = createTestSite({ clock: { now: () => NOW, monotonic: () => 0 }, settings: { EVENT_RATE: '0' } });

/** Posts a body to a collector over an empty store. */
async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ response: Response; stored: SiteEvent[] }> {
  const events = createMemoryEventStore();
  const handle = createCollector({ ...(await site), visitors: { ...(await site).visitors, events } });
  const request = createRouteClient({ method: 'POST', path: '/api/journey', handle });
  const response = await request(body, headers);
  return { response, stored: await collect(events.read({})) };
}

/** Text of the kinds that break things: controls, bidi, halves of characters, markup, separators. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      '\0',
      '\n',
      '\r',
      '\x1b',
      '\u202E',
      '\u2066',
      '\uD800',
      '\uFEFF',
      '😀',
      'a',
      '<',
      '"',
      '=',
    ),
  }),
  fc.constantFrom('a'.repeat(700), `${'b'.repeat(255)}😀`),
  fc.constantFrom('__proto__', 'constructor', '=1+1', 'javascript:alert(1)', '//evil.example', '/blog'),
);

const tameKey = fc.oneof(
  fc.constantFrom('source', 'budget', 'journey_pages', ...CAMPAIGN_PARAMETERS),
  fc.stringMatching(/^[A-Za-z]\w{0,39}$/),
);
const wildKey = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString'), text);
const anyJson = fc.jsonValue({ maxDepth: 3 });
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e308, NOW, NOW - 2 * DAY));

/** Builds JSON text of an object whose keys may repeat or be `__proto__`, which no object literal can say. */
function fields(value: fc.Arbitrary<unknown>, key: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(key, value), { maxLength: 25 })
    .map((entries) => `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${toJson(item)}`).join()}}`);
}

/** Fields of a form that is allowed, now and then of any other. */
function mostlyFields(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 10, arbitrary: fields(value, tameKey) },
    { weight: 1, arbitrary: fields(value, wildKey) },
    { weight: 1, arbitrary: anyJson.map(toJson) },
  );
}

/** Like `JSON.stringify`, but numbers that JSON cannot say come out as ones it overflows at. */
function toJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value < 0 ? '-1e999' : '1e999';
  return JSON.stringify(value) ?? 'null';
}

const mostly = (valid: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 20, arbitrary: valid.map(toJson) }, { weight: 1, arbitrary: other.map(toJson) });

const event = fc
  .record(
    {
      id: mostly(fc.uuid(), fc.oneof(text, anyJson)),
      name: mostly(fc.constantFrom(...BROWSER_EVENT_NAMES), fc.oneof(text, anyJson)),
      session: mostly(fc.stringMatching(/^[A-Za-z0-9_-]{0,64}$/), fc.oneof(text, anyJson)),
      page: mostly(
        fc.webPath().map((path) => path || '/'),
        fc.oneof(text, anyJson),
      ),
      time: mostly(number, fc.oneof(text, anyJson)),
      label: mostly(text, anyJson),
      value: mostly(number, anyJson),
      data: mostlyFields(fc.oneof(text, number, fc.boolean(), fc.array(text), fc.constant(null))),
      campaign: mostlyFields(fc.oneof(text, anyJson)),
      free: mostly(fc.constant(true), anyJson),
      more: mostly(fc.constant(null), anyJson),
    },
    { requiredKeys: ['id', 'name', 'session', 'page', 'time'] },
  )
  .map(
    (parts) =>
      `{${Object.entries(parts)
        .map(([name, json]) => `"${name === 'more' && json !== 'null' ? '__proto__' : name}":${json}`)
        .join()}}`,
  );

const HIDDEN = /[\p{Cc}\u202A-\u202E\u2066-\u2069\u200E\u200F\u200B\uFEFF\uFFFE\uFFFF\p{Surrogate}]/u;

function readTexts(stored: SiteEvent): string[] {
  return [stored.data, stored.campaign]
    .flatMap((map) => [...Object.keys(map), ...Object.values(map).flat()])
    .concat([stored.id, stored.session, stored.page, stored.label])
    .filter((item) => typeof item === 'string');
}

/** What is wrong with a stored event, by name. One assertion a case: `expect` costs more than the case itself. */
function findFaults(stored: SiteEvent): string[] {
  const { label, value, data, campaign, clientTime } = stored;
  const rules: Record<string, boolean> = {
    name: BROWSER_EVENT_NAMES.some((name) => name === stored.name),
    id: /^[0-9a-f-]{36}$/.test(stored.id),
    session: /^[A-Za-z0-9_-]{0,64}$/.test(stored.session),
    page: /^\/(?![/\\])/.test(stored.page),
    text: !readTexts(stored).some((item) => HIDDEN.test(item) || item.length > EVENT_LIMITS.dataText),
    label: label.length <= EVENT_LIMITS.label,
    value: Number.isFinite(value) && !Object.is(value, -0),
    keys: Object.keys(data).length <= EVENT_LIMITS.dataKeys && Object.keys(data).every(isDataKey),
    campaign: Object.keys(campaign).every((name) => CAMPAIGN.has(name)),
    serverTime: stored.serverTime === NOW,
    clientTime: clientTime === null || Math.abs(clientTime - NOW) <= DAY,
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

const CAMPAIGN: ReadonlySet<string> = new Set(CAMPAIGN_PARAMETERS);
const isDataKey = (name: string) => /^(?!constructor$|prototype$)[A-Za-z]\w{0,39}$/.test(name);

it('responds to any JSON with 202, 400 or 413 and stores nothing strange', async () =>
  forAll(
    1,
    [fc.oneof(anyJson, fc.record({ events: fc.array(anyJson, { maxLength: 60 }) }))],
    async (body) => {
      const { response, stored } = await post(JSON.stringify(body));
      expect([202, 400, 413]).toContain(response.status);
      expect(stored.flatMap(findFaults)).toEqual([]);
    },
  ));

it('responds to any bytes with 202, 400 or 413', async () =>
  forAll(0.2, [fc.uint8Array({ maxLength: 200 })], async (body) => {
    expect([202, 400, 413]).toContain((await post(body)).response.status);
  }));

it('accounts for every event of a batch, and what it stores is clean', async () => {
  let storedEvents = 0;
  await forAll(1, [fc.array(event, { minLength: 1, maxLength: 3 })], async (batch) => {
    const { response, stored } = await post(`{"events":[${batch.join()}]}`);
    expect(stored.flatMap(findFaults)).toEqual([]);
    storedEvents += stored.length;
    expect(response.status).toBe(stored.length > 0 ? 202 : 400);
    if (response.status !== 202) return;
    const { stored: count, duplicates, rejected }: JourneyResult = await response.json();
    const places = new Set(rejected.map(({ index }) => index)).size;
    expect([count, count + duplicates + places]).toEqual([stored.length, batch.length]);
  });
  // The property would be worth little if nearly everything was refused.
  expect(storedEvents).toBeGreaterThan(CASES / 4);
  expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
});

it('stores no ad id, journey or answer of a visitor with Sec-GPC', async () => {
  const withheld = new RegExp(`^(${AD_PARAMETERS.join('|')}|budget|journey_pages)$`);
  await forAll(0.2, [event], async (one) => {
    const { stored } = await post(`{"events":[${one}]}`, { 'sec-gpc': '1' });
    for (const { data, campaign, flags } of stored) {
      expect(Object.keys({ ...data, ...campaign }).filter((name) => withheld.test(name))).toEqual([]);
      expect(flags).toContain('gpc');
    }
  });
});

/** The address of the page that posts, as a header may have it; ids of ads hold a mark. */
const referer = fc
  .array(fc.tuple(fc.constantFrom('q', '__proto__', ...CAMPAIGN_PARAMETERS), text), { maxLength: 30 })
  .map((query) => {
    const mark = (name: string) => (AD_PARAMETERS.some((ad) => ad === name) ? 'zq9' : '%E0%A4%A%');
    return `http://localhost/blog?${query.map(([name, value]) => `${name}=${mark(name)}${value}`).join('&')}`;
  })
  .map((address) => address.replace(/[^!-ÿ]/g, '+'));

it('keeps nothing of a visit without storage that is its own, whatever its events and their Referer say', async () => {
  const withheld = new RegExp(`^(${AD_PARAMETERS.join('|')}|budget|journey_pages)$`);
  const view = fc
    .uuid()
    .map((id) => `{"id":"${id}","name":"page_view","page":"/blog","time":${NOW},"free":true}`);
  await forAll(0.2, [fc.oneof(view, event), referer], async (one, address) => {
    const { stored } = await post(`{"events":[${one}]}`, { referer: address });
    expect([stored.flatMap(findFaults), JSON.stringify(stored)]).toEqual([
      [],
      expect.not.stringContaining('zq9'),
    ]);
    for (const { session, data, campaign } of stored.filter(({ flags }) => flags.includes('free'))) {
      expect(session).toBe('');
      expect(Object.keys({ ...data, ...campaign }).filter((name) => withheld.test(name))).toEqual([]);
    }
  });
});
