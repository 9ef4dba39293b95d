import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../../../test/support/certificate.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { readSampleProducts } from '../../../test/support/sample-content.ts';
import {
  buildStandIns,
  compressed,
  page,
  redirect,
  respond,
  type StandInInternet,
  type StandInSite,
  startStandInInternet,
} from '../../../test/support/stand-in-internet.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { LinkState } from '../../core/outbound/link-state.ts';
import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { LinkRequestError } from '../../sources/links/link-request.ts';
import { createLinkRequests } from '../../sources/links/node-link.ts';
import { Links } from '../../stores/links.ts';
import { parseSettings } from '../settings.ts';
import {
  acceptLink,
  checkAllLinks,
  checkDueLinks,
  findUnknownChecks,
  type LinkWatchSite,
  readWatchedLinks,
  testDestination,
} from './link-watch.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-03T08:00:00Z');
const HOST = 'www.merchant.example';
const YEAR_MS = 365 * 24 * HOUR_MS;
const [LAST_YEAR, NEXT_YEAR] = [Date.now() - YEAR_MS, Date.now() + YEAR_MS / 365];
type Certificate = ReturnType<typeof createCertificate>;
const createUntrusted = () => createCertificate(HOST, NEXT_YEAR);

interface Kind {
  readonly state: LinkState;
  readonly reason?: RegExp;
  /** What the host of the partner responds. */
  readonly site?: StandInSite;
  /** Further hosts. */
  readonly others?: Readonly<Record<string, StandInSite>>;
  /** Fields of the partner's file. */
  readonly watch?: object;
  readonly start?: string;
  /** What the last check has found of the affiliate parameter, and the prices. */
  readonly parameterKept?: boolean | null;
  readonly amounts?: readonly (number | null)[];
  /** Addresses of the host in the DNS instead of the stand-in; a code: it cannot be resolved. */
  readonly dns?: readonly string[] | string;
}

