import type { Clock } from '../../../core/clock.ts';
import type { CrawlSchedule } from './cached-source-options.ts';
import type { Crawler } from './crawler.ts';

interface CrawlWhenDueOptions {
  readonly schedule: CrawlSchedule;
  readonly crawler: Crawler;
  readonly clock: Clock;
  /** Ms between two crawls. */
  readonly freshMs: number;
  /** Reads what other instances have stored. */
  readonly followStore: () => Promise<unknown>;
}

/** How soon a crawl that has failed begins again. */
const RETRY_MS = 60_000;

/** Reads the source unless another instance does, or has done so for the time that copies are fresh. */
export async function crawlWhenDue({
  schedule,
  crawler,
  clock,
  freshMs,
  followStore,
}: CrawlWhenDueOptions): Promise<void> {
  const startedAt = clock.now();
  const last = await schedule.take(startedAt);
  if (last === null) return;
  await followStore();
  const isDone = await crawler.crawl(crawler.isFullDue(last, startedAt));
  await schedule.finish(
    isDone
      ? { startedAt, dueAt: startedAt + freshMs }
      : { startedAt: last, dueAt: startedAt + Math.min(freshMs, RETRY_MS) },
  );
}
