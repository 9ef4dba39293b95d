import { expect, it } from 'vitest';
import { buildViewRequest, CONSOLE_NOW, createConsoleLedger } from '../../../test/support/console-ledger.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildSyncLogKey } from '../../core/commissions/sync-log.schema.ts';
import { buildDurations, readPartners } from './read.ts';

async function read(log: string) {
  const counts = { views: 0, sessions: 0, actions: 0, clicks: 8 };
  const site = await createConsoleLedger({
    settings: {
      FIRSTPROMOTER_TOKEN: 'token',
      FIRSTPROMOTER_ACCOUNT_ID: 'account',
      COMMISSION_SYNC_HOURS: '6',
    },
  });
  Object.assign(site.rollups, { readByKey: async () => [{ ...counts, key: ['highlevel'] }] });
  await site.ledger.writeState(buildSyncLogKey('firstpromoter'), log);
  return readPartners(site, buildViewRequest());
}

it('shows clicks, rates and times of a partner', async () => {
  const log = { at: CONSOLE_NOW, state: 'done', stored: 2, matched: 1, problem: '' };
  const { rows, curves } = await read(JSON.stringify(log));
  expect(rows).toEqual([
    expect.objectContaining({
      key: 'highlevel',
      clicks: 8,
      // Both commissions are of one click: a customer who paid twice.
      conversions: 1,
      payments: 1,
      conversionRate: 0.125,
      approvalRate: 1,
      timeToConvert: { median: 2 * DAY_MS, p90: 2 * DAY_MS, count: 1 },
      timeToApprove: { median: 10 * DAY_MS, p90: 10 * DAY_MS, count: 1 },
      nextSyncAt: CONSOLE_NOW + 6 * 3_600_000,
    }),
  ]);
  // Five conversions are needed for a curve.
  expect(curves).toEqual([]);
});

it('a log that cannot be read is as if there was no run', async () => {
  for (const log of ['', '{', '{"at":"x"}']) {
    const { rows } = await read(log);
    expect(rows[0]?.nextSyncAt).toBeNull();
  }
});

it('half of the cases take at most the median, nine of ten at most the 90th percentile', () => {
  expect(buildDurations([])).toBeNull();
  expect(buildDurations([10, 1, 9, 2, 8, 3, 7, 4, 6, 5])).toEqual({ median: 5, p90: 9, count: 10 });
});