const GOOD = page('<h1>Plans</h1><p>Starter $97 a month</p>');
const structured = (offer: object, name = 'Starter') =>
  page(
    '',
    'Plans',
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name, offers: offer })}</script>`,
  );
const expectPrice = (currency: string, near = 'Starter') => ({
  expect: { pricing: { prices: [{ equals: 'product:merchant.starter', near, currency }] } },
});
const KINDS: Readonly<Record<string, Kind>> = {
  'a page': { state: 'healthy', site: { '/pricing': GOOD }, parameterKept: true },
  'a permanent redirect on the host': {
    state: 'healthy',
    site: { '/pricing': redirect('/plans', { status: 301 }), '/plans': GOOD },
  },
  'a permanent redirect that repeats the method': {
    state: 'healthy',
    site: { '/pricing': redirect('/plans', { status: 308 }), '/plans': GOOD },
  },
  'the link of a network, which marks the click': {
    state: 'healthy',
    start: 'https://go.network.example/c/1',
    others: {
      'go.network.example': {
        '/c/1': redirect('https://www.merchant.example/pricing?irclickid=7', { isPassedOn: false }),
      },
    },
    site: { '/pricing': GOOD },
    parameterKept: true,
  },
  'a parameter that moves to a cookie': {
    state: 'healthy',
    site: {
      '/pricing': redirect('/plans', { isPassedOn: false, cookie: ['aff=me; Path=/'] }),
      '/plans': GOOD,
    },
    parameterKept: true,
  },
  'a page that wants its cookie back': {
    state: 'healthy',
    site: {
      '/pricing': (request, response) =>
        request.headers.cookie?.includes('seen=1')
          ? GOOD(request, response)
          : redirect('/pricing', { cookie: ['seen=1'] })(request, response),
    },
  },
  'a dropped parameter': {
    state: 'changed',
    reason: /loses ref/,
    site: { '/pricing': redirect('/plans', { isPassedOn: false }), '/plans': GOOD },
    parameterKept: false,
  },
  'a redirect to the home page': {
    state: 'changed',
    reason: /home page/,
    site: { '/pricing': redirect('/'), '/': GOOD },
  },
  'a redirect to a host that is not allowed': {
    state: 'changed',
    reason: /redirects to parked\.example/,
    site: { '/pricing': redirect('https://parked.example/') },
    others: { 'parked.example': { '*': GOOD } },
  },
  'a meta refresh': {
    state: 'healthy',
    site: {
      '/pricing': page('', 'Wait', '<meta http-equiv="Refresh" content="0; URL=\'/plans?ref=me\'">'),
      '/plans': GOOD,
    },
    parameterKept: true,
  },
  'a meta refresh to a host that is not allowed': {
    state: 'changed',
    reason: /parked/,
    site: {
      '/pricing': page('', 'Wait', '<meta http-equiv="refresh" content="1;url=https://parked.example/">'),
    },
    others: { 'parked.example': { '*': GOOD } },
  },
  'a redirect by a script, which is not run': {
    state: 'healthy',
    site: { '/pricing': page('<script>location = "https://parked.example/"</script>') },
  },
  'a host that redirects to http and back': {
    state: 'healthy',
    site: { '/pricing': redirect('http://www.merchant.example/plans'), '/plans': GOOD },
    parameterKept: true,
  },
  'a page without content': {
    state: 'changed',
    reason: /without a page/,
    site: { '/pricing': respond(204) },
  },
  'a domain that is for sale': {
    state: 'changed',
    reason: /for sale/,
    site: { '/pricing': page('<p>This domain is for sale</p>', 'merchant.example') },
  },
  'a missing page': { state: 'broken', reason: /404/, site: {} },
  'a challenge by its header': {
    state: 'inconclusive',
    reason: /challenge/,
    site: { '/pricing': respond(403, { 'cf-mitigated': 'challenge' }) },
  },
  'a page that redirects to itself': {
    state: 'broken',
    reason: /without end/,
    site: { '/pricing': redirect('/pricing') },
  },
  'a redirect to no address': {
    state: 'broken',
    reason: /invalid/,
    site: { '/pricing': redirect('https://[', { isPassedOn: false }) },
  },
  'a huge page': {
    state: 'healthy',
    site: { '/pricing': respond(200, {}, `<title>Plans</title>${'a '.repeat(2_000_000)}`) },
  },
  'a page that decompresses to 200 MB': { state: 'healthy', site: { '/pricing': compressed(200_000_000) } },
  'a compressed body that is damaged': {
    state: 'broken',
    reason: /invalid/,
    site: { '/pricing': respond(200, { 'content-encoding': 'gzip' }, 'no gzip') },
  },
  'an encoding that was not requested': {
    state: 'broken',
    reason: /invalid/,
    site: { '/pricing': respond(200, { 'content-encoding': 'br' }, 'x') },
  },
  'a connection that is cut': {
    state: 'broken',
    reason: /connection failed/,
    site: { '/pricing': (request) => void request.socket.destroy() },
  },
  'a host that does not exist': { state: 'broken', reason: /does not exist/, dns: 'ENOTFOUND' },
  'a name server that does not respond': {
    state: 'inconclusive',
    reason: /could not reach/,
    dns: 'EAI_AGAIN',
  },
  'a name that means loopback': { state: 'broken', reason: /private/, dns: ['127.0.0.1'] },
  'a name that means loopback as well': {
    state: 'broken',
    reason: /private/,
    dns: ['93.184.216.34', '127.0.0.1'],
  },
  'a name that means the metadata address': { state: 'broken', reason: /private/, dns: ['169.254.169.254'] },
  'a name that means a private address': { state: 'broken', reason: /private/, dns: ['10.1.2.3'] },
  'a name that means an address of a carrier': { state: 'broken', reason: /private/, dns: ['100.64.0.1'] },
  'a name that means a local address of IPv6': { state: 'broken', reason: /private/, dns: ['fd00::1'] },
  'a name that means a mapped address': { state: 'broken', reason: /private/, dns: ['::ffff:127.0.0.1'] },
  'a name that means a link-local address': { state: 'broken', reason: /private/, dns: ['fe80::1'] },
  'a redirect to the metadata address': {
    state: 'changed',
    reason: /169\.254\.169\.254/,
    site: { '/pricing': redirect('https://169.254.169.254/latest/meta-data/') },
  },
  'a redirect to loopback as a number': {
    state: 'changed',
    reason: /127\.0\.0\.1/,
    site: { '/pricing': redirect('https://2130706433/') },
  },
  'a redirect to a name of loopback': {
    state: 'broken',
    reason: /private/,
    site: { '/pricing': redirect('https://rebound.example/') },
    watch: { redirectHosts: ['rebound.example'] },
  },
  'robots.txt that keeps checkers out': {
    state: 'inconclusive',
    reason: /robots/,
    site: { '/robots.txt': respond(200, {}, 'User-agent: *\nDisallow: /pri*ing'), '/pricing': GOOD },
    watch: expectPrice('USD'),
  },
  'a page with expectations whose robots.txt fails': {
    state: 'inconclusive',
    reason: /robots.txt could not be read/,
    site: { '/robots.txt': respond(503), '/pricing': GOOD },
    watch: expectPrice('USD'),
  },
  'a missing page with expectations whose robots.txt fails': {
    state: 'broken',
    reason: /404/,
    site: { '/robots.txt': respond(503) },
    watch: expectPrice('USD'),
  },
  'a page with expectations on a host that does not exist': {
    state: 'broken',
    reason: /does not exist/,
    dns: 'ENOTFOUND',
    watch: expectPrice('USD'),
  },
  'a price after its name': {
    state: 'healthy',
    site: { '/pricing': GOOD },
    watch: expectPrice('USD'),
    amounts: [9_700],
  },
  'a price in structured data': {
    state: 'healthy',
    site: { '/pricing': structured({ '@type': 'Offer', price: '97.00', priceCurrency: 'USD' }) },
    watch: expectPrice('USD'),
    amounts: [9_700],
  },
  'a page without the price': {
    state: 'changed',
    reason: /^shows no price in USD for "Starter"$/,
    site: { '/pricing': page('Talk to sales') },
    watch: expectPrice('USD'),
    amounts: [null],
  },
};

function buildPartner({ start = 'https://www.merchant.example/pricing', watch = {} }: Kind): Partner {
  return partnerSchema.parse({
    key: 'merchant',
    name: 'Merchant',
    site: 'https://www.merchant.example/',
    hosts: [new URL(start).host, 'www.merchant.example'],
    affiliate: { parameter: 'ref', value: 'me' },
    subId: { parameter: 'sub', maxLength: 64 },
    destinations: { pricing: start },
    watch,
  });
}

const base = createTestSite();

/** A site whose time passes with `now`, in front of the stand-in internet. */
async function createWatch(
  internet: Pick<StandInInternet, 'hosts' | 'port'>,
  partner: Partner,
  dns: Kind['dns'],
) {
  const time = { now: START };
  const hosts = [...internet.hosts.keys()].filter(
    (host) => dns === undefined || host !== 'www.merchant.example',
  );
  const settings = parseSettings({ TEST_HOSTS: buildStandIns(hosts, internet.port) });
  const content = {
    ...(await base).content.read(),
    claims: new Map(),
    products: new Map(),
    partners: new Map([[partner.key, partner]]),
  };
  const site: LinkWatchSite = {
    settings,
    clock: { now: () => time.now, monotonic: () => time.now },
    content: { read: () => content, links: new Links(new MemoryExecutor(openMemoryDatabase('commissions'))) },
    sendLink: createLinkRequests(settings.TEST_HOSTS, async (host) => {
      if (host === 'rebound.example') return [{ address: '127.0.0.1', family: 4 }];
      if (typeof dns === 'string' || dns === undefined)
        throw Object.assign(new Error(host), { code: dns ?? 'ENOTFOUND' });
      return dns.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    }),
  };
  const check = async () => {
    const [record] = await checkDueLinks(site);
    return record;
  };
  return { site, time, check };
}

describe('a check of links', () => {
  let internet: StandInInternet;
  beforeAll(async () => {
    internet = await startStandInInternet([]);
  });
  afterAll(() => internet.close());

  const set = (kind: Kind, site: StandInSite = kind.site ?? {}) => {
    internet.hosts.clear();
    internet.hosts.set('www.merchant.example', site);
    for (const [host, other] of Object.entries(kind.others ?? {})) internet.hosts.set(host, other);
    internet.requests.length = 0;
  };

  it.each(Object.entries(KINDS))('finds the state of %s, and requests no other host', async (_, kind) => {
    set(kind);
    const { time, check } = await createWatch(internet, buildPartner(kind), kind.dns);
    let record = await check();
    for (let hours = 0; hours < 24; hours += 1) {
      time.now += HOUR_MS;
      record = (await check()) ?? record;
    }
    expect(record).toMatchObject({ state: kind.state });
    expect(record?.reason).toMatch(kind.reason ?? /in order/);
    if (kind.parameterKept !== undefined) expect(record?.result.parameterKept).toBe(kind.parameterKept);
    if (kind.amounts !== undefined)
      expect(record?.evidence?.offer.prices.map(({ amount }) => amount)).toEqual(kind.amounts);
    const allowed = ['www.merchant.example', 'go.network.example'];
    expect(internet.requests.filter((one) => !allowed.some((host) => one.startsWith(`${host}/`)))).toEqual(
      [],
    );
    if (Array.isArray(kind.dns)) expect(internet.requests).toEqual([]);
  });

  it.each<[string, LinkState, RegExp, (() => Certificate) | null]>([
    ['a certificate for it', 'healthy', /in order/, () => createCertificate(HOST, NEXT_YEAR)],
    ['a certificate that nothing has signed', 'broken', /certificate is invalid/, createUntrusted],
    ['an expired certificate', 'broken', /certificate/, () => createCertificate(HOST, LAST_YEAR)],
    [
      'a certificate of another host',
      'broken',
      /certificate/,
      () => createCertificate('o.example', NEXT_YEAR),
    ],
    ['no TLS', 'broken', /certificate/, null],
  ])('finds a host with %s %s', async (_, state, reason, create) => {
    const pair = create?.();
    const respondTo = (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Plans</title>');
    const server = pair === undefined ? createHttpServer(respondTo) : createHttpsServer(pair, respondTo);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = Object(server.address()).port;
    const trusted = getCACertificates();
    if (pair !== undefined && create !== createUntrusted) setDefaultCACertificates([...trusted, pair.cert]);
    try {
      const { site, time } = await createWatch(internet, buildPartner({ state }), undefined);
      const sendLink = createLinkRequests(new Map([[HOST, `https://127.0.0.1:${port}`]]));
      let record = (await checkDueLinks({ ...site, sendLink }))[0];
      time.now += 4 * HOUR_MS;
      record = (await checkDueLinks({ ...site, sendLink }))[0] ?? record;
      expect([record?.state, record?.reason]).toEqual([state, expect.stringMatching(reason)]);
    } finally {
      setDefaultCACertificates(trusted);
      server.close();
      server.closeAllConnections();
    }
  });

  it.each<[string, StandInSite]>([
    ['no response', { '/pricing': () => undefined }],
    [
      'a body that does not end',
      { '/pricing': (_, response) => void response.writeHead(200).write('<title>') },
    ],
  ])('takes %s in time for no statement about the link', async (_, site) => {
    set({ state: 'inconclusive' }, site);
    const { site: watch } = await createWatch(internet, buildPartner({ state: 'inconclusive' }), undefined);
    const [record] = await checkDueLinks({ ...watch, deadlineMs: 20 });
    expect(record).toMatchObject({ state: 'inconclusive', reason: 'no complete response in time' });
  });

  it('names itself, asks for nothing but the page, and carries the sub-id of checks and no credentials', async () => {
    set({ state: 'healthy' }, { '/pricing': GOOD });
    const { check } = await createWatch(internet, buildPartner({ state: 'healthy' }), undefined);
    await check();
    expect(internet.requests).toEqual(['www.merchant.example/pricing?ref=me&sub=lw20261103']);
    const { connection: _, ...headers } = internet.headers.at(-1) ?? {};
    expect(headers).toEqual({
      host: 'www.merchant.example',
      accept: 'text/html,application/xhtml+xml',
      'accept-encoding': 'gzip',
      'accept-language': 'en',
      'user-agent': 'Signpost-LinkWatch/1 (+http://localhost:4321/about-link-watch)',
    });
  });

  it('sends one host no two requests within 10 seconds, and waits as long as Retry-After asks', async () => {
    set({ state: 'healthy' }, { '/pricing': respond(429, { 'retry-after': '3600' }), '/trial': GOOD });
    const partner = buildPartner({ state: 'healthy' });
    const trial = ['trial', 'https://www.merchant.example/trial'] as const;
    const two = { ...partner, destinations: new Map([...partner.destinations, trial]) };
    const { site, time } = await createWatch(internet, two, undefined);
    // A pause is needed where no stand-in is set.
    const paced = { ...site, settings: { ...site.settings, TEST_HOSTS: new Map<string, string>() } };
    const [first] = await checkDueLinks(paced);
    expect((first?.dueAt ?? 0) - START).toBeGreaterThanOrEqual(HOUR_MS);
    time.now += 9_000;
    expect(await checkDueLinks(paced)).toEqual([]);
    expect(internet.requests).toHaveLength(1);
    time.now += 1_000;
    await checkDueLinks(paced);
    expect(internet.requests).toHaveLength(2);
  });

  it('takes what an operator accepts as right, until it changes again', async () => {
    set({ state: 'changed' }, { '/pricing': redirect('/', { isPassedOn: false }), '/': GOOD });
    const { site, time, check } = await createWatch(internet, buildPartner({ state: 'changed' }), undefined);
    const url = (await check())?.url ?? '';
    expect(await acceptLink(site.clock, site.content.links, 'https://unknown.example/')).toBe(null);
    expect(await acceptLink(site.clock, site.content.links, url)).toMatchObject({
      state: 'healthy',
      baseline: { finalPath: '/' },
    });
    time.now += 25 * HOUR_MS;
    expect(await check()).toMatchObject({ state: 'healthy' });
    set({ state: 'broken' }, {});
    time.now += 25 * HOUR_MS;
    await check();
    expect(await acceptLink(site.clock, site.content.links, url)).toBe(null);
  });

  it('accepts no page that breaks what the file of its partner expects', async () => {
    set({ state: 'changed' }, { '/pricing': GOOD });
    const watch = { expect: { pricing: { texts: ['30 days'] } } };
    const { site, check } = await createWatch(internet, buildPartner({ state: 'changed', watch }), undefined);
    expect(await acceptLink(site.clock, site.content.links, (await check())?.url ?? '')).toBe(null);
  });

  it('accepts the host that a link has moved to, and follows it there from then on', async () => {
    const moved = { '/pricing': redirect('https://new.example/plans') };
    set({ state: 'changed', others: { 'new.example': { '/plans': GOOD } } }, moved);
    const { site, time, check } = await createWatch(internet, buildPartner({ state: 'changed' }), undefined);
    const record = await check();
    expect(internet.requests).toHaveLength(1);
    await acceptLink(site.clock, site.content.links, record?.url ?? '');
    time.now += 25 * HOUR_MS;
    expect(await check()).toMatchObject({ state: 'healthy', result: { finalHost: 'new.example' } });
  });

  it('tests a destination as a check would judge it, and stores nothing', async () => {
    set({ state: 'changed' }, { '/pricing': redirect('/plans'), '/plans': page('Talk to sales') });
    const partner = buildPartner({ state: 'changed', watch: expectPrice('USD') });
    const { site } = await createWatch(internet, partner, undefined);
    expect(await testDestination(site, partner, 'pricing')).toEqual({
      address: 'https://www.merchant.example/plans',
      isRight: false,
      reason: 'shows no price in USD for "Starter"',
    });
    expect(await testDestination(site, partner, 'trial')).toBe(null);
    expect(await site.content.links.readAll()).toEqual(new Map());
  });

  it('stores what it saw of an offer as evidence that can be found by its id', async () => {
    set({ state: 'healthy' }, { '/pricing': page(`Starter $97 a month ${'more text '.repeat(1_000)}`) });
    const kind: Kind = { state: 'healthy', watch: expectPrice('USD') };
    const { site, check } = await createWatch(internet, buildPartner(kind), undefined);
    const { evidence = null } = (await check()) ?? {};
    expect(evidence?.id).toMatch(/^lc-20261103-[0-9a-f]{8}$/);
    expect(evidence?.offer.excerpt).toContain('Starter $97 a month');
    expect(Buffer.byteLength(evidence?.offer.excerpt ?? '')).toBeLessThanOrEqual(2_000);
    expect(await site.content.links.findChecks([evidence?.id ?? '', 'lc-20261103-00000000'])).toMatchObject([
      { state: 'healthy', evidence: { address: 'https://www.merchant.example/pricing' } },
    ]);
  });
});

