import { beforeEach, describe, expect, it } from 'vitest';
import { readShippedPartners } from '../../../test/support/shipped-content.ts';
import type { SiteEvent } from '../../core/journey/site-event.ts';
import type { HttpCall } from '../http/message.ts';
import { createGoHandler } from './go.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const TOKEN = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';
const SESSION = '5d0e8f3a-1b2c-4d5e-8f9a-0b1c2d3e4f5a';

let kept: SiteEvent[] = [];
let ids = 0;
const handler = createGoHandler({
  partners: readShippedPartners(),
  clicks: {
    keep: async (click) => {
      kept.push(click);
    },
  },
  now: () => 1_763_600_000_000,
  newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
});

beforeEach(() => {
  kept = [];
  ids = 0;
});

async function ask(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const [path = '', query = ''] = address.split('?');
  const all: Record<string, string> = { 'user-agent': CHROME, host: 'hub.test', ...headers };
  const call: HttpCall = {
    method,
    path,
    query,
    header: (name) => all[name],
    body: async () => new Uint8Array(),
    clientAddress: '127.0.0.1',
    requestId: 'request-1',
  };
  const answer = await handler(call);
  const html = String(answer.body);
  const href = /<a href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? 'about:blank';
  return {
    ...answer,
    html,
    target: new URL(href),
    again: /data-again="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&'),
  };
}

