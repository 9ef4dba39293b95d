/** @module-tag rest */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream-server.ts';

/** In ms of CPU; 50 are the goal, the collection of garbage comes on top. */
const MAX_STALL_MS = 150;
const MAX_CHARACTERS = 300_000;

const fill = (piece: string) => piece.repeat(Math.floor(MAX_CHARACTERS / piece.length));
const listWords = (count: number) =>
  Array.from({ length: count }, (_, index) => `w${((index * 7_919) % 100_003).toString(36)}`).join(' ');

/** Bodies as large as the site takes, each of a kind that is slow in another part of it. */
const BODIES: readonly string[] = [
  fill('&'),
  fill('<'),
  fill('漢字'),
  fill('<p>a b c d e f</p>').slice(0, 290_000),
  listWords(45_000),
  '<h2>a</h2>'.repeat(12_000),
  '<h2>Heading here</h2><p>a</p>'.repeat(5_000),
  '<pre><code>a</code></pre>'.repeat(10_000),
  `<table><tr>${'<td>1</td>'.repeat(20_000)}</tr></table>`,
  `<p>a</p>${'<img src="https://images.example/a.png" alt="a">'.repeat(2_000)}`,
  '<a href="/blog/stall-1">link</a> '.repeat(8_000),
  `${'<div>'.repeat(24_000)}a`,
  `<p ${Array.from({ length: 25_000 }, (_, index) => `a${index}=b`).join(' ')}>a</p>`,
  fill('x'),
  fill('word '),
];
const served = [...BODIES, ...BODIES.slice(0, 5)].map((content, index) => ({
  slug: `stall-${index}`,
  title: 'T'.repeat(index === 0 ? 500_000 : 20),
  excerpt: 'An excerpt that an editor wrote for this article and for no other.',
  publishedAt: '2020-01-01T00:00:00Z',
  categories: ['Kind'],
  tags: Array.from({ length: index === 0 ? 20_000 : 3 }, (_, tag) => `tag ${tag}`),
  content,
}));

let site: Site | undefined;
let upstream: Upstream | undefined;
afterEach(async () => {
  await site?.remove();
  await upstream?.close();
});

/** Resolves with the longest stall of the site since the last call. */
async function readStall(running: Site, file: string): Promise<number> {
  process.kill(running.pid(), 'SIGUSR2');
  while (!existsSync(file)) await sleep(5);
  const stall = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return stall;
}

it('no article stalls the event loop: not when it is crawled, shown, found or in a feed', {
  tags: ['measures'],
}, async () => {
  upstream = await startUpstream((url) => {
    const slug = /^\/articles\/(stall-\d+)$/.exec(url.pathname)?.[1];
    const article = served.find((one) => one.slug === slug);
    if (article !== undefined) return { json: article };
    const [page, limit] = ['page', 'limit'].map((name) => Number(url.searchParams.get(name))) as [
      number,
      number,
    ];
    const articles = served.map(({ content: _, ...summary }) => summary);
    return {
      json: {
        articles: articles.slice((page - 1) * limit, page * limit),
        hasMore: page * limit < articles.length,
      },
    };
  });
  const { calls } = upstream;
  const file = path.join(os.tmpdir(), `signpost-stall-${process.pid}`);
  const running = await startSite({
    articleService: { url: upstream.url, key: 'key' },
    env: {
      NODE_OPTIONS: `--import=${import.meta.resolve('../support/watch-event-loop.ts')}`,
      TEST_STALL_FILE: file,
    },
  });
  site = running;
  // Code that runs for the first time is not the article's.
  for (const address of ['/', '/blog?q=other']) await (await fetch(running.url + address)).text();
  await readStall(running, file);
  const scale = watchMachine();
  const stalls: Record<string, number> = {};
  const lastSlug = served.at(-1)?.slug ?? '';
  await expect.poll(() => calls.some((call) => call.endsWith(lastSlug)), { timeout: 30_000 }).toBe(true);
  await expect.poll(async () => (await fetch(`${running.url}/blog/${lastSlug}`)).status).toBe(200);
  stalls['crawl'] = await readStall(running, file);
  const addresses = [
    ...BODIES.map((_, index) => `/blog/stall-${index}`),
    '/blog?q=word',
    '/rss.xml',
    '/feed.json',
  ];
  for (const address of addresses) {
    // A busy machine may not have read the article in time: then it is asked for again.
    const read = async () => {
      const response = await fetch(running.url + address);
      await response.text();
      return response.status;
    };
    await expect.poll(read, { message: address }).toBe(200);
    stalls[address] = await readStall(running, file);
  }
  const limit = scale(MAX_STALL_MS);
  expect(Object.entries(stalls).filter(([, stall]) => stall > limit)).toEqual([]);
});