describe('a source of a product or a claim on another site', () => {
  const source = {
    key: 'guide',
    title: 'Guide',
    href: 'https://guide.example/prices',
    checked: '2026-11-01',
    read: 'opened' as const,
  };
  const [product] = readSampleProducts().values();
  if (product === undefined) throw new Error('the sample has no product');
  const [offer] = product.offers;
  if (offer === undefined) throw new Error('the product has no offer');

  it('leaves evidence of what the site states with it, weekly, and is left alone without https', async () => {
    const requests: string[] = [];
    const { site, time } = await createWatch(
      { hosts: new Map(), port: 0 },
      buildPartner({ state: 'healthy' }),
      'ENOTFOUND',
    );
    const stated = {
      ...product,
      facts: [],
      sources: [source],
      offers: [{ ...offer, name: 'Basic', amount: 2_000, source }],
    };
    const claim = {
      key: 'users',
      figure: '10,000 users',
      wording: 'users',
      evidence: 'https://guide.example/about',
    };
    const old = { ...claim, key: 'old', evidence: 'http://old.example/about' };
    const body = `${'menu '.repeat(500)} Basic costs $20 a month. ${'text '.repeat(500)} More than 10,000 users.`;
    const content = {
      ...site.content.read(),
      partners: new Map(),
      pages: new Map(),
      authors: new Map(),
      products: new Map([['merchant', stated]]),
      claims: new Map([claim, old].map((one) => [one.key, one])),
    };
    const watch: LinkWatchSite = {
      ...site,
      content: { ...site.content, read: () => content },
      sendLink: async (address) => {
        requests.push(address.href);
        const page = new TextEncoder().encode(address.pathname === '/robots.txt' ? '' : `<p>${body}</p>`);
        return { status: 200, headers: new Headers({ 'content-type': 'text/html' }), body: page };
      },
    };
    for (let run = 0; run < 4; run++) {
      await checkDueLinks(watch);
      time.now += 11_000;
    }
    const records = await watch.content.links.readAll();
    expect([...records.keys()]).toEqual(['https://guide.example/about', 'https://guide.example/prices']);
    const evidence = [...records.values()].map((record) => record.evidence?.offer.excerpt ?? '');
    expect(evidence[0]).toMatch(/More than 10,000 users\.$/);
    expect(evidence[1]).toMatch(/^menu .* Basic costs \$20 a month\./);
    expect(requests).toEqual(
      ['robots.txt', 'about', 'prices'].map((name) => `https://guide.example/${name}`),
    );
    const [record] = records.values();
    expect((record?.dueAt ?? 0) - time.now).toBeGreaterThan(6 * 24 * HOUR_MS);
    const { products, claims } = content;
    const name = (check: string) => ({
      products: new Map(
        [...products].map(([key, one]) => [key, { ...one, sources: [{ ...source, check }] }]),
      ),
      claims,
    });
    expect(await findUnknownChecks(name(record?.evidence?.id ?? ''), watch.content.links)).toEqual([]);
    expect(await findUnknownChecks(name('lc-20261103-00000000'), watch.content.links)).toHaveLength(1);
  });
});

