import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { createFront } from './front.ts';
import { readImageHosts } from './image-hosts.ts';
import type { Log } from './log.ts';
import { createMetrics, startMetricsServer } from './metrics.ts';
import { createPageCache } from './page-cache.ts';
import { createPageServer } from './page-server.ts';
import { createSecurityHeaders, hashInline, type PageHashes } from './security-headers.ts';
import type { Services } from './services.ts';
import { createStaticFiles } from './static-files.ts';

const DRAIN_MS = 10_000;
const PAGE_FRESH_MS = 60_000;
const MOST_PAGES = 5_000;
const MOST_PAGE_BYTES = 64 * 1024 * 1024;

/** Starts serving; resolves when connections are accepted. Rejects when the port is taken or a part cannot start. */
export async function startSite(options: {
  readonly config: Config;
  readonly log: Log;
  readonly render: (request: Request, locals: App.Locals) => Promise<Response>;
  readonly pageHashes: PageHashes;
  readonly clientFolder: string;
  readonly compose: (config: Config, log: Log) => Promise<Services>;
}): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const { config, log } = options;
  const metrics = createMetrics();
  const services = await options.compose(config, log);
  const security = createSecurityHeaders(
    {
      https: config.siteUrl.startsWith('https:'),
      imageHosts: readImageHosts(config),
      analytics: services.policyOpenings,
    },
    {
      scripts: [...options.pageHashes.scripts, hashInline(services.speculationRules)],
      styles: options.pageHashes.styles,
    },
  );
  const cache = createPageCache({
    freshMs: PAGE_FRESH_MS,
    maxPages: MOST_PAGES,
    maxBytes: MOST_PAGE_BYTES,
    now: () => performance.now(),
  });
  metrics.addGauge('signpost_pages_kept', 'Rendered pages in memory', () => cache.size);
  metrics.addGauge(
    'signpost_problems',
    'Reasons for which the site is not ready',
    async () => (await services.readProblems()).length,
  );
  for (const { name, help, read } of services.figures) metrics.addGauge(name, help, read);
  const pages = createPageServer({
    render: (request, requestId) => options.render(request, { services, requestId }),
    cache,
    security,
    log,
    siteUrl: config.siteUrl,
    siteOrigin: config.SITE_URL === '' ? null : config.siteUrl,
  });
  const server = createFront({
    security,
    files: createStaticFiles(options.clientFolder),
    pages,
    findHandler: services.findHandler,
    aliases: services.content.site.aliases,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    log,
    metrics,
    logRequests: config.LOG_REQUESTS,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, config)));
    server.listen(config.PORT, config.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const metricsServer =
    config.METRICS_PORT === 0 ? undefined : await startMetricsServer(metrics, config.METRICS_PORT);
  return {
    address: `http://${config.HOST}:${port}`,
    async stop() {
      // A busy connection would stay open with one request after the other: the next answer closes it.
      server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS - 1_000);
      await closed;
      clearTimeout(timer);
      metricsServer?.close();
      await services.close();
    },
  };
}

function explainListenError(error: NodeJS.ErrnoException, config: Config): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${config.PORT} is in use: stop what uses it, or set PORT to another`,
    EACCES: `port ${config.PORT} needs more rights: set PORT to one above 1023`,
    ENOTFOUND: `HOST ${config.HOST} is not a name of this machine`,
    EADDRNOTAVAIL: `HOST ${config.HOST} is not an address of this machine`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(`[server] ${reason}`), { code: error.code });
}
