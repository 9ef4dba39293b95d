import { readFileSync } from 'node:fs';
import type { Console } from '../../console/console.ts';
import { openBuiltContent } from '../../content-files/built-content.ts';
import type { NotificationChannel } from '../../core/console/notification.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { parseSubscriber, type RateLimiter, type SharedRateLimiter } from '../../server/http/rate-limiter.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import type { LimitName, Platform } from '../../server/platform.ts';
import { type Settings, SettingsError } from '../../server/settings.ts';
import type { Site } from '../../server/site.ts';
import type { BodySource } from '../../sources/articles/html/prepare-body.ts';
import type { SanitizePolicy } from '../../sources/articles/html/sanitize-html.ts';
import type { ArticleBody } from '../../sources/articles/html/structure-body.ts';
import { fetchGet, fetchPost } from '../../sources/http/fetch.ts';
import { createLinkFetch } from '../../sources/links/link-request.ts';
import type { SmtpOptions } from '../../sources/mail/smtp-channel.ts';
import { createR2EventArchive, type R2Connection } from '../../stores/archive.ts';
import { ArticleCopies } from '../../stores/article-copies.ts';
import { SqlEventStore } from '../../stores/events.ts';
import {
  createDeliveredWrites,
  createJsonWrites,
  QueuedEventStore,
  type QueuedMessage,
} from '../../stores/queued-events.ts';
import { type D1Connection, D1Executor } from '../../stores/sql/d1-executor.ts';
import { BucketDeadLetters, type ConsumedMessages, consumeEvents } from './queue-consumer.ts';

interface QueueProducer {
  send(body: unknown): Promise<unknown>;
}

/** The D1 databases of the worker, one for each set of migrations, its queues, its bucket and its limits. */
export interface Bindings {
  readonly LIMIT_EVENTS: RateLimitBinding;
  readonly LIMIT_FORMS: RateLimitBinding;
  readonly LIMIT_ATTEMPTS: RateLimitBinding;
  readonly LIMIT_GUESSES: RateLimitBinding;
  readonly LIMIT_CONSOLE: RateLimitBinding;
  readonly LIMIT_VISITS: RateLimitBinding;
  readonly EVENTS: D1Connection;
  readonly COMMISSIONS: D1Connection;
  readonly CONSOLE: D1Connection;
  readonly NOTIFICATIONS: D1Connection;
  readonly ARTICLES: D1Connection;
  readonly EVENT_QUEUE: QueueProducer;
  /** Where events older than EVENT_HOT_DAYS go, and those that cannot be stored. */
  readonly ARCHIVE: R2Connection;
}

/** After these times the collector and the redirect try the queue as well. */
const COLLECTOR_WAIT = { waitMs: 2_000 };
/** The visitor leaves after 35 ms; what has their click by then goes on for as long as an instance may. */
const VISITOR_WAIT = { waitMs: 25, giveUpMs: 20_000 };

/** The bindings of the databases that a site opens by name. */
const DATABASES = { commissions: 'COMMISSIONS', console: 'CONSOLE', notifications: 'NOTIFICATIONS' } as const;

const DEAD = 'Events wait among the dead letters';
const HOW_TO_STORE =
  'messages could not be stored: signpost edge dead-letters --remote lists them, "dead-letters store" stores them.';

/** Where workerd shows the modules of a worker as files. */
const BUNDLE = '/bundle';

/** Stores what the queues deliver, and sends what cannot be stored to the dead letters. Never rejects. */
export function consumeQueue(
  messages: readonly QueuedMessage[],
  { EVENTS, ARCHIVE }: Bindings,
): Promise<ConsumedMessages> {
  const store = new SqlEventStore(new D1Executor(EVENTS), createDeliveredWrites);
  return consumeEvents(messages, { store, deadLetters: new BucketDeadLetters(ARCHIVE) });
}

