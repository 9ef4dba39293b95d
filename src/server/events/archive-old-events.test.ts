import { expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { createArchiveJob } from './archive-old-events.ts';

const NOW = Date.UTC(2026, 10, 20);

async function create(now: number | null, oldest: number | null = null) {
  const archiver = {
    archiveBefore: vi.fn(async () => 3),
    list: async () => (oldest === null ? [] : [{ oldest }]),
    removeBefore: vi.fn(async () => 1),
  };
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const settings = { EVENT_HOT_DAYS: '90', RETENTION_MONTHS: '13' };
  const trustedTime = { read: async () => now };
  const site = await createTestSite({ settings, trustedTime, log, platform: { hasTimers: true } });
  Object.assign(site.visitors.archive, archiver);
  const job = createArchiveJob(site);
  return { archiver, log, job };
}

it('archives whole days that are older than the hot ones', async () => {
  const { archiver, log, job } = await create(NOW + 5 * 3_600_000);
  await job.run();
  expect(archiver.archiveBefore).toHaveBeenCalledWith(NOW - 90 * DAY_MS, undefined);
  expect(log.info).toHaveBeenCalledWith('old events were archived', { archived: 3, hotDays: 90 });
  expect(archiver.removeBefore).not.toHaveBeenCalled();
});

it('moves and removes nothing while nothing confirms the clock', async () => {
  const { archiver, job } = await create(null, 0);
  await job.run();
  expect(archiver.archiveBefore).not.toHaveBeenCalled();
  expect(archiver.removeBefore).not.toHaveBeenCalled();
});

it('removes archived events that are a few days past their retention', async () => {
  const { archiver, job } = await create(NOW, Date.UTC(2025, 9, 15));
  await job.run();
  expect(archiver.removeBefore).toHaveBeenCalledWith(Date.UTC(2025, 9, 20));
});

it('removes nothing when so much is past its retention that a clock is probably wrong', async () => {
  const { archiver, log, job } = await create(NOW, Date.UTC(2025, 0, 1));
  await job.run();
  expect(archiver.removeBefore).not.toHaveBeenCalled();
  expect(log.warn).toHaveBeenCalledOnce();
});

it('logs a failure and does not reject', async () => {
  const { archiver, log, job } = await create(NOW);
  archiver.archiveBefore.mockRejectedValueOnce(new Error('no room'));
  await job.run();
  expect(log.warn).toHaveBeenCalledWith('old events could not be archived', { error: expect.any(Error) });
});

it('leaves out a run while another one is in progress', async () => {
  const { archiver, job } = await create(NOW);
  await Promise.all([job.run(), job.run()]);
  expect(archiver.archiveBefore).toHaveBeenCalledOnce();
  await job.run();
  expect(archiver.archiveBefore).toHaveBeenCalledTimes(2);
});
