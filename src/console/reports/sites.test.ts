import { expect, it } from 'vitest';
import { buildViewRequest, createTestConsole } from '../../../test/support/console-ledger.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { besideSchema } from '../../core/outbound/beside.schema.ts';
import { readPages } from '../pages/read.ts';
import { type EarnedDimension, readEarned } from './earned.ts';
import { readTitles } from './site-pages.ts';

const TALK = 'talk.example:8443';
const BLOG = 'blog.example';
const time = 1_763_500_000_000;
const beside = besideSchema.parse({
  hosts: [
    { name: 'Blog', address: `https://${BLOG}` },
    { name: 'Talk', address: `https://${TALK}` },
  ],
});
/** As many views, clicks and cents as the number; each page is there on all three sites. */
const PAGES = [
  ['own', '/kettles', 1],
  ['own', '/about', 2],
  [BLOG, `${BLOG}/kettles`, 4],
  [TALK, `${TALK}/kettles`, 8],
  [TALK, `${TALK}/`, 16],
] as const;

async function open() {
  const entries = PAGES.map(([, page, amount], index) =>
    buildSampleEntry([{ nativeId: `c-${index}`, amount, status: 'approved', eventTime: time }], {
      page,
      placement: 'hero',
      sources: { first: SEARCH, last: SEARCH },
    }),
  );
  const site = await createTestConsole({ entries, content: { beside } });
  const seen = PAGES.flatMap(([, page, count]) =>
    Array.from({ length: count }, (_, index) => ({ page, index })),
  );
  const shared = { session: '', serverTime: time, clientTime: time, flags: [] };
  await site.visitors.events.append(
    seen.flatMap(({ page, index }) => [
      buildSampleEvent({
        ...shared,
        id: crypto.randomUUID(),
        name: 'page_view',
        page,
        campaign: {},
        data: { entry: true, visit_channel: 'search', visit_source: 'Google' },
      }),
      buildSampleEvent({
        ...shared,
        id: crypto.randomUUID(),
        name: 'affiliate_redirect',
        page,
        campaign: {},
        data: {
          partner: index % 2 === 0 ? 'kit' : 'highlevel',
          source: 'hero',
          visit_channel: 'search',
          visit_source: 'Google',
        },
      }),
    ]),
  );
  return site;
}
const SEARCH = { channel: 'search', name: 'Google' } as const;

const query = (...sites: readonly string[]) => ({
  ...buildViewRequest().query,
  filters: sites.map((value) => ({ dimension: 'site' as const, value, isNot: false })),
});

it.each(['page', 'placement', 'source', 'partner', 'campaign'] as const)(
  'no site is in the sums of another one, by %s, and all of them are the whole',
  async (by: EarnedDimension) => {
    const site = await open();
    const read = async (...sites: readonly string[]) => {
      const { rows, total } = await readEarned(site.periods, query(...sites), by);
      expect(rows.reduce((sum, { earned }) => sum + earned, 0)).toBe(total.earned);
      return { earned: total.earned, clicks: total.clicks, views: total.views };
    };
    const count = (sum: number) => ({
      earned: sum,
      clicks: sum,
      views: by === 'partner' ? expect.any(Number) : sum,
    });
    expect(await read('own')).toEqual(count(3));
    expect(await read(BLOG)).toEqual(count(4));
    expect(await read(TALK)).toEqual(count(24));
    expect(await read(BLOG, TALK)).toEqual(count(28));
    expect((await read('talk.example')).earned).toBe(0);
    expect((await read()).earned).toBe(31);
    const days = await site.periods.readClicksByDay(query(TALK));
    expect([...(days?.values() ?? [])]).toEqual([24]);
  },
);

it('finds a page of a site by its title, and names it by its address while it has none', async () => {
  const site = await open();
  const page = { title: 'Best kettles', published: '', updated: '' };
  await site.money.ledger.writeState(
    `beside-pages ${BLOG}`,
    JSON.stringify({ at: 1, tags: {}, next: 2, pages: { [`${BLOG}/kettles`]: page } }),
  );
  const titles = await readTitles(site);
  expect([titles.get(`${BLOG}/kettles`), titles.get(`${TALK}/`)]).toEqual(['Best kettles', undefined]);
  const { rows } = (await readPages(site, buildViewRequest({ search: 'q=best+kettles' }))) ?? {};
  expect(rows?.map(({ key }) => key)).toEqual([`${BLOG}/kettles`]);
});
