import { beforeEach, describe, expect, it } from 'vitest';
import { type Article, compareNewestFirst } from '../../src/core/articles/article.ts';
import type { ArticleFinder, SearchableArticles } from '../../src/sources/articles/article-finder.ts';
import { buildSummary } from '../../src/stores/article-copies.ts';
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

/** Copies in memory that a search reads. */
class Copies implements SearchableArticles {
  readonly #articles = new Map<string, Article>();

  set(article: Article): void {
    this.#articles.set(article.slug, article);
  }
  delete(slug: string): void {
    this.#articles.delete(slug);
  }
  getSummary(slug: string) {
    const article = this.#articles.get(slug);
    return article ? buildSummary(article) : null;
  }
  getSummaries() {
    return [...this.#articles.values()].map(buildSummary).sort(compareNewestFirst);
  }
  async readText(slug: string) {
    return this.#articles.get(slug)?.content ?? '';
  }
  async readTextsAfter(slug: string, count: number) {
    return [...this.#articles.values()]
      .filter((article) => article.slug > slug)
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
      .slice(0, count)
      .map((article) => ({ slug: article.slug, text: article.content }));
  }
}

/** How an adapter is created, and what stores articles where its search looks for them. */
export interface FinderSetup {
  readonly create: (articles: SearchableArticles) => ArticleFinder;
  readonly write?: (articles: readonly Article[]) => Promise<void>;
  readonly remove?: (slug: string) => Promise<void>;
}

/** Defines the tests that every `ArticleFinder` passes. */
export function describeArticleFinder(name: string, setUp: () => FinderSetup): void {
  describe(`article search: ${name}`, () => defineTests(setUp));
}

function defineTests(setUp: () => FinderSetup): void {
  let setup: FinderSetup;
  let copies: Copies;
  let finder: ArticleFinder;
  const add = async (articles: readonly Article[]) => {
    for (const article of articles) copies.set(article);
    await setup.write?.(articles);
    await finder.put(articles.map((article) => ({ summary: buildSummary(article), text: article.content })));
  };
  const find = async (text: string) =>
    (await finder.search({ text, page: 1, limit: 10 })).articles.map(({ slug }) => slug);

  beforeEach(async () => {
    setup = setUp();
    copies = new Copies();
    finder = setup.create(copies);
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
  ])('finds %s', async (_, text, slugs) => {
    expect(await find(text)).toEqual(slugs);
  });

  it('ranks a match in the title above one in the body, and many matches above few', async () => {
    expect(await find('seat')).toEqual(['per-seat', 'retainer']);
    expect(await find('email')).toEqual(['deliverability', 'no-shows']);
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
      [1, 2, 3, 4].map((page) => finder.search({ text: 'zebra', page, limit: 3 })),
    );
    expect(pages.map(({ articles, hasMore }) => [articles.length, hasMore])).toEqual([
      [3, true],
      [3, true],
      [1, false],
      [0, false],
    ]);
    expect(new Set(pages.flatMap(({ articles }) => articles.map(({ slug }) => slug))).size).toBe(7);
  });

  it('marks the match in a part of the body when the excerpt has none', async () => {
    const { articles } = await finder.search({ text: 'bonce', page: 1, limit: 5 });
    expect(articles[0]?.excerptParts).toContainEqual({ text: 'bounce', match: true });
  });

  it('accepts a query of 10,000 words', async () => {
    expect(await find('email '.repeat(10_000))).toEqual(['deliverability', 'no-shows']);
  });

  it('finds the new text of an edited article and not the old one', async () => {
    await add([build('no-shows', 2, { title: 'Zebra', content: 'Giraffe.' })]);
    expect([await find('appointment'), await find('zebra'), await find('giraffe')]).toEqual([
      [],
      ['no-shows'],
      ['no-shows'],
    ]);
  });

  it('keeps the text of an article of which only the summary is new', async () => {
    const [article] = ARTICLES;
    if (!article) return expect.fail();
    const edited = { ...article, title: 'Zebra' };
    copies.set(edited);
    await setup.write?.([edited]);
    await finder.put([{ summary: buildSummary(edited), text: null }]);
    expect([await find('zebra'), await find('bounce')]).toEqual([['deliverability'], ['deliverability']]);
  });

  it('does not find a removed article', async () => {
    copies.delete('no-shows');
    await setup.remove?.('no-shows');
    finder.remove('no-shows');
    finder.remove('never-added');
    expect(await find('appointment')).toEqual([]);
  });

  it('finds the articles that share the most key terms with one, but not the article itself', async () => {
    const findRelated = async (slug: string, limit: number) =>
      (await finder.findRelated(slug, limit)).map((summary) => summary.slug);
    expect(await findRelated('per-seat', 1)).toEqual(['retainer']);
    expect((await findRelated('deliverability', 9))[0]).toBe('no-shows');
    expect(await findRelated('deliverability', 9)).not.toContain('deliverability');
    expect(await findRelated('unknown', 9)).toEqual([]);
  });

  it('finds articles that were stored without it once it has been filled', async () => {
    const article = build('imported', 9, { title: 'Imported', content: 'Okapi.' });
    copies.set(article);
    await setup.write?.([article]);
    finder.fill();
    await finder.filled;
    expect(await find('okapi')).toEqual(['imported']);
  });
}
