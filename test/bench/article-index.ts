import type { Article } from '../../src/core/articles/article.ts';
import { buildSearchDocument } from '../../src/sources/articles/article-search.ts';
import { extractText } from '../../src/sources/articles/html/html-text.ts';
import { SearchIndex } from '../../src/sources/articles/search/search-index.ts';

const SEARCHES = 3_000;

/**
 * Measures the search index alone: building it (in CPU time, so that other programs do not count), memory, searches.
 */
export async function measureIndex(
  corpus: Iterable<Article>,
  query: (index: number) => string,
): Promise<string> {
  const index = new SearchIndex();
  const before = process.memoryUsage().heapUsed;
  let building = 0;
  for (const article of corpus) {
    const document = buildSearchDocument(article, extractText(article.content));
    const start = readCpuMs();
    index.add(document);
    building += readCpuMs() - start;
  }
  const queries = Array.from({ length: SEARCHES }, (_, at) => query(at));
  const times = queries.map((text) => {
    const start = performance.now();
    index.search({ text, page: 1, limit: 12 });
    return performance.now() - start;
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
  const heap = Math.round((process.memoryUsage().heapUsed - before) / 1_000_000);
  return `index alone: built in ${Math.round(building)} ms of CPU, at most ${heap} MB of heap, search p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
