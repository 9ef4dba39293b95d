// node test/bench/articles.ts: 10,000 articles of 1,000 words, their service away: start, pages, search, memory.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import type { SearchDocument } from '../../src/core/articles/search-terms.ts';
import { buildSearchDocument } from '../../src/sources/articles/article-index.ts';
import { extractText } from '../../src/sources/articles/html/html-text.ts';
import { ArticleCopies } from '../../src/stores/article-copies.ts';
import { ArticleSearch } from '../../src/stores/article-search.ts';
import { openArticleDatabase } from '../../src/stores/node-databases.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import { buildCorpus, buildVocabulary, createChance, createWordSource } from '../support/article-corpus.ts';
import { startSite } from '../support/site.ts';

const COUNT = 10_000;
const WORDS = 1_000;
const REQUESTS = 600;
const queries = buildQueries(20_000);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Times of one kind of request, in ms. */
export interface ArticleRow {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What a site of 10,000 articles takes while their service is away. */
export interface ArticleFigures {
  readonly startMs: number;
  readonly megabytes: number;
  readonly rows: readonly ArticleRow[];
  /** Of the search index by itself. */
  readonly index: string;
}

/** Fills a store with 10,000 articles, starts the built site on it and sends one request after the other. */
export async function measureArticles(): Promise<ArticleFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-bench-'));
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  await fillStore(dataDir);
  const site = await startSite({
    articleService: { url: 'http://127.0.0.1:1', key: 'k' },
    env: { DATA_DIR: dataDir, EVENT_RATE: '0' },
  });
  try {
    await site.stop();
    const start = performance.now();
    await site.start();
    const startMs = performance.now() - start;
    const get = (address: string) => send(site.url + address, { method: 'GET' });
    const invoke = (address: string) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ path: address, method: 'GET' });
      return send(`${site.url}/functions/article-service-proxy`, { method: 'POST', headers }, body);
    };
    const searchPage = (index: number) => get(`/blog?q=${encodeURIComponent(query(index + 5_000))}`);
    const rows = [
      await measure('search while the index is built', (index) => invoke(searchPath(index)), 150),
    ];
    await waitForIndex((index) => invoke(searchPath(index)));
    const cases: readonly [string, (index: number) => Promise<void>][] = [
      ['hub page', () => get('/blog')],
      ['article page, each for the first time', (index) => get(`/blog/article-${index * 7}`)],
      ['article page, from memory', (index) => get(`/blog/article-${(index % 50) * 7}`)],
      ['list function', (index) => invoke(`/articles?page=${(index % 800) + 1}&limit=12`)],
      ['article proxy endpoint', (index) => invoke(`/articles/article-${index * 11}`)],
      ['search function, each query new', (index) => invoke(searchPath(index))],
      ['search page, each query new', searchPage],
      ['search page, from memory', (index) => searchPage(index % 50)],
    ];
    for (const [name, read] of cases) rows.push(await measure(name, read));
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid()}/status`, 'utf8'))?.[1];
    const megabytes = Math.round(Number(memory) / 1_024);
    return { startMs, megabytes, rows, index: await measureIndex() };
  } finally {
    await site.remove();
    rmSync(folder, { recursive: true });
  }
}

async function fillStore(dataDir: string): Promise<void> {
  const database = openArticleDatabase(path.join(dataDir, 'articles-remote.db'), () => undefined);
  const store = new ArticleCopies(database);
  let batch = [];
  for (const article of buildCorpus(COUNT, WORDS)) {
    batch.push(article);
    if (batch.length === 200) {
      await store.write(batch);
      batch = [];
    }
  }
  await store.writeIsComplete();
  await database.close();
}

const SEARCHES = 3_000;
const BATCH = 5;

/** Measures the search alone, in memory: the time of the thread, so that other programs do not count. */
async function measureIndex(): Promise<string> {
  const search = new ArticleSearch(openMemoryExecutor('articles'));
  let building = 0;
  let longest = 0;
  let batch: SearchDocument[] = [];
  for (const article of buildCorpus(COUNT, WORDS)) {
    batch.push(buildSearchDocument(article, extractText(article.content)));
    if (batch.length < BATCH) continue;
    const start = readCpuMs();
    await search.put(batch);
    building += readCpuMs() - start;
    longest = Math.max(longest, readCpuMs() - start);
    batch = [];
  }
  const times: number[] = [];
  for (let index = 0; index < SEARCHES; index++) {
    const start = readCpuMs();
    await search.search({ text: query(index), page: 1, limit: 12 });
    times.push(readCpuMs() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const filled = `filled in ${Math.round(building)} ms, ${longest.toFixed(0)} ms at once`;
  return `search alone, processor time: ${filled}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The index is complete when searches no longer wait for it. */
async function waitForIndex(search: (index: number) => Promise<void>): Promise<void> {
  for (let calm = 0; calm < 5; ) {
    await sleep(500);
    const start = performance.now();
    await search(19_000 + calm);
    calm = performance.now() - start < 100 ? calm + 1 : 0;
  }
}

async function measure(
  name: string,
  read: (index: number) => Promise<unknown>,
  count = REQUESTS,
): Promise<ArticleRow> {
  for (let index = 0; index < 20; index++) await read(count + index);
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await read(index);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { name, p50: at(0.5), p99: at(0.99), max: times.at(-1) ?? Number.NaN };
}

/** Sends a request over the one open connection without decompressing the response, so that the server is measured. */
function send(address: string, options: RequestOptions, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, ...options }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${address} responded with ${response.statusCode}`)),
      );
    });
    sent.once('error', reject).end(body);
  });
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

if (import.meta.main) {
  ensureBuild();
  const { startMs, megabytes, rows, index } = await measureArticles();
  console.log(`${COUNT} articles of ${WORDS} words, service away, one connection`);
  console.log(`ready after ${Math.round(startMs)} ms, ${megabytes} MB resident at the end`);
  const ms = (value: number) => `${value.toFixed(1).padStart(6)} ms`;
  for (const { name, p50, p99, max } of rows)
    console.log(`${name.padEnd(40)} p50 ${ms(p50)}   p99 ${ms(p99)}   max ${ms(max)}`);
  console.log(index);
}
