import { DAY_MS } from '../../core/clock.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { TrustedTime } from './events.ts';
import { planRetention } from './remove-old-events.ts';

/** After retention, which runs an hour after the start. */
const FIRST_RUN_MS = 2 * 3_600_000;

interface ArchiveJobOptions {
  readonly archiver: {
    archiveBefore(before: number, maxFiles?: number): Promise<number>;
    list(): Promise<readonly { readonly oldest: number }[]>;
    removeBefore(before: number): Promise<number>;
  };
  /** Days after which events are archived. */
  readonly hotDays: number;
  /** Months after which archived events are removed. */
  readonly months: number;
  /** Most files of one run; all that are due when left out. */
  readonly maxFiles?: number | undefined;
  readonly time: Pick<TrustedTime, 'read'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Creates the job that moves old events to the archive and removes archived ones past their retention, every day. A
 * clock that nothing confirms moves and removes nothing.
 */
export function createArchiveJob(options: ArchiveJobOptions): PeriodicJob {
  let isRunning = false;
  return new PeriodicJob({
    name: 'old events could not be archived',
    async run() {
      // The lease of the archive would refuse it, which is no warning when both runs are of this process.
      if (isRunning) return;
      isRunning = true;
      await archive(options).finally(() => {
        isRunning = false;
      });
    },
    firstMs: FIRST_RUN_MS,
    intervalMs: DAY_MS,
    log: options.log,
  });
}

async function archive(options: ArchiveJobOptions): Promise<void> {
  const { archiver, hotDays, maxFiles, time, log } = options;
  const now = await time.read();
  if (now === null) return;
  const archived = await archiver.archiveBefore(now - hotDays * DAY_MS, maxFiles);
  if (archived > 0) log.info('old events were archived', { archived, hotDays });
  await removeOld(now, options);
}

async function removeOld(now: number, { archiver, months, log }: ArchiveJobOptions): Promise<void> {
  const [first] = await archiver.list();
  if (first === undefined) return;
  const plan = planRetention(first.oldest, now, months);
  if (plan.kind === 'refuse') {
    log.warn('archived events past their retention were not removed', { reason: plan.reason });
    return;
  }
  const removed = await archiver.removeBefore(plan.before);
  if (removed > 0) log.info('archived events past their retention were removed', { files: removed, months });
}
