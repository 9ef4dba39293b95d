/** @module-tag rest */
// What is lost of the money where nothing is stored in the browser: the same visits and commissions with journey and without.
import { expect, it } from 'vitest';
import { SeededRandom } from '../src/commands/demo/seeded-random.ts';
import type { ConsoleSite } from '../src/console/console-site.ts';
import { readPageTable } from '../src/console/pages/read.ts';
import { readWithoutJourney } from '../src/console/reports/without-journey.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { DEFAULT_TERMS } from '../src/core/commissions/ledger/commission-terms.ts';
import { readVisitSource } from '../src/core/events/build-site-event.ts';
import { type Attribution, addArrival, type Campaign } from '../src/core/events/campaign.ts';
import { enterJourney } from '../src/core/events/journey.ts';
import type { SiteEvent } from '../src/core/events/site-event.ts';
import { buildSourceName } from '../src/core/events/visit-source.ts';
import type { WireEvent } from '../src/core/events/wire-event.ts';
import { buildLinkQuery, buildVisit } from '../src/core/outbound/outbound-link.ts';
import { buildPartnerTargets } from '../src/core/outbound/partner.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../src/core/paths.ts';
import { createPostbacks } from '../src/server/commissions/postbacks.ts';
import { createCollector } from '../src/server/events/collector.ts';
import { createGo } from '../src/server/outbound/go.ts';
import { IS_FULL_LENGTH } from './support/cases.ts';
import { buildPartner, buildViewRequest, createTestConsole } from './support/console-ledger.ts';
import { createRouteClient } from './support/route-client.ts';
import { collect } from './support/sample-events.ts';

const START = Date.UTC(2026, 2, 1);
const [VISITS, COMMISSIONS] = IS_FULL_LENGTH ? [5_000, 400] : [400, 120];
const HOST = 'desks.test';

type Mode = 'full' | 'free' | 'gpc';

/** A page that a visit opens; without `isLink`, the browser names no page before it. */
interface Step {
  readonly page: string;
  readonly isLink: boolean;
}

interface ModelVisit {
  readonly id: string;
  readonly steps: readonly Step[];
  /** Query of the first address, and the address of the page before it; empty without one. */
  readonly query: string;
  readonly referrer: string;
  readonly place: string;
}

const PAGES = ['/', '/blog', '/pricing', '/review', '/blog/crm-basics', '/help', '/compare', '/tools'];
const LENGTHS = [55, 22, 12, 6, 3, 2];
const ARRIVALS = [
  [30, '', 'https://www.google.com/'],
  [8, '', 'https://chatgpt.com/c/1'],
  [10, '', 'https://blog.example/post'],
  [14, '', ''],
  [14, 'utm_source=newsletter&utm_medium=email&utm_campaign=nov&utm_content=blue', ''],
  [12, 'utm_source=google&utm_medium=cpc&utm_campaign=crm&gclid=id-of-a-click', 'https://www.google.com/'],
  [12, 'utm_source=facebook&utm_medium=social&utm_campaign=post', 'https://l.facebook.com/'],
] as const;

/** Visits of one to six pages: of the later steps, 95 % are links, 3 % typed, 2 % without a Referer. */
function buildVisits(): readonly ModelVisit[] {
  const random = new SeededRandom(49);
  return Array.from({ length: VISITS }, () => {
    const length = random.pick(
      LENGTHS.map((weight, index) => [index + 1, weight] as const),
      ([, weight]) => weight,
    );
    const [, query, referrer] = random.pick(ARRIVALS, ([weight]) => weight);
    const steps = Array.from({ length: length[0] }, () => ({
      page: random.pick(PAGES),
      isLink: random.chance(0.95),
    }));
    return { id: random.uuid(), steps, query, referrer, place: random.pick(['hero', 'final', 'sidebar']) };
  });
}

/** What a browser sends: the page views, and the query of the link to the partner. */
interface Sent {
  readonly views: readonly Omit<WireEvent, 'id' | 'time'>[];
  readonly link: string;
}

const parseCampaign = (query: string, names: RegExp): Campaign =>
  Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => names.test(name)));
const last = (steps: readonly Step[]) => steps.at(-1)?.page ?? '';
const buildLink = ({ steps, place }: ModelVisit) =>
  `page=trial&source=${place}&position=${place}&from=${last(steps)}`;

