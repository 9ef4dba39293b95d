import { waitUntil } from 'cloudflare:workers';
import type { Hono } from 'hono';
import { createConsoleResponder } from '../../console/http.ts';
import { createApp } from '../../server/app.ts';
import { buildProblem } from '../../server/http/responses.ts';
import { type AppEnv, createRequestId } from '../../server/http/route.ts';
import { type SecurityHeaders, secureResponse } from '../../server/http/security-headers.ts';
import { createLog } from '../../server/log.ts';
import { createPages } from '../../server/pages/pages.ts';
import { parseSettings } from '../../server/settings.ts';
import {
  createCommissionJobs,
  createRouteFinder,
  createRoutes,
  createSite,
  createSiteJobs,
  holdContent,
} from '../../server/site.ts';
import type { QueuedMessage } from '../../stores/queued-events.ts';
import { pageHashes, render } from '../astro/render.ts';
import { EdgeCache } from './edge-cache.ts';
import { type Bindings, consumeQueue, createLazyConsole, createWorkerPlatform } from './platform.ts';

/** Bindings of `edge/wrangler.jsonc`, and settings by their environment names. */
type Environment = Bindings & Readonly<Record<string, unknown>>;

/** The site in one instance of the worker. */
interface Instance {
  readonly app: Hono<AppEnv>;
  readonly security: SecurityHeaders;
  /** Runs once what a process runs on timers: counts, retention, networks, notifications and articles that are due. */
  runDueJobs(): Promise<void>;
}

/** Workers log what is written to the console. */
const log = createLog((line) => console.log(line.trimEnd()), Date.now);

let starting: Promise<Instance> | null = null;

/** Starts the site with the first request: workerd allows neither random numbers nor input and output before it. */
function getInstance(environment: Environment): Promise<Instance> {
  if (starting === null) {
    starting = startInstance(environment).catch((error: unknown) => {
      starting = null;
      throw error;
    });
    // Other requests wait for it: it must not end when the client of the first one disconnects.
    waitUntil(starting.catch(() => undefined));
  }
  return starting;
}

async function startInstance(environment: Environment): Promise<Instance> {
  const settings = parseSettings(readSettings(environment));
  const platform = createWorkerPlatform(settings, environment, pageHashes, log, waitUntil);
  const site = await createSite(settings, platform);
  const operatorConsole = createLazyConsole(site);
  const cache = new EdgeCache(await caches.open('pages'), __BUILD_TIME__, waitUntil, log);
  const routes = createRoutes(site);
  const findRoute = createRouteFinder(site);
  const console = createConsoleResponder(site, operatorConsole, render);
  const pages = createPages(site, (request, visitor) =>
    render(request, { site: holdContent(site), ...visitor }),
  );
  return {
    app: createApp({ ...site, routes, findRoute, console }, pages, { cache }),
    security: site.security,
    async runDueJobs() {
      for (const job of [...createSiteJobs(site), ...createCommissionJobs(site)]) await job.run();
      await operatorConsole.runDueJobs();
    },
  };
}

/** Bindings are objects; settings are text, or what `vars` of `wrangler.jsonc` has without quotes. */
function readSettings(environment: Environment): Record<string, string> {
  const texts = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' ? [] : [[name, String(value)]],
  );
  return Object.fromEntries(texts);
}

/** Responds to a request. Cloudflare has set `CF-Connecting-IP`, which no client can. */
async function respond(request: Request, environment: Environment): Promise<Response> {
  const requestId = createRequestId();
  try {
    const { app, security } = await getInstance(environment);
    const clientAddress = request.headers.get('cf-connecting-ip') ?? '';
    const responding = Promise.resolve(app.fetch(request, { requestId, clientAddress }));
    // What other requests wait for, such as the ledger's list, must not end when this client disconnects.
    waitUntil(responding.catch(() => undefined));
    const response = secureResponse(await responding, security);
    response.headers.set('x-request-id', requestId);
    return response;
  } catch (error) {
    log.error('the site cannot start', { requestId, error });
    return buildProblem('internal', requestId);
  }
}

/** The worker. */
export default {
  fetch: respond,
  async queue(
    batch: { readonly messages: readonly QueuedMessage[] },
    environment: Environment,
  ): Promise<void> {
    const { stored: _, ...problems } = await consumeQueue(batch.messages, environment);
    if (problems.dead + problems.retried > 0) log.warn('events of the queue could not be stored', problems);
  },
  async scheduled(_controller: unknown, environment: Environment): Promise<void> {
    const { runDueJobs } = await getInstance(environment);
    await runDueJobs();
  },
};
