import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { COMMISSION_FLAGS, SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { type Site, startSite } from '../support/site.ts';
import { createPostbackUrl } from '../support/site-ledger.ts';
import { findShare, readProcessorUs, runWrk } from './process-figures.ts';
import { buildTable } from './report.ts';

const ROWS = 100_000;
const PARTNER = 'highlevel';
const PROGRAM = [...SERVE_FLAGS, 'dist/server/main.mjs'];
const LIMITS = { EVENT_RATE: '0', CLICK_RATE: '0' };

/** What the sites are asked for, and by which of them. */
const LOADS = [
  { what: 'postbacks, each on disk before the response', kind: 'postback', of: 'page', bound: '2,700/s' },
  { what: '`/go` with the page, each click on disk', kind: 'go', of: 'page', bound: '' },
  { what: '`/go` with `redirect: http`', kind: 'go', of: 'http', bound: 'that of the page; p99 20 ms' },
] as const;

/**
 * Measures what takes in money: postbacks and clicks in turns, `rounds` of `seconds` each, by 32 connections, and the import
 * of a report of 100,000 rows. Returns tables in Markdown. Rejects without wrk.
 */
export async function measureMoney(seconds: number, rounds: number): Promise<string> {
  const isHttp = (text: string) =>
    /^redirect:/m.test(text)
      ? text.replace(/^redirect: .*$/m, 'redirect: http')
      : text.replace(/^key: .*$/m, '$&\nredirect: http');
  const sites: Readonly<Record<'page' | 'http', Site>> = {
    page: await startSite({ program: PROGRAM, env: LIMITS }),
    http: await startSite({
      ...{ program: PROGRAM, env: LIMITS },
      contentEdits: { [`partners/${PARTNER}.yaml`]: isHttp },
    }),
  };
  try {
    const address = await createPostbackUrl(sites.page, PARTNER);
    const samples = LOADS.map((): Awaited<ReturnType<typeof measure>>[] => []);
    for (let round = 0; round <= rounds; round += 1)
      for (const [index, { kind, of }] of LOADS.entries()) {
        const sample = await measure(sites[of], kind, address, seconds);
        // The first round warms the sites up.
        if (round > 0) samples[index]?.push(sample);
      }
    const middle = (list: readonly number[], digits: number) =>
      findShare(list, 0.5).toLocaleString('en', { maximumFractionDigits: digits });
    const rows = LOADS.map(({ what, bound }, index) => {
      const own = samples[index] ?? [];
      return [
        what,
        middle(
          own.map(({ perSecond }) => perSecond),
          0,
        ),
        middle(
          own.map(({ p99 }) => p99),
          1,
        ),
        middle(
          own.map(({ us }) => us),
          0,
        ),
        String(own.reduce((sum, { failed }) => sum + failed, 0)),
        bound,
      ];
    });
    const head = ['what', 'requests/s', 'p99 ms', 'processor µs', 'failed', 'at least'];
    return `${buildTable(head, rows)}\n\n${measureReport()}`;
  } finally {
    await Promise.all(Object.values(sites).map((site) => site.remove()));
  }
}

async function measure(site: Site, kind: string, postback: string, seconds: number) {
  const before = readProcessorUs(site.pid());
  const { requests, us, p99, failed } = await runWrk(kind, site.url, seconds, 32, {
    POSTBACK: new URL(postback).pathname,
  });
  const used = readProcessorUs(site.pid()).all - before.all;
  return { perSecond: (requests * 1e6) / us, p99: p99 / 1_000, failed, us: used / requests };
}

/** Imports a report in a process of its own, with the flags of `npm run commissions`. */
function measureReport(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-report-'));
  try {
    const file = path.join(folder, 'report.csv');
    writeFileSync(file, buildReport());
    const script = path.join(import.meta.dirname, 'command-process.ts');
    const words = `import ${file} --partner ${PARTNER} --currency USD --time-zone UTC --yes`.split(' ');
    const env = {
      ...{ PATH: process.env['PATH'], CONTENT_DIR: path.join(ROOT, 'content') },
      ...{ DATA_DIR: folder, SITE_URL: 'https://hub.example' },
    };
    const began = performance.now();
    const args = [...COMMISSION_FLAGS, script, 'commissions', ...words];
    const { stdout, stderr, status } = spawnSync(PINNED_NODE, args, { cwd: ROOT, env, encoding: 'utf8' });
    const wallSeconds = (performance.now() - began) / 1_000;
    if (status !== 0 || !stdout.includes(`${ROWS} new`)) throw new Error(stderr || stdout);
    const [, peak, cpu] = /peak (\d+)\ncpu (\d+)/.exec(stdout) ?? [];
    const seconds = (Number(cpu) / 1_000).toFixed(1);
    return `A report of ${ROWS.toLocaleString('en')} rows takes ${wallSeconds.toFixed(1)} s, ${seconds} s of processor time and ${Math.round(Number(peak) / 1_024)} MB (bounds: 6 s, 320 MB).`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A report as CJ writes it, with a click that nobody knows in each row. */
function buildReport(): string {
  const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const at = Date.parse('2025-01-01T00:00:00Z') + index * 300_000;
    const status = ['new', 'locked', 'closed', 'corrected'][index % 4];
    const [sale, paid] = [((index % 9_000) / 10 + 10).toFixed(2), ((index % 900) / 10 + 1).toFixed(2)];
    return `${2e9 + index},${time(at)},${time(at + 3_600_000)},${status},sim_sale,${randomUUID()},Acme,${sale},${paid}`;
  });
  const head =
    'Commission ID,Event Date,Posting Date,Action Status,Action Type,SID,Advertiser,Sale Amount (USD),Publisher Commission (USD)';
  return `${[head, ...lines].join('\n')}\n`;
}
