import { NO_ANSWER_CODES } from '../../core/assessment/answers.ts';
import { DAY_MS } from '../../core/clock.ts';
import { encodeClickId } from '../../core/commissions/ledger/click-token.ts';
import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { createDayCounter, getLocalDay } from '../../core/commissions/local-time.ts';
import { buildOutboundUrl } from '../../core/outbound/build-outbound-url.ts';
import { adviseClickId, isFoundByLabel } from '../../core/outbound/labels.ts';
import { needsOperator } from '../../core/outbound/link-state.ts';
import { UNKNOWN_VISIT } from '../../core/outbound/outbound-link.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { nameContentFiles } from '../../core/paths.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import { holdContent, type Site } from '../../server/site.ts';
import type { SummedCommissions } from '../../stores/commission-sums.ts';
import type { DataProblem } from '../../stores/data-folder.ts';
import { SharedReads } from '../../stores/share-read.ts';
import { readKnownLinks } from '../content/updates.ts';
import {
  type AlertFacts,
  buildAlerts,
  buildUncomputedAlert,
  type ConsoleAlert,
  type PartnerActivity,
  type PendingMoney,
} from './build-alerts.ts';

/** Clicks and money of so many days depend on a link. */
const RISK_DAYS = 30;
/** The overview is opened many times while nothing changes. */
const MAX_AGE_MS = 30_000;
/** An id that no click has. */
const SAMPLE_CLICK = '00000000-0000-4000-8000-000000000000';

