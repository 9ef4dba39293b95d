import { expect, it } from 'vitest';
import { createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleEntry, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import { describeScore, keepVerdicts } from './kept-verdicts.ts';
import type { Verdict } from './verdicts.ts';

const SAID = Date.parse('2026-03-20T12:00:00Z');
const CLICK = SAID - 5 * DAY_MS;
const say = (low: number, high: number): Verdict => ({
  ...{ word: 'usual', lead: '', text: '', doubt: null, arrived: null, returned: null, loss: 0, cost: 0 },
  ...{ range: { low, mean: low, high }, currency: 'USD', learned: null },
});

it('keeps the first range of a month, and counts those that hold what came half a year later', async () => {
  let now = SAID;
  const time = { eventTime: CLICK + DAY_MS, changeTime: CLICK + DAY_MS };
  const entry = buildSampleEntry(
    [{ nativeId: 'c-1', status: 'approved', amount: 4_000, ...time }],
    buildSampleJourney({ page: '/right', clickTime: CLICK }),
  );
  const site = await createTestConsole({
    entries: [entry],
    now: () => now,
    rollups: createMemoryRollups([]),
  });
  await keepVerdicts(site, 'page', [
    ['/right', say(3_000, 5_000)],
    ['/wrong', say(3_000, 5_000)],
    ['/silent', { ...say(0, 0), range: null }],
  ]);
  await keepVerdicts(site, 'page', [['/right', say(0, 1)]]);
  expect(await describeScore(site, 'page')).toBeNull();
  now = Date.parse('2026-10-02T12:00:00Z');
  const score = '1 of 2 ranges given half a year ago were right';
  expect(await describeScore(site, 'page')).toContain(score);
  expect(await describeScore(site, 'campaign')).toBeNull();
  // What came until then is not counted again.
  now = Date.parse('2026-12-02T12:00:00Z');
  expect(await describeScore(site, 'page')).toContain(score);
});

it('keeps nothing of made-up money', async () => {
  const site = await createTestConsole({ entries: [], now: () => SAID });
  await keepVerdicts({ ...site, isLookingAround: true }, 'page', [['/a', say(1, 2)]]);
  expect(await site.money.ledger.readState('verdicts:2026-03')).toBeNull();
});
