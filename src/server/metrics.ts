import { Counter, collectDefaultMetrics, Histogram, Gauge as PrometheusGauge, Registry } from 'prom-client';
import type { LinkState } from '../core/outbound/link-state.ts';
import { matchPartnerPath, type Partner } from '../core/outbound/partner.ts';
import { CONSOLE_PASSKEYS_PATH, CONSOLE_SIGN_IN_PATH, POSTBACK_PATTERN } from '../core/paths.ts';
import { buildArticleGauges } from './articles/articles.ts';
import { CONTENT_PROBLEM_KINDS, classifyContentProblem, readProblems, readWarnings } from './http/health.ts';
import type { Site } from './site.ts';

/** A number that is read when the metrics are requested, with its Prometheus name, such as `signpost_events_stored`. */
export type Gauge = readonly [name: string, help: string, read: () => number | Promise<number>];

/** The same with labels: what it reads has a value for each set of labels. */
export type LabeledGauge = readonly [
  name: string,
  help: string,
  labels: readonly string[],
  read: () => Promise<readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]>,
];

/** What the status of a response tells of a message from a network. */
const POSTBACK_RESULTS: ReadonlyMap<number, string> = new Map([
  [200, 'accepted'],
  [400, 'unread'],
  [401, 'unsigned'],
  [404, 'unknown'],
  [429, 'limited'],
  [503, 'unavailable'],
]);
const POSTBACK_PREFIX = POSTBACK_PATTERN.slice(0, POSTBACK_PATTERN.indexOf(':'));
const SIGN_IN_FAILURES: ReadonlySet<number> = new Set([401, 403, 429]);

/** The process's metrics for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of requests, the process and the given gauges. */
export function createMetrics(
  gauges: readonly Gauge[],
  readContent: () => { readonly partners: ReadonlyMap<string, Partner> },
  labeledGauges: readonly LabeledGauge[] = [],
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // These are gauges with the ending of counters, which `promtool check metrics` reports; the same without it stay.
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  const requests = new Histogram({
    name: 'signpost_request_seconds',
    help: 'Time from the request to its last byte, by kind and status class',
    labelNames: ['kind', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  for (const [name, help, read] of gauges) {
    new PrometheusGauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  }
  for (const [name, help, labelNames, read] of labeledGauges) {
    new PrometheusGauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset();
        for (const [labels, value] of await read()) this.set(labels, value);
      },
    });
  }
  const { postbacks, signIns } = createCounters(registry);
  return {
    /** Counts a request by its path, status and duration. */
    countRequest(path: string, status: number, seconds: number) {
      const kind = classifyRequest(path, readContent().partners);
      requests.labels(kind, `${Math.floor(status / 100)}xx`).observe(seconds);
      if (kind === 'postback') postbacks.inc({ result: POSTBACK_RESULTS.get(status) ?? 'refused' });
      const isSignIn = path === CONSOLE_SIGN_IN_PATH || path.startsWith(CONSOLE_PASSKEYS_PATH);
      if (isSignIn && SIGN_IN_FAILURES.has(status)) signIns.inc();
    },
    /** Text exposition format 0.0.4. */
    render: () => registry.metrics(),
  };
}

function createCounters(registry: Registry) {
  const postbacks = new Counter({
    name: 'signpost_postbacks_total',
    help: 'Messages of networks since start, by result',
    labelNames: ['result'],
    registers: [registry],
  });
  const signIns = new Counter({
    name: 'signpost_sign_ins_failed_total',
    help: 'Failed and refused attempts to sign in to the console since start',
    registers: [registry],
  });
  return { postbacks, signIns };
}