/** The browser stores the visit: it has one session, whatever its pages were opened by. */
function browseFull(visit: ModelVisit): Sent {
  const { steps, query, referrer, id } = visit;
  let attribution: Attribution = { session: id };
  let journey: ReturnType<typeof enterJourney> | undefined;
  const views = steps.map(({ page: path }, index) => {
    attribution = addArrival(attribution, index === 0 ? parseCampaign(query, /./) : {}, false);
    journey = enterJourney(journey, { path, now: START, referrer, userAgent: '' });
    const { last: latest, session: _, ...first } = attribution;
    const data = index === 0 ? { referrer: referrer || 'direct' } : {};
    return { name: 'page_view' as const, session: id, page: path, data, campaign: latest ?? first };
  });
  const known = { ...buildVisit(attribution, journey ?? null, START), page: last(steps), answers: '' };
  return { views, link: buildLinkQuery(buildLink(visit), known, id).slice(1) };
}

/** The browser stores nothing: links of the site carry the campaign, the first page and the site before it. */
function browseFree(visit: ModelVisit, gpc: boolean): Sent {
  let carried = { entry: '', referrer: '', campaign: {} as Campaign };
  const views = visit.steps.map(({ page, isLink }, index) => {
    const isEntry = index === 0 || !isLink;
    const own = parseCampaign(index === 0 ? visit.query : '', /^utm_/);
    if (isEntry) {
      const { utm_content: _, utm_term: __, ...campaign } = own;
      const before = index === 0 && visit.referrer !== '' ? new URL(visit.referrer).host : 'direct';
      carried = { entry: page, referrer: gpc ? '' : before, campaign };
    }
    const data = isEntry ? { entry: true, ...(carried.referrer && { referrer: carried.referrer }) } : {};
    const campaign = { ...carried.campaign, ...own };
    return { name: 'page_view' as const, session: '', page, data, campaign, free: true as const };
  });
  const link = new URLSearchParams(buildLink(visit));
  const entry = gpc ? {} : { free: '1', referrer: carried.referrer, entry_page: carried.entry };
  for (const [name, value] of Object.entries({ ...entry, ...views.at(-1)?.campaign })) link.set(name, value);
  return { views, link: `${link}` };
}

/** Visits a site through its routes, then reports the commissions; resolves with its clicks in the order of the visits. */
async function play(visits: readonly ModelVisit[], getMode: (index: number) => Mode) {
  let now = START;
  const terms = { ...DEFAULT_TERMS, network: 'generic', currency: 'USD' };
  const partner = buildPartner('kit', { terms });
  const site = await createTestConsole({
    now: () => now,
    content: { partners: new Map([['kit', partner]]) },
  });
  const target = buildPartnerTargets(site.content.read().partners).get('/go/kit') ?? expect.fail();
  const post = createRouteClient({ method: 'POST', path: '/api/journey', handle: createCollector(site) });
  const go = createRouteClient({ method: 'GET', path: '/go/kit', handle: createGo(site, target) });
  const random = new SeededRandom(1);
  const clickIds: string[] = [];
  for (const [index, visit] of visits.entries()) {
    const mode = getMode(index);
    const { views, link } = mode === 'full' ? browseFull(visit) : browseFree(visit, mode === 'gpc');
    const headers = { host: HOST, ...(mode === 'gpc' && { 'sec-gpc': '1' }) };
    const clientAddress = `10.0.${index >> 8}.${index & 255}`;
    now = START + Math.floor((index * 20 * DAY_MS) / VISITS);
    const step = { ...views.at(-1), name: 'assessment_step', value: 1, data: {} };
    const events = [...views, step].map((view) => ({ ...view, id: random.uuid(), time: now }));
    expect((await post(JSON.stringify({ events }), headers, { clientAddress })).status).toBe(202);
    now += 1_000;
    const own = { ...headers, referer: `http://${HOST}${last(visit.steps)}` };
    const page = await go(null, own, { target: `/go/kit?${link}`, clientAddress });
    clickIds.push(/[?&;]sid=([\w-]+)/.exec(await page.text())?.[1] ?? '');
  }
  await report(site, clickIds, (time) => {
    now = Math.max(now + 1, time);
  });
  const stored = new Map((await collect(site.visitors.events.read({}))).map((event) => [event.id, event]));
  while ((await site.money.rollups.advance()) > 0);
  return { site, clicks: clickIds.map((id) => stored.get(id) ?? expect.fail(`no click ${id}`)) };
}

