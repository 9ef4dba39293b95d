import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSampleAssessment, readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  COPY_KEY,
  COPY_LIFETIME_MS,
  JOURNEY_KEY,
} from '../../core/consent/storage-keys.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { labelsSchema } from '../../core/outbound/partner.schema.ts';
import { buildPartnerTargets, type Partner } from '../../core/outbound/partner.ts';
import type { AddOutcome } from '../events/durable-event-queue.ts';
import { hashInline } from '../http/security-headers.ts';
import { ClickRate, type ClickStorage, ClickTokens, createGo } from './go.ts';
import { COUNT_SCRIPT_HASH, leadPastRedirect, leaveForPartner } from './redirect-page.ts';

const TOKEN = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';
const SESSION = '5d0e8f3a-1b2c-4d5e-8f9a-0b1c2d3e4f5a';

const START = 1_763_600_000_000;

let stored: SiteEvent[] = [];
let ids = 0;
let now = 0;
let storage: ClickStorage = 'complete';
let tokens = new ClickTokens(now);
const regions = new Map([['DE', new Map([['pricing', 'https://kit.com/de']])]]);
const targets = buildPartnerTargets(
  new Map([...readSamplePartners()].map(([key, one]) => [key, key === 'kit' ? { ...one, regions } : one])),
);
const assessment = readSampleAssessment();
const analytics = { GA_MEASUREMENT_ID: 'G-TEST123', GA_API_SECRET: 'secret' };

let settings: Record<string, string> = {};

beforeEach(() => {
  settings = {};
  stored = [];
  ids = 0;
  storage = 'complete';
  now = START + 3_600_000;
  tokens = new ClickTokens(START);
});

/** Stores as the queue does: an id that is stored already is replaced. */
async function add(event: SiteEvent, replace?: () => SiteEvent): Promise<AddOutcome> {
  const isNew = !stored.some(({ id }) => id === event.id);
  stored.push(isNew ? event : (replace?.() ?? { ...event, id: newId(), flags: ['duplicate'] }));
  return isNew ? 'stored' : 'replaced';
}

