import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { KILL_ROUNDS, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { createFolder } from '../support/create-folder.ts';
import { type Counters, createCounters, NOTHING_WRONG } from '../support/delivery-counters.ts';
import { readEvents } from '../support/events.ts';
import { startSite } from '../support/site.ts';
import { startEventsServer } from '../support/start-events-server.ts';

const EVENTS_PER_ROUND = 600;

const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';

/** Waits until so many more events are acknowledged. */
async function untilAcknowledged(counters: Counters, more: number): Promise<void> {
  const goal = counters.acknowledged.size + more;
  const deadline = performance.now() + 30_000;
  while (counters.acknowledged.size < goal) {
    if (performance.now() > deadline)
      throw new Error(`${goal - counters.acknowledged.size} events are missing`);
    await sleep(5);
  }
}

/** Statuses other than 202, and 503 of a collector that sheds load: those events are unknown, and are posted again. */
const findWrongStatuses = (counters: Counters) =>
  [...counters.statuses.keys()].filter((status) => status !== 202 && status !== 503);

/** Posts what was never acknowledged until it is, as a sender does. */
async function settleUnknown(counters: Counters, port: number): Promise<void> {
  while (counters.unknown.length > 0) {
    const load = counters.start(port);
    await untilAcknowledged(counters, counters.unknown.length);
    await load.stop();
  }
}

it('are stored once, whatever moment the site is killed at', async () => {
  const site = await startSite({ env: { EVENT_RATE: '0' } });
  onTestFinished(() => site.remove());
  const port = Number(new URL(site.url).port);
  const counters = createCounters();
  const random = createChance(SEED + 3);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    // Single events and batches in turn; the kill falls anywhere in a commit.
    const load = counters.start(port, { eventsPerPost: round % 2 === 0 ? 1 : 10 });
    await untilAcknowledged(counters, EVENTS_PER_ROUND);
    await sleep(random() * 100);
    await site.kill();
    await load.stop();
    await site.start();
  }
  await settleUnknown(counters, port);
  expect(counters.acknowledged.size).toBeGreaterThanOrEqual(KILL_ROUNDS * EVENTS_PER_ROUND);
  expect(findWrongStatuses(counters)).toEqual([]);
  expect(await counters.compare(site.dataDir)).toEqual(NOTHING_WRONG);
});

it('events are stored once when the site restarts under load, and visitors see no error but a broken connection', {
  tags: ['rest'],
}, async () => {
  const site = await startSite({ env: { EVENT_RATE: '0' } });
  onTestFinished(() => site.remove());
  const port = Number(new URL(site.url).port);
  const counters = createCounters();
  const load = counters.start(port);
  for (let restart = 0; restart < KILL_ROUNDS; restart++) {
    await untilAcknowledged(counters, 500);
    expect(await site.stop()).toBe(0);
    await site.start();
  }
  await untilAcknowledged(counters, 500);
  await load.stop();
  await settleUnknown(counters, port);
  expect(findWrongStatuses(counters)).toEqual([]);
  expect(await counters.compare(site.dataDir)).toEqual(NOTHING_WRONG);
});

it('are one row when the server dies between commit and response, and the sender tries again', async () => {
  const dataDir = createFolder();
  const event = { id: ID, name: 'free_trial_signup', session: 's1', page: '/blog', time: Date.now() };
  const post = (port: number) =>
    fetch(`http://127.0.0.1:${port}/api/journey`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events: [event] }),
    });

  const dying = await startEventsServer(dataDir, { DIE_AFTER_COMMIT: '1' });
  await expect(post(dying.port)).rejects.toThrow();
  await dying.ended();
  expect(readEvents(dataDir)).toMatchObject([{ id: ID }]);

  const next = await startEventsServer(dataDir);
  onTestFinished(() => next.kill());
  const response = await post(next.port);
  expect([response.status, await response.json()]).toEqual([202, { stored: 0, duplicates: 1, rejected: [] }]);
  expect(readEvents(dataDir)).toHaveLength(1);
});
