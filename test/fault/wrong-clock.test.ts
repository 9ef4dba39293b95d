/** @module-tag rest */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { readEvents } from '../support/events.ts';
import { navigate } from '../support/navigate.ts';
import { startSite } from '../support/site.ts';

const FAULTS = import.meta.resolve('../support/process-faults.ts');
const YEAR_MS = 365 * 86_400_000;

it.each([
  ['2001', Date.UTC(2001, 0, 1) - Date.now()],
  ['a year ago', -YEAR_MS],
])('stores events with a time after the build when the clock is at %s', async (_, offset) => {
  const site = await startSite({
    env: { NODE_OPTIONS: `--import=${FAULTS}`, TEST_CLOCK_OFFSET: String(offset) },
  });
  onTestFinished(() => site.remove());
  const event = { id: randomUUID(), name: 'page_view', session: 's', page: '/', time: Date.now() };
  const response = await fetch(`${site.url}/api/journey`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
  });
  expect(response.status).toBe(202);
  await navigate(`${site.url}/go/highlevel`);
  const readTimes = async () => readEvents(site.dataDir).map(({ serverTime }) => Number(serverTime));
  await expect.poll(readTimes).toHaveLength(2);
  const times = await readTimes();
  for (const time of times) expect(Date.now() - time).toBeLessThan(YEAR_MS / 2);
});
