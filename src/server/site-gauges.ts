import { buildArticleGauges } from './articles/create-articles.ts';
import type { Features } from './features.ts';
import type { Gauge } from './metrics.ts';

/** Builds the gauges of events, clicks, warnings and articles. */
export function buildSiteGauges(
  { events, go, articles }: Pick<Features, 'events' | 'go' | 'articles'>,
  readWarnings: () => readonly string[],
): readonly Gauge[] {
  const { counters } = events;
  return [
    { name: 'signpost_events_stored', help: 'Events stored since start', read: () => counters.stored },
    {
      name: 'signpost_events_duplicate',
      help: 'Events that were stored already',
      read: () => counters.duplicates,
    },
    {
      name: 'signpost_appends_refused',
      help: 'Appends that the store could not take',
      read: () => counters.refused,
    },
    {
      name: 'signpost_clicks_waiting',
      help: 'Clicks in memory that wait for the store',
      read: () => go.clicks.waiting,
    },
    {
      name: 'signpost_clicks_skipped',
      help: 'Clicks beyond the rate of their address that were not stored',
      read: () => go.rate.skipped,
    },
    {
      name: 'signpost_clicks_lost',
      help: 'Clicks that did not fit into memory while the store was unavailable',
      read: () => go.clicks.lost,
    },
    {
      name: 'signpost_warnings',
      help: 'Warnings of the article source and the event store',
      read: () => readWarnings().length,
    },
    ...buildArticleGauges(articles),
  ];
}
