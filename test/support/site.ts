import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { type ContentEdits, copyContent, leadPartnersTo } from './content-copy.ts';
import type { Provider } from './provider.ts';

/** A table that only the database of a file of the Node server has. */
const FILES = { events: 'events.sqlite', facts: 'commissions.sqlite', operators: 'console.sqlite' };

/**
 * Links the local D1 databases of a data folder under the names of the Node server's files, so that tests read both in
 * the same way. Reading only: D1 notes its migrations elsewhere.
 */
function linkLocalDatabases(dataDir: string): void {
  const folder = path.join(dataDir, 'edge', 'd1', 'miniflare-D1DatabaseObject');
  for (const name of readdirSync(folder).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))) {
    const file = path.join(folder, name);
    const tables = readTables(file);
    for (const [table, link] of Object.entries(FILES)) {
      const target = path.join(dataDir, link);
      if (tables.has(table) && !existsSync(target)) symlinkSync(file, target);
    }
  }
}

function readTables(file: string): ReadonlySet<string> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return new Set(rows.map((row) => String(row['name'])));
  } finally {
    database.close();
  }
}

/** Where the tests build the site that `signpost new site` creates. */
export const NEW_SITE_ROOT = path.join(ROOT, '.cache/new-site');

/** Halves the time in which Node loads the programs that tests start. */
export const COMPILE_CACHE = path.join(ROOT, '.cache/compile');

/** The runtimes that serve the built site. */
type Runtime = 'node' | 'workers';

export interface SiteOptions {
  /** The folder of a built site with its content; that of this repository when left out. */
  readonly root?: string;
  /** Settings beyond the defaults of the test: free port, data and content in a temporary folder. */
  readonly env?: Readonly<Record<string, string>>;
  readonly contentEdits?: ContentEdits;
  /** Where the links of all partners lead; without it they keep their real destinations. */
  readonly provider?: Provider;
  /** What serves it; Node when left out, or workerd when the environment has SITE_RUNTIME=workers. */
  readonly runtime?: Runtime;
  /** The command line of the server, when it is not that of the runtime. */
  readonly program?: readonly string[];
  /**
   * Runs under a supervisor that holds its socket and starts it again a second after it has ended, as systemd does with
   * the units of `deploy/`. SIGUSR1 to `pid()`, the supervisor, restarts the site.
   */
  readonly isSupervised?: boolean;
  /** Id of the user as which it runs, whose its folders are; that of the tests when left out. Only root can choose. */
  readonly user?: number;
  /** A running article service that the site reads instead of its own files. */
  readonly articleService?: { readonly url: string; readonly key?: string; readonly cdnUrl?: string };
}

