import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { createMessageRetention } from './message-retention.ts';

const NOW = Date.UTC(2025, 10, 20);

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

/** Starts retention with messages that are 31, 29 and 0 days old; resolves with the ages that are left. */
async function runRetention(trustedTime: number | null): Promise<number[]> {
  const site = await createTestSite({ trustedTime: { read: async () => trustedTime } });
  const { ledger } = site.money;
  const build = (age: number) => ({
    id: `${age}`,
    partner: 'kit',
    arrivedAt: NOW - age * DAY_MS,
    content: '{}',
  });
  const ages = [31, 29, 0];
  for (const age of ages) await ledger.append({ facts: [], raw: build(age) });
  const job = createMessageRetention(site);
  job.start();
  await vi.advanceTimersByTimeAsync(DAY_MS);
  await job.stop();
  const left: number[] = [];
  for (const age of ages) if ((await ledger.readRaw(`${age}`)) !== null) left.push(age);
  return left;
}

it('removes messages that are older than 30 days', async () =>
  expect(await runRetention(NOW)).toEqual([29, 0]));

it('removes no message while nothing confirms the clock', async () => {
  vi.setSystemTime(NOW + 500 * DAY_MS);
  expect(await runRetention(null)).toEqual([31, 29, 0]);
});
