import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getLocalDay } from '../../src/core/commissions/local-time.ts';
import { type EventCounts, ROLLUP_DIMENSIONS, type RollupDimension } from '../../src/core/events/rollup.ts';
import { isWithoutJourney, type SiteEvent } from '../../src/core/events/site-event.ts';
import { EventArchiver } from '../../src/stores/archive.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import type { RollupFilter } from '../../src/stores/rollups.ts';
import { Rollups } from '../../src/stores/rollups.ts';
import { SqlError, type SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { buildRollupRows } from '../support/build-rollup-rows.ts';
import { forAll } from '../support/for-all.ts';
import { createMemoryEventArchive } from '../support/memory-event-archive.ts';
import { buildSampleEvent } from '../support/sample-events.ts';

const ZONE = 'Europe/Berlin';
/** Two hours before the clocks of Berlin go back in 2025. */
const BEFORE_CHANGE = Date.UTC(2025, 9, 25, 23);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let executor: SqlExecutor;
let events: SqlEventStore;
let rollups: Rollups;

/**
 * Asserts the contract of the port. `open` opens an empty database with the tables of events each time; `scale` is how
 * many random cases are compared, in what property tests usually have.
 */
export function describeRollups(name: string, open: () => SqlExecutor, scale = 1): void {
  describe(`rollups: ${name}`, () => {
    beforeEach(() => {
      executor = open();
      events = new SqlEventStore(executor);
      rollups = new Rollups(executor, ZONE);
    });
    afterEach(() => events.close());
    defineTests(scale);
  });
}

async function advanceAll(store = rollups): Promise<number> {
  let total = 0;
  for (let count = -1; count !== 0; total += count) count = await store.advance();
  return total;
}

/** Counts the events one by one, with the rules of core. Without `visits` all, else those with or without journey. */
function countEvents(
  stored: readonly SiteEvent[],
  dimension: RollupDimension,
  by: 'key' | 'day',
  visits?: 'with' | 'without',
) {
  const groups = new Map<string, EventCounts>();
  for (const event of stored) {
    const isOwn = visits === undefined || isWithoutJourney(event) === (visits === 'without');
    const day = getLocalDay(event.serverTime, ZONE);
    for (const row of buildRollupRows(event).filter((one) => one.dimension === dimension)) {
      const key = JSON.stringify(by === 'key' ? row.key : [day]);
      const known = groups.get(key) ?? { views: 0, sessions: 0, actions: 0, clicks: 0 };
      groups.set(key, {
        views: known.views + (isOwn ? row.views : 0),
        sessions: known.sessions + (isOwn ? row.sessions : 0),
        actions: known.actions + (isOwn ? row.actions : 0),
        clicks: known.clicks + (isOwn ? row.clicks : 0),
      });
    }
  }
  return groups;
}

async function expectSameCounts(stored: readonly SiteEvent[]): Promise<void> {
  for (const dimension of ROLLUP_DIMENSIONS)
    for (const by of ['key', 'day'] as const)
      for (const visits of [undefined, 'with', 'without'] as const) {
        const filter = { dimension, visits };
        const read = by === 'key' ? rollups.readByKey(filter) : rollups.readByDay(filter);
        const groups = new Map((await read).map(({ key, ...counts }) => [JSON.stringify(key), counts]));
        expect(groups, `${dimension} by ${by} ${visits}`).toEqual(countEvents(stored, dimension, by, visits));
      }
}

const anyEvent: fc.Arbitrary<SiteEvent> = fc
  .record({
    // Small values, or the smallest while a counterexample is sought, would be no ids of their own.
    id: fc.noBias(fc.noShrink(fc.uuid())),
    name: fc.constantFrom(
      'page_view',
      'assessment_step',
      'assessment_completed',
      'free_trial_signup',
      'affiliate_redirect',
      'assessment_conversion',
      'pricing_view',
    ),
    page: fc.constantFrom('/', '/blog', '/quo"te', '/日本'),
    hours: fc.integer({ min: 0, max: 72 }),
    value: fc.constantFrom(0, 1, 2, 2.7, 9, 9.5, 10, -1, 1e300),
    flags: fc.constantFrom(
      [],
      [],
      ['gpc'],
      ['free'],
      ['free', 'clock'],
      ['free', 'bot'],
      ['bot'],
      ['prefetch'],
      ['duplicate'],
    ),
    data: fc.record(
      {
        source: fc.constantFrom('hero', 'it"s', ''),
        position: fc.constantFrom<string | number>('hero', 'plans-starter', '', 7),
        partner: fc.constantFrom('kit', 'highlevel'),
        entry_page: fc.constantFrom('/', '/blog/a'),
        referrer: fc.constant('direct'),
        entry: fc.constant(true),
        assessment_type: fc.constantFrom('agency', 'saas'),
        challenges: fc.subarray(['leads', 'costs', 'email']),
        budget: fc.constantFrom<string | number>('budget_low', 5),
        visit_channel: fc.constantFrom('search', 'direct'),
        visit_source: fc.constantFrom('Google', 'it"s'),
      },
      { requiredKeys: [] },
    ),
    campaign: fc.record(
      {
        utm_source: fc.constantFrom('newsletter', 'ads & co', 'ChatGPT.com'),
        utm_campaign: fc.constantFrom('autumn', ''),
        gclid: fc.constantFrom('abc', ''),
        fbclid: fc.constant('def'),
        utm_content: fc.constant('blue'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ hours, ...fields }) =>
    buildSampleEvent({ ...fields, serverTime: BEFORE_CHANGE + hours * HOUR_MS } as Partial<SiteEvent>),
  );

function defineTests(scale: number): void {
  it('equals a count of every event, whatever is rolled up already, for any events, over a change of the clocks', async () => {
    const stored: SiteEvent[] = [];
    await forAll(scale, [fc.array(anyEvent, { maxLength: 30 }), fc.boolean()], async (batch, isAdvanced) => {
      stored.push(...batch);
      await events.append(batch);
      if (isAdvanced) await advanceAll();
    });
    await expectSameCounts(stored);
    await advanceAll();
    await expectSameCounts(stored);
    await rollups.rebuild();
    await rollups.advance();
    await expectSameCounts(stored);
    await advanceAll();
    await expectSameCounts(stored);
  });

  it('counts nothing twice when two processes advance at once, or a transaction is repeated', async () => {
    const batch = Array.from({ length: 50 }, () => buildSampleEvent());
    await events.append(batch);
    const other = new Rollups(executor, ZONE);
    await Promise.all([rollups.advance(), other.advance(), rollups.advance()]);
    await expectSameCounts(batch);
  });

  it('counts nothing twice when the commit of a transaction was reported as failed', async () => {
    const batch = Array.from({ length: 50 }, () => buildSampleEvent());
    await events.append(batch);
    const failing = new Rollups(
      {
        query: (statement) => executor.query(statement),
        batch: async (statements) => {
          await executor.batch(statements);
          throw new SqlError('unavailable', 'the connection was lost');
        },
        close: () => executor.close(),
      },
      ZONE,
    );
    // The first call writes the time zone of the store.
    await rollups.advance();
    await events.append([buildSampleEvent({ page: '/late' })]);
    await expect(failing.advance()).rejects.toThrow('lost');
    await advanceAll();
    expect(await rollups.readByKey({ dimension: 'page' })).toEqual([
      { key: ['/blog'], views: 50, sessions: 0, actions: 0, clicks: 0 },
      { key: ['/late'], views: 1, sessions: 0, actions: 0, clicks: 0 },
    ]);
  });

  it.each([
    ['some', 2],
    ['all', 4],
  ])('keeps the counts of archived events, also in a rebuild when %s are archived', async (_, days) => {
    const time = Date.UTC(2026, 4, 10, 12);
    const list = Array.from({ length: 40 }, (__, index) =>
      buildSampleEvent({
        name: days === 2 && index % 10 === 0 ? 'affiliate_redirect' : 'page_view',
        page: `/p${index % 3}`,
        serverTime: time + (index % 4) * DAY_MS + index,
      }),
    );
    await events.append(list);
    await advanceAll();
    const filter = { dimension: 'page' as const };
    const before = await rollups.readByDay(filter);
    const archiver = new EventArchiver(executor, createMemoryEventArchive());
    expect(await archiver.archiveBefore(time + days * DAY_MS)).toBeGreaterThan(10);
    await rollups.rebuild();
    await advanceAll();
    expect(await rollups.readByDay(filter)).toEqual(before);
    await events.append([buildSampleEvent({ serverTime: time + 5 * DAY_MS })]);
    await advanceAll();
    expect(await rollups.readByDay(filter)).toHaveLength(before.length + 1);
  });

  it('keeps the counts of days that retention has removed events of, also in a rebuild', async () => {
    const day = (n: number) => BEFORE_CHANGE + n * DAY_MS;
    const all = [0, 0, 1, 1, 2, 2].map((n, index) => buildSampleEvent({ serverTime: day(n) + index }));
    await events.append(all);
    await advanceAll();
    // Half of the second day is removed as well.
    await events.remove({ before: day(1) + 3 });
    await expectSameCounts(all);
    await rollups.rebuild();
    await advanceAll();
    await expectSameCounts(all);
  });

  it('counts again when the time zone is another one', async () => {
    await events.append([buildSampleEvent({ serverTime: BEFORE_CHANGE })]);
    await advanceAll();
    expect(await rollups.readByDay({ dimension: 'page' })).toMatchObject([{ key: ['2025-10-26'] }]);
    const inLosAngeles = new Rollups(executor, 'America/Los_Angeles');
    await advanceAll(inLosAngeles);
    expect(await inLosAngeles.readByDay({ dimension: 'page' })).toMatchObject([
      { key: ['2025-10-25'], views: 1 },
    ]);
  });

  it('keeps every day that has lost events, and counts every event once, in any order of time zones', async () => {
    const zones = ['Asia/Tokyo', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Auckland', ZONE];
    const start = Date.UTC(2025, 9, 24, 5);
    const hour = (n: number) => buildSampleEvent({ serverTime: start + n * HOUR_MS });
    const read = async (store: Rollups) =>
      new Map(
        (await store.readByDay({ dimension: 'page' })).map(({ key: [day = ''], views }) => [day, views]),
      );
    const sum = (days: ReadonlyMap<string, number>) => [...days.values()].reduce((all, one) => all + one, 0);
    await events.append(Array.from({ length: 100 }, (_, n) => hour(n)));
    await advanceAll();
    // What retention removes between two changes, in hours: often in the middle of a day.
    const steps = fc.array(fc.tuple(fc.constantFrom(...zones), fc.nat(80)), { minLength: 2, maxLength: 8 });
    const order = fc.sample(steps, 6).flat();
    let [removed, stored] = [20, 100];
    await events.remove({ before: start + removed * HOUR_MS });
    for (const [zone, hours] of order) {
      const before = await read(rollups);
      // Not counted yet when the time zone changes.
      await events.append(Array.from({ length: 20 }, (_, n) => hour(stored + n)));
      stored += 20;
      rollups = new Rollups(executor, zone);
      await advanceAll();
      const days = await read(rollups);
      expect(sum(days)).toBe(stored);
      const first = getLocalDay(start + removed * HOUR_MS, 'Pacific/Pago_Pago');
      for (const [day, views] of before) if (day < first) expect([day, days.get(day)]).toEqual([day, views]);
      // A change without a loss between is none once it is taken back.
      const counted = await read(rollups);
      for (const other of ['Pacific/Kiritimati', zone]) {
        rollups = new Rollups(executor, other);
        await advanceAll();
      }
      expect(await read(rollups)).toEqual(counted);
      removed = Math.min(removed + hours, stored - 5);
      await events.remove({ before: start + removed * HOUR_MS });
    }
  });

  it('reads the days of a range, both inclusive', async () => {
    const batch = [0, 1, 2, 3].map((n) => buildSampleEvent({ serverTime: BEFORE_CHANGE + n * DAY_MS }));
    await events.append(batch);
    const days = await rollups.readByDay({ dimension: 'page', from: '2025-10-27', to: '2025-10-28' });
    expect(days.map(({ key, views }) => [key[0], views])).toEqual([
      ['2025-10-27', 1],
      ['2025-10-28', 1],
    ]);
  });

  it('reads past days anew once an event of them comes late, and never counts the newest day twice', async () => {
    const days = [
      { from: '2025-10-01', to: '2025-10-27', weight: 0.5 },
      { from: '2025-10-28', to: '2025-11-30', weight: 1 },
    ];
    const at = (n: number, page: string) =>
      buildSampleEvent({ page, name: 'page_view', serverTime: BEFORE_CHANGE + n * DAY_MS });
    const steps = [
      [at(0, '/b'), at(1, '/b'), at(2, '/b')],
      [at(2, '/a')],
      [at(3, '/c')],
      [at(1, '/late'), at(3, '/b')],
      [at(0, '/b')],
      [at(-3, '/new')],
    ];
    for (const batch of steps)
      for (const isAdvanced of [false, true]) {
        await (isAdvanced ? advanceAll() : events.append(batch));
        for (const dimension of ['page', 'source'] as const) {
          const read = (store: Rollups) =>
            Promise.all([
              store.readByKey({ dimension }),
              store.readByDay({ dimension, to: '2025-10-27' }),
              store.readByDayAndKey({ dimension, from: '2025-10-26' }),
              store.readWeighted(dimension, days),
              store.readShares({}),
            ]);
          expect(await read(rollups)).toEqual(await read(new Rollups(executor, ZONE)));
          expect(await read(rollups)).toEqual(await read(new Rollups(executor, ZONE)));
        }
      }
    const all = await rollups.readByKey({ dimension: 'page' });
    expect(all.map(({ key, views }) => [key[0], views])).toEqual([
      ['/a', 1],
      ['/b', 5],
      ['/c', 1],
      ['/late', 1],
      ['/new', 1],
    ]);
  });

  it('has the counts of each key on each day, which sum to those by key and by day', async () => {
    const batch = [0, 0, 1, 2].flatMap((n) =>
      ['/a', '/b'].map((page) => buildSampleEvent({ page, serverTime: BEFORE_CHANGE + n * DAY_MS })),
    );
    await events.append(batch.slice(0, 5));
    await advanceAll();
    await events.append(batch.slice(5));
    const groups = await rollups.readByDayAndKey({ dimension: 'page' });
    expect(groups.map(({ day, key, views }) => [day, key[0], views])).toEqual([
      ['2025-10-26', '/a', 2],
      ['2025-10-26', '/b', 2],
      ['2025-10-27', '/a', 1],
      ['2025-10-27', '/b', 1],
      ['2025-10-28', '/a', 1],
      ['2025-10-28', '/b', 1],
    ]);
  });

  it('sums clicks over periods, weighted or apart, as the counts of single days do, for any events', async () => {
    const days = [
      { from: '2025-10-26', to: '2025-10-26', weight: 0.25 },
      { from: '2025-10-27', to: '2025-10-28', weight: 0.7 },
    ];
    await forAll(
      scale / 3,
      [fc.array(anyEvent, { maxLength: 30 }), fc.boolean()],
      async (batch, isAdvanced) => {
        await events.append(batch);
        if (isAdvanced) await rollups.advance();
        for (const dimension of ['page', 'placement', 'campaign'] as const) {
          const single = await rollups.readByDayAndKey({ dimension });
          const isWithin = (day: string, period: number) =>
            day >= (days[period]?.from ?? '') && day <= (days[period]?.to ?? '');
          const weighted = await rollups.readWeighted(dimension, days);
          const clicks = await rollups.readClicks({ dimension, periods: days });
          for (const { key, weightedClicks, ...sums } of weighted) {
            const own = single.filter((row) => String(row.key) === String(key));
            const parts = days.map((_, period) => own.filter(({ day }) => isWithin(day, period)));
            const add = (rows: typeof own, counter: keyof EventCounts) =>
              rows.reduce((sum, row) => sum + row[counter], 0);
            for (const counter of ['views', 'sessions', 'actions', 'clicks'] as const)
              expect(sums[counter]).toBe(add(parts.flat(), counter));
            const expected = days.map(({ weight }, period) => weight * add(parts[period] ?? [], 'clicks'));
            expect(weightedClicks).toBeCloseTo(
              expected.reduce((one, other) => one + other),
              9,
            );
            const read = days.map(
              (_, period) =>
                clicks.find((row) => row.period === period && String(row.key) === String(key))?.clicks ?? 0,
            );
            expect(read).toEqual(days.map((_, period) => add(parts[period] ?? [], 'clicks')));
          }
          const listed = single.filter(({ day }) => isWithin(day, 0) || isWithin(day, 1));
          expect(weighted).toHaveLength(new Set(listed.map(({ key }) => String(key))).size);
          expect(clicks.every((row) => row.clicks > 0)).toBe(true);
        }
      },
    );
  });

  it('reads chosen keys, or those whose parts have or have not a value, from both counted and new events', async () => {
    const clicks = ['/a', '/b', '/"c'].flatMap((page) =>
      ['hero', 'footer'].map((source) =>
        buildSampleEvent({ name: 'affiliate_redirect', page, data: { source, partner: 'kit' } }),
      ),
    );
    await events.append(clicks);
    await advanceAll();
    await events.append([
      buildSampleEvent({ name: 'affiliate_redirect', page: '/a', data: { source: 'hero', partner: 'kit' } }),
    ]);
    const read = async (filter: Omit<RollupFilter, 'dimension'>) =>
      (await rollups.readByKey({ dimension: 'placement', ...filter })).map(({ key, clicks: count }) => [
        ...key.slice(0, 2),
        count,
      ]);
    const keys = [
      ['/a', 'hero', 'kit'],
      ['/"c', 'footer', 'kit'],
      ['/missing', '', ''],
    ];
    expect(await read({ keys })).toEqual([
      ['/"c', 'footer', 1],
      ['/a', 'hero', 2],
    ]);
    expect(await read({ keys: [] })).toEqual([]);
    expect(await read({ parts: [{ index: 0, value: '/a' }] })).toEqual([
      ['/a', 'footer', 1],
      ['/a', 'hero', 2],
    ]);
    const parts = [
      { index: 0, value: '/a', isNot: true },
      { index: 1, value: 'hero' },
    ];
    expect(await read({ parts })).toEqual([
      ['/"c', 'hero', 1],
      ['/b', 'hero', 1],
    ]);
    const [day] = await rollups.readByDay({ dimension: 'placement', parts });
    expect(day?.clicks).toBe(2);
  });

  it('merges the rarest keys of a day beyond the limit, and loses no count', async () => {
    const campaigns = Array.from({ length: 2_500 }, (_, index) =>
      buildSampleEvent({ campaign: { utm_source: `random-${index}` } }),
    );
    const frequent = Array.from({ length: 40 }, () =>
      buildSampleEvent({ campaign: { utm_source: 'newsletter' } }),
    );
    await events.append([...campaigns.slice(0, 1_200), ...frequent, ...campaigns.slice(1_200)]);
    await advanceAll();
    const groups = await rollups.readByKey({ dimension: 'campaign' });
    expect(groups.length).toBeLessThanOrEqual(2_000);
    expect(groups.reduce((sum, { views }) => sum + views, 0)).toBe(2_540);
    expect(groups.find(({ key }) => key[0] === 'newsletter')?.views).toBe(40);
    expect(groups.find(({ key }) => key[0] === '(other)')?.views).toBeGreaterThan(500);
  });

  it('has fewer pairs of a source and a page per day than other keys', async () => {
    const clicks = Array.from({ length: 1_100 }, (_, index) =>
      buildSampleEvent({
        name: 'affiliate_redirect',
        page: `/${index}`,
        data: { partner: 'kit' },
      }),
    );
    await events.append(clicks);
    await advanceAll();
    const arrivals = await rollups.readByKey({ dimension: 'arrival' });
    expect(arrivals.length).toBeLessThanOrEqual(1_000);
    expect(arrivals.reduce((sum, group) => sum + group.clicks, 0)).toBe(1_100);
    expect(await rollups.readByKey({ dimension: 'page' })).toHaveLength(1_100);
  });
}
