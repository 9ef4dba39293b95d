import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { prepareData } from '../../commands/data/versions.ts';
import { warnOfSettingFaults } from '../../commands/read-setting-faults.ts';
import { formatConsoleAddress } from '../../console/access/console-host.ts';
import { createConsoleResponder } from '../../console/http.ts';
import { takeParsed } from '../../content-files/parse-yaml.ts';
import { DAY_MS } from '../../core/clock.ts';
import { ContentError } from '../../core/pages/content.ts';
import { buildDefaultPath, HEALTH_PATH, hideSecrets, nameContentFiles } from '../../core/paths.ts';
import { createApp } from '../../server/app.ts';
import type { ReadResponse } from '../../server/http/responses.ts';
import { splitTarget } from '../../server/http/route.ts';
import { buildHostOrigin } from '../../server/http/same-origin.ts';
import type { SecurityHeaders } from '../../server/http/security-headers.ts';
import { createLog, type Log } from '../../server/log.ts';
import type { Gauge, Metrics } from '../../server/metrics.ts';
import { readStartNotices } from '../../server/pages/launch.ts';
import { createPages } from '../../server/pages/pages.ts';
import { PeriodicJob } from '../../server/periodic-job.ts';
import { addTypedSettings, parseSettings, type Settings, SettingsError } from '../../server/settings.ts';
import { createRouteFinder, createRoutes, holdContent, type Site } from '../../server/site.ts';
import { holdAlone } from '../../stores/data-folder.ts';
import { noteFirstStart, readSampleState } from '../../stores/last-backup.ts';
import { createNodeSite, type NodeSite } from './create-node-site.ts';
import { createHttpServer, type HttpServerOptions } from './http-server.ts';
import { PageCache } from './page-cache.ts';
import { createStaticFiles } from './static-files.ts';
import { compressResponse } from './stored-response.ts';
import { DEMO_RENEWAL, letHeapsGrow } from './v8-flags.mjs';

/** A supervisor ends a process about 10 s after SIGTERM: requests, waiting events and files share that time. */
const STOP_MS = { requests: 6_000, events: 8_500, files: 9_500 } as const;
const PAGE_CACHE = {
  freshMs: 60_000,
  maxStaleMs: 600_000,
  maxPages: 5_000,
  // A machine of 512 MB needs the rest.
  maxBytes: Math.min(64 * 1024 * 1024, Math.floor((process.constrainedMemory() || os.totalmem()) / 16)),
};

/**
 * How long a proxy is served after SIGTERM, so that it loses no POST, which it would not repeat: each response closes its
 * connection, so it has none left that could be closed while it sends on it. A load balancer that looks at `/healthz`
 * learns there that it has to leave.
 */
const LEAVE_MS = 1_000;
const LOOK_MS = 50;

/** The threads of the process that have not ended. */
const threads = new Set<Worker>();

/** Starts serving; resolves when connections are accepted. Rejects when the port is taken or a part cannot start. */
async function startSite(
  { site, console: operatorConsole, close, onSettings }: NodeSite,
  render: (request: Request, locals: App.Locals) => Promise<ReadResponse>,
  clientFolder: string,
) {
  const { settings, log } = site;
  const { security } = site;
  const cache = createPageCache(site);
  onSettings(() => cache.clear());
  const metrics = settings.METRICS_PORT === 0 ? null : await openMetrics(site, cache);
  const pages = createPages(site, (request, visitor) =>
    render(request, { site: holdContent(site), ...visitor }),
  );
  const routes = createRoutes(site);
  const findRoute = createRouteFinder(site);
  const console = createConsoleResponder(site, operatorConsole, render);
  const server = createHttpServer({
    app: createApp({ ...site, routes, findRoute, console }, pages, { cache, compress: compressResponse }),
    routes,
    findRoute,
    security,
    files: createStaticFiles(clientFolder, security.file, (address) =>
      site.platform.images?.findFile(address),
    ),
    pages: cache,
    content: site.content,
    trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
    crawlers: site.visitors.crawlers,
    log,
    onResponse: createRequestReporter(metrics, settings.LOG_REQUESTS ? log : null),
  });
  const port = await listen(server, settings);
  const metricsServer = metrics && (await startMetricsServer(metrics, settings.METRICS_PORT));
  return {
    /** Origin, without a trailing slash. */
    address: buildHostOrigin(settings.HOST, port),
    /** Writes where the operator begins: the console, or the one-time address that creates the first operator. */
    createConsoleNotice: async () =>
      formatConsoleAddress(settings, port, await operatorConsole.createEntryPath()),
    /** Messages for the operator at the start, a line each. */
    readNotices: async () => (await readStartNotices(site)).map((line) => `${nameFiles(line)}\n`).join(''),
    /**
     * Finishes requests in progress, stores waiting events, closes files and ends all threads, within 10 s. Rejects when
     * one of these took longer, such as a thread that waits for the disk: `process.exit` would wait for it too.
     */
    async stop() {
      const began = performance.now();
      await drain(server, security, settings.TRUSTED_PROXY_HOPS > 0 ? LEAVE_MS : 0);
      metricsServer?.close();
      await closeFiles(close, performance.now() - began);
    },
  };
}

