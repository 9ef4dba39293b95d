/**
 * Tests of one side of a row: a file, or a file and how the title of a test in it begins. Instead of tests, the reason
 * why nothing on this machine can show it.
 */
type Proofs = readonly (string | readonly [file: string, title: string])[] | { readonly untested: string };

interface ParityProofs {
  readonly node: Proofs;
  readonly workers: Proofs;
}

const BOTH = [
  'test/e2e/serving.spec.ts',
  'test/e2e/security-headers.spec.ts',
  'test/e2e/journey.spec.ts',
  'test/e2e/redirect.spec.ts',
  'test/e2e/pages-contact.spec.ts',
] as const;
const CONSOLE = [
  'test/e2e/console-views.spec.ts',
  'test/e2e/console-figures.spec.ts',
  'test/e2e/console-money.spec.ts',
  'test/e2e/console-work.spec.ts',
  'test/e2e/console-share.spec.ts',
  'test/e2e/console-sign-in.spec.ts',
] as const;
const PARITY = 'test/edge/parity.test.ts';
const LOCAL_WORKER = 'test/edge/local-worker.test.ts';
const EDGE_CACHE = 'src/runtimes/cloudflare/edge-cache.test.ts';
const PAGE_CACHE = 'src/runtimes/node/page-cache.test.ts';
const CACHED_SOURCE = 'src/sources/articles/cache/cached-source.test.ts';
const SHARED_COPIES = 'src/sources/articles/cache/shared-copies.test.ts';