function newId(): string {
  return `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
}

async function request(
  address: string,
  headers: Record<string, string> = {},
  method = 'GET',
  known = targets,
) {
  const [path = ''] = address.split('?');
  const target = known.get(path);
  if (!target) throw new Error(`${path} leads to no partner`);
  const site = await createTestSite({
    settings,
    content: { assessment },
    clock: { now: () => now, monotonic: () => now },
    newId,
    clickTokens: tokens,
  });
  Object.assign(site.visitors.clickQueue, { add });
  Object.assign(site.visitors.clickRate, { take: () => storage });
  const send = createRouteClient({
    method: known === targets ? 'GET' : 'GET, HEAD, POST',
    path,
    handle: createGo(site, target),
  });
  const response = await send(null, { host: 'hub.test', ...headers }, { method, target: address });
  const html = await response.text();
  const href = /<a href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? 'about:blank';
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    html,
    target: new URL(href),
    repeatUrl: /data-repeat="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&'),
  };
}

it('responds with a page that names its target, works without scripts, and is neither cached nor indexed', async () => {
  const { status, headers, html, target } = await request('/go/highlevel?page=trial&source=hero');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
  );
  expect(html).toContain('<h1>Redirecting to GoHighLevel...</h1>');
  expect(html).toContain(
    `<noscript><meta http-equiv="refresh" content="0; url=${target.href.replaceAll('&', '&amp;')}">`,
  );
  expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
  expect(html).toContain('class="spinner"');
});

/** Visitors who were not asked whether the provider may have the id of their click, and one who need not be. */
const UNASKED: readonly (readonly [string, string, Record<string, string>, boolean])[] = [
  ['with Global Privacy Control', `session=${SESSION}`, { 'sec-gpc': '1' }, true],
  ['of whose visit nothing is stored', 'free', {}, true],
  ['without a session in a region that is listed', 'page=trial', { 'x-region': 'DE' }, true],
  ['without a session in a region that is not known', 'page=trial', {}, true],
  ['with a session in a region that is listed', `session=${SESSION}`, { 'x-region': 'DE' }, false],
  ['in a region that is not listed', 'page=trial', { 'x-region': 'US' }, false],
];

it.each(UNASKED)(
  'CLICK_ID_WITHOUT_CONSENT decides whether the provider learns the click of a visitor %s',
  async (_, query, headers, isWithheld) => {
    for (const CLICK_ID_WITHOUT_CONSENT of ['yes', 'no']) {
      settings = {
        CLICK_ID_WITHOUT_CONSENT,
        STORAGE_CONSENT_REGIONS: 'EU',
        REGION_HEADER: 'x-region',
        TRUSTED_PROXY_HOPS: '1',
      };
      const { target } = await request(`/go/highlevel?${query}`, headers);
      const isSent = !(isWithheld && CLICK_ID_WITHOUT_CONSENT === 'no');
      expect([CLICK_ID_WITHOUT_CONSENT, target.searchParams.has('fp_sid')]).toEqual([
        CLICK_ID_WITHOUT_CONSENT,
        isSent,
      ]);
    }
    expect(stored).toHaveLength(2);
  },
);

it('stores the click under its token, which is also the click id that the provider receives', async () => {
  const { target } = await request(
    `/go/highlevel?page=features&source=hero&position=plans-starter&click=${TOKEN}&session=${SESSION}&from=/blog/crm-basics` +
      '&utm_source=newsletter&gclid=abc&entry_page=/blog&journey_pages=/blog+/blog/crm-basics&session_time=35',
  );
  expect(stored).toEqual([
    {
      id: TOKEN,
      name: 'affiliate_redirect',
      session: SESSION,
      page: '/blog/crm-basics',
      label: 'highlevel_features',
      value: 1,
      data: {
        partner: 'highlevel',
        destination: 'features',
        source: 'hero',
        position: 'plans-starter',
        journey_pages: ['blog', 'blog.crm_basics'],
        entry_page: 'blog',
        session_time: 35,
        visit_channel: 'email',
        visit_source: 'newsletter',
      },
      campaign: { utm_source: 'newsletter', gclid: 'abc' },
      clientTime: null,
      serverTime: START + 3_600_000,
      flags: [],
    },
  ]);
  expect(target.href).toBe(
    'https://www.gohighlevel.com/features?fp_ref=hlmax&utm_source=newsletter&utm_medium=web' +
      '&utm_campaign=marketing_automation&utm_content=hero_business_budget_unspecified_blog.crm_basics' +
      '&journey_pages=blog-blog.crm_basics&session_time=35&entry_page=blog&gclid=abc&fp_sid=' +
      TOKEN,
  );
});

const asRedirect = (key: string, fields: Partial<Partner>) =>
  buildPartnerTargets(new Map([[key, { ...targets.get(`/go/${key}`)?.partner, ...fields } as Partner]]));

it('redirects without a page where the file says so: with the click on disk and everything that the page would carry', async () => {
  const others = asRedirect('highlevel', { redirect: 'http' });
  const query = `?page=features&source=hero&click=${TOKEN}&from=/blog&utm_source=newsletter`;
  const { status, headers, html } = await request(`/go/highlevel${query}`, {}, 'GET', others);
  const { target } = await request(`/go/highlevel${query}`);
  expect([status, html, headers['location']]).toEqual([302, '', target.href]);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
  expect(stored.map(({ id, label, flags }) => [id, label, flags])).toEqual([
    [TOKEN, 'highlevel_features', []],
    [expect.any(String), 'highlevel_features', ['duplicate']],
  ]);
});

it('gives a prefetch no redirect that a browser could keep for the click', async () => {
  const others = asRedirect('highlevel', { redirect: 'http' });
  const { status, headers } = await request('/go/highlevel', { 'sec-purpose': 'prefetch' }, 'GET', others);
  expect([status, headers['location']]).toEqual([503, undefined]);
  expect(stored.map(({ flags }) => flags)).toEqual([['prefetch']]);
});

it('counts a click past the redirect, from pages of this site alone', async () => {
  const others = asRedirect('kit', { redirect: 'no', subId: null, regions: undefined });
  const beacon = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' };
  const address = `/go/kit?page=home&source=hero&click=${TOKEN}&from=/blog`;
  expect((await request(address, beacon, 'POST', others)).status).toBe(204);
  expect(stored).toMatchObject([{ id: TOKEN, page: '/blog', label: 'kit_home', flags: [] }]);
  const foreign = { ...beacon, 'sec-fetch-site': 'cross-site' };
  expect((await request(address, foreign, 'POST', others)).status).toBe(403);
  expect(stored).toHaveLength(1);
});

it('leads an old link of a partner without a redirect to its address, without anything of the visit', async () => {
  const others = asRedirect('kit', { redirect: 'no', subId: null, regions: undefined });
  const address = `/go/kit?page=home&click=${TOKEN}&session=${SESSION}&utm_source=x`;
  const { status, headers } = await request(address, {}, 'GET', others);
  const { affiliate, destinations } = others.get('/go/kit')?.partner ?? {};
  const home = `${destinations?.get('home')}?${affiliate?.parameter}=${affiliate?.value}`;
  expect([status, headers['location'], stored.length]).toEqual([302, home, 1]);
});

const labels = {
  ...labelsSchema.parse({
    pool: ['other-20'],
    uses: [
      { id: 'desks-20', since: '2025-01-01', pages: ['/blog/desks'] },
      { id: 'lamps-20', since: '2025-01-01', pages: ['/blog/lamps'] },
    ],
  }),
  parameter: 'tag',
};
const shop = { labels, subId: null, regions: undefined, affiliate: { parameter: 'tag', value: 'hub-20' } };

it.each(['page', 'http', 'no'] as const)(
  'gives every visitor of a page its label, which no parameter chooses, with redirect: %s',
  async (way) => {
    const known = asRedirect('kit', { ...shop, redirect: way });
    const chosen = 'tag=other-20&label=other-20&from=/blog/lamps&utm_source=x&utm_campaign=other-20&fp_sid=1';
    const read = async (query: string, referer?: string) => {
      const headers = { 'user-agent': query, ...(referer !== undefined && { referer }) };
      const response = await request(`/go/kit?page=home&${query}`, headers, 'GET', known);
      return new URL(response.headers['location'] ?? response.target.href);
    };
    const desks = 'http://hub.test/blog/desks';
    const visitors = [
      await read('', desks),
      await read(`${chosen}&click=${TOKEN}&session=${SESSION}`, `${desks}?${chosen}&gclid=1#tag=other-20`),
    ];
    for (const { searchParams, search } of visitors) {
      expect(searchParams.getAll('tag')).toEqual(['desks-20']);
      // A partner that forbids click ids gets none.
      expect(search).not.toMatch(new RegExp(`${TOKEN}|${SESSION}|00000000-0000`));
    }
    if (way === 'no') expect(new Set(visitors.map(String)).size).toBe(1);
    expect((await read('', 'http://hub.test/blog/lamps')).searchParams.getAll('tag')).toEqual(['lamps-20']);
    for (const other of [undefined, 'http://hub.test/blog', 'http://elsewhere.test/blog/desks'])
      expect((await read(chosen, other)).searchParams.getAll('tag')).toEqual(['hub-20']);
  },
);

