// node test/bench/articles.ts: 10,000 articles of 1,000 words, their service away: start, pages, search, memory.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild } from '../../scripts/ensure-build.mjs';
import { createSqliteArticleStore } from '../../src/adapters/articles/cache/sqlite-store.ts';
import { buildCorpus, buildVocabulary, createChance, createWordSource } from '../support/article-corpus.ts';
import { startSite } from '../support/site.ts';
import { measureIndex } from './article-index.ts';

const COUNT = 10_000;
const WORDS = 1_000;
const ASKED = 600;
const queries = buildQueries(20_000);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-bench-'));
const dataDir = path.join(folder, 'data');
mkdirSync(dataDir);

await fillStore();
ensureBuild();
const site = await startSite({
  articleService: { url: 'http://127.0.0.1:1', key: 'k' },
  env: { DATA_DIR: dataDir, EVENT_RATE: '0' },
});
const startMs = await measureRestart();
const duringFill = await measure('search while the index is made', (index) => invoke(searchPath(index)), 150);
await waitForIndex();
const rows = [
  duringFill,
  await measure('hub page', () => get('/blog')),
  await measure('article page, each for the first time', (index) => get(`/blog/article-${index * 7}`)),
  await measure('article page, from memory', (index) => get(`/blog/article-${(index % 50) * 7}`)),
  await measure('list function', (index) => invoke(`/articles?page=${(index % 800) + 1}&limit=12`)),
  await measure('article function', (index) => invoke(`/articles/article-${index * 11}`)),
  await measure('search function, each query new', (index) => invoke(searchPath(index))),
  await measure('search page, each query new', (index) =>
    get(`/blog?q=${encodeURIComponent(query(index + 5_000))}`),
  ),
];
const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid()}/status`, 'utf8'))?.[1];
await site.remove();
rmSync(folder, { recursive: true });

process.stdout.write(`${COUNT} articles of ${WORDS} words, service away, one connection\n`);
process.stdout.write(
  `ready after ${Math.round(startMs)} ms, ${Math.round(Number(memory) / 1_000)} MB resident at the end\n`,
);
for (const row of rows) process.stdout.write(`${row}\n`);
process.stdout.write(`${await measureIndex(buildCorpus(COUNT, WORDS), query)}\n`);

async function fillStore(): Promise<void> {
  const store = createSqliteArticleStore(path.join(dataDir, 'articles-remote.db'), () => undefined);
  let batch = [];
  for (const article of buildCorpus(COUNT, WORDS)) {
    batch.push(article);
    if (batch.length === 200) {
      await store.write(batch);
      batch = [];
    }
  }
  await store.writeFact('complete', 'yes');
  await store.close();
}

async function measureRestart(): Promise<number> {
  await site.stop();
  const start = performance.now();
  await site.start();
  return performance.now() - start;
}

/** The index is whole when a search no longer waits for it. */
async function waitForIndex(): Promise<void> {
  for (let calm = 0; calm < 5; ) {
    await sleep(500);
    const start = performance.now();
    await invoke(searchPath(19_000 + calm));
    calm = performance.now() - start < 100 ? calm + 1 : 0;
  }
}

async function measure(
  name: string,
  read: (index: number) => Promise<unknown>,
  count = ASKED,
): Promise<string> {
  for (let index = 0; index < 20; index++) await read(count + index);
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await read(index);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return `${name.padEnd(40)} p50 ${at(0.5).padStart(6)} ms   p99 ${at(0.99).padStart(6)} ms   max ${at(0.9999).padStart(6)} ms`;
}

async function get(address: string): Promise<void> {
  await ask(address, { method: 'GET' });
}

/** One connection that stays open, nothing unpacked: what is timed is the server. */
function ask(address: string, options: RequestOptions, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(site.url + address, { agent, ...options }, (answer) => {
      answer.resume().once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${address} answered ${answer.statusCode}`)),
      );
    });
    asked.once('error', reject).end(body);
  });
}

async function invoke(address: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ path: address, method: 'GET' });
  await ask('/functions/article-service-proxy', { method: 'POST', headers }, body);
}

function searchPath(index: number): string {
  return `/articles/search?q=${encodeURIComponent(query(index))}&page=1&limit=12`;
}

/** One to three words as frequent as in the articles; a third unfinished, a fifth with a letter missing. */
function query(index: number): string {
  return queries[index % queries.length] ?? '';
}

function buildQueries(count: number): readonly string[] {
  const chance = createChance(5);
  const next = createWordSource(buildVocabulary(40_000), 99);
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 1 + Math.floor(chance() * 3) }, next);
    const last = words.pop() ?? '';
    const kind = chance();
    if (kind < 0.3 && last.length > 4) words.push(last.slice(0, -2));
    else if (kind < 0.5 && last.length > 5) words.push(last.slice(0, 2) + last.slice(3));
    else words.push(last);
    return words.join(' ');
  });
}
