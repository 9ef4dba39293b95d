import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { buildViewRequest, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { createNoArticles } from '../../../test/support/test-site.ts';
import { buildArticlePath } from '../../core/paths.ts';
import { ConsoleDocument } from '../frame/frame.tsx';
import { readPages } from '../pages/read.ts';
import { readView } from '../views.ts';
import { column } from './columns.ts';
import { readListTable } from './list.ts';

/** 2,000 posts: the one that earned least is named like the start of the name of others, and others have its words in their text. */
const POSTS = Array.from({ length: 2_000 }, (_, index) => ({
  title: `${index % 3 === 0 ? 'Pricing of' : 'Why'} Kit, part ${index + 1}`,
  text: index % 2 === 0 ? 'Pricing of Kit, part 17' : '',
  earned: (index * 7_919) % 2_000,
}));
const COLUMNS = [
  column<(typeof POSTS)[number]>('title', 'Title', ({ title }) => title),
  column<(typeof POSTS)[number]>('earned', 'Earned', ({ earned }) => earned),
];

function search(
  words: string,
  sort: { readonly column: string; readonly isDescending: boolean } | null = null,
) {
  const request = buildViewRequest({ search: new URLSearchParams({ q: words }).toString() });
  const read: string[] = [];
  const list = readListTable(
    POSTS,
    COLUMNS,
    { ...request, query: { ...request.query, sort } },
    {
      usual: { column: 'earned', isDescending: true },
      title: ({ title }) => title,
      words: ({ title, text }) => {
        read.push(title);
        return text;
      },
    },
  );
  return { list, read, titles: list.rows.map(({ title }) => title) };
}

it.each(['Why Kit, part 17', ' WHY  kit, part 17 '])(
  'finds the post that is named %j first of 2,000',
  (words) => {
    const { titles } = search(words);
    expect(titles[0]).toBe('Why Kit, part 17');
    expect(titles.slice(1, 9).every((title) => title.startsWith('Why Kit, part 17'))).toBe(true);
  },
);

it('lists hits in titles before those in texts, each by what they earned, unless a column is asked for', () => {
  const { titles, list, read } = search('pricing 17');
  const isTitled = (title: string) => /^Pricing.*17/.test(title);
  const titled = POSTS.filter(({ title }) => isTitled(title)).toSorted(
    (one, other) => other.earned - one.earned,
  );
  expect(titles).toEqual(titled.slice(0, 20).map(({ title }) => title));
  expect(list.total).toBeGreaterThan(1_000);
  // No column has this order.
  expect(list.sort.column).toBe('');
  // The texts of those are not read.
  expect(read.filter(isTitled)).toEqual([]);
  const sorted = search('pricing 17', { column: 'earned', isDescending: true });
  expect(sorted.list.sort.column).toBe('earned');
  const money = sorted.list.rows.map(({ earned }) => earned);
  expect(money).toEqual(money.toSorted((one, other) => other - one));
  expect(money[0]).toBeGreaterThan(1_990);
  expect(search('no such words').list.total).toBe(0);
});

it('finds a page by words of its title in any order, before those whose address has them', async () => {
  const articles = [
    { slug: 'a', title: 'Kit or Ghost: which one?' },
    { slug: 'ghost-which-kit', title: 'Newsletters' },
    { slug: 'c', title: 'Something else' },
  ];
  const paths = articles.map((article) => buildArticlePath(article));
  const rows = paths.map((path, index) => ({
    dimension: 'page' as const,
    key: [path],
    day: '2025-12-20',
    views: 10,
    sessions: 9,
    actions: 0,
    clicks: 10 * index,
  }));
  const site = await createTestConsole({
    rollups: createMemoryRollups(rows),
    articles: { ...createNoArticles(), getSummaries: () => articles as never },
  });
  const find = async (q: string) => {
    const { rows: found } = await readPages(site, buildViewRequest({ search: `q=${q}` }));
    return found.map(({ key }) => key);
  };
  expect(await find('which+kit')).toEqual([paths[0], paths[1]]);
  expect(await find('')).toEqual([paths[2], paths[1], paths[0]]);
  expect(await find('nothing')).toEqual([]);
  const request = { ...buildViewRequest({ search: 'q=nothing' }), view: 'pages' } as const;
  const page = await readView(site, request, null, null);
  const html = renderToStaticMarkup(createElement(ConsoleDocument, { page: page ?? expect.fail() }));
  expect(html).toContain('No page has these words.');
  // What is not listed is no page that was found.
  expect(html).not.toContain('more pages');
});