it('gives links past the redirect the label of their page, whatever their own parameters say', () => {
  const kit = asRedirect('kit', { ...shop, redirect: 'no' });
  const partners = new Map([...kit.values()].map(({ partner }) => [partner.key, partner]));
  const lead = (query: string, page = '/blog/desks') =>
    / href="([^"]+)"/.exec(
      leadPastRedirect(`<a href="/go/kit?page=home${query}">x</a>`, partners, page, '2026-11-26'),
    )?.[1];
  expect(lead('')).toMatch(/[?]tag=desks-20$/);
  expect(lead('&amp;tag=other-20&amp;from=/blog/lamps')).toBe(lead(''));
  expect(lead('', '/blog/lamps')).toMatch(/[?]tag=lamps-20$/);
});

it('replaces links to a partner without a redirect by its own address, and no others', () => {
  const kit = asRedirect('kit', {
    redirect: 'no',
    destinations: new Map([['pricing', 'https://kit.com/p?a=1&b=2']]),
  });
  const partners = new Map(
    [...targets.values(), ...kit.values()].map(({ partner }) => [partner.key, partner]),
  );
  const { affiliate } = kit.get('/go/kit')?.partner ?? {};
  const own = `https://kit.com/p?a=1&amp;b=2&amp;${affiliate?.parameter}=${affiliate?.value}`;
  const other = '<a href="/go/highlevel?page=home">x</a><a href="/kit">x</a><a href="https://kit.com/">x</a>';
  const page = `<body>${other}<a href="/go/kit?page=none&amp;source=a">x</a><a href="/kit-trial">x</a></body>`;
  const html = leadPastRedirect(page, partners, '/blog', '2026-11-26');
  expect(html).toContain(
    `${other}<a href="${own}" ping="/go/kit?page=none&amp;source=a">x</a><a href="${own}" ping="/kit-trial">x</a>`,
  );
  const [, script = ''] = /<script>(.*)<\/script><\/body>$/s.exec(html) ?? [];
  expect(hashInline(script)).toBe(COUNT_SCRIPT_HASH);
  expect(leadPastRedirect(other, partners, '/blog', '2026-11-26'), 'no script without such a link').toBe(
    other,
  );
});

