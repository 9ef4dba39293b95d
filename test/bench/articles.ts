// node test/bench/articles.ts: 10,000 articles of 1,000 words, their service away: start, pages, search, memory.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
import { findShare, readMegabytes, runWrk } from './process-figures.ts';
import { buildTable } from './report.ts';

const COUNT = 10_000;
const WORDS = 1_000;
const SEARCHES = 3_000;
/** How many articles the index takes at once. */
const BATCH = 5;
/** By their names in the script of wrk. */
const PAGES = { hub: 'hub page', article: 'article page' };
const SECONDS = 5;

/** Fills a store with 10,000 articles, starts the built site on it and reads it by one connection. Markdown. */
export async function measureArticles(): Promise<string> {
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
    const rows = [await measureSearch()];
    for (const [kind, name] of Object.entries(PAGES)) {
      const { p50, p99, failed } = await runWrk(kind, site.url, SECONDS, 1);
      if (failed > 0) throw new Error(`${name}: ${failed} requests failed`);
      rows.push([name, (p50 / 1_000).toFixed(1), (p99 / 1_000).toFixed(1)]);
    }
    return `From an article service that is away, by one connection. Ready ${Math.round(startMs)} ms after the start;
${readMegabytes(site.pid())} MB resident at the end.\n\n${buildTable(['what', 'p50 ms', 'p99 ms'], rows)}`;
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

/** Measures the search alone, in memory: the time of the thread, so that other programs do not count. */
async function measureSearch(): Promise<readonly string[]> {
  const search = new ArticleSearch(openMemoryExecutor('articles'));
  const began = readCpuMs();
  let batch: SearchDocument[] = [];
  for (const article of buildCorpus(COUNT, WORDS)) {
    batch.push(buildSearchDocument(article, extractText(article.content)));
    if (batch.length < BATCH) continue;
    await search.put(batch);
    batch = [];
  }
  const seconds = ((readCpuMs() - began) / 1_000).toFixed(1);
  const times: number[] = [];
  for (const text of buildQueries(SEARCHES)) {
    const start = readCpuMs();
    await search.search({ text, page: 1, limit: 12 });
    times.push(readCpuMs() - start);
  }
  const name = `search in FTS5, processor time of its thread; its index is filled in ${seconds} s`;
  return [name, findShare(times, 0.5).toFixed(1), findShare(times, 0.99).toFixed(1)];
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** One to three words as frequent as in the articles; a third unfinished, a fifth with a letter missing. */
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
  console.log(await measureArticles());
}
