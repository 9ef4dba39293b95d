import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEvents } from '../support/events.ts';
import { createTally, NOTHING_WRONG, type Tally } from '../support/journey-tally.ts';
import { startSite } from '../support/site.ts';
import { startEventsServer } from '../support/start-events-server.ts';

const ROUNDS = 20;
const EVENTS_PER_ROUND = 600;

const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';

/** Waits until so many more events are acknowledged. */
async function untilAcknowledged(tally: Tally, more: number): Promise<void> {
  const goal = tally.acknowledged.size + more;
  const deadline = performance.now() + 30_000;
  while (tally.acknowledged.size < goal) {
    if (performance.now() > deadline) throw new Error(`${goal - tally.acknowledged.size} events are missing`);
    await sleep(5);
  }
}

/** Posts what was never answered until it is, as a sender does. */
async function settleUnknown(tally: Tally, port: number): Promise<void> {
  while (tally.unknown.length > 0) {
    const load = tally.start(port);
    await untilAcknowledged(tally, tally.unknown.length);
    await load.stop();
  }
}

describe('acknowledged events', () => {
  it('are stored once, whatever moment the site is killed at', async () => {
    const site = await startSite({ env: { EVENT_RATE: '0' } });
    onTestFinished(() => site.remove());
    const port = Number(new URL(site.url).port);
    const tally = createTally();
    for (let round = 0; round < ROUNDS; round++) {
      // Single events and batches in turn; the kill falls anywhere in a commit.
      const load = tally.start(port, { eventsPerPost: round % 2 === 0 ? 1 : 10 });
      await untilAcknowledged(tally, EVENTS_PER_ROUND);
      await sleep(Math.random() * 100);
      await site.kill();
      await load.stop();
      await site.start();
    }
    await settleUnknown(tally, port);
    expect(tally.acknowledged.size).toBeGreaterThanOrEqual(10_000);
    expect([...tally.statuses.keys()]).toEqual([202]);
    expect(await tally.compare(site.dataDir)).toEqual(NOTHING_WRONG);
  });

  it('are stored once when the site restarts under load, and nobody sees an error but a broken connection', async () => {
    const site = await startSite({ env: { EVENT_RATE: '0' } });
    onTestFinished(() => site.remove());
    const port = Number(new URL(site.url).port);
    const tally = createTally();
    const load = tally.start(port);
    for (let restart = 0; restart < 3; restart++) {
      await untilAcknowledged(tally, 500);
      expect(await site.stop()).toBe(0);
      await site.start();
    }
    await untilAcknowledged(tally, 500);
    await load.stop();
    await settleUnknown(tally, port);
    expect([...tally.statuses.keys()]).toEqual([202]);
    expect(await tally.compare(site.dataDir)).toEqual(NOTHING_WRONG);
  });

  it('are one row when the server dies between commit and answer, and the sender tries again', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'events-crash-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
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
    expect(await readEvents(dataDir)).toMatchObject([{ id: ID }]);

    const next = await startEventsServer(dataDir);
    onTestFinished(() => next.kill());
    const answer = await post(next.port);
    expect([answer.status, await answer.json()]).toEqual([202, { stored: 0, duplicates: 1, rejected: [] }]);
    expect(await readEvents(dataDir)).toHaveLength(1);
  });
});