it.each([
  ['/activecampaign-trial', 'https://www.activecampaign.com', '_r', 'activecampaign_trial'],
  ['/kit-trial', 'https://kit.com', 'lmref', 'kit_trial'],
  ['/hubspot-trial?page=demo', 'https://www.hubspot.com', 'irpid', 'hubspot_trial'],
  ['/go/kit?page=nonsense', 'https://kit.com', 'lmref', 'kit_pricing'],
])('%s goes to %s with its affiliate parameter %s, once', async (address, origin, parameter, label) => {
  const { target } = await request(address);
  expect([target.origin, target.searchParams.getAll(parameter)]).toEqual([origin, [expect.any(String)]]);
  expect(stored.map((click) => [click.label, click.flags])).toEqual([[label, []]]);
});

it.each([
  'fp_ref=thief&page=https://evil.example',
  'page=//evil.com',
  'page=%5C%5Cevil.com',
  'page=/%09/evil.com',
  'page=__proto__',
  'page=constructor',
  'page=toString',
  'page=TRIAL',
  'page=%20trial%20',
  'redir_url=https://evil.com&url=//evil.com&fp_ref=attacker&fp_ref=two',
  'source=%0d%0aSet-Cookie:x=1',
  'position=https://evil.com/demo&position=%0d%0aSet-Cookie:x=1',
  'source=%E6%97%A5%E6%9C%AC%F0%9F%9A%80',
  `source=${'x'.repeat(10_000)}`,
  'source=<script>alert(1)</script>&from=javascript:alert(1)&utm_source="><img onerror=x>',
  '%E0%A4%A&=&&%&page',
  'stored=%7B&click=x&session=<b>&session_time=-1',
])('with %s goes to pricing, paid to hlmax', async (query) => {
  const { status, target, html, headers } = await request(`/go/highlevel?${query}`);
  expect(status).toBe(200);
  expect(target.origin + target.pathname).toBe('https://www.gohighlevel.com/pricing');
  expect(target.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
  expect(html.match(/<(script|img|a|meta|link)\b/g)).toHaveLength(8);
  expect(Object.values(headers).join('')).toMatch(/^[ -~]+$/);
  expect(stored).toHaveLength(1);
});

it.each([
  ['a prefetch', { 'sec-purpose': 'prefetch' }, ['prefetch']],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender' }, ['prefetch']],
  ['a prefetch of an old browser', { purpose: 'prefetch' }, ['prefetch']],
  ['a bot', { 'user-agent': 'TelegramBot (like TwitterBot)' }, ['bot']],
  ['a client without a user agent', { 'user-agent': '' }, ['bot']],
  ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }, ['embedded']],
  ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, ['embedded']],
  ['a script’s fetch', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' }, ['embedded']],
  ['a prefetch by a link', { 'sec-fetch-dest': 'empty', 'sec-purpose': 'prefetch' }, ['prefetch']],
])('stores %s with its flag, and leaves the token to the click', async (_, headers, flags) => {
  await request(`/go/highlevel?click=${TOKEN}`, headers);
  expect(stored.map((click) => [click.id, click.flags])).toEqual([
    ['00000000-0000-4000-8000-000000000001', flags],
  ]);
});

