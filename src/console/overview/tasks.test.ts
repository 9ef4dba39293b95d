import { describe, expect, it } from 'vitest';
import {
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  postChange,
} from '../../../test/support/console-ledger.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { buildSampleNotification } from '../../../test/support/sample-notification.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { ConsoleSite } from '../console-site.ts';
import { countTasks, readOverviewWithTasks, readTasks } from './tasks.ts';

let now = CONSOLE_NOW;

/** Creates a site with an operator, two unmatched commissions and a message of a visitor. */
async function createSite(): Promise<ConsoleSite> {
  now = CONSOLE_NOW;
  const site = await createConsoleLedger({ now: () => now, settings: { TIME_ZONE: 'America/New_York' } });
  await addOperator(site.operators.accounts, { id: 'o-1', name: 'Ada' });
  await site.visitors.events.append([buildMessage()]);
  return site;
}

const buildMessage = () => {
  const data = { topic: 'general', name: 'Grace', email: 'grace@example.com', message: 'Is it right?' };
  return buildSampleEvent({ name: 'contact_message', page: '/contact', data, serverTime: CONSOLE_NOW });
};

const listOpen = async (site: ConsoleSite) => (await readTasks(site)).open.map(({ key }) => key);

const post = (site: ConsoleSite, task: string, until: string) => {
  const action = until === 'return' ? { action: 'end-snooze' } : { action: 'snooze', until };
  return postChange(site, 'overview', { task, ...action }, { search: 'range=91d' });
};

it('names what was refused in the last 7 days and is not sent again', async () => {
  const site = await createSite();
  const { notifications: outbox } = site.operators;
  expect(await listOpen(site)).not.toContain('undelivered');
  await outbox.add(buildSampleNotification({ id: 'a', createdAt: now }), ['mail']);
  const delivery = (await outbox.claim(now, now + 1_000)) ?? expect.fail();
  await outbox.finish(delivery, { state: 'failed', problem: 'mail server: EENVELOPE 550' }, now);
  now += 7 * DAY_MS;
  const { open } = await readTasks(site);
  expect(open.find(({ key }) => key === 'undelivered')?.text).toBe(
    '1 notification was refused in the last 7 days and not sent again (mail: mail server: EENVELOPE 550).',
  );
  now += 1;
  expect(await listOpen(site)).not.toContain('undelivered');
});

it('counts beside the door what the overview has listed', async () => {
  const site = await createSite();
  const { viewer } = buildViewRequest();
  expect(countTasks(site, viewer)).toBe(0);
  const { tasks } = await readOverviewWithTasks(site, buildViewRequest());
  expect(countTasks(site, viewer)).toBe(tasks?.open.length);
  await post(site, tasks?.open[0]?.key ?? '', 'week');
  await readTasks(site);
  expect(countTasks(site, viewer)).toBe((tasks?.open.length ?? 0) - 1);
});

it('lists what there is to do, money first, each with the place where it is done', async () => {
  const { open, snoozed } = await readTasks(await createSite());
  expect(open[0]).toEqual({
    key: 'unmatched:USD',
    kind: 'unmatched',
    amount: 1_600,
    currency: 'USD',
    level: 2,
    text: 'A click is suggested for 2 commissions in USD.',
    detail: '2 commissions without a click wait for a decision.',
    href: '/console/unmatched',
  });
  expect(open.find(({ key }) => key === 'messages')).toMatchObject({
    text: '1 message of a visitor is unread.',
    href: '/console/messages?state=new',
  });
  expect(open.map(({ key }) => key)).toEqual([
    'unmatched:USD',
    'messages',
    'backup',
    'rates:currency',
    'live-pages',
    'claims',
  ]);
  expect(snoozed).toEqual([]);
});

it('follows what was decided at once', async () => {
  const site = await createSite();
  for (const id of ['1003', '1004'])
    await postChange(site, 'unmatched', { partner: 'highlevel', account: 'main', id, action: 'dismiss' });
  expect(await listOpen(site)).not.toContain('unmatched:USD');
});

describe('a snoozed task', () => {
  it.each([
    ['day', 'Dec 29', Date.UTC(2025, 11, 29, 5)],
    ['week', 'Jan 4, 2026', Date.UTC(2026, 0, 4, 5)],
    ['month', 'Jan 28, 2026', Date.UTC(2026, 0, 28, 5)],
  ])('returns with the first minute of the day after a %s, in its time zone', async (choice, day, end) => {
    const site = await createSite();
    const { location, message, isError } = await post(site, 'backup', choice);
    expect({ location, isError }).toEqual({ location: '/console?range=91d', isError: false });
    expect(message).toBe(`Snoozed until ${day}: There is no backup yet.`);
    now = end - 1;
    expect(await listOpen(site)).not.toContain('backup');
    now = end;
    expect(await listOpen(site)).toContain('backup');
  });

  it('is in a list of its own with the day on which it returns, and comes back when asked', async () => {
    const site = await createSite();
    await post(site, 'unmatched:USD', 'month');
    await post(site, 'messages', 'day');
    const { snoozed } = await readTasks(site);
    expect(snoozed.map(({ key, returnDay }) => [key, returnDay])).toEqual([
      ['messages', '2025-12-29'],
      ['unmatched:USD', '2026-01-28'],
    ]);
    expect((await post(site, 'messages', 'return')).isError).toBe(false);
    expect(await listOpen(site)).toContain('messages');
    expect((await post(site, 'messages', 'return')).isError).toBe(true);
  });

  it('comes back when there is more of it', async () => {
    const site = await createSite();
    await post(site, 'messages', 'week');
    expect(await listOpen(site)).not.toContain('messages');
    await site.visitors.events.append([buildMessage()]);
    expect(await listOpen(site)).toContain('messages');
  });

  it.each([
    ['backup', 'year'],
    ['backup', ''],
    ['no-such-task', 'day'],
  ])('cannot be %s for a %s', async (task, action) => {
    const site = await createSite();
    expect((await post(site, task, action)).isError).toBe(true);
    expect(await site.operators.accounts.readSnoozes()).toEqual([]);
  });
});

it('is not read behind a share link, nor without an operator from the database of operators', async () => {
  const site = await createConsoleLedger();
  const shared = await readOverviewWithTasks(
    site,
    buildViewRequest({ viewer: { kind: 'share', id: 's-1' } }),
  );
  expect(shared.tasks).toBeNull();
  expect((await readOverviewWithTasks(site, buildViewRequest())).tasks?.open).not.toEqual([]);
});

it('an alert that is over is gone after the form that ended it, not 30 seconds later', async () => {
  const site = await createSite();
  const alerts = await site.readAlerts();
  Object.assign(site.platform, { readLastBackup: () => now - DAY_MS });
  expect(await site.readAlerts()).toBe(alerts);
  site.forgetAlerts();
  expect((await site.readAlerts()).map(({ key }) => key)).not.toContain('backup');
});