function createPageCache(site: Site): PageCache {
  const cache = new PageCache(PAGE_CACHE);
  site.content.articles.onChange((slug, change) => {
    // A removed article is also in lists, feeds and beside others.
    if (change === 'removed') cache.clear();
    else cache.delete(buildDefaultPath(slug));
  });
  site.content.onChange(() => cache.clear());
  return cache;
}

/** Stores waiting events, closes files and ends all threads. `elapsed`: ms since the site was asked to stop. */
async function closeFiles(close: NodeSite['close'], elapsed: number): Promise<void> {
  const closed = close(STOP_MS.events - elapsed).then(() =>
    Promise.all([...threads].map((thread) => thread.terminate())),
  );
  const timeout = sleep(STOP_MS.files - elapsed, null, { ref: false }).then(() => {
    throw new Error('[server] the disk does not respond: not every file could be closed');
  });
  await Promise.race([closed, timeout]);
}

/** Measuring the process costs it time, so the code is loaded where someone reads the figures. */
async function openMetrics(site: Site, cache: PageCache): Promise<Metrics> {
  const { buildLabeledGauges, buildSiteGauges, createMetrics } = await import('../../server/metrics.ts');
  const cached: Gauge = ['signpost_pages_cached', 'Responses in the page cache', () => cache.size];
  return createMetrics([...buildSiteGauges(site), cached], site.content.read, buildLabeledGauges(site));
}

function createRequestReporter(metrics: Metrics | null, log: Log | null): HttpServerOptions['onResponse'] {
  if (metrics === null && log === null) return null;
  return ({ method, url = '/' }, { statusCode: status }, requestId, ms) => {
    const [path] = splitTarget(url);
    metrics?.countRequest(path, status, ms / 1000);
    log?.info('request', {
      requestId,
      method,
      path: hideSecrets(path).slice(0, 200),
      status,
      ms: Math.round(ms * 10) / 10,
    });
  };
}

/** Connections that wait to be accepted; with Node's 511, a burst is refused and tries again after seconds. */
const BACKLOG = 4_096;
/** The first socket that systemd passes on (sd_listen_fds). */
const PASSED_SOCKET = 3;

/**
 * Whether systemd has opened the port for this process. Throws unless it is one socket.
 * `environment` has `LISTEN_PID` and `LISTEN_FDS`.
 */
function hasPassedSocket(environment: NodeJS.ProcessEnv, pid: number): boolean {
  const { LISTEN_PID, LISTEN_FDS } = environment;
  if (LISTEN_FDS === undefined || LISTEN_PID !== String(pid)) return false;
  if (LISTEN_FDS === '1') return true;
  throw Object.assign(new Error(`[server] systemd passed ${LISTEN_FDS} sockets on: name one ListenStream`), {
    code: 'EINVAL',
  });
}

/**
 * Accepts connections, at the socket of systemd if there is one, where they wait while no process runs. Resolves with
 * the port.
 */
async function listen(server: Server, settings: Settings): Promise<number> {
  const place = hasPassedSocket(process.env, process.pid)
    ? { fd: PASSED_SOCKET }
    : { port: settings.PORT, host: settings.HOST };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, settings)));
    server.listen({ ...place, backlog: BACKLOG }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : settings.PORT;
}

/** Serves a proxy for `leaveMs`, then stops accepting connections and waits for the requests in progress. */
async function drain(server: Server, security: SecurityHeaders, leaveMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), STOP_MS.requests);
  const respond = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // A busy connection would stay open with one request after the other: the next response closes it.
    response.setHeader('connection', 'close');
    if (request.url === HEALTH_PATH)
      response.writeHead(503, { ...security.api, 'retry-after': '1', 'content-length': 0 }).end();
    else for (const listener of respond) listener.call(server, request, response);
  });
  await sleep(leaveMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Responses that had begun before leave idle connections.
  const closing = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  await closed;
  clearInterval(closing);
  clearTimeout(timer);
}