it('stores a click beyond the rate short, with a flag, and sends the visitor on with everything', async () => {
  storage = 'short';
  const { target } = await request(
    `/go/highlevel?click=${TOKEN}&source=${'x'.repeat(60)}&utm_source=y&gclid=z`,
  );
  expect(target.searchParams.get('gclid')).toBe('z');
  expect(stored).toMatchObject([
    { flags: ['flood'], data: { partner: 'highlevel' }, campaign: {}, session: '', page: '' },
  ]);
});

it('stores no click far beyond the rate, and sends the visitor on', async () => {
  storage = 'none';
  const { status, target } = await request(`/go/highlevel?click=${TOKEN}`);
  expect([status, target.host, stored]).toEqual([200, 'www.gohighlevel.com', []]);
});

it('responds to HEAD as to GET and stores nothing', async () => {
  const { status, headers } = await request('/go/highlevel', {}, 'HEAD');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(stored).toEqual([]);
});

it('responds 405 to any other method', async () => {
  const posted = await request('/go/highlevel', {}, 'POST');
  expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
  expect(stored).toEqual([]);
});

it.each([
  ['the page of the link', `from=/help`, { referer: 'https://hub.test/blog' }, '/help'],
  ['the Referer without it', '', { referer: 'https://hub.test/blog/crm-basics?q=1' }, '/blog/crm-basics'],
  ['itself when the Referer is elsewhere', '', { referer: 'https://evil.test/blog' }, '/go/highlevel'],
  ['itself when the Referer is broken', '', { referer: 'https://[' }, '/go/highlevel'],
])('stores as page %s', async (_, query, headers, page) => {
  await request(`/go/highlevel?${query}`, headers);
  expect(stored[0]?.page).toBe(page);
});

it('sends and stores the utm parameters and the click id alone under Global Privacy Control', async () => {
  const { target, repeatUrl } = await request(
    `/go/highlevel?click=${TOKEN}&session=${SESSION}&utm_source=news&gclid=abc&entry_page=/blog&session_time=9` +
      '&journey_pages=/blog&answers=%7B%22businessType%22:%22agency%22,%22budget%22:%22budget_low%22%7D',
    { 'sec-gpc': '1' },
  );
  expect([...target.searchParams.keys()]).toEqual(
    'fp_ref utm_source utm_medium utm_campaign utm_content fp_sid'.split(' '),
  );
  expect(stored[0]).toMatchObject({
    id: TOKEN,
    session: '',
    campaign: { utm_source: 'news' },
    data: { partner: 'highlevel', destination: 'pricing' },
    flags: ['gpc'],
  });
  expect(repeatUrl).toBeUndefined();
});

