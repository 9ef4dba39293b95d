import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { MAX_STALL_MS, measureStall } from '../../../test/support/stall.ts';
import { buildSummary } from '../../stores/article-copies.ts';
import { ArticleSearch } from './article-search.ts';

/** `count` articles whose bodies have the same text. */
function createSearch(count: number, text: string) {
  const summaries = Array.from({ length: count }, (_, index) => buildSummary(buildTestArticle(`a${index}`)));
  return new ArticleSearch({
    getSummary: (slug) => summaries.find((summary) => summary.slug === slug) ?? null,
    getSummaries: () => summaries,
    readText: async () => text,
    readTextsAfter: async (after, limit) =>
      summaries
        .filter(({ slug }) => slug > after)
        .sort((a, b) => (a.slug < b.slug ? -1 : 1))
        .slice(0, limit)
        .map(({ slug }) => ({ slug, text })),
  });
}

/** 300,000 characters without a repeated word. */
const DISTINCT_WORDS = Array.from({ length: 60_000 }, (_, index) => `w${index.toString(36)}`)
  .join(' ')
  .slice(0, 300_000);

it('marks the match in a part of the body when the excerpt has none', async () => {
  const search = createSearch(1, 'The zebra is in the body.');
  search.fill();
  const { articles } = await search.search({ text: 'zebra', page: 1, limit: 5 });
  expect(articles[0]?.excerptParts).toContainEqual({ text: 'zebra', match: true });
});

it('searches the first 100,000 characters of a body', async () => {
  const search = createSearch(1, `${'word '.repeat(19_990)} zebra ${'word '.repeat(1_000)} giraffe`);
  search.fill();
  expect((await search.search({ text: 'zebra', page: 1, limit: 5 })).articles).toHaveLength(1);
  expect((await search.search({ text: 'giraffe', page: 1, limit: 5 })).articles).toEqual([]);
});

it('does not stall the event loop with long bodies, neither when it fills the index nor when it searches', async () => {
  const search = createSearch(12, DISTINCT_WORDS);
  const fill = (filled: ArticleSearch) => {
    filled.fill();
    return filled.filled;
  };
  expect(await measureStall(() => fill(createSearch(12, DISTINCT_WORDS)))).toBeLessThan(MAX_STALL_MS);
  await fill(search);
  const lastWord = DISTINCT_WORDS.slice(0, 99_000).split(' ').at(-2) ?? '';
  const find = () => search.search({ text: lastWord, page: 1, limit: 12 });
  expect(await measureStall(find)).toBeLessThan(MAX_STALL_MS);
});