describe('the redirect', () => {
  it('answers with a page that says where it goes, works without scripts, and is neither kept nor indexed', async () => {
    const { status, headers, html, target } = await ask('/go/highlevel?page=trial&source=hero');
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
      `<noscript><meta http-equiv="refresh" content="0;url=${target.href.replaceAll('&', '&amp;')}">`,
    );
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(html).toContain('class="spinner"');
  });

  it('stores the click under its token, which is also the click id that the provider gets', async () => {
    const { target } = await ask(
      `/go/highlevel?page=features&source=hero&click=${TOKEN}&session=${SESSION}&from=/blog/crm-basics` +
        '&utm_source=newsletter&gclid=abc&entry_page=/blog&journey_pages=/blog+/blog/crm-basics&session_time=35',
    );
    expect(kept).toEqual([
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
          journey_pages: ['blog', 'blog.crm_basics'],
          entry_page: 'blog',
          session_time: 35,
        },
        campaign: { utm_source: 'newsletter', gclid: 'abc' },
        clientTime: null,
        serverTime: 1_763_600_000_000,
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

  it.each([
    ['/activecampaign-trial', 'https://www.activecampaign.com', 'activecampaign_trial'],
    ['/kit-trial', 'https://kit.com', 'kit_trial'],
    ['/hubspot-trial?page=demo', 'https://www.hubspot.com', 'hubspot_trial'],
    ['/go/kit?page=nonsense', 'https://kit.com', 'kit_pricing'],
  ])('%s goes to %s', async (address, origin, label) => {
    const { target } = await ask(address);
    expect(target.origin).toBe(origin);
    expect(kept.map((click) => click.label)).toEqual([label]);
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
    'source=%E6%97%A5%E6%9C%AC%F0%9F%9A%80',
    `source=${'x'.repeat(10_000)}`,
    'source=<script>alert(1)</script>&from=javascript:alert(1)&utm_source="><img onerror=x>',
    '%E0%A4%A&=&&%&page',
    'stored=%7B&click=x&session=<b>&session_time=-1',
  ])('with %s goes to pricing, paid to hlmax', async (query) => {
    const { status, target, html, headers } = await ask(`/go/highlevel?${query}`);
    expect(status).toBe(200);
    expect(target.origin + target.pathname).toBe('https://www.gohighlevel.com/pricing');
    expect(target.searchParams.getAll('fp_ref')).toEqual(['hlmax']);
    expect(html.match(/<(script|img|a|meta|link)\b/g)).toHaveLength(8);
    expect(Object.values(headers).join('')).toMatch(/^[ -~]+$/);
    expect(kept).toHaveLength(1);
  });

  it.each([
    ['a prefetch', { 'sec-purpose': 'prefetch' }, ['prefetch']],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender' }, ['prefetch']],
    ['an old prefetch', { purpose: 'prefetch' }, ['prefetch']],
    ['a bot', { 'user-agent': 'TelegramBot (like TwitterBot)' }, ['bot']],
    ['nobody', { 'user-agent': '' }, ['bot']],
  ])('stores %s with its label and leaves the token to the click', async (_, headers, flags) => {
    await ask(`/go/highlevel?click=${TOKEN}`, headers);
    expect(kept.map((click) => [click.id, click.flags])).toEqual([
      ['00000000-0000-4000-8000-000000000001', flags],
    ]);
  });

  it('answers HEAD like GET and stores nothing', async () => {
    const { status, headers } = await ask('/go/highlevel', {}, 'HEAD');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(kept).toEqual([]);
  });

  it('takes no other method, and leads nowhere for an unknown partner', async () => {
    const posted = await ask('/go/highlevel', {}, 'POST');
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/go/unknown')).status).toBe(404);
    expect(kept).toEqual([]);
  });

  it.each([
    ['the page of the link', `from=/help`, { referer: 'https://hub.test/blog' }, '/help'],
    ['the Referer without it', '', { referer: 'https://hub.test/blog/crm-basics?q=1' }, '/blog/crm-basics'],
    ['itself when the Referer is elsewhere', '', { referer: 'https://evil.test/blog' }, '/go/highlevel'],
    ['itself when the Referer is broken', '', { referer: 'https://[' }, '/go/highlevel'],
  ])('takes as page %s', async (_, query, headers, page) => {
    await ask(`/go/highlevel?${query}`, headers);
    expect(kept[0]?.page).toBe(page);
  });

  it('under Global Privacy Control sends and stores the utm values and the click id alone', async () => {
    const { target, again } = await ask(
      `/go/highlevel?click=${TOKEN}&session=${SESSION}&utm_source=news&gclid=abc&entry_page=/blog&session_time=9` +
        '&journey_pages=/blog&answers=%7B%22businessType%22:%22agency%22,%22budget%22:%22budget_low%22%7D',
      { 'sec-gpc': '1' },
    );
    expect([...target.searchParams.keys()]).toEqual([
      'fp_ref',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_content',
      'fp_sid',
    ]);
    expect(kept[0]).toMatchObject({
      id: TOKEN,
      session: '',
      campaign: { utm_source: 'news' },
      data: { partner: 'highlevel', destination: 'pricing' },
      flags: ['gpc'],
    });
    expect(again).toBeUndefined();
  });
});

describe('asking again', () => {
  it('is planned when the link brought nothing of the visit, with the id of the stored click', async () => {
    const { again } = await ask('/go/highlevel?page=trial');
    expect(again).toBe('/go/highlevel?page=trial&again=1&click=00000000-0000-4000-8000-000000000001');
  });

  it('is planned without a click for a page that was loaded ahead', async () => {
    const { again, html } = await ask(`/go/highlevel?click=${TOKEN}&session=${SESSION}`, {
      'sec-purpose': 'prefetch',
    });
    expect(again).toBe(`/go/highlevel?click=${TOKEN}&session=${SESSION}&again=1`);
    expect(html).toContain('data-stale="1"');
  });

  it.each([
    ['the link brought a session', `/go/highlevel?session=${SESSION}`],
    ['the link brought a campaign', '/go/highlevel?utm_source=x'],
    ['it was asked again already', '/go/highlevel?again=1'],
    ['the query is very long', `/go/highlevel?source=${'x'.repeat(5000)}`],
  ])('is not planned when %s', async (_, address) => {
    expect((await ask(address)).again).toBeUndefined();
  });

  it('reads what session storage held', async () => {
    const stored = JSON.stringify([
      '{"utm_source":"newsletter"}',
      '{"entryPage":"/blog","entryTime":1000,"currentPage":"/help","pageVisits":["/blog","/help"]}',
      null,
      21_000,
    ]);
    const { target, again } = await ask(
      `/go/highlevel?again=1&click=${TOKEN}&stored=${encodeURIComponent(stored)}`,
    );
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      utm_source: 'newsletter',
      journey_pages: 'blog-help',
      session_time: '20',
      entry_page: 'blog',
      fp_sid: TOKEN,
    });
    expect(again).toBeUndefined();
  });
});