it.each([
  ['to nobody who asks for privacy', { 'sec-gpc': '1' }, null],
  ['to others', {}, TOKEN],
])('sends no click id without consent where the settings say so: %s', async (_, headers, id) => {
  settings = { CLICK_ID_WITHOUT_CONSENT: 'no' };
  const { target } = await request(`/go/highlevel?click=${TOKEN}&session=${SESSION}`, headers);
  expect(target.searchParams.get('fp_sid')).toBe(id);
  expect(stored[0]?.id).toBe(TOKEN);
});

it.each([
  ['what the link carried', '&session=s&referrer=https://www.bing.com', {}, 'search', 'Bing'],
  ['the channel alone under GPC', '&utm_source=chatgpt.com', { 'sec-gpc': '1' }, 'AI assistant', undefined],
  ['nothing where nothing is known', '', { referer: 'http://hub.test/help' }, undefined, undefined],
])('stores the source of a click: %s', async (_, query, headers, channel, name) => {
  await request(`/go/highlevel?page=trial${query}`, headers);
  expect([stored[0]?.data['visit_channel'], stored[0]?.data['visit_source']]).toEqual([channel, name]);
});

it('repeats the request when the link carried nothing of the visit, with the id of the stored click', async () => {
  const { repeatUrl } = await request('/go/highlevel?page=trial');
  expect(repeatUrl).toBe('/go/highlevel?page=trial&again=1&click=00000000-0000-4000-8000-000000000001');
});

it('repeats the request of a prefetched page, with the token of its link', async () => {
  const { repeatUrl, html } = await request(`/go/highlevel?click=${TOKEN}&session=${SESSION}`, {
    'sec-purpose': 'prefetch',
  });
  expect(repeatUrl).toBe(`/go/highlevel?click=${TOKEN}&session=${SESSION}&again=1`);
  expect(html).toContain('data-prefetched="1"');
});

it.each([
  ['the link carried a session', `/go/highlevel?session=${SESSION}`],
  ['the link carried a campaign', '/go/highlevel?utm_source=x'],
  ['it was repeated already', '/go/highlevel?again=1'],
  ['the query is very long', `/go/highlevel?source=${'x'.repeat(5000)}`],
])('does not repeat the request when %s', async (_, address) => {
  expect((await request(address)).repeatUrl).toBeUndefined();
});

const DECORATED = `/go/highlevel?page=trial&click=${TOKEN}&session=${SESSION}&from=/help&entry_page=/blog&gclid=abc`;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };

it('stores a token that the same client repeats within two minutes as a duplicate of the click', async () => {
  await request(DECORATED, BROWSER);
  now += 119_000;
  const { target } = await request(DECORATED, BROWSER);
  expect(stored.map(({ id, flags, data }) => [id, flags, data['click']])).toEqual([
    [TOKEN, [], undefined],
    ['00000000-0000-4000-8000-000000000001', ['duplicate'], TOKEN],
  ]);
  expect(target.searchParams.get('fp_sid')).toBe(TOKEN);
});

