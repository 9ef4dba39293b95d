import { collectDefaultMetrics, Histogram, Gauge as PrometheusGauge, Registry } from 'prom-client';
import type { LinkState } from '../core/outbound/link-state.ts';
import { matchPartnerPath, type Partner } from '../core/outbound/partner.ts';
import { buildArticleGauges } from './articles/articles.ts';
import { readProblems, readWarnings } from './http/health.ts';
import type { Site } from './site.ts';

/** A number that is read when the metrics are requested, with its Prometheus name, such as `signpost_events_stored`. */
export type Gauge = readonly [name: string, help: string, read: () => number | Promise<number>];

/** The process's metrics for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of requests, the process and the given gauges. */
export function createMetrics(
  gauges: readonly Gauge[],
  readContent: () => { readonly partners: ReadonlyMap<string, Partner> },
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
  return {
    /** Counts a request by its path, status and duration. */
    countRequest: (path: string, status: number, seconds: number) =>
      requests
        .labels(classifyRequest(path, readContent().partners), `${Math.floor(status / 100)}xx`)
        .observe(seconds),
    /** Text exposition format 0.0.4. */
    render: () => registry.metrics(),
  };
}

/** What a request was for: few values, never a path that a visitor chose. */
export function classifyRequest(path: string, partners: ReadonlyMap<string, Partner>) {
  if (matchPartnerPath(path, partners) !== null) return 'go';
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
    ...buildArticleGauges(articles),
  ];
}