describe('a round in which no host responds', () => {
  const PARTNERS = ['one', 'two', 'three'].map((key) =>
    partnerSchema.parse({
      key,
      name: key,
      site: `https://${key}.example/`,
      hosts: [`${key}.example`],
      affiliate: { parameter: 'ref', value: 'me' },
      subId: { parameter: 'sub', maxLength: 64 },
      destinations: { pricing: `https://${key}.example/pricing` },
    }),
  );

  /** A watch of partners whose hosts respond unless they are in `down`. */
  async function createRound(partners: readonly Partner[]) {
    const [time, down, asked] = [{ now: START }, new Set<string>(), [] as string[]];
    const content = {
      ...(await base).content.read(),
      claims: new Map(),
      products: new Map(),
      partners: new Map(partners.map((one) => [one.key, one])),
    };
    const links = new Links(new MemoryExecutor(openMemoryDatabase('commissions')));
    const site: LinkWatchSite = {
      settings: parseSettings({}),
      clock: { now: () => time.now, monotonic: () => time.now },
      content: { read: () => content, links },
      sendLink: async ({ hostname, pathname }) => {
        asked.push(`${hostname}${pathname}`);
        if (down.has(hostname)) throw new LinkRequestError('unknown-host');
        const headers = new Headers({ 'content-type': 'text/html' });
        return { status: 200, headers, body: new TextEncoder().encode('<h1>Plans</h1>') };
      },
    };
    const listStates = async () => [...(await links.readAll()).values()].map(({ state }) => state).sort();
    return { site, time, down, asked, listStates };
  }

  it('leaves every state as it was, for as long as it lasts', async () => {
    const { site, time, down, listStates } = await createRound(PARTNERS);
    await checkDueLinks(site);
    expect(await listStates()).toEqual(['healthy', 'healthy', 'healthy']);
    for (const key of ['one', 'two', 'three']) down.add(`${key}.example`);
    for (let day = 0; day < 3; day += 1) {
      time.now += 24 * HOUR_MS;
      await expect(checkDueLinks(site)).rejects.toThrow(/network of this site/);
      await expect(checkAllLinks(site, await readWatchedLinks(site), pass(time))).rejects.toThrow(/network/);
    }
    expect(await listStates()).toEqual(['healthy', 'healthy', 'healthy']);
  });

  it('is one of those hosts when another host that is not due responds', async () => {
    const { site, time, down, asked, listStates } = await createRound(PARTNERS);
    await checkDueLinks(site);
    down.add('one.example');
    const [first] = await readWatchedLinks(site);
    for (const hours of [1, 5]) {
      time.now += hours * HOUR_MS;
      await checkAllLinks(site, first === undefined ? [] : [first], pass(time));
    }
    expect(await listStates()).toEqual(['broken', 'healthy', 'healthy']);
    expect(asked.at(-1)).toMatch(/\/robots\.txt$/);
  });

  it('is the host when it is the only one', async () => {
    const { site, time, down, listStates } = await createRound(PARTNERS.slice(0, 1));
    down.add('one.example');
    for (const hours of [1, 5]) {
      time.now += hours * HOUR_MS;
      await checkDueLinks(site);
    }
    expect(await listStates()).toEqual(['broken']);
  });

  const pass = (time: { now: number }) => async (ms: number) => {
    time.now += ms;
  };
});