it.each([
  ['later', 121_000, BROWSER],
  ['with another browser', 1_000, { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605.1' }],
])('stores a token that returns %s as a click of its own, without the visit', async (_, wait, headers) => {
  await request(DECORATED, BROWSER);
  now += wait;
  const { target } = await request(DECORATED, headers);
  expect(stored[1]).toMatchObject({ session: '', page: '/help', campaign: {}, flags: [] });
  expect(stored[1]?.data).toEqual({ partner: 'highlevel', destination: 'trial' });
  expect(target.searchParams.get('fp_sid')).toBe(stored[1]?.id);
  expect(stored[1]?.id).not.toBe(TOKEN);
  expect([target.searchParams.get('gclid'), target.searchParams.get('entry_page')]).toEqual([null, null]);
});

it('treats a token that is stored, but no longer in memory, as copied', async () => {
  await request(DECORATED, BROWSER);
  tokens = new ClickTokens(START);
  const { target } = await request(DECORATED, BROWSER);
  expect(stored[1]).toMatchObject({ session: '', campaign: {}, flags: [] });
  expect(target.searchParams.get('fp_sid')).toBe(stored[1]?.id);
});

it('treats a token that is stored as repeated in the first minutes after a start', async () => {
  await request(DECORATED, BROWSER);
  tokens = new ClickTokens(now);
  const { target } = await request(DECORATED, BROWSER);
  expect(stored[1]).toMatchObject({ session: SESSION, flags: ['duplicate'] });
  expect(target.searchParams.get('fp_sid')).toBe(TOKEN);
});

it('stores the last touch and sends the first one', async () => {
  const { target } = await request(
    '/go/highlevel?utm_source=first&last_touch=utm_source%3Dlast%26gclid%3Dg2',
  );
  expect(stored[0]?.campaign).toEqual({ utm_source: 'last', gclid: 'g2' });
  expect([target.searchParams.get('utm_source'), target.searchParams.get('gclid')]).toEqual(['first', 'g2']);
});

it('names the storage keys of the visit script in the script of the redirect page', () => {
  const script = leaveForPartner.toString();
  for (const key of [ATTRIBUTION_KEY, JOURNEY_KEY, ANSWERS_KEY, COPY_KEY]) expect(script).toContain(key);
  expect(script.replaceAll('_', '')).toMatch(new RegExp(`${COPY_LIFETIME_MS}|18e5`));
});

it('stores the repeated request of a link without a token as a duplicate, with the visit from storage', async () => {
  const { repeatUrl = '' } = await request('/go/highlevel?page=trial', BROWSER);
  const records = JSON.stringify(['{"utm_source":"newsletter","session":"s-1"}', null, null, now]);
  const { target } = await request(`${repeatUrl}&stored=${encodeURIComponent(records)}`, BROWSER);
  const [click, duplicate] = stored;
  expect(duplicate).toMatchObject({ session: 's-1', flags: ['duplicate'], data: { click: click?.id } });
  expect([target.searchParams.get('utm_source'), target.searchParams.get('fp_sid')]).toEqual([
    'newsletter',
    click?.id,
  ]);
});

it('stores how analytics knows the visit, only where it is reported and never under Global Privacy Control', async () => {
  const session = `GS2.1.s${now / 1_000}$o1$g0$t${now / 1_000}$j60$l0$h0`;
  const cookie = `_ga=GA1.1.1.2; _ga_TEST123=${session}`;
  await request('/go/highlevel', { ...BROWSER, cookie });
  settings = analytics;
  const { target } = await request('/go/highlevel', { ...BROWSER, cookie });
  await request('/go/highlevel', { ...BROWSER, cookie, 'sec-gpc': '1' });
  await request('/go/highlevel', BROWSER);
  const known = { analytics_client: '1.2', analytics_session: String(now / 1_000) };
  expect(stored.map(({ data }) => 'analytics_client' in data)).toEqual([false, true, false, false]);
  expect(stored[1]?.data).toMatchObject(known);
  expect(target.href).not.toContain('1.2');
});

it.each([
  ['x-country', { 'x-country': 'de' }, '/de'],
  ['x-country', { 'x-country': 'DE-BY' }, '/de'],
  ['x-country', { 'x-country': 'FR' }, '/pricing'],
  ['x-country', { 'x-country': 'DE, FR' }, '/pricing'],
  ['x-country', { 'cf-ipcountry': 'DE' }, '/pricing'],
  ['', { 'x-country': 'DE' }, '/pricing'],
])('with the region header %j and %j leads to %s', async (name, headers, path) => {
  settings = { REGION_HEADER: name, TRUSTED_PROXY_HOPS: '1' };
  const { target } = await request('/go/kit?region=DE&country=DE&x-country=DE', headers);
  expect([target.host, target.pathname]).toEqual(['kit.com', path]);
});

let rateTime = 0;
const takeMany = (rate: ClickRate, count: number, bytes = 100, address = '192.0.2.1') => {
  const counts = { complete: 0, short: 0, none: 0 };
  for (let number = 0; number < count; number += 1) counts[rate.take(address, bytes)] += 1;
  return counts;
};

it('stores clicks within the rate completely, some beyond it short, and the others not at all', () => {
  const rate = new ClickRate(10, () => rateTime);
  expect(takeMany(rate, 1_000)).toEqual({ complete: 200, short: 60, none: 740 });
  expect(rate.skipped).toBe(740);
  rateTime += 1_000;
  expect(takeMany(rate, 100)).toEqual({ complete: 10, short: 1, none: 89 });
});

it('counts a long query as several clicks', () => {
  const rate = new ClickRate(10, () => rateTime);
  expect(takeMany(rate, 100, 4_000)).toMatchObject({ complete: 50 });
});

it('limits each address by itself', () => {
  const rate = new ClickRate(1, () => rateTime);
  expect(takeMany(rate, 20)).toMatchObject({ complete: 20 });
  expect(takeMany(rate, 20, 100, '192.0.2.2')).toMatchObject({ complete: 20 });
});

it('limits nothing when the rate is 0', () =>
  expect(takeMany(new ClickRate(0, () => rateTime), 5_000, 9_000)).toMatchObject({ complete: 5_000 }));

it('lets a visitor go after 35 ms when the store does not respond', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events = Object.assign(createMemoryEventStore(), {
    append: () => new Promise<never>(() => undefined),
  });
  const site = await createTestSite({ events, platform: { eventQueue: EVENT_QUEUE } });
  const { clickQueue } = site.visitors;
  let outcome: string | undefined;
  void clickQueue.add(buildSampleEvent({ name: 'affiliate_redirect' })).then((result) => {
    outcome = result;
  });
  await vi.advanceTimersByTimeAsync(34);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('waiting');
});

const EVENT_QUEUE = { capacity: 0, keepAlive: () => undefined };

const FROM = 'https://hub.test/help?utm_source=google&gclid=abc&from=/evil&x=1';

it.each([
  ['nothing', '', { referer: FROM }, 'google', 'abc'],
  ['nothing, under Global Privacy Control', '', { referer: FROM, 'sec-gpc': '1' }, 'google', null],
  ['a campaign', 'utm_source=mail', { referer: FROM }, 'mail', null],
  ['a session', `session=${SESSION}`, { referer: FROM }, 'help', null],
  ['nothing, on another site', '', { referer: FROM.replace('hub', 'other') }, 'go.highlevel', null],
  ['nothing, on another port', '', { referer: FROM.replace('test', 'test:8080') }, 'go.highlevel', null],
])('a link that carries %s has the campaign %s', async (_, query, headers, source, gclid) => {
  const { target } = await request(`/go/highlevel?${query}`, headers);
  expect([target.searchParams.get('utm_source'), target.searchParams.get('gclid')]).toEqual([source, gclid]);
  expect([target.host, target.searchParams.getAll('fp_ref')]).toEqual(['www.gohighlevel.com', ['hlmax']]);
  expect(stored[0]?.campaign['gclid'] ?? null).toBe(gclid);
});

it('the campaign of the page joins what storage has, as its latest touch', async () => {
  const { repeatUrl: repeat } = await request('/go/highlevel', { referer: FROM });
  const records = [{ utm_source: 'mail', session: SESSION }, null, null].map((one) => JSON.stringify(one));
  const storedVisit = encodeURIComponent(JSON.stringify([...records, now]));
  const headers = { referer: 'https://hub.test/go/highlevel' };
  const { target } = await request(`${repeat}&stored=${storedVisit}`, headers);
  expect(target.searchParams.get('utm_source')).toBe('mail');
  expect(stored.at(-1)).toMatchObject({ session: SESSION, campaign: { utm_source: 'google', gclid: 'abc' } });
});