/** What a request was for: few values, never a path that a visitor chose. */
export function classifyRequest(path: string, partners: ReadonlyMap<string, Partner>) {
  if (matchPartnerPath(path, partners) !== null) return 'go';
  if (path.startsWith(POSTBACK_PREFIX)) return 'postback';
  if (/^\/(api|functions)\//.test(path)) return 'api';
  return /\.[a-z0-9]+$/.test(path) ? 'file' : 'page';
}

/** Builds the gauges of events, clicks, problems, warnings and articles. */
export function buildSiteGauges(site: Site): readonly Gauge[] {
  const { eventCounters: counters, clickQueue, clickRate } = site.visitors;
  const { ledger } = site.money;
  const { articles, links } = site.content;
  const countLinks = async (state: LinkState) => {
    if (!ledger.exists()) return 0;
    const counts = await links.countStates().catch(() => null);
    return counts === null ? Number.NaN : (counts.get(state) ?? 0);
  };
  const countUnread = async () => {
    if (!ledger.exists()) return 0;
    const counts = await ledger.countUnread().catch(() => null);
    return counts?.reduce((sum, { count }) => sum + count, 0) ?? Number.NaN;
  };
  return [
    ['signpost_events_stored', 'Events stored since start', () => counters.stored],
    ['signpost_events_duplicate', 'Events that were stored already', () => counters.duplicates],
    ['signpost_appends_refused', 'Appends that the store could not take', () => counters.refused],
    ['signpost_clicks_waiting', 'Clicks in memory that wait for the store', () => clickQueue.waiting],
    [
      'signpost_clicks_skipped',
      'Clicks beyond the rate of their address that were not stored',
      () => clickRate.skipped,
    ],
    [
      'signpost_clicks_lost',
      'Clicks that did not fit into memory while the store was unavailable',
      () => clickQueue.lost,
    ],
    [
      'signpost_messages_unread',
      'Messages of networks that could not be read and wait for the operator',
      countUnread,
    ],
    ['signpost_links_broken', 'Watched links that two checks have found broken', () => countLinks('broken')],
    [
      'signpost_links_changed',
      'Watched links that differ from what was accepted',
      () => countLinks('changed'),
    ],
    [
      'signpost_warnings',
      'Warnings of the article source and the event store',
      async () => (await readWarnings(site)).length,
    ],
    ['signpost_problems', 'Reasons why the site is not ready', async () => (await readProblems(site)).length],
    [
      'signpost_backup_age_seconds',
      'Time since the last backup of the data; NaN without one',
      () => (site.clock.now() - (site.platform.readLastBackup() ?? Number.NaN)) / 1_000,
    ],
    [
      'signpost_disk_free_bytes',
      'Free space of the disk of the data; NaN when it is not known',
      async () => ((await site.platform.readDisk())?.freeMb ?? Number.NaN) * 1_048_576,
    ],
    [
      'signpost_commit_seconds',
      'The longest commit of the last minute; NaN when it is not known',
      () => (site.platform.readCommitMs?.() ?? Number.NaN) / 1_000,
    ],
    ...buildArticleGauges(articles),
  ];
}

/** Builds the gauges of what needs a person: databases, content, outbox and networks. */
export function buildLabeledGauges(site: Site): readonly LabeledGauge[] {
  const { dataHealth, visitors, content } = site;
  const { ledger } = site.money;
  return [
    [
      'signpost_database_usable',
      '1 while a database can be written, else 0',
      ['database'],
      async () => {
        const problems = await dataHealth.read();
        const isEventsUsable = (await visitors.events.probe()) === null;
        return ['events', 'commissions', 'console', 'notifications'].map((database) => {
          const isUsable =
            database === 'events' ? isEventsUsable : !problems.some(({ key }) => key === database);
          return [{ database }, Number(isUsable)];
        });
      },
    ],
    [
      'signpost_content_problems',
      'What of the content is left out, shown from a copy, or frozen',
      ['kind'],
      async () => {
        const kinds = content.readWarnings().map(classifyContentProblem);
        return CONTENT_PROBLEM_KINDS.map((kind) => [{ kind }, kinds.filter((one) => one === kind).length]);
      },
    ],
    [
      'signpost_notifications',
      'Notifications of the outbox by state, as of the last minute',
      ['state'],
      async () => {
        await dataHealth.read();
        return [...dataHealth.getOutbox()].map(([state, count]) => [{ state }, count]);
      },
    ],
    [
      'signpost_last_message_timestamp_seconds',
      'When the newest message of a network arrived, by partner',
      ['network', 'partner'],
      async () => {
        if (!ledger.exists()) return [];
        const times = await ledger.readLastMessages().catch(() => new Map<string, number>());
        const { partners } = content.read();
        return [...times].map(([partner, at]) => {
          const network = partners.get(partner)?.terms.network ?? 'unknown';
          return [{ network, partner }, at / 1_000];
        });
      },
    ],
  ];
}
