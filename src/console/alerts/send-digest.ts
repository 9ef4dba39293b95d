import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildClickCounts, buildCommissionReport } from '../../core/commissions/commission-report.ts';
import { toUtc } from '../../core/commissions/local-time.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import type { RollupReader } from '../../stores/rollup-reader.ts';
import type { ConsoleAlert } from './alerts.ts';
import { buildDigest } from './build-digest.ts';
import { type DigestFrequency, findDueDigest } from './digest-period.ts';

const SENT_KEY = 'last-digest';

export interface SendDigestOptions {
  readonly frequency: DigestFrequency;
  /** 0 to 23, local time. */
  readonly hour: number;
  readonly timeZone: string;
  /** The day on which a weekly digest is sent. */
  readonly weekStart: WeekStart;
  readonly outbox: Pick<NotificationOutbox, 'add' | 'readState' | 'writeState'>;
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly readAlerts: () => Promise<readonly ConsoleAlert[]>;
  readonly rollups: Pick<RollupReader, 'readByKey'>;
  readonly names: ReadonlyMap<string, string>;
  readonly site: { readonly siteName: string; readonly consoleUrl: string };
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * Puts the digest that is due into the outbox; false when none is. Its id is that of its day, so that the outbox takes
 * it once, from however many processes. Rejects with the errors of the stores.
 */
export async function sendDigest(options: SendDigestOptions): Promise<boolean> {
  const { outbox, timeZone, rollups, readEntries, readAlerts, names, site, now } = options;
  const period = findDueDigest(now(), options);
  if (period === null || (await outbox.readState(SENT_KEY)) === period.key) return false;
  const [entries, alerts, clicks] = await Promise.all([
    readEntries(),
    readAlerts(),
    rollups.readByKey({ dimension: 'partner', from: period.from, to: period.to }),
  ]);
  const by = { by: 'partner', answerField: '' } as const;
  const report = buildCommissionReport(
    entries.filter(({ isCounted }) => isCounted),
    buildClickCounts(clicks, by),
    {
      ...by,
      clock: 'booking',
      model: 'clickPage',
      from: toUtc(Date.parse(`${period.from}T00:00:00Z`), timeZone),
      to: toUtc(Date.parse(`${period.to}T00:00:00Z`) + DAY_MS, timeZone),
      timeZone,
    },
  );
  const digest = buildDigest({ period, report, names, alerts, ...site, now: now() });
  const added = await outbox.add(digest, ['mail']);
  await outbox.writeState(SENT_KEY, period.key);
  return added > 0;
}
