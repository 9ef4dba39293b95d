import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { KILL_ROUNDS, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { createCounters, NOTHING_WRONG } from '../support/delivery-counters.ts';
import { startSite } from '../support/site.ts';

const EVENTS_PER_ROUND = 100;
/** A start takes ten seconds on a busy machine. */
const MAX_MS = 600_000;

it(
  'stores every acknowledged event once in D1, whatever moment workerd is killed at',
  async () => {
    const site = await startSite({
      runtime: 'workers',
      program: ['test/edge/serve-without-queue.ts'],
      env: { EVENT_RATE: '0' },
    });
    onTestFinished(() => site.remove());
    const port = Number(new URL(site.url).port);
    const counters = createCounters();
    const waitFor = (count: number) =>
      vi.waitUntil(() => counters.acknowledged.size >= count, { timeout: 60_000, interval: 5 });
    const random = createChance(SEED + 4);
    for (let round = 0; round < KILL_ROUNDS; round++) {
      // Single events and batches in turn; the kill falls anywhere in a commit.
      const load = counters.start(port, { eventsPerPost: round % 2 === 0 ? 1 : 10 });
      await waitFor(counters.acknowledged.size + EVENTS_PER_ROUND);
      await sleep(random() * 50);
      // workerd ends with the process that started it.
      await site.kill();
      await load.stop();
      await site.start();
    }
    // What was never acknowledged is posted until it is, as a sender does.
    while (counters.unknown.length > 0) {
      const load = counters.start(port);
      await waitFor(counters.acknowledged.size + counters.unknown.length);
      await load.stop();
    }
    // A busy machine lets D1 take longer than the collector waits.
    expect([...counters.statuses.keys()].filter((status) => status !== 202 && status !== 503)).toEqual([]);
    expect(counters.acknowledged.size).toBeGreaterThanOrEqual(KILL_ROUNDS * EVENTS_PER_ROUND);
    expect(await counters.compare(site.dataDir)).toEqual(NOTHING_WRONG);
  },
  MAX_MS,
);