/** The tests of each row of the table in docs/deployment.md, by the first cell of the row. */
export const PARITY_PROOFS: Readonly<Record<string, ParityProofs>> = {
  'pages, feeds, redirects, collector, contact form, security headers': {
    node: [...BOTH, 'src/server/seo/feeds.test.ts'],
    workers: [
      ...BOTH,
      ['test/e2e/hostile-articles.spec.ts', 'the list of hostile articles is whole, and the feeds'],
    ],
  },
  'static files': {
    node: [['test/e2e/serving.spec.ts', 'what the build has compressed is sent as it is']],
    workers: [
      [PARITY, 'serves static files without a request of the worker'],
      ['test/e2e/serving.spec.ts', 'hashed files are cached for a year'],
      ['test/e2e/security-headers.spec.ts', 'every file that a page names carries the whole set'],
    ],
  },
  'page cache': {
    node: [PAGE_CACHE],
    workers: [
      [EDGE_CACHE, 'renders a page once while it is fresh'],
      [EDGE_CACHE, 'holds 8 MB of pages in memory'],
      [LOCAL_WORKER, 'responds from the cache with 304'],
    ],
  },
  'concurrent requests for a page that is not cached': {
    node: [[PAGE_CACHE, 'renders once for concurrent requests']],
    workers: [[EDGE_CACHE, 'renders a page for each of the requests that arrive together']],
  },
  'content files': {
    node: ['test/fault/content-reload.test.ts'],
    workers: [[PARITY, 'has its content in the worker']],
  },
  '`CONTENT_DIR`': {
    node: ['test/fault/content-reload.test.ts'],
    workers: [
      [PARITY, 'has its content in the worker'],
      ['test/e2e/blog-source.spec.ts', 'fit at 320 px'],
    ],
  },
  'article sources': {
    node: ['test/contract/article-source.test.ts', 'test/fault/moved-articles.test.ts'],
    workers: [
      ['test/edge/articles.test.ts', 'reads the whole service with the Cron Trigger'],
      [PARITY, 'reads articles of %s'],
      [LOCAL_WORKER, 'finds articles with a typing mistake'],
    ],
  },
  'copies of articles': {
    node: [
      [CACHED_SOURCE, 'returns a stale copy at once and refreshes it'],
      ['test/fault/articles-site.test.ts', 'does not affect a site that starts during the outage'],
    ],
    workers: [
      [SHARED_COPIES, 'asks the source for an article that has no copy'],
      ['test/edge/articles.test.ts', 'shows the copies of the database after a restart'],
    ],
  },
  start: {
    node: [['test/fault/start.test.ts', 'names every wrong setting and exits with code 1']],
    workers: [[PARITY, 'starts in the first request']],
  },
  'search, related articles': {
    node: ['test/contract/article-finder.test.ts'],
    workers: [
      'edge/test/contract/article-finder.test.ts',
      [LOCAL_WORKER, 'finds articles with a typing mistake'],
    ],
  },
  'edits of articles': {
    node: [[CACHED_SOURCE, 'crawls every page and body and follows changes']],
    workers: [
      [SHARED_COPIES, 'shows an edited article to every instance after the crawl'],
      [SHARED_COPIES, 'reads the source again when the copies are no longer fresh'],
    ],
  },
  '`npm run articles -- purge`': {
    node: [['test/fault/articles-site.test.ts', 'is read again by a purge']],
    workers: [['test/edge/articles.test.ts', 'shows and finds a purged copy']],
  },
  'events, clicks, ledger, operators, notifications': {
    node: [
      'test/contract/event-store.test.ts',
      'test/contract/commission-store.test.ts',
      'test/contract/operator-store.test.ts',
      'test/fault/events-crash.test.ts',
    ],
    workers: [
      'edge/test/contract/event-store.test.ts',
      'edge/test/contract/commission-store.test.ts',
      'edge/test/contract/operator-store.test.ts',
      'test/edge/events-crash.test.ts',
    ],
  },
  'events while the database is slow or fails': {
    node: [
      ['test/fault/events-disk.test.ts', 'responds 503 without ever stopping the event loop'],
      ['test/fault/shutdown.test.ts', 'stores waiting clicks when the disk responds again'],
    ],
    workers: [
      'test/edge/go-faults.test.ts',
      'edge/test/fault/d1-faults.test.ts',
      [LOCAL_WORKER, 'stores events once that were posted twice with the queue first'],
    ],
  },
  'events older than `EVENT_HOT_DAYS`': {
    node: ['test/contract/event-archive.test.ts', 'test/contract/event-archiver.test.ts'],
    workers: [
      'edge/test/contract/event-archive.test.ts',
      ['test/edge/data.test.ts', 'moves everything from Node to a worker and back with archives'],
    ],
  },
  'counts, retention, networks, notifications': {
    node: [
      ['src/server/events/events.test.ts', 'advances until nothing is left'],
      ['test/fault/commissions.test.ts', 'a poll that is killed goes on where it stopped'],
    ],
    workers: [
      ['test/edge/commissions.test.ts', "reads a network's API when the Cron Trigger runs"],
      [
        'test/edge/notifications.test.ts',
        'sends a contact message by email and webhook from the Cron Trigger',
      ],
      'edge/test/contract/rollup-store.test.ts',
    ],
  },
  'postbacks that arrive together': {
    node: [['src/server/commissions/click-matcher.test.ts', 'matches reports together']],
    workers: [
      ['src/server/commissions/click-matcher.test.ts', 'looks up each report alone'],
      ['test/edge/commissions.test.ts', 'responds to each of many postbacks that arrive at the same time'],
    ],
  },
  'rate limits of the collector, forms, postback tokens, console': {
    node: ['src/server/http/rate-limiter.test.ts', 'test/fault/many-addresses.test.ts'],
    workers: [
      'src/runtimes/cloudflare/platform.test.ts',
      'edge/test/rate-limits.test.ts',
      [LOCAL_WORKER, 'asks the rate limits of the worker'],
    ],
  },
  'limits of clicks and rendered pages, copied click tokens': {
    node: [
      'test/fault/click-flood.test.ts',
      ['src/server/outbound/go.test.ts', 'stores a click beyond the rate short'],
    ],
    workers: [[PARITY, 'limits the clicks that an instance stores']],
  },
  'console: all views, passwords, share links': { node: CONSOLE, workers: CONSOLE },
  'password hash': {
    node: [['src/console/access/passwords.test.ts', 'stores the parameters of scrypt']],
    workers: [[PARITY, 'hashes passwords with little memory']],
  },
  'passkeys, limits of sign-in, messages after a form': {
    node: [
      ['test/e2e/console-sign-in.spec.ts', 'signs in with a passkey'],
      'src/console/access/sign-in-limits.test.ts',
      'test/contract/temporary-store.test.ts',
    ],
    workers: [
      ['test/e2e/console-sign-in.spec.ts', 'signs in with a passkey'],
      'edge/test/contract/temporary-store.test.ts',
    ],
  },
  'email, webhooks of alerts and messages': {
    node: ['src/sources/mail/smtp-channel.test.ts', 'src/sources/http/webhook-channel.test.ts'],
    workers: ['test/edge/notifications.test.ts'],
  },
  'CSV import': {
    node: [['src/console/import/run-imports.test.ts', 'imports every row once, wherever the process ends']],
    workers: [['test/edge/import.test.ts', 'imports a file in parts on workerd']],
  },
  'first operator': {
    node: [['test/e2e/console-sign-in.spec.ts', 'the printed address leads to a password']],
    workers: [
      ['test/e2e/console-sign-in.spec.ts', 'the printed address leads to a password'],
      [LOCAL_WORKER, 'opens the console at the one-time address that the operator command prints'],
      'test/edge/wrangler-executor.test.ts',
    ],
  },
  'commands for events, commissions and messages': {
    node: [
      'test/events-command.test.ts',
      'test/commissions-command.test.ts',
      'test/messages-command.test.ts',
    ],
    workers: [
      [LOCAL_WORKER, 'ends with code 0 on SIGTERM and starts again with its events'],
      ['test/e2e/console-work.spec.ts', 'partners, journeys, live and messages show what was stored'],
    ],
  },
  'metrics, request log, connection limits, slow clients': {
    node: ['src/server/metrics.test.ts', 'test/fault/slow-clients.test.ts', 'test/fault/overload.test.ts'],
    workers: { untested: "Cloudflare's network and its log are not on this machine" },
  },
  '`npm run data`': { node: ['test/data-command.test.ts'], workers: ['test/edge/data.test.ts'] },
  'backup alert': {
    node: [['src/console/alerts/build-alerts.test.ts', 'of the backups %j: %j'], 'test/backup.test.ts'],
    workers: [['test/edge/notifications.test.ts', 'sends no alert that there is no backup']],
  },
};
