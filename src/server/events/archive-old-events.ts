import { DAY_MS } from '../../core/clock.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';
import { FIRST_RUN_MS, planRetention } from './remove-old-events.ts';

/**
 * Creates the job that moves old events to the archive and removes archived ones past their retention, at the start and then every day. A
 * clock that nothing confirms moves and removes nothing.
 */
export function createArchiveJob(site: Site): PeriodicJob {
  const run = () => archiveOldEvents(site);
  return new PeriodicJob(site.log, 'old events could not be archived', run, DAY_MS, FIRST_RUN_MS);
}

async function archiveOldEvents(site: Site): Promise<void> {
  const { settings, platform, log } = site;
  const { archive, trustedTime } = site.visitors;
  const { EVENT_HOT_DAYS: hotDays } = settings;
  const now = await trustedTime.read();
  if (now === null) return;
  // Without timers a run has to end soon; the next one continues.
  const maxFiles = platform.hasTimers ? undefined : 1;
  // By whole days, so that a site that starts often writes no more files.
  const due = Math.floor(now / DAY_MS - hotDays) * DAY_MS;
  const archived = await archive.archiveBefore(due, maxFiles);
  if (archived > 0) log.info('old events were archived', { archived, hotDays });
  await removeOldArchive(now, site);
}

async function removeOldArchive(now: number, { settings, log, visitors: { archive } }: Site): Promise<void> {
  const { RETENTION_MONTHS: months } = settings;
  const [first] = await archive.list();
  if (first === undefined) return;
  const plan = planRetention(first.oldest, now, months);
  if (plan.kind === 'refuse') {
    log.warn('archived events past their retention were not removed', { reason: plan.reason });
    return;
  }
  const removed = await archive.removeBefore(plan.before);
  if (removed > 0) log.info('archived events past their retention were removed', { files: removed, months });
}