function explainListenError(error: NodeJS.ErrnoException, settings: Settings): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${settings.PORT} is in use: stop what uses it, or set PORT to another`,
    EACCES: `port ${settings.PORT} needs more rights: set PORT to one above 1023`,
    ENOTFOUND: `HOST ${settings.HOST} is not a name of this machine`,
    EADDRNOTAVAIL: `HOST ${settings.HOST} is not an address of this machine`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(`[server] ${reason}`), { code: error.code });
}

/** What starting leaves to do, such as the console's entry, is done by then. */
const SETTLED_MS = 5_000;

/** The folder of the build; this file is bundled into `dist/server/`. */
const BUILD = path.resolve(import.meta.dirname, '..');

/** The start says in the environment which folder is shown. */
const nameFiles = (text: string) => nameContentFiles(text, process.env['CONTENT_DIR']);

/** The program of the process: serves the site until a signal ends it. `program`: where threads begin. */
export async function runSite(program: URL): Promise<void> {
  const log = createLog((line) => process.stderr.write(line), Date.now, nameFiles);
  // A closed pipe or a full log disk must not end the process.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);

  process.on('worker', (thread) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  });
  warnOfSettingFaults();
  try {
    const settings = parseSettings(addTypedSettings(process.env));
    if (settings.DEMO && readSampleState(settings.DATA_DIR) !== 'complete')
      throw new SettingsError([
        'DEMO: shows generated data alone to everybody: start the site with signpost demo',
      ]);
    await prepareData(settings.DATA_DIR, process.cwd(), (line) => log.warn(line));
    takeParsed(path.join(BUILD, 'parsed.json'));
    // Only a build has the pages: a benchmark starts the site without them.
    const { pageHashes, render } = await import('../astro/render.ts');
    const node = await createNodeSite(settings, log, pageHashes, {
      imageManifest: path.join(BUILD, 'images.json'),
      buildTime: __BUILD_TIME__,
      watch: true,
      consoleProgram: program,
    });
    const site = await startSite(node, render, path.join(BUILD, 'client'));
    setTimeout(letHeapsGrow, SETTLED_MS).unref();
    tryNotingStart(settings, log);
    const stop = stopWhenAsked(site.stop, log);
    if (settings.DEMO) setTimeout(() => stop(DEMO_RENEWAL), DAY_MS - (Date.now() % DAY_MS)).unref();
    startWatchdog(process.env, process.pid);
    // After the handlers: a caller may send a signal as soon as it reads this line.
    process.stdout.write(`Signpost is serving on ${site.address}\n`);
    sayOnce(log, 'the console cannot be used', site.createConsoleNotice);
    sayOnce(log, 'the contact messages cannot be counted', site.readNotices);
  } catch (error) {
    process.stderr.write(`${nameFiles(explain(error))}\n`);
    process.exit(1);
  }
}

const MAX_WAIT_MS = 60_000;

/** Prints a text of the start when it can be read: a disk that did not respond is asked again, in ever longer intervals. */
function sayOnce(log: Log, failure: string, read: () => Promise<string>): void {
  let waitMs = 500;
  const say = async () => {
    process.stdout.write(await read());
    void job.stop();
  };
  const wait = () => {
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    return waitMs;
  };
  const job = new PeriodicJob({ ...log, warn: log.error }, failure, say, wait, 0);
  job.start();
}

/** Sends a message to the service manager. Node has no datagram sockets of the kind that it listens at. */
function notifySystemd(message: string): void {
  // A failure needs no report: without the message, systemd restarts the process.
  execFile('systemd-notify', [message], { timeout: 10_000 }, () => undefined);
}

/**
 * Tells systemd three times in each interval of its watchdog (`WatchdogSec`) that this thread still works: one that is
 * stuck is ended and started again. Does nothing where no watchdog is set for this process.
 */
export function startWatchdog(
  { WATCHDOG_USEC, WATCHDOG_PID }: NodeJS.ProcessEnv,
  pid: number,
  notify = notifySystemd,
): void {
  const ms = Number(WATCHDOG_USEC) / 1_000;
  if (!(ms > 0) || (WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(pid))) return;
  notify('WATCHDOG=1');
  setInterval(() => notify('WATCHDOG=1'), ms / 3).unref();
}

/** A folder that cannot be written is reported by what has to write in it. */
function tryNotingStart({ DATA_DIR }: Settings, log: Log): void {
  if (!holdAlone(DATA_DIR, 'site'))
    log.warn(
      'another process of the site runs on this DATA_DIR: nothing is stored twice, but edits of one are seen late by the other. End one, unless it is being replaced.',
    );
  try {
    noteFirstStart(DATA_DIR, Date.now());
  } catch (error) {
    log.warn('the first start cannot be noted', { error });
  }
}

/** Returns what stops the site and ends the process with a code. */
function stopWhenAsked(stopSite: () => Promise<void>, log: Log): (code: number) => void {
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    stopSite().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error('stopped with an error', { error });
        // process.exit would wait for threads that wait for the disk.
        process.kill(process.pid, 'SIGKILL');
      },
    );
  };
  // SIGHUP: the terminal was closed. Repeated signals change nothing; SIGKILL ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info('stopping', { signal });
      stop(0);
    });
  }
  // After an exception that nothing handled, the state is unknown: store waiting clicks, then let the supervisor
  // start a new process. Rejections arrive here too.
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error });
    stop(1);
  });
  return stop;
}

/** What the operator can change needs no stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof SettingsError || error instanceof ContentError || 'code' in error;
  return isExpected ? error.message : (error.stack ?? error.message);
}

/** Serves `/metrics` on a port of its own, on loopback only: the numbers are for the operator. */
function startMetricsServer(metrics: Metrics, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.render().then(
      (body) =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
