import { runInNewContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { buildBesideScript as bundleBesideScript } from '../../../scripts/build/vite-plugins.ts';
import { HOSTILE_VALUES } from '../../../test/support/hostile-input.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { collect } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { decideStorageMode } from '../../core/consent/storage-mode.ts';
import { answerLink, besideSchema, parseListedPage, splitPage } from '../../core/outbound/beside.schema.ts';
import { buildPartnerTargets, type Partner } from '../../core/outbound/partner.ts';
import { createCollector } from '../events/collector.ts';
import type { Site } from '../site.ts';
import { buildBesideScript, createBesideRoute } from './beside.ts';
import { createGo } from './go.ts';

const BLOG = 'https://blog.example';
const CORP = 'cross-origin-resource-policy';
const [kit] = [readSamplePartners().get('kit')].filter((partner) => partner !== undefined) as [Partner];
const partners = new Map<string, Partner>([
  ['kit', kit],
  [
    'shop',
    { ...kit, key: 'shop', site: 'https://shop.example/', redirect: 'no', watch: undefined } as Partner,
  ],
]);
const beside = besideSchema.parse({
  hosts: [
    { name: 'Blog', address: BLOG },
    { name: 'Shop talk', address: 'https://talk.example:8443/' },
  ],
  cloaked: { 'blog.example/go/letters': 'kit', 'blog.example/out/shop': 'shop' },
});
const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';
const view = { id: ID, name: 'page_view', page: '/best-kettles/', time: 1, data: { entry: true } };

let site: Site;

beforeEach(async () => {
  site = await createTestSite({
    content: { beside, partners },
    settings: { SITE_URL: 'https://money.example' },
  });
});

const send = (headers: Record<string, string>, body: unknown = { events: [view] }) =>
  createRouteClient({ method: 'GET, POST', path: '/api/journey', handle: createCollector(site) })(
    JSON.stringify(body),
    { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', ...headers },
    { method: 'POST' },
  );
const stored = async () => {
  await site.visitors.clickQueue.close(1_000);
  return collect(site.visitors.events.read({}));
};

async function follow(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const path = target.split('?')[0] ?? '';
  const found = buildPartnerTargets(partners).get(path);
  if (found === undefined) throw new Error(`${path} leads to no partner`);
  const handle = createGo(site, found);
  const headersOf = {
    'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0',
    'sec-fetch-site': 'cross-site',
    ...headers,
  };
  return createRouteClient({ method: 'GET, HEAD, POST', path, handle })(null, headersOf, { method, target });
}

it('stores a view of a listed site under its host, which only the origin decides', async () => {
  const taken = await send({ origin: BLOG });
  // Browsers report a response that they may not pass on, although its event is stored.
  expect([taken.status, taken.headers.get(CORP)]).toEqual([202, 'cross-origin']);
  const second = { ...view, id: ID.replace('0b', '1b'), page: '/talk.example:8443/x' };
  await send({ origin: BLOG }, { events: [second] });
  expect((await stored()).map(({ page }) => page)).toEqual([
    'blog.example/best-kettles/',
    'blog.example/talk.example:8443/x',
  ]);
});

it.each([
  ['another site', 'https://evil.example'],
  ['the same host without TLS', 'http://blog.example'],
  ['another port', 'https://blog.example:8443'],
  ['a host below it', 'https://x.blog.example'],
  ['no origin at all', 'null'],
  ...[
    'https://blog.example.evil.example',
    'https://blog.example@evil.example',
    'https://evil.example#https://blog.example',
    'https://blog.example/',
    'https://blog.example.',
    'https://blog.example:443',
    'HTTPS://BLOG.EXAMPLE',
    'https://blog.example, https://evil.example',
    'https://blog.example https://evil.example',
    "https://blog.example' OR 1=1 --",
    'https://blog.example%00',
    'https://b\u0142og.example',
    'http://money.example',
    'https://money.example.evil.example',
    'chrome-extension://blog.example',
    'file://',
    'data:text/html,x',
    '*',
    '__proto__',
    'blog.example',
  ].map((origin): [string, string] => [origin, encodeURI(origin)]),
])('refuses what %s sends, and stores nothing', async (_name, origin) => {
  expect((await send({ origin })).status).toBe(403);
  expect(await stored()).toEqual([]);
});

it('keeps the rule of our own pages: JSON from the same origin', async () => {
  expect((await send({ origin: 'https://money.example', 'sec-fetch-site': 'same-origin' })).status).toBe(415);
});

it('stores a click with the page of the listed site, unless the browser names another origin', async () => {
  const target = '/go/kit?from=blog.example/best-kettles/&source=table&position=own-1';
  await follow(target, { referer: `${BLOG}/` });
  await follow(`${target}&n=2`);
  await follow(`${target}&n=3`, { referer: 'https://talk.example:8443/' });
  await follow('/go/kit?from=evil.example/x&n=4');
  expect((await stored()).map(({ page, data }) => [page, data['position']])).toEqual([
    ['blog.example/best-kettles/', 'own-1'],
    ['blog.example/best-kettles/', 'own-1'],
    ['/go/kit', 'own-1'],
    ['/go/kit', undefined],
  ]);
});

it('tells pages apart by the parameter that names them, and by no other', async () => {
  const pages = [
    '/?p=1',
    '/?p=2&utm_source=x',
    '/?a=b&page_id=3#p=4',
    '/?xp=5',
    '/?p=x',
    `/?p=${'1'.repeat(30)}`,
  ];
  const buildView = (page: string, index: number) => ({ ...view, id: ID.replace('0b0', `${index}b0`), page });
  await send({ origin: BLOG }, { events: pages.map(buildView) });
  const expected = ['/?p=1', '/?p=2', '/?page_id=3', '/', '/', '/'].map((page) => `blog.example${page}`);
  expect((await stored()).map(({ page }) => page)).toEqual(expected);
  expect(pages.map((page) => parseListedPage(beside, `blog.example${page}`))).toEqual(expected);
  await follow('/go/kit?from=blog.example%2F%3Fp%3D1', { referer: `${BLOG}/` });
  expect((await stored()).at(-1)?.page).toBe('blog.example/?p=1');
});

it('counts a click whose partner allows no redirect, for listed sites alone', async () => {
  const target = '/go/shop?from=blog.example/x';
  expect((await follow(target, { origin: 'https://evil.example' }, 'POST')).status).toBe(403);
  const counted = await follow(target, { origin: BLOG }, 'POST');
  expect([counted.status, counted.headers.get(CORP)]).toEqual([204, 'cross-origin']);
  expect(await stored()).toMatchObject([{ page: 'blog.example/x', data: { partner: 'shop' } }]);
});

const HOSTILE = Object.values(HOSTILE_VALUES).flat();

/** What no stored text may have: controls, and what turns or hides text around it. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

it('takes each hostile value in each field of a view once, as text of its own page, or not at all', async () => {
  const fields = HOSTILE.flatMap((value) => [
    { page: `/${value}` },
    { page: value },
    { page: `/?p=${value}` },
    { data: { entry: true, referrer: value } },
    { data: { [value]: value, visit_source: value, visit_channel: value, title: value } },
    { campaign: { utm_source: value, utm_campaign: value, gclid: value, [value]: value } },
    { label: value, session: value, title: value },
  ]);
  const sent = fields.map((own) => ({ ...view, ...own, id: crypto.randomUUID() }));
  for (let at = 0; at < sent.length; at += 20)
    await send({ origin: BLOG }, { events: sent.slice(at, at + 20) });
  const events = await stored();
  expect(events.length).toBeGreaterThan(HOSTILE.length);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  for (const { page, data, campaign, label, session } of events) {
    expect(page).toMatch(/^blog\.example\/[^\s\\]*$/);
    expect(JSON.stringify([page, data, campaign, label, session])).not.toMatch(UNSAFE);
    for (const key of [...Object.keys(data), ...Object.keys(campaign)]) expect(key).toMatch(/^[a-zA-Z]\w*$/);
    // The server alone says where a visit came from.
    expect(HOSTILE).not.toContain(data['visit_channel']);
  }
});

it('leads a click with each hostile value in each field to its partner, and stores it once', async () => {
  const fields = [
    'from',
    'source',
    'position',
    'referrer',
    'entry_page',
    'utm_source',
    'utm_campaign',
    'gclid',
  ];
  const merchant = new URL(kit.site).host;
  const clicks: string[] = [];
  for (const [index, value] of HOSTILE.entries()) {
    const click = crypto.randomUUID();
    const query = new URLSearchParams({ from: 'blog.example/x', click });
    for (const field of fields.filter((_, at) => (at + index) % 3 > 0))
      query.set(field, field === 'from' ? `blog.example/${value}` : value);
    // As long as nothing limits the address of the client.
    site.visitors.clickRate.take = () => 'complete';
    const answer = await follow(`/go/kit?${query}`, { referer: `${BLOG}/` });
    const [, leads = ''] = /<a[^>]*href="([^"]*)"/.exec(await answer.text()) ?? [];
    const location = answer.headers.get('location') ?? leads.replaceAll('&amp;', '&');
    expect([value, URL.parse(location)?.host]).toEqual([value, merchant]);
    clicks.push(click);
  }
  const events = await stored();
  expect(events.map(({ id }) => id)).toEqual(clicks);
  for (const { page, data, campaign } of events) {
    expect(page).toMatch(/^(blog\.example\/[^\s\\]*|\/go\/kit)$/);
    expect(JSON.stringify([page, data, campaign])).not.toMatch(UNSAFE);
  }
});

it('says of each hostile link that it leads nowhere, and repeats nothing of it', async () => {
  const ask = createRouteClient({ method: 'GET, POST', path: '/api/journey', handle: createCollector(site) });
  site.visitors.postLimiter.take = () => 0;
  for (const value of HOSTILE) {
    const target = `/api/journey?link=${encodeURIComponent(value.toWellFormed())}`;
    const answer = await ask(null, { origin: BLOG }, { method: 'GET', target });
    expect([value, await answer.text()]).toEqual([
      value,
      expect.stringMatching(/^\{("count":"\/go\/kit\?page=")?\}$/),
    ]);
  }
  expect(await stored()).toEqual([]);
});

const [trial = ''] = [kit.destinations.get('trial')];

it.each([
  // Followed as it is, the redirect counts it: the script must not.
  ['our own link', 'https://money.example/go/kit?page=trial&x=1', { go: '/go/kit?page=trial' }],
  ['our own one to a partner without redirect', 'https://money.example/go/shop', { go: '/go/shop?page=' }],
  ['a path that is none of ours', 'https://money.example/blog', {}],
  ['a cloaked one that is known', `${BLOG}/go/letters/`, { go: '/go/kit?page=', count: '/go/kit?page=' }],
  ['a cloaked one of a partner without redirect', `${BLOG}/out/shop`, { count: '/go/shop?page=' }],
  ['a cloaked one that nobody has named', `${BLOG}/go/other`, {}],
  ['one of another host', 'https://talk.example:8443/go/letters', {}],
  [
    "a merchant's page that is a destination",
    `${trial}?ref=mine`,
    { go: '/go/kit?page=pricing', count: '/go/kit?page=pricing' },
  ],
  ["a merchant's other page", `${new URL(trial).origin}/some/product`, { count: '/go/kit?page=' }],
  ['a merchant without redirect', 'https://shop.example/dp/B000', { count: '/go/shop?page=' }],
  ['a page of nobody', 'https://elsewhere.example/', {}],
  ['a script', 'javascript:alert(1)', {}],
])('answers %s', (_name, href, answer) => {
  const ourOrigin = 'https://money.example';
  expect(answerLink(beside, partners, { host: 'blog.example', href, ourOrigin })).toEqual(answer);
});

it.each([
  ['blog.example/a b?c#d', 'blog.example/a%20b'],
  ['talk.example:8443/x', 'talk.example:8443/x'],
  ['evil.example/x', ''],
  ['/x', ''],
  ['blog.example', ''],
  ['blog.example@evil.example/x', ''],
  ['https://blog.example/x', ''],
])('parses the page %s', (text, page) => {
  expect(parseListedPage(beside, text)).toBe(page);
});

it('splits host and path', () => {
  expect(splitPage('blog.example/a/b')).toEqual({ host: 'blog.example', path: '/a/b' });
  expect(splitPage('/a/b')).toEqual({ host: '', path: '/a/b' });
});

it.each([
  'https://a.example/path',
  'http://a.example',
  'ftp://a.example',
  'a.example',
  'https://u@a.example',
])('refuses the address %s', (address) => {
  expect(besideSchema.safeParse({ hosts: [{ name: 'A', address }] }).success).toBe(false);
});

/** What the script stores in a browser of a time zone: the names of its entries. */
function listStored(script: string, timeZone: string): readonly string[] {
  const stored: string[] = [];
  const page = {
    navigator: {},
    Intl: new Proxy({}, { get: () => () => ({ resolvedOptions: () => ({ timeZone }) }) }),
    location: { origin: BLOG, pathname: '/', search: '' },
    document: { referrer: '' },
    performance: { navigation: {} },
    sessionStorage: new Proxy({}, { set: (_, name: string) => stored.push(name) > 0 }),
    fetch: async () => new Response(),
    addEventListener: () => undefined,
    crypto,
    URLSearchParams,
  };
  runInNewContext(script, Object.assign(page, { window: page, self: page }));
  return stored;
}

it('is a script of at most 1.5 kB that stores where a page of our own would', async () => {
  const bundled = await bundleBesideScript();
  const settings = { ...site.settings, STORAGE_CONSENT_REGIONS: ['EU'] };
  const text = buildBesideScript(site.content.read(), settings, bundled);
  expect(brotliCompressSync(text).length).toBeLessThanOrEqual(1_536);
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/UTC', ''];
  // It is stricter on islands of the Atlantic, which are not told apart.
  const isStrict = (zone: string) => zone.startsWith('Atlantic/');
  for (const zone of zones) {
    const isFree = decideStorageMode({ storage: 'europe' }, false, zone, '') === true || isStrict(zone);
    expect([zone, listStored(text, zone)]).toEqual([zone, isFree ? [] : ['signpost']]);
  }
  const none = buildBesideScript({ partners, beside: { ...beside, consent: 'none' } }, settings, bundled);
  const full = buildBesideScript({ partners, beside: { ...beside, consent: 'full' } }, settings, bundled);
  expect([listStored(none, 'America/New_York'), listStored(full, 'Europe/Berlin')]).toEqual([
    [],
    ['signpost'],
  ]);
});

it('has the script under the hash of its content for good', async () => {
  const text = buildBesideScript(site.content.read(), site.settings, '');
  const request = createRouteClient(createBesideRoute(site));
  const plain = await request(null, {}, { method: 'GET', target: '/beside.js' });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=300');
  const version = plain.headers.get('etag')?.slice(1, -1);
  const named = await request(null, {}, { method: 'GET', target: `/beside.js?v=${version}` });
  expect(named.headers.get('cache-control')).toContain('immutable');
  expect(await named.text()).toBe(text);
  site = await createTestSite({ content: { partners } });
  const none = createRouteClient(createBesideRoute(site));
  expect((await none(null, {}, { method: 'GET', target: '/beside.js' })).status).toBe(404);
});