/** The built site, served by its real server in a process of its own. */
export interface Site {
  /** Origin, without a trailing slash. */
  readonly url: string;
  readonly runtime: Runtime;
  readonly dataDir: string;
  readonly contentDir: string;
  /** Process id of the running server. */
  pid(): number;
  /** Everything that the server has written to its outputs. */
  output(): string;
  /** Asks the server to end and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code when the running server ends by itself; null when a signal ended it. */
  waitForExit(): Promise<number | null>;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  /**
   * Starts the server again, on the same port and data. Rejects with its output when it does not come up. `isUnready`: it
   * only has to respond.
   */
  start(options?: { readonly isUnready: boolean }): Promise<void>;
  /** Ends the server and removes its folders; so does the end of a block in which the site is `await using`. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The command lines of `npm start` and `signpost edge`. */
const SERVER_ARGS: Readonly<Record<Runtime, readonly string[]>> = {
  node: [...SERVE_FLAGS, 'dist/server/main.mjs'],
  workers: ['src/runtimes/cloudflare/tools/main.ts'],
};

/** The runtime of tests that do not choose one. */
const RUNTIME: Runtime = process.env['SITE_RUNTIME'] === 'workers' ? 'workers' : 'node';

/** Addresses of sites that were removed, whose pages may still be loading. */
const removedSites = new Set<string>();

/** Whether a text names an address of a site that was removed. */
export function namesRemovedSite(text: string): boolean {
  return [...removedSites].some((url) => text.includes(`${url}/`));
}

/** Starts the built site and resolves when it is ready. Rejects with the server's output when it does not come up. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  for (let tries = 1; ; tries += 1)
    try {
      return await startAtFreePort(options);
    } catch (error) {
      // Another program took the port between the look and the start.
      if (tries === 3 || !/EADDRINUSE|port \d+ is in use|address already in use/i.test(String(error)))
        throw error;
    }
}

async function startAtFreePort(options: SiteOptions): Promise<Site> {
  const { root = ROOT, runtime = RUNTIME } = options;
  const program = options.program ?? SERVER_ARGS[runtime];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-site-'));
  const dataDir = path.join(folder, 'data');
  const contentDir = path.join(folder, 'content');
  mkdirSync(dataDir);
  const provided = options.provider ? leadPartnersTo(options.provider.url, root) : {};
  copyContent(contentDir, { ...provided, ...options.contentEdits }, root);
  const { user } = options;
  if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, folder]);
  const isSupervised = options.isSupervised ?? false;
  const socket = isSupervised ? await openSocket() : null;
  const port = socket?.port ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    // As in `npm start`, the container and the systemd unit.
    MALLOC_ARENA_MAX: '2',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    CONTENT_DIR: contentDir,
    // Tests request more pages that are not cached than a visitor does.
    PAGE_RATE: '0',
    ...serviceSettings(options.articleService),
    ...options.env,
  };
  removedSites.delete(url);
  let child: ChildProcess | null = null;
  let output = '';
  const site: Site = {
    url,
    runtime,
    dataDir,
    contentDir,
    pid: () => child?.pid ?? 0,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    waitForExit: () =>
      new Promise((resolve) => {
        child?.once('exit', resolve);
      }),
    kill: async () => {
      await end(child, 'SIGKILL');
    },
    start: async ({ isUnready = false } = { isUnready: false }) => {
      const identity = user === undefined ? {} : { uid: user, gid: user };
      const started =
        socket === null
          ? spawn(PINNED_NODE, program, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...identity })
          : spawn('sh', [SUPERVISOR, PINNED_NODE, ...program], {
              cwd: root,
              env: { ...env, PORT: '1' },
              stdio: ['ignore', 'pipe', 'pipe', socket.descriptor],
            });
      socket?.close();
      const start = output.length;
      const collect = (chunk: Buffer) => {
        output += chunk.toString();
      };
      started.stdout?.on('data', collect);
      started.stderr?.on('data', collect);
      child = started;
      await waitUntilReady(started, isUnready ? isAlive : isUsable, url, () => output.slice(start));
      if (runtime === 'workers') linkLocalDatabases(dataDir);
    },
    remove: async () => {
      removedSites.add(url);
      // Node writes its cache, and the simulators remove their files, when they end in order.
      await end(child, runtime === 'workers' || isSupervised ? 'SIGTERM' : 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
    [Symbol.asyncDispose]: () => site.remove(),
  };
  try {
    await site.start();
  } catch (error) {
    await site.remove();
    throw error;
  }
  return site;
}

/** Runs its arguments with the socket, which it passes on. */
const SUPERVISOR = path.join(import.meta.dirname, 'supervise.sh');

/** Opens a socket that a program can inherit. No connection is accepted here if it is closed in the same turn. */
async function openSocket() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  // Node shows the descriptor nowhere else.
  const handle: unknown = Reflect.get(server, '_handle');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  if (typeof handle !== 'object' || handle === null) throw new Error('the server does not listen');
  return {
    port: address.port,
    descriptor: Number(Reflect.get(handle, 'fd')),
    close: () => void server.close(),
  };
}

function serviceSettings(service: SiteOptions['articleService']): Record<string, string> {
  if (!service) return {};
  return {
    ARTICLE_SOURCE: 'remote',
    ARTICLE_SERVICE_URL: service.url,
    ...(service.key === undefined ? {} : { ARTICLE_SERVICE_KEY: service.key }),
    ...(service.cdnUrl === undefined ? {} : { ARTICLE_SERVICE_CDN_URL: service.cdnUrl }),
  };
}

/**
 * A port that was free a moment ago, below those that systems take for outgoing connections. The server needs it by
 * number: pages name their own origin.
 */
export async function findFreePort(): Promise<number> {
  const port = randomInt(11_000, 32_000);
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return findFreePort();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Workerd starts in 2 s, and much later on a machine that builds beside the tests. */
const MAX_START_MS = 50_000;

async function waitUntilReady(
  child: ChildProcess,
  isReady: (url: string) => Promise<boolean>,
  url: string,
  output: () => string,
): Promise<void> {
  const deadline = performance.now() + MAX_START_MS;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`the site did not start:\n${output()}`);
    // Without its own line, another site may be the one that responds at the port.
    const ready = output().includes('Signpost is serving on') && (await isReady(url).catch(() => false));
    if (ready) return;
    await sleep(30);
  }
  child.kill('SIGKILL');
  throw new Error(`the site was not ready after ${MAX_START_MS / 1_000} s:\n${output()}`);
}

const isAlive = async (url: string) => (await fetch(`${url}/healthz`)).ok;

/** A site without any article is not ready, but responds. */
async function isUsable(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`);
  if (response.ok) return true;
  const { problems }: { readonly problems: readonly string[] } = await response.json();
  return problems.every((problem) => problem.startsWith('articles: '));
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess | null, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (!child || hasEnded(child)) return child?.exitCode ?? null;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return ended;
}
