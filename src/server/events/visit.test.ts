import { expect, it } from 'vitest';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { createVisitRoutes } from './visit.ts';

async function createClients(members: Parameters<typeof createTestSite>[0] = {}) {
  const clock = { now: () => Date.UTC(2026, 10, 27), monotonic: () => 0 };
  const site = await createTestSite({ clock, ...members });
  const [show, remove] = createVisitRoutes(site).map((route) => createRouteClient(route));
  if (show === undefined || remove === undefined) throw new Error('there are no routes');
  return { site, show, remove };
}

const ask = (session: unknown) => JSON.stringify({ session });

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
