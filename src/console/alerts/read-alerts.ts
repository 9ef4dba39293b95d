import { NO_ANSWER_CODES } from '../../core/assessment/answers.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { encodeClickId } from '../../core/commissions/ledger/click-token.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { buildOutboundUrl } from '../../core/outbound/build-outbound-url.ts';
import { needsOperator } from '../../core/outbound/link-state.ts';
import { UNKNOWN_VISIT } from '../../core/outbound/outbound-link.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import { holdContent, type Site } from '../../server/site.ts';
import { readKnownLinks } from '../content/updates.ts';
import { buildAlerts, type ConsoleAlert, type PartnerActivity, type PendingMoney } from './build-alerts.ts';

/** Clicks and money of so many days depend on a link. */
const RISK_DAYS = 30;
/** The overview is opened many times while nothing changes. */
const MAX_AGE_MS = 30_000;
/** An id that no click has. */
const SAMPLE_CLICK = '00000000-0000-4000-8000-000000000000';

/**
 * Creates the reader of alerts, whose result is at most 30 seconds old, and not older than the last `forgetAlerts`. It
 * rejects with `EventStoreError` or `CommissionStoreError`.
 */
export function createAlertReader(site: Site) {
  let last: { readonly at: number; readonly alerts: Promise<readonly ConsoleAlert[]> } | null = null;
  return {
    readAlerts: () => {
      const now = site.clock.now();
      if (last === null || now - last.at > MAX_AGE_MS) {
        const reading = { at: now, alerts: readAlerts(holdContent(site)) };
        last = reading;
        // A failure is tried again with the next read.
        reading.alerts.catch(() => {
          if (last === reading) last = null;
        });
      }
      return last.alerts;
    },
    forgetAlerts: () => {
      last = null;
    },
  };
}

async function readAlerts(site: Site): Promise<readonly ConsoleAlert[]> {
  const { settings, platform, clock } = site;
  const { commissions, rollups, clicks, ledger } = site.money;
  const content = site.content.read();
  const { articles } = site.content;
  const held = articles.getHeldDeletions();
  const [unread, entries, counts, syncs, disk, firstEvent, known] = await Promise.all([
    ledger.countUnread(),
    commissions.readEntries(),
    rollups.readByDayAndKey({ dimension: 'partner' }),
    readSyncRows(site),
    platform.readDisk(),
    clicks.readFirstEventTime(),
    readKnownLinks(site),
  ]);
  const since = clock.now() - RISK_DAYS * DAY_MS;
  const firstDay = getLocalDay(since, settings.TIME_ZONE);
  const partners = [...content.partners.values()].map((partner) =>
    buildActivity(
      partner,
      entries.filter(({ commission }) => commission.partner === partner.key && !commission.isTest),
      counts.filter(({ key: [key] }) => key === partner.key),
      settings.TIME_ZONE,
    ),
  );
  return buildAlerts({
    now: clock.now(),
    unread: unread.map(({ partner, ...rest }) => ({
      ...rest,
      name: content.partners.get(partner)?.name ?? partner,
    })),
    partners,
    links: known.flatMap(({ link: { partner, url }, record }) => {
      if (partner === null || record === null || !needsOperator(record)) return [];
      const { origin, pathname } = new URL(url);
      const recent = entries.filter(
        ({ commission }) => commission.partner === partner && commission.eventTime >= since,
      );
      const days = counts.filter(({ key: [key], day }) => key === partner && day > firstDay);
      return [
        {
          ...{ partner, address: origin + pathname, state: record.state, reason: record.reason },
          name: content.partners.get(partner)?.name ?? partner,
          clicks: days.reduce((sum, day) => sum + day.clicks, 0),
          money: findMost(recent, ['pending', 'approved', 'paid']),
        },
      ];
    }),
    failedSyncs: syncs.flatMap(({ network, last }) => {
      if (last?.state !== 'failed') return [];
      const isOwn = ({ commission }: LedgerEntry) =>
        content.partners.get(commission.partner)?.terms.network === network;
      return [{ network, problem: last.problem, pending: findMost(entries.filter(isOwn), ['pending']) }];
    }),
    heldDeletions: held && { held, known: articles.getSummaries().length },
    disk,
    backup: { last: platform.readLastBackup(), firstEvent },
    limits: { clicks: settings.ALERT_CLICKS, backupDays: settings.ALERT_BACKUP_DAYS },
  });
}

function buildActivity(
  partner: Partner,
  entries: readonly LedgerEntry[],
  days: readonly { readonly day: string; readonly clicks: number }[],
  timeZone: string,
): PartnerActivity {
  const leads = entries
    .map(({ commission }) => commission)
    .filter(({ kind }) => kind === 'lead' || kind === 'sale')
    .map(({ eventTime }) => eventTime);
  const lastDay = leads.length === 0 ? '' : getLocalDay(leads.reduce(max), timeZone);
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
    pending: findMost(entries, ['pending']),
  };
}

/** The money of commissions in some states, in the currency with the most of it. */
function findMost(
  entries: readonly LedgerEntry[],
  statuses: readonly LedgerEntry['commission']['status'][],
): PendingMoney | null {
  const sums = new Map<string, number>();
  for (const { commission, isCounted } of entries) {
    const { status, amount, currency } = commission;
    if (isCounted && statuses.includes(status)) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  const [largest] = [...sums].sort(([, one], [, other]) => other - one);
  return largest === undefined || largest[1] <= 0 ? null : { currency: largest[0], amount: largest[1] };
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
