import { NO_ANSWER_CODES } from '../../core/assessment/answer-codes.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { encodeClickId } from '../../core/commissions/click-token.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { buildOutboundUrl } from '../../core/outbound/build-outbound-url.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { UNKNOWN_VISIT } from '../../core/outbound/visit.ts';
import type { Content } from '../../core/pages/content.ts';
import { createCommissionSources } from '../../server/commissions/commission-sources.ts';
import type { Commissions } from '../../server/commissions/commissions.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import type { Platform } from '../../server/platform.ts';
import type { Settings } from '../../server/settings.ts';
import type { Rollups } from '../../stores/rollups.ts';
import { type AlertFacts, buildAlerts, type ConsoleAlert, type PartnerActivity } from './build-alerts.ts';

export interface AlertReaderOptions {
  readonly partners: ReadonlyMap<string, Partner>;
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly rollups: Pick<Rollups, 'readByDayAndKey'>;
  readonly readFailedSyncs: () => Promise<AlertFacts['failedSyncs']>;
  readonly readDisk: () => Promise<AlertFacts['disk']>;
  readonly readBackup: () => Promise<AlertFacts['backup']>;
  readonly limits: AlertFacts['limits'];
  readonly timeZone: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/** The overview is opened many times while nothing changes. */
const MAX_AGE_MS = 30_000;
/** An id that no click has. */
const SAMPLE_CLICK = '00000000-0000-4000-8000-000000000000';

/** Reads what alerts are computed from, and computes them. */
export class AlertReader {
  readonly #options: AlertReaderOptions;
  #last: { readonly at: number; readonly alerts: Promise<readonly ConsoleAlert[]> } | null = null;

  constructor(options: AlertReaderOptions) {
    this.#options = options;
  }

  /** At most 30 seconds old. Rejects with `EventStoreError` or `LedgerError`. */
  readAlerts(): Promise<readonly ConsoleAlert[]> {
    const now = this.#options.now();
    if (this.#last === null || now - this.#last.at > MAX_AGE_MS) {
      const reading = { at: now, alerts: this.#compute() };
      this.#last = reading;
      // A failure is tried again with the next read.
      reading.alerts.catch(() => {
        if (this.#last === reading) this.#last = null;
      });
    }
    return this.#last.alerts;
  }

  async #compute(): Promise<readonly ConsoleAlert[]> {
    const { readEntries, rollups, readFailedSyncs, readDisk, readBackup, limits, now } = this.#options;
    const [entries, clicks, failedSyncs, disk, backup] = await Promise.all([
      readEntries(),
      rollups.readByDayAndKey({ dimension: 'partner' }),
      readFailedSyncs(),
      readDisk(),
      readBackup(),
    ]);
    const partners = [...this.#options.partners.values()].map((partner) =>
      this.#buildActivity(
        partner,
        entries.filter(({ commission }) => commission.partner === partner.key && !commission.isTest),
        clicks.filter(({ key: [key] }) => key === partner.key),
      ),
    );
    return buildAlerts({ now: now(), partners, failedSyncs, disk, backup, limits });
  }

  #buildActivity(
    partner: Partner,
    entries: readonly LedgerEntry[],
    days: readonly { readonly day: string; readonly clicks: number }[],
  ): PartnerActivity {
    const leads = entries
      .map(({ commission }) => commission)
      .filter(({ kind }) => kind === 'lead' || kind === 'sale')
      .map(({ eventTime }) => eventTime);
    const lastDay = leads.length === 0 ? '' : getLocalDay(leads.reduce(max), this.#options.timeZone);
    const sum = (from: string) =>
      days.reduce((total, { day, clicks }) => (day > from ? total + clicks : total), 0);
    return {
      partner: partner.key,
      name: partner.name,
      arrivals: entries.flatMap(({ facts }) => facts.map(({ arrivedAt }) => arrivedAt)),
      leads,
      clicksSinceLead: sum(lastDay),
      clicks: sum(''),
      hasSubId: carriesClick(partner),
    };
  }
}

const max = (one: number, other: number) => Math.max(one, other);

/** Whether every link to a partner has the whole id of its click. */
function carriesClick(partner: Partner): boolean {
  const { subId } = partner;
  if (subId === null) return false;
  const click = { id: SAMPLE_CLICK, gpc: true, answers: NO_ANSWER_CODES };
  const token = encodeClickId(SAMPLE_CLICK, subId.encoding);
  return [...partner.destinations.keys()].every((pageKey) => {
    const link = {
      pageKey,
      source: '',
      position: '',
      content: '',
      clickToken: '',
      visit: UNKNOWN_VISIT,
      isRepeated: false,
    };
    return new URL(buildOutboundUrl(partner, link, click)).searchParams.get(subId.parameter) === token;
  });
}

/** Creates the reader of alerts over the stores, the disk and the last backup of the process. */
export function createAlertReader(options: {
  readonly settings: Settings;
  readonly content: Pick<Content, 'partners'>;
  readonly commissions: Commissions;
  readonly rollups: Rollups;
  readonly platform: Pick<Platform, 'clock' | 'httpGet' | 'readDisk' | 'readLastBackup'>;
}): AlertReader {
  const { settings, content, commissions, rollups, platform } = options;
  const { clock } = platform;
  const { partners } = content;
  const networks = [...createCommissionSources(settings, platform).keys()];
  const syncHours = settings.COMMISSION_SYNC_HOURS;
  return new AlertReader({
    partners,
    readEntries: () => commissions.readEntries(),
    rollups,
    async readFailedSyncs() {
      const store = commissions.getLedger()?.store ?? null;
      const rows = await readSyncRows(store, { networks, syncHours, partners });
      return rows.flatMap(({ network, last }) =>
        last?.state === 'failed' ? [{ network, problem: last.problem }] : [],
      );
    },
    readDisk: () => platform.readDisk(),
    readBackup: async () => ({
      last: platform.readLastBackup(),
      firstEvent: await commissions.clicks.readFirstEventTime(),
    }),
    limits: { clicks: settings.ALERT_CLICKS, backupDays: settings.ALERT_BACKUP_DAYS },
    timeZone: settings.TIME_ZONE,
    now: clock.now,
  });
}
