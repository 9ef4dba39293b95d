import { DAY_MS } from '../../core/clock.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site, SiteBase } from '../site.ts';

/** Soon after the start, which may be followed by another one: the time is trusted by earlier days, not by this process. */
export const FIRST_RUN_MS = 5_000;

/** Removes events older than RETENTION_MONTHS. */
export class Retention {
  readonly #site: SiteBase;
  #refusal: string | null = null;

  constructor(site: SiteBase) {
    this.#site = site;
  }

  /** Why events past their retention are not removed, for operators. */
  readWarnings(): readonly string[] {
    return this.#refusal === null ? [] : [this.#refusal];
  }

  /** Removes what is past its retention now, unless a clock may be wrong. Rejects with `EventStoreError`. */
  async removeOld(): Promise<void> {
    const { settings, log } = this.#site;
    const { events, crawlerRequests, trustedTime } = this.#site.visitors;
    const { RETENTION_MONTHS: months } = settings;
    const range = await events.readTimeRange();
    const now = await trustedTime.read();
    if (range === null || now === null) return;
    const plan = planRetention(range.oldest, now, months);
    this.#refusal = plan.kind === 'refuse' ? plan.reason : null;
    if (plan.kind === 'refuse') {
      log.warn('events past their retention were not removed', { reason: plan.reason });
      return;
    }
    await crawlerRequests.removeBefore(getLocalDay(plan.before, settings.TIME_ZONE));
    const removed = await events.remove({ before: plan.before });
    if (removed > 0) log.info('events past their retention were removed', { removed, months });
  }
}

/** Creates the job that removes events past their retention, at the start and then every day. */
export function createRetentionJob({ log, visitors: { retention } }: Site): PeriodicJob {
  const failure = 'events past their retention could not be removed';
  return new PeriodicJob(log, failure, () => retention.removeOld(), DAY_MS, FIRST_RUN_MS);
}

/** What retention may do now; times in ms since 1970. */
export type RetentionPlan =
  | { readonly kind: 'remove'; readonly before: number }
  /** The oldest event is so long past its retention that a clock is probably wrong. */
  | { readonly kind: 'refuse'; readonly reason: string };

/** Retention runs every day: what it removes is a few days past its time, or a clock is or was wrong. */
const MAX_OVERDUE_MS = 31 * 86_400_000;

/**
 * Plans the removal of events older than `months`. A wrong clock, now or when an event was stored, must not delete
 * events: at most a month of them is removed at once. `oldest` is the server time of the oldest event.
 */
export function planRetention(oldest: number, now: number, months: number): RetentionPlan {
  const before = buildRetentionLimit(now, months);
  return before - oldest > MAX_OVERDUE_MS
    ? { kind: 'refuse', reason: describeRefusal(oldest, before) }
    : { kind: 'remove', before };
}

/** Builds the time (ms since 1970) before which events are removed: `months` calendar months before `now`. */
export function buildRetentionLimit(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // 31 May minus 3 months would be 31 February: take the last day of that month.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

function describeRefusal(oldest: number, before: number): string {
  const [found, limit] = [oldest, before].map((time) => new Date(time).toISOString().slice(0, 10));
  return (
    `The oldest event is from ${found} and retention ends at ${limit}. More than a month of events is not removed at ` +
    `once, because the clock may be wrong. If both dates are right, run: ${nameCommand('events prune --force')}`
  );
}
