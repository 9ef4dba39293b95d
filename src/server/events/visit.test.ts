import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { openLedgerDatabase } from '../../../test/support/node-databases.ts';
import { openEventStore } from '../../../test/support/open-event-store.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import {
  buildSampleFact,
  buildSampleJourney,
  SAMPLE_CLICK,
} from '../../../test/support/sample-commissions.ts';
import { buildSampleEvent, buildSampleVisit } from '../../../test/support/sample-events.ts';
import { seedLedger } from '../../../test/support/seed-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { Clicks } from '../../stores/clicks.ts';
import { hashCopied } from '../../stores/copied-data.ts';
import { createFolderCopyTarget, parseSegmentName } from '../../stores/copy-segments.ts';
import { DataCopy } from '../../stores/data-copy.ts';
import { SqlEventStore } from '../../stores/events.ts';
import { restoreCopy } from '../../stores/restore-copy.ts';
import { createNodeSqliteReader, DATABASE_FILE } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { createFoldJob } from '../commissions/commission-fold.ts';
import { createContactHandler } from '../contact/contact.ts';
import type { Site } from '../site.ts';
import { createVisitRoutes } from './visit.ts';

async function createClients(members: Parameters<typeof createTestSite>[0] = {}) {
  const clock = { now: () => Date.UTC(2026, 10, 27), monotonic: () => 0 };
  const site = await createTestSite({ clock, ...members });
  const [show, remove] = createVisitRoutes(site).map((route) => createRouteClient(route));
  if (show === undefined || remove === undefined) throw new Error('there are no routes');
  return { site, show, remove };
}

const ask = (session: unknown) => JSON.stringify({ session });

it('a deletion reaches the copy of the data, so that no restore brings the visit back', async () => {
  const folder = createFolder();
  const [data, copies] = [path.join(folder, 'data'), path.join(folder, 'copies')];
  for (const one of [data, copies]) mkdirSync(one);
  const own = {
    session: 'deleted',
    campaign: { utm_source: 'deleted-source', gclid: 'deleted-gclid' },
    data: { entry_page: '/deleted-page', 'ax.businessType': 'deleted-answer' },
  };
  const visit = buildSampleVisit(SAMPLE_CLICK).map((event) => {
    return { ...event, ...own, data: { ...event.data, ...own.data } };
  });
  const stays = buildSampleEvent({ session: 'stays' });
  await seedLedger(data, [...visit, stays], [{ nativeId: 'c1', token: SAMPLE_CLICK }]);
  const target = createFolderCopyTarget(copies);
  const secret = 'a secret of at least thirty-two characters';
  const copy = new DataCopy({ dataDir: data, target, secret, now: () => Date.UTC(2026, 10, 27) });
  await copy.flushAll();
  const restore = async (to: string) => {
    const [name] = (await target.list()).flatMap((one) => parseSegmentName(one) ?? []);
    await restoreCopy({ target, secret, copy: name?.copy ?? '' }, path.join(folder, to));
    const names = readdirSync(path.join(folder, to), { recursive: true, encoding: 'utf8' });
    const files = names.map((one) => path.join(folder, to, one)).filter((file) => statSync(file).isFile());
    return files.filter((file) => readFileSync(file, 'latin1').includes('deleted-')).length;
  };
  expect(await restore('before')).toBeGreaterThan(0);

  const reader = createNodeSqliteReader(path.join(data, DATABASE_FILE), () => undefined);
  const { ledger } = openLedgerDatabase(data, () => undefined);
  const events = openEventStore(data);
  const { remove } = await createClients({ events, clicks: new Clicks(reader), ledger });
  expect(await (await remove(ask('deleted'))).json()).toEqual({ events: [] });
  expect(await events.count({ session: 'deleted' })).toBe(0);
  expect(await events.count({ session: 'stays' })).toBe(1);
  await Promise.all([reader.close(), events.close(), ledger.close()]);
  await copy.flushAll();
  copy.close();
  expect(await restore('after')).toBe(0);
  expect(await hashCopied(path.join(folder, 'after'))).toEqual(await hashCopied(data));
});