/** The same commissions whatever the mode: of some clicks, a part of them reversed afterwards. */
async function report(site: ConsoleSite, clickIds: readonly string[], setTime: (time: number) => void) {
  await site.money.postbackAddresses.create();
  const tokens = (await site.money.postbackAddresses.readTokens()) ?? expect.fail();
  const call = createRouteClient({
    method: 'GET, POST',
    path: POSTBACK_PATTERN,
    handle: createPostbacks(site),
  });
  const path = buildPostbackPath('kit', tokens.build('kit'));
  const commissions = listCommissions();
  const later = commissions.slice(0, 60).map((one) => ({ ...one, id: `later-${one.id}`, day: 70 }));
  for (const { id, visit, amount, states, day } of [...commissions, ...later])
    for (const status of states) {
      const at = new Date(START + day * DAY_MS).toISOString();
      const message = { click: clickIds[visit] ?? '', id, status, amount, currency: 'USD', kind: 'sale', at };
      setTime(START + day * DAY_MS);
      const response = await call(
        null,
        {},
        { method: 'GET', target: `${path}?${new URLSearchParams(message)}` },
      );
      expect(response.status).toBe(200);
    }
  await site.money.commissions.fold.foldMarked();
}

function listCommissions() {
  const random = new SeededRandom(7);
  const visits = Array.from({ length: VISITS }, (_, index) => index);
  return Array.from({ length: COMMISSIONS }, (_, index) => {
    const [visit = 0] = visits.splice(random.integer(0, visits.length - 1), 1);
    const states =
      index % 8 === 0 ? ['pending', 'approved', 'reversed'] : [index % 3 === 0 ? 'pending' : 'approved'];
    return {
      id: `c-${index}`,
      day: 25,
      visit,
      states,
      amount: (random.integer(100, 40_000) / 100).toFixed(2),
    };
  });
}

const query = {
  ...buildViewRequest().query,
  from: '2026-03-01',
  to: '2026-04-30',
};
const request = (change: Partial<typeof query> = {}) => ({
  ...buildViewRequest(),
  query: { ...query, ...change },
});
const name = (event: SiteEvent) => {
  const source = readVisitSource(event);
  return source === null ? '' : buildSourceName(source);
};
const getCampaign = ({ campaign }: SiteEvent) =>
  ['utm_source', 'utm_medium', 'utm_campaign'].map((part) => campaign[part]).join();
const visits = buildVisits();

it('visits without journey keep page and place of all money, and most of their entry pages, sources and campaigns', async () => {
  const [full, free] = await Promise.all([play(visits, () => 'full'), play(visits, () => 'free')]);
  const pairs = full.clicks.map((click, index) => [click, free.clicks[index] ?? expect.fail()] as const);
  const paid = listCommissions().map(({ visit }) => pairs[visit] ?? expect.fail());
  const share = (own: typeof pairs, get: (click: SiteEvent) => unknown) =>
    own.filter(([one, other]) => get(one) === get(other)).length / own.length;
  for (const get of [
    ({ page }: SiteEvent) => page,
    ({ data }: SiteEvent) => `${data['source']} ${data['position']}`,
  ])
    expect(share(pairs, get)).toBe(1);
  // A small sample is less sure.
  const slack = IS_FULL_LENGTH ? 0 : 0.02;
  for (const [get, ofVisits, ofMoney] of [
    [({ data }: SiteEvent) => data['entry_page'], 0.95, 0.93],
    [name, 0.95, 0.93],
    [getCampaign, 0.98, 0.965],
  ] as const) {
    expect(share(pairs, get)).toBeGreaterThanOrEqual(ofVisits - slack);
    expect(share(paid, get)).toBeGreaterThanOrEqual(ofMoney - slack);
  }
  for (const [index, { data, flags, session, campaign }] of free.clicks.entries()) {
    expect([flags, session, data['session_time'], campaign['gclid']]).toEqual([
      ['free'],
      '',
      undefined,
      undefined,
    ]);
    const { referrer, steps } = visits[index] ?? expect.fail();
    const isUnnamed = referrer === '' || steps.slice(1).some(({ isLink }) => !isLink);
    if (data['visit_channel'] === 'direct') expect(isUnnamed).toBe(true);
  }
  {
    const [one = [], other = []] = await Promise.all(
      [full, free].map(async ({ site }) =>
        (await readPageTable(site, request())).rows
          .map(({ key, clicks, views, confirmed, pending, reversed }) => ({
            key,
            clicks,
            views,
            confirmed,
            pending,
            reversed,
          }))
          .sort((a, b) => (a.key < b.key ? -1 : 1)),
      ),
    );
    expect(other).toEqual(one);
    expect(other.reduce((sum, { reversed }) => sum + reversed, 0)).toBeGreaterThan(0);
  }
  const { visits: counted, money } = await readWithoutJourney(free.site, query);
  expect(counted?.without).toBe(counted?.all);
  expect(counted?.all).toBe(
    visits.reduce((sum, { steps }) => sum + 1 + steps.slice(1).filter(({ isLink }) => !isLink).length, 0),
  );
  expect(money.without).toBe(money.all);
}, 300_000);
