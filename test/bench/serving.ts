import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { startSite } from '../support/site.ts';

/** One kind of request, and how the site serves it. Medians of the rounds. */
export interface ServingRow {
  readonly name: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly failed: number;
  /** Processor time of a request in the whole process and in its main thread, in µs. */
  readonly processUs: number;
  readonly mainUs: number;
}

/** The kinds of requests, by their names in the script. */
const KINDS = {
  go: '`/go`, each click on disk before the response',
  collector: '`/api/journey`, each event on disk before the response',
  rendered: 'a page rendered for each request (`/blog?q=…`)',
  cached: 'a cached page',
  file: 'a static file',
} as const;
type Kind = keyof typeof KINDS;

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;

/** The load: a click, an event and a search of its own each time, as browsers send them. */
const SCRIPT = `
local kind, count = os.getenv("KIND"), 0
local seed = tonumber(os.getenv("SEED"))
math.randomseed(seed)
local function id()
  local r = math.random
  return string.format("%08x-%04x-4000-8000-%08x%04x", r(0, 0x7fffffff), r(0, 65535), r(0, 0x7fffffff), r(0, 65535))
end
local agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
local get = { ["User-Agent"] = agent }
local post = { ["User-Agent"] = agent, ["Content-Type"] = "application/json", ["Sec-Fetch-Site"] = "same-origin" }
request = function()
  count = count + 1
  if kind == "go" then
    return wrk.format("GET", "/go/highlevel?page=trial&source=hero&click=" .. id() .. "&session=" .. id()
      .. "&from=%2Fblog%2Fcrm-basics&utm_source=newsletter&utm_medium=email&gclid=abc&session_time=35"
      .. "&entry_page=%2Fblog&journey_pages=%2Fblog+%2Fblog%2Fcrm-basics", get)
  elseif kind == "collector" then
    return wrk.format("POST", "/api/journey", post, '{"events":[{"id":"' .. id() .. '","name":"call_to_action",'
      .. '"session":"b0f9a523f0e4d6c9a523f0e4d6c9a52f","page":"/blog/crm-basics","time":' .. os.time() * 1000
      .. ',"label":"Start Free Trial","value":1,"data":{"source":"hero","partner":"highlevel"},"campaign":'
      .. '{"utm_source":"newsletter","utm_medium":"email","utm_campaign":"autumn"}}]}')
  elseif kind == "rendered" then return wrk.format("GET", "/blog?q=" .. seed .. "x" .. count, get)
  elseif kind == "cached" then return wrk.format("GET", "/blog/crm-basics", get)
  end
  return wrk.format("GET", "/favicon.svg", get)
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p99":%d,"failed":%d}\\n', summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end`;

const schema = z.object({ requests: z.number(), us: z.number(), p99: z.number(), failed: z.number() });

/**
 * Measures built checkouts in turns, `rounds` of `seconds` for each kind of request, so that whatever else the machine
 * does falls on all alike. Returns one list of rows for each folder. Rejects without wrk.
 */
export async function measureServing(
  roots: readonly string[],
  seconds: number,
  rounds: number,
): Promise<readonly (readonly ServingRow[])[]> {
  if (spawnSync('wrk', ['-v']).error !== undefined) throw new Error('wrk is not installed');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-wrk-'));
  const script = path.join(folder, 'load.lua');
  writeFileSync(script, SCRIPT);
  const sites = await Promise.all(
    roots.map((root) =>
      startSite({ root, program: readProgram(root), env: { EVENT_RATE: '0', CLICK_RATE: '0' } }),
    ),
  );
  const tables: ServingRow[][] = roots.map(() => []);
  try {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const samples: Omit<ServingRow, 'name'>[][] = roots.map(() => []);
      for (const { url } of sites) await runWrk(script, kind, url, WARM_UP_SECONDS);
      for (let round = 0; round < rounds; round += 1)
        for (const [index, site] of sites.entries()) {
          const before = readProcessorUs(site.pid());
          const { requests, us, p99, failed } = await runWrk(script, kind, site.url, seconds);
          const after = readProcessorUs(site.pid());
          samples[index]?.push({
            perSecond: (requests * 1e6) / us,
            p99: p99 / 1_000,
            failed,
            processUs: (after.all - before.all) / requests,
            mainUs: (after.main - before.main) / requests,
          });
        }
      for (const [index, list] of samples.entries())
        tables[index]?.push({ name: KINDS[kind], ...summarize(list) });
    }
  } finally {
    for (const site of sites) await site.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return tables;
}

/** The arguments with which a checkout starts its server, from its package.json. */
function readProgram(root: string): readonly string[] {
  const { scripts } = z
    .object({ scripts: z.object({ serve: z.string() }) })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const flags = scripts.serve.split(' ').filter((word) => /^--\w.*=/.test(word));
  return [...flags, 'dist/server/main.mjs'];
}

function runWrk(script: string, kind: Kind, url: string, seconds: number) {
  return new Promise<z.infer<typeof schema>>((resolve, reject) => {
    const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}`, '-s', script, url];
    const env = { ...process.env, KIND: kind, SEED: String(Math.floor(Math.random() * 1e9)) };
    const child = spawn('wrk', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(schema.parse(JSON.parse(output.trim().split('\n').at(-1) ?? '')))
        : reject(new Error(`wrk ended with ${code}`)),
    );
  });
}

/** Processor time that a process and its main thread have used, in µs. */
export function readProcessorUs(pid: number): { readonly all: number; readonly main: number } {
  const times = readdirSync(`/proc/${pid}/task`).map((id) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ');
    return { id, us: Number(nanoseconds) / 1_000 };
  });
  const main = times.find(({ id }) => id === String(pid))?.us ?? 0;
  return { all: times.reduce((sum, { us }) => sum + us, 0), main };
}

/** The value below which a share of a list is. */
export function findShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function summarize(samples: readonly Omit<ServingRow, 'name'>[]): Omit<ServingRow, 'name'> {
  const middle = (read: (sample: Omit<ServingRow, 'name'>) => number) => findShare(samples.map(read), 0.5);
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p99: middle(({ p99 }) => p99),
    failed: samples.reduce((sum, { failed }) => sum + failed, 0),
    processUs: middle(({ processUs }) => processUs),
    mainUs: middle(({ mainUs }) => mainUs),
  };
}

/** A built checkout of another commit, its short name, and how to remove it. */
interface Checkout {
  readonly root: string;
  readonly name: string;
  remove(): void;
}

/**
 * Builds a commit in a temporary worktree with its own dependencies, and its own Node. The folder of a built checkout is
 * used as it is.
 */
export function checkOut(commit: string): Checkout {
  if (existsSync(path.join(commit, 'dist/server/main.mjs')))
    return { root: path.resolve(commit), name: readName(commit), remove: () => undefined };
  const root = mkdtempSync(path.join(os.tmpdir(), 'signpost-commit-'));
  const run = (program: string, args: readonly string[], cwd: string) => {
    const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  };
  const remove = () => run('git', ['worktree', 'remove', '--force', root], ROOT);
  run('git', ['worktree', 'add', '--detach', '--force', root, commit], ROOT);
  try {
    // Images that are converted already need not be converted again.
    const media = path.join('.cache', 'media');
    if (existsSync(path.join(ROOT, media)))
      cpSync(path.join(ROOT, media), path.join(root, media), { recursive: true });
    run('npm', ['ci', '--no-audit', '--no-fund'], root);
    run('npm', ['run', 'build'], root);
  } catch (error) {
    remove();
    throw error;
  }
  return { root, name: readName(root), remove };
}

/** The short name of the commit of a checkout. */
function readName(root: string): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
}
