import { beforeEach, describe, expect, it } from 'vitest';
import type { Article } from '../../src/core/articles/article.ts';
import { buildSearchDocument } from '../../src/sources/articles/article-index.ts';
import { ArticleCopies } from '../../src/stores/article-copies.ts';
import { ArticleSearch, hashDocument } from '../../src/stores/article-search.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { buildTestArticle } from './article-cache-store.ts';

const build = (slug: string, day: number, change: Partial<Article>) =>
  buildTestArticle(slug, day, {
    title: 'Untitled',
    excerpt: '',
    categories: [],
    tags: [],
    content: '',
    ...change,
  });

const ARTICLES = [
  build('deliverability', 1, {
    title: 'Warm up a sending domain',
    excerpt: 'Email deliverability in four weeks.',
    tags: ['email deliverability', 'dmarc'],
    content: 'Send email slowly. Email again. The mailbox providers watch bounce rates. Email.',
  }),
  build('no-shows', 2, {
    title: 'Appointment reminders',
    categories: ['Automation'],
    content: 'A reminder by text and one by email reduces no-shows. Café owners know.',
  }),
  build('per-seat', 3, {
    title: 'What per-seat pricing costs an agency of nine',
    categories: ['CRM Strategy', 'Pricing'],
    content: 'The bill is $1,492 a month. Agencies pay for seats. Größe counts.',
  }),
  build('retainer', 4, {
    title: 'Pricing a CRM into your retainer',
    categories: ['Growth Tactics', 'Pricing'],
    content: 'What a client account costs. Seats are a detail here.',
  }),
];

/** Defines the tests of the search over an executor. */
export function describeArticleSearch(name: string, open: () => SqlExecutor): void {
  describe(`article search: ${name}`, () => defineTests(open));
}

/** As an index has it that was filled before fractions were split. */
const EARLIER_WORDS = `INSERT OR REPLACE INTO article_words (rowid, level1, level2, level3)
  SELECT id, ?, '', '' FROM article_search WHERE slug = 'halves'`;

const toDocument = (article: Article) => buildSearchDocument(article, article.content);