/** Creates what only a worker has: content of the bundle, D1, queues. Throws `SettingsError`. */
export function createWorkerPlatform(
  settings: Settings,
  bindings: Bindings,
  pageHashes: PageHashes,
  log: Log,
  keepAlive: (work: Promise<unknown>) => void,
): Platform {
  if (settings.FORM_KEY === '') {
    throw new SettingsError(['FORM_KEY: is needed on Workers, where many instances check a form']);
  }
  if (settings.LEDGER_COPY !== '') {
    const reason =
      'is for a server with a disk: on Workers, D1 keeps every minute of the last days itself (Time Travel)';
    throw new SettingsError([`LEDGER_COPY: ${reason}`]);
  }
  const connect = (name: 'EVENTS' | 'COMMISSIONS' | 'CONSOLE' | 'NOTIFICATIONS' | 'ARTICLES') =>
    new D1Executor(bindings[name]);
  const limits: Readonly<Record<LimitName, RateLimitBinding>> = {
    events: bindings.LIMIT_EVENTS,
    forms: bindings.LIMIT_FORMS,
    attempts: bindings.LIMIT_ATTEMPTS,
    guesses: bindings.LIMIT_GUESSES,
    console: bindings.LIMIT_CONSOLE,
    visits: bindings.LIMIT_VISITS,
  };
  return {
    log,
    pageHashes,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    content: openBuiltContent((part) => readFileSync(`${BUNDLE}/${part}.json`, 'utf8'), __SOURCE_STATE__),
    // A worker has no folder of its operator: it verifies no agent.
    readCrawlerRanges: () => new Map(),
    contentDir: BUNDLE,
    images: null,
    openEvents: () => openEvents(bindings, settings),
    openEventArchive: () => createR2EventArchive(bindings.ARCHIVE),
    // Nothing waits in the memory of an instance, which may end at any time: what neither takes is counted as lost.
    eventQueue: { capacity: 0, keepAlive },
    openDatabase: (name) => connect(DATABASES[name]),
    secretsFile: null,
    httpGet: fetchGet,
    httpPost: fetchPost,
    createLinkRequests: createLinkFetch,
    async openArticles() {
      const database = connect('ARTICLES');
      // A database that fails now shows with the first read, which is reported.
      await new ArticleCopies(database).removeOthers(settings.ARTICLE_SOURCE).catch(() => undefined);
      return { database, keepAlive };
    },
    createBodyProcessor: createLazyBodyProcessor,
    createMailChannel: createLazyMailChannel,
    uploads: null,
    readDisk: async () => null,
    readDataProblems: async () => {
      const { length } = await new BucketDeadLetters(bindings.ARCHIVE).list();
      return length === 0 ? [] : [{ key: 'dead-letters', title: DEAD, detail: `${length} ${HOW_TO_STORE}` }];
    },
    readCopyProblem: () => null,
    // D1 can be restored to every minute of the last days (Time Travel).
    readLastBackup: () => Date.now(),
    isSample: false,
    // 16 MB, OWASP's choice for little memory: an instance of a worker has 128 MB for everything.
    passwordCost: { cost: 2 ** 14, blockSize: 8, parallelization: 5 },
    shareLimiter: (name, limiter) => createBindingLimiter(limiter, limits[name], log),
    hasTimers: false,
    sharesWork: false,
  };
}

function openEvents({ EVENTS, EVENT_QUEUE }: Bindings, settings: Settings) {
  const executor = new D1Executor(EVENTS);
  const store = new SqlEventStore(executor, createJsonWrites);
  const queue = { send: async (events: readonly SiteEvent[]) => void (await EVENT_QUEUE.send(events)) };
  // So many events that a database would be full are also too many to write one by one.
  const path = settings.EVENT_HOT_DAYS > 0 ? 'queue' : 'database';
  const create = (wait: typeof COLLECTOR_WAIT) => new QueuedEventStore({ store, queue, path, ...wait });
  return { executor, store: create(COLLECTOR_WAIT), visitorStore: create(VISITOR_WAIT) };
}

/** Prepares bodies; the code is loaded with the first one. */
function createLazyBodyProcessor(readPolicy: () => SanitizePolicy) {
  let prepare: ((body: BodySource) => ArticleBody) | null = null;
  return {
    async process(body: BodySource): Promise<ArticleBody> {
      const { createBodyPreparer } = await import('../../sources/articles/html/prepare-body.ts');
      prepare ??= createBodyPreparer(readPolicy());
      return prepare(body);
    },
    close: async () => undefined,
  };
}

/** Sends mail; the code is loaded with the first one. */
function createLazyMailChannel(options: SmtpOptions): NotificationChannel {
  return {
    async send(notification) {
      const { createSmtpChannel } = await import('../../sources/mail/smtp-channel.ts');
      await createSmtpChannel(options).send(notification);
    },
  };
}

/** A rate limit of Workers: it counts calls in a data center, over periods of 60 s, as `wrangler.jsonc` says. */
export interface RateLimitBinding {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The binding does not say when the period ends. */
const PERIOD_SECONDS = 60;

/**
 * Limits the requests of an address in this instance as on Node, and those that other instances of the data center take
 * as well with the binding, which counts each call as one. While the binding fails, this instance decides alone.
 */
export function createBindingLimiter(
  local: RateLimiter,
  binding: RateLimitBinding,
  log: Log,
): SharedRateLimiter {
  return {
    async take(address, cost) {
      const seconds = local.take(address, cost);
      if (seconds > 0) return seconds;
      try {
        const { success } = await binding.limit({ key: parseSubscriber(address) });
        return success ? 0 : PERIOD_SECONDS;
      } catch (error) {
        log.warn('a rate limit could not be read', { error });
        return 0;
      }
    },
  };
}

/** Creates a console whose code is loaded with its first use: an instance that shows pages needs none. */
export function createLazyConsole(site: Site): Console {
  let opened: Console | null = null;
  // Requests share the console and no promise: one cannot wait for what another one has begun.
  const open = async () => {
    const { createConsole } = await import('../../console/console.ts');
    opened ??= createConsole(site);
    return opened;
  };
  return {
    respond: async (context, render) => (await open()).respond(context, render),
    createEntryPath: async () => (await open()).createEntryPath(),
    runDueJobs: async () => (await open()).runDueJobs(),
    close: async () => opened?.close(),
  };
}