/** Creates the reader of alerts, whose result is at most 30 seconds old, and not older than the last `forgetAlerts`. */
export function createAlertReader(site: Site) {
  const forget = () => new SharedReads<'alerts', readonly ConsoleAlert[]>();
  let [last, readAt] = [forget(), Number.NEGATIVE_INFINITY];
  return {
    readAlerts: () => {
      const now = site.clock.now();
      if (now - readAt > MAX_AGE_MS) [last, readAt] = [forget(), now];
      return last.read('alerts', site.platform.sharesWork, () => readAlerts(holdContent(site)));
    },
    forgetAlerts: () => {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Alerts that are computed from the same facts. */
interface AlertPart {
  /** What they are about. */
  readonly subject: string;
  readonly kinds: readonly string[];
  /** Without which parts of the data they cannot be computed (`DataProblem`). */
  readonly needs: readonly string[];
  readonly read: () => Promise<Partial<AlertFacts>>;
}

/** Computes each part by itself: one that fails hides no other. Never rejects. */
async function readAlerts(site: Site): Promise<readonly ConsoleAlert[]> {
  const { settings, clock } = site;
  const base: AlertFacts = {
    now: clock.now(),
    partners: [],
    unread: [],
    links: [],
    failedSyncs: [],
    heldDeletions: null,
    disk: null,
    data: [],
    content: [],
    backup: { last: clock.now(), firstEvent: null },
  };
  const parts = [...listMoneyParts(site), ...listOtherParts(site)];
  const results = await Promise.allSettled(
    parts.map(async ({ read }) => buildAlerts({ ...base, ...(await read()) })),
  );
  const found = results.map((result) => (result.status === 'fulfilled' ? result.value : []));
  const failed = parts.flatMap((part, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [{ ...part, reason: describeReason(result.reason) }] : [];
  });
  const explain = (alert: ConsoleAlert): ConsoleAlert => {
    const explained = failed.filter(({ needs }) => needs.some((key) => alert.key === `data:${key}`));
    if (explained.length === 0) return alert;
    const subjects = explained.map(({ subject }) => subject).join(', ');
    const detail = `${alert.detail}\nUntil then, no alerts can be computed about: ${subjects}.`;
    return { ...alert, detail, hides: explained.flatMap(({ kinds }) => kinds) };
  };
  const name = (text: string) => nameContentFiles(text, settings.CONTENT_DIR);
  const alerts = found
    .flat()
    .map(explain)
    .map((alert) => ({ ...alert, detail: name(alert.detail) }));
  const hidden = new Set(alerts.flatMap(({ hides = [] }) => hides));
  const uncomputed = failed
    .filter(({ kinds }) => !kinds.every((kind) => hidden.has(kind)))
    .map(({ subject, kinds, reason }) => buildUncomputedAlert(subject, kinds, reason));
  return [...alerts, ...uncomputed];
}

const describeReason = (reason: unknown) => (reason instanceof Error ? reason.message : String(reason));

/** Of a partner without any commission. */
const NOT_ACTIVE: { arrivals: readonly number[]; leads: number; lastLead: number | null } = {
  arrivals: [],
  leads: 0,
  lastLead: null,
};
const MAX_DAY = 100_000_000;

/** What is computed from the ledger; what several parts need is read once. */
function listMoneyParts(site: Site): readonly AlertPart[] {
  const { settings } = site;
  const { commissions, rollups, ledger } = site.money;
  const content = site.content.read();
  const getName = (partner: string) => content.partners.get(partner)?.name ?? partner;
  const { table } = commissions;
  const sums = once(() => table.readCohorts(null));
  const activities = once(async () => table.readActivity());
  const counts = once(() => rollups.readByDayAndKey({ dimension: 'partner' }));
  const money = ['commissions'];
  const both = ['commissions', 'events'];
  return [
    {
      subject: 'unread messages',
      kinds: ['unread'],
      needs: money,
      read: async () => ({
        unread: (await ledger.countUnread()).map(({ partner, ...rest }) => ({
          ...rest,
          name: getName(partner),
        })),
      }),
    },
    {
      subject: 'partners',
      kinds: ['silent', 'no-leads', 'no-sub-id'],
      needs: both,
      async read() {
        const [known, active, days] = await Promise.all([sums(), activities(), counts()]);
        const partners = [...content.partners.values()].map((partner) => ({
          ...buildActivity(
            partner,
            { ...NOT_ACTIVE, ...active.get(partner.key) },
            known.filter((sum) => sum.partner === partner.key),
            days.filter(({ key: [key] }) => key === partner.key),
            settings.TIME_ZONE,
          ),
          advice:
            carriesClick(partner) || isFoundByLabel(partner, content.networks)
              ? null
              : adviseClickId(partner, content.networks),
        }));
        return { partners };
      },
    },
    {
      subject: 'links',
      kinds: ['link'],
      needs: both,
      async read() {
        const to = createDayCounter(settings.TIME_ZONE)(site.clock.now());
        const [links, known, days] = await Promise.all([
          readKnownLinks(site),
          table.readDays({ of: 'booking', from: to - RISK_DAYS + 1, to: MAX_DAY }, null),
          counts(),
        ]);
        return { links: links.flatMap((link) => findBrokenLink(site, link, known, days)) };
      },
    },
    {
      subject: 'readings of networks',
      kinds: ['sync'],
      needs: money,
      async read() {
        const [syncs, known] = await Promise.all([readSyncRows(site), sums()]);
        const failedSyncs = syncs.flatMap(({ network, last }) => {
          if (last?.state !== 'failed') return [];
          const isOwn = ({ partner }: SummedCommissions) =>
            content.partners.get(partner)?.terms.network === network;
          return [{ network, problem: last.problem, pending: findMost(known.filter(isOwn), ['pending']) }];
        });
        return { failedSyncs };
      },
    },
  ];
}

/** What is computed from everything else. */
function listOtherParts(site: Site): readonly AlertPart[] {
  const { platform } = site;
  const { articles } = site.content;
  return [
    {
      subject: 'the data',
      kinds: ['data'],
      needs: [],
      read: async () => ({ data: await readDataProblems(site) }),
    },
    {
      subject: 'missing articles',
      kinds: ['held-deletions'],
      needs: [],
      async read() {
        const held = articles.getHeldDeletions();
        return { heldDeletions: held && { held, known: articles.getSummaries().length } };
      },
    },
    {
      subject: 'the disk',
      kinds: ['disk'],
      needs: [],
      read: async () => ({ disk: await platform.readDisk() }),
    },
    {
      subject: 'backups',
      kinds: ['backup'],
      needs: ['events'],
      async read() {
        const last = platform.readLastBackup();
        return { backup: { last, firstEvent: last ?? (await site.money.clicks.readFirstEventTime()) } };
      },
    },
    {
      subject: 'the content',
      kinds: ['content'],
      needs: [],
      read: async () => ({ content: site.content.readWarnings() }),
    },
  ];
}

/** Calls a function once, also when it fails. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** What of the data cannot be used. A full disk has an alert of its own. */
async function readDataProblems({
  dataHealth,
  platform,
  visitors: { events, outside },
}: Site): Promise<readonly DataProblem[]> {
  const [found, noticed, reason, disk] = await Promise.all([
    dataHealth.read(),
    outside.read(),
    events.probe(),
    platform.readDisk(),
  ]);
  const problems = [...found, ...noticed];
  const isFull = disk !== null && disk.freeMb < disk.minFreeMb;
  if (reason === null || isFull || problems.some(({ key }) => key === 'events')) return problems;
  const detail = `${reason}. Clicks wait in memory, and browsers send their events again later.`;
  return [...problems, { key: 'events', title: 'Events cannot be stored', detail }];
}

function findBrokenLink(
  { clock, settings, content: { read } }: Site,
  { link: { partner, url }, record }: Awaited<ReturnType<typeof readKnownLinks>>[number],
  sums: readonly SummedCommissions[],
  counts: Awaited<ReturnType<Site['money']['rollups']['readByDayAndKey']>>,
): AlertFacts['links'][number][] {
  if (partner === null || record === null || !needsOperator(record)) return [];
  const since = clock.now() - RISK_DAYS * DAY_MS;
  const firstDay = getLocalDay(since, settings.TIME_ZONE);
  const { origin, pathname } = new URL(url);
  const recent = sums.filter((sum) => sum.partner === partner);
  const days = counts.filter(({ key: [key], day }) => key === partner && day > firstDay);
  return [
    {
      partner,
      address: origin + pathname,
      state: record.state,
      reason: record.reason,
      name: read().partners.get(partner)?.name ?? partner,
      clicks: days.reduce((sum, day) => sum + day.clicks, 0),
      money: findMost(recent, ['pending', 'approved', 'paid']),
    },
  ];
}

function buildActivity(
  partner: Partner,
  { arrivals, leads, lastLead }: typeof NOT_ACTIVE,
  sums: readonly SummedCommissions[],
  days: readonly { readonly day: string; readonly clicks: number }[],
  timeZone: string,
): Omit<PartnerActivity, 'advice'> {
  const lastDay = lastLead === null ? '' : getLocalDay(lastLead, timeZone);
  const sum = (from: string) =>
    days.reduce((total, { day, clicks }) => (day > from ? total + clicks : total), 0);
  return {
    partner: partner.key,
    name: partner.name,
    arrivals,
    leads,
    clicksSinceLead: sum(lastDay),
    clicks: sum(''),
    pending: findMost(sums, ['pending']),
  };
}

/** The money of commissions in some states, in the currency with the most of it, beside the other ones. */
function findMost(
  sums: readonly SummedCommissions[],
  statuses: readonly CommissionStatus[],
): PendingMoney | null {
  const amounts = new Map<string, number>();
  for (const { status, amount, currency } of sums)
    if (statuses.includes(status)) amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  const [largest, ...others] = [...amounts]
    .map(([currency, amount]) => ({ currency, amount }))
    .filter(({ amount }) => amount !== 0)
    .sort((one, other) => other.amount - one.amount);
  return largest === undefined || largest.amount <= 0 ? null : { ...largest, others };
}

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