function defineTests(open: () => SqlExecutor): void {
  let copies: ArticleCopies;
  let search: ArticleSearch;
  let executor: SqlExecutor;
  const add = async (articles: readonly Article[]) => {
    await copies.write(articles);
    await search.put(articles.map(toDocument));
  };
  const find = async (text: string) => (await search.search({ text, page: 1, limit: 10 })).slugs;

  beforeEach(async () => {
    executor = open();
    copies = new ArticleCopies(executor);
    search = new ArticleSearch(executor);
    await add(ARTICLES);
  });

  it.each([
    ['a word of the title', 'appointment', ['no-shows']],
    ['a word of the excerpt', 'weeks', ['deliverability']],
    ['a category', 'strategy', ['per-seat']],
    ['a tag', 'dmarc', ['deliverability']],
    ['a word of the body', 'bounce', ['deliverability']],
    ['another case', 'APPOINTMENT', ['no-shows']],
    ['a prefix', 'appoint', ['no-shows']],
    ['the singular of a plural', 'reminder', ['no-shows']],
    ['the plural of a singular', 'agency', ['per-seat']],
    ['a plural in -ies', 'agencies', ['per-seat']],
    ['a word without its diacritics', 'cafe', ['no-shows']],
    ['a word with extra diacritics', 'dömain', ['deliverability']],
    ['ss instead of ß', 'grosse', ['per-seat']],
    ['a number', '1,492', ['per-seat']],
    ['a number without its comma', '1492', ['per-seat']],
    ['a word with an extra letter', 'appointtment', ['no-shows']],
    ['a word with a missing letter', 'apointment', ['no-shows']],
    ['a word with a wrong letter', 'appointnent', ['no-shows']],
    ['a word with two letters swapped', 'dmacr', ['deliverability']],
    ['a long word with two typos', 'delivarabilty', ['deliverability']],
    ['a hyphenated word', 'e-mail', ['deliverability', 'no-shows']],
    ['a word with a typo beside one without', 'apointment reminder', ['no-shows']],
    ['nothing for an unknown word', 'zzzzqqqq', []],
    ['nothing for a typo in a short word', 'xyz', []],
    ['nothing for text without words', '"(*)" %', []],
    ['nothing for operators of a query language', 'NOT NEAR OR', []],
  ])('finds %s', async (_, text, slugs) => expect(await find(text)).toEqual(slugs));

  it('ranks a match in the title above one in the body, and many matches above few', async () => {
    expect(await find('seat')).toEqual(['per-seat', 'retainer']);
    expect(await find('email')).toEqual(['deliverability', 'no-shows']);
  });

  it('ranks whole words above beginnings of words, which a short word that is known does not mean', async () => {
    await add([
      build('kitchen', 5, { title: 'Kitchen', content: 'Marketing for kitchens.' }),
      build('kit', 4, { content: 'A kit for the market.' }),
      build('marketing', 6, { title: 'Marketing', content: 'Marketing, marketing, marketing.' }),
    ]);
    expect(await find('kit')).toEqual(['kit']);
    expect(await find('kitc')).toEqual(['kitchen']);
    expect(await find('market')).toEqual(['kit', 'marketing', 'kitchen']);
    expect((await find('kit market'))[0]).toBe('kit');
  });

  it('ranks articles with all words first and leaves out those with few of them', async () => {
    expect((await find('pricing retainer'))[0]).toBe('retainer');
    expect(await find('sending domain warm email')).toEqual(['deliverability']);
  });

  it('ranks the newer of two equal articles first', async () => {
    await add([build('old', 5, { title: 'Zebra' }), build('new', 6, { title: 'Zebra' })]);
    expect(await find('zebra')).toEqual(['new', 'old']);
  });

  it('returns the results page by page', async () => {
    await add(Array.from({ length: 7 }, (_, index) => build(`zebra-${index}`, 5, { title: 'Zebra' })));
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => search.search({ text: 'zebra', page, limit: 3 })),
    );
    expect(pages.map(({ slugs, hasMore }) => [slugs.length, hasMore])).toEqual([
      [3, true],
      [3, true],
      [1, false],
      [0, false],
    ]);
    expect(new Set(pages.flatMap(({ slugs }) => slugs)).size).toBe(7);
  });

  it('marks the words that a search means, and no others', async () => {
    const read = async (text: string) => (await search.search({ text, page: 1, limit: 5 })).isMatch;
    const [misspelled, prefix] = [await read('bonce'), await read('remin')];
    expect(['bounce', 'bonces'].map(misspelled)).toEqual([true, false]);
    expect(['reminder', 'reminders', 'remit'].map(prefix)).toEqual([true, true, false]);
  });

  it('accepts every letter, digit and sign, and finds the article that has it', async () => {
    const signs = ['½ price', '¼ cup', '3½"', '⑴', 'ﷺ', 'Coŀlegi', 'a\u19b0b', '𝐍𝐄𝐀𝐑', '５'];
    for (const [index, sign] of signs.entries()) {
      const article = build(`sign-${index}`, 5, { content: `zebra ${sign}` });
      await add([article]);
      expect(await find(`zebra ${sign}`), sign).toContain(article.slug);
      expect(await search.findSimilar(toDocument(article), 3), sign).not.toContain(article.slug);
    }
    const words = [
      'AND',
      'NEAR(a b)',
      'a*',
      '^a',
      '"',
      'level1:a',
      '-a',
      'a\u0000b',
      '\ud83d',
      '🎉',
      "'",
      '(',
    ];
    for (const word of words) expect(await find(word), word).toBeInstanceOf(Array);
    const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
      /[\p{L}\p{N}]/u.test(one),
    );
    while (letters.length > 0) {
      const query = Array.from({ length: 12 }, () => `x${letters.splice(0, 19).join('x')}`).join(' ');
      expect(await find(query), query).toBeInstanceOf(Array);
    }
  });

  it('finds a fraction in the index of an earlier version', async () => {
    await add([build('halves', 5, { content: 'Two halves.' })]);
    await executor.batch([{ sql: EARLIER_WORDS, values: ['two halves 1⁄2'] }]);
    expect(await find('½')).toEqual(['halves']);
  });

  it('accepts a query of 10,000 words', async () =>
    expect(await find('email '.repeat(10_000))).toEqual(['deliverability', 'no-shows']));

  it('finds the new text of an edited article and not the old one', async () => {
    await add([build('no-shows', 2, { title: 'Zebra', content: 'Giraffe.' })]);
    expect([await find('appointment'), await find('zebra'), await find('giraffe')]).toEqual([
      [],
      ['no-shows'],
      ['no-shows'],
    ]);
  });

  it('does not find a removed article', async () => {
    await search.remove(['no-shows', 'never-added']);
    expect(await find('appointment')).toEqual([]);
  });

  it('does not find an article whose copy is removed', async () => {
    await copies.remove('no-shows');
    expect(await find('appointment')).toEqual([]);
  });

  it('knows the version of each article, and which copies it does not have', async () => {
    const imported = build('imported', 9, { title: 'Imported' });
    await copies.write([imported]);
    const hashes = await search.readHashes(['retainer', 'imported']);
    expect([...hashes]).toEqual(
      ARTICLES.filter(({ slug }) => slug === 'retainer').map((one) => [
        one.slug,
        hashDocument(toDocument(one)),
      ]),
    );
    expect((await search.readHashes(null)).size).toBe(ARTICLES.length);
    expect([await search.readUnknown('', 9), await search.readUnknown('imported', 9)]).toEqual([
      ['imported'],
      [],
    ]);
  });

  it('finds the articles that share the most key terms with one, but not the article itself', async () => {
    const findSimilar = async (slug: string, limit: number) => {
      const [article] = ARTICLES.filter((one) => one.slug === slug);
      return article ? search.findSimilar(toDocument(article), limit) : expect.fail();
    };
    expect(await findSimilar('per-seat', 1)).toEqual(['retainer']);
    expect((await findSimilar('deliverability', 9))[0]).toBe('no-shows');
    expect(await findSimilar('deliverability', 9)).not.toContain('deliverability');
  });
}
