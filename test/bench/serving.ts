import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { startSite } from '../support/site.ts';
import { findShare, readProcessorUs, runWrk } from './process-figures.ts';

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
};

const WARM_UP_SECONDS = 3;

/**
 * Measures built checkouts in turns, `rounds` of `seconds` for each kind of request, so that whatever else the machine
 * does falls on all alike. Returns one list of rows for each folder. Rejects without wrk.
 */
export async function measureServing(
  roots: readonly string[],
  seconds: number,
  rounds: number,
): Promise<readonly (readonly ServingRow[])[]> {
  const sites = await Promise.all(
    roots.map((root) =>
      startSite({ root, program: readProgram(root), env: { EVENT_RATE: '0', CLICK_RATE: '0' } }),
    ),
  );
  const tables: ServingRow[][] = roots.map(() => []);
  try {
    for (const [kind, name] of Object.entries(KINDS)) {
      const samples: Sample[][] = roots.map(() => []);
      for (const { url } of sites) await runWrk(kind, url, WARM_UP_SECONDS);
      for (let round = 0; round < rounds; round += 1)
        for (const [index, site] of sites.entries()) {
          const before = readProcessorUs(site.pid());
          const { requests, us, p99, failed } = await runWrk(kind, site.url, seconds);
          const after = readProcessorUs(site.pid());
          samples[index]?.push({
            perSecond: (requests * 1e6) / us,
            p99: p99 / 1_000,
            failed,
            processUs: (after.all - before.all) / requests,
            mainUs: (after.main - before.main) / requests,
          });
        }
      for (const [index, list] of samples.entries()) tables[index]?.push({ name, ...summarize(list) });
    }
  } finally {
    for (const site of sites) await site.remove();
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

type Sample = Omit<ServingRow, 'name'>;

function summarize(samples: readonly Sample[]): Sample {
  const middle = (read: (sample: Sample) => number) => findShare(samples.map(read), 0.5);
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
