import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { CRAWLERS } from '../../core/events/crawlers.ts';
import { classifySource, parseSourceName } from '../../core/events/visit-source.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { MoneyPeriod } from '../reports/periods.ts';
import { buildCells } from '../reports/select-entries.ts';
import { buildCrawledPages, buildCrawlerRows, readCrawlers } from './crawlers.ts';

const count = (agent: string, page: string, requests: number, verified = 0, day = '2026-11-20') => ({
  agent,
  page,
  requests,
  verified,
  day,
});
const CHATGPT = parseSourceName('AI assistant / ChatGPT');

/** A commission of a visit that began on a page and came from a source. */
function buildEntry(
  entryPage: string,
  source = CHATGPT,
  amount = 500,
  status: 'paid' | 'unknown' = 'paid',
): LedgerEntry {
  return buildSampleEntry([{ amount, status }], { entryPage, sources: { first: source, last: source } });
}

it('sums agents with what they read for, and says when no address could be verified', () => {
  const counts = [
    count('GPTBot', '/a', 4, 3),
    count('GPTBot', '/b', 1, 1, '2026-11-21'),
    count('ClaudeBot', '/a', 9),
    count('bingbot', '/a', 2),
    count('no-agent-any-more', '/a', 7),
  ];
  const rows = buildCrawlerRows(counts, ({ ranges }) => ranges === 'bingbot');
  expect(
    rows.map(({ agent, kind, requests, verified, pages, lastDay }) => [
      agent,
      kind,
      requests,
      verified,
      pages,
      lastDay,
    ]),
  ).toEqual([
    ['ClaudeBot', 'training', 9, null, 1, '2026-11-20'],
    ['GPTBot', 'training', 5, 4, 2, '2026-11-21'],
    ['bingbot', 'search', 2, 0, 1, '2026-11-20'],
  ]);
});

it('puts assistants and their money beside a page, and of no other source', () => {
  const counts = [
    count('GPTBot', '/blog/a', 4),
    count('ChatGPT-User', '/blog/a', 6),
    count('ClaudeBot', '/blog/a', 1),
    count('Googlebot', '/blog/b', 20),
  ];
  const entries = [
    buildEntry('blog.a'),
    buildEntry('blog.a', CHATGPT, 0),
    buildEntry('blog.a', CHATGPT, 500, 'unknown'),
    buildEntry('blog.a', parseSourceName('search / Google')),
    buildEntry('blog.b'),
  ];
  expect(buildCrawledPages(counts, buildCells(entries, 'UTC', 'click'))).toEqual([
    {
      page: '/blog/b',
      agents: [{ agent: 'Googlebot', requests: 20 }],
      requests: 20,
      assistants: [],
      conversions: 0,
      amount: 0,
    },
    {
      page: '/blog/a',
      agents: [
        { agent: 'ChatGPT-User', requests: 6 },
        { agent: 'GPTBot', requests: 4 },
        { agent: 'ClaudeBot', requests: 1 },
      ],
      requests: 11,
      assistants: ['ChatGPT', 'Claude'],
      conversions: 1,
      amount: 500,
    },
  ]);
});

it.each([
  ['https://chatgpt.com/', 'ChatGPT'],
  ['https://claude.ai/', 'Claude'],
  ['https://www.perplexity.ai/', 'Perplexity'],
  ['https://notebooklm.google.com/', 'NotebookLM'],
  ['https://meta.ai/', 'Meta AI'],
  ['https://chat.mistral.ai/', 'Le Chat'],
  ['https://www.google.com/', 'Google'],
  ['https://www.bing.com/', 'Bing'],
  ['https://duckduckgo.com/', 'DuckDuckGo'],
  ['https://yandex.ru/', 'Yandex'],
  ['https://www.baidu.com/', 'Baidu'],
])('names the product of agents as visits from %s are named', (referrer, name) => {
  const source = classifySource({ campaign: {}, referrer }, []);
  expect(source.name).toBe(name);
  expect(CRAWLERS.map((crawler) => crawler.source)).toContain(`${source.channel} / ${source.name}`);
});

it('reads the visits that assistants sent to a page that they have read', async () => {
  const site = await createTestSite();
  const visit = (name: string, page: string) =>
    buildSampleEvent({
      page,
      session: randomUUID(),
      serverTime: Date.parse('2026-11-20T12:00:00Z'),
      data: { referrer: 'x', visit_channel: 'AI assistant', visit_source: name },
    });
  await site.visitors.events.append([
    visit('ChatGPT', '/a'),
    visit('ChatGPT', '/a'),
    visit('Grok', '/a'),
    visit('ChatGPT', '/b'),
  ]);
  await site.visitors.crawlerRequests.add([count('GPTBot', '/a', 3), count('ClaudeBot', '/a', 1)]);
  const period = { query: { from: '2026-11-20', to: '2026-11-20', filters: [] }, selection: { cells: [] } };
  const { agents, pages } = await readCrawlers(site as ConsoleSite, period as unknown as MoneyPeriod);
  expect([
    agents.length,
    pages.map(({ page, requests, assistants }) => [page, requests, assistants]),
  ]).toEqual([
    2,
    [
      [
        '/a',
        4,
        [
          { name: 'ChatGPT', visits: 2 },
          { name: 'Claude', visits: 0 },
        ],
      ],
    ],
  ]);
});