it('leaves nothing of a visit in any table, whatever was assigned to it before', async () => {
  const databases = new Map<string, DatabaseSync>();
  const open = (name: Parameters<typeof openMemoryDatabase>[0]) => {
    const db = databases.get(name ?? '') ?? openMemoryDatabase(name);
    databases.set(name ?? '', db);
    return new MemoryExecutor(db);
  };
  const events = new SqlEventStore(open(''));
  const { site, remove } = await createClients({
    platform: { openDatabase: open, openEvents: () => ({ executor: open(''), store: events }) },
  });
  const { ledger } = site.money;
  const other = '11111111-2222-4333-8444-555555555555';
  const own = {
    session: 'deleted-session',
    campaign: { utm_source: 'deleted-source' },
    data: {
      entry_page: '/deleted-page',
      journey_pages: '/deleted-page',
      'ax.businessType': 'deleted-answer',
    },
  };
  await events.append(
    buildSampleVisit(SAMPLE_CLICK).map((event) => ({
      ...event,
      ...own,
      data: { ...event.data, ...own.data },
    })),
  );
  const journey = {
    touches: [{ campaign: { utm_source: 'deleted-source' }, time: 1 }],
    pages: ['/deleted-page'],
    entryPage: '/deleted-page',
    answers: { businessType: 'deleted-answer' },
  };
  await ledger.append({
    facts: ['1', '2'].map((nativeId) => buildSampleFact({ nativeId }, { clickId: SAMPLE_CLICK })),
    journeys: [buildSampleJourney(journey), buildSampleJourney({ clickId: other })],
  });
  const assign = async (nativeId: string, clickId: string) => {
    const [partner, account, action, origin] = ['highlevel', 'main', 'assign', 'operator'] as const;
    await ledger.append({
      facts: [],
      decisions: [{ partner, account, nativeId, action, clickId, origin, decidedAt: 1 }],
    });
    await createFoldJob(site).run();
  };
  const findParts = () =>
    [...databases].flatMap(([name, db]) =>
      db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        .all()
        .flatMap((table) => {
          const rows = db.prepare(`SELECT * FROM "${table['name']}"`).all();
          return rows.flatMap((row) =>
            Object.entries(row).flatMap(([column, value]) =>
              String(value).includes('deleted-') ? [`${name}.${table['name']}.${column}`] : [],
            ),
          );
        }),
    );
  await createFoldJob(site).run();
  await assign('1', other);
  await assign('2', other);
  expect(new Set(findParts())).toContain('commissions.commission_visits.path');
  await remove(ask('deleted-session'));
  expect(findParts()).toEqual([]);
  await createFoldJob(site).run();
  expect(findParts()).toEqual([]);
});

it.each(['unknown', '', null, 7, ['s1'], { length: 2 }, '%', "' OR 1=1 --", '<b>', 'a'.repeat(65), 's1\n'])(
  'tells nothing about %j, and deletes nothing',
  async (session) => {
    const { site, show, remove } = await createClients();
    await site.visitors.events.append([
      buildSampleEvent({ session: 's1' }),
      buildSampleEvent({ session: '' }),
    ]);
    for (const request of [show, remove]) {
      const response = await request(ask(session));
      expect([response.status, await response.text()]).toEqual([200, '{"events":[]}']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await site.visitors.events.count({})).toBe(2);
  },
);

it.each(['visit', 'contact'] as const)('takes no other post for one too many to /api/%s', async (used) => {
  // As Workers count: by the name of the limit and the address, for all instances together.
  const left = new Map<string, number>();
  const shareLimiter: Site['platform']['shareLimiter'] = (name) => ({
    take: (address) =>
      left.set(name + address, (left.get(name + address) ?? 1) - 1).get(name + address) === 0 ? 0 : 60,
  });
  const { site, show, remove } = await createClients({ platform: { shareLimiter } });
  const contact = createRouteClient({
    method: 'POST',
    path: '/api/contact',
    handle: createContactHandler(site),
  });
  const [first, other] = used === 'visit' ? [show, contact] : [contact, remove];
  const body = ask('s1');
  expect([await first(body), await first(body)].map(({ status }) => status === 429)).toEqual([false, true]);
  expect((await other(body)).status).not.toBe(429);
});

it('answers pages of the site alone, ten times at once, in at most 64 KB', async () => {
  const { show, remove } = await createClients();
  expect((await remove(ask('s1'), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await remove(ask('s1'), { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await show(ask('a'.repeat(70_000)))).status).toBe(413);
  const statuses: number[] = [];
  for (let times = 0; times < 11; times += 1) statuses.push((await show(ask('s2'))).status);
  // One was taken by the body that was too long, and both addresses share the limit.
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 429, 429]);
  expect((await remove(ask('s2'))).status).toBe(429);
});
