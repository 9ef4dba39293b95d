import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Article, ArticleCard } from '../../src/core/articles/article.ts';
import { type ArticleCacheStore, buildCard } from '../../src/core/articles/article-cache-store.ts';

/** An article for stores and caches; `day` orders it in time. */
export function buildTestArticle(slug: string, day = 1, change: Partial<Article> = {}): Article {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString();
  return {
    id: slug,
    slug,
    title: `Title of ${slug}`,
    excerpt: 'An excerpt.',
    featuredImage: { src: '/a.png', alt: 'A', width: 1200, height: 630, sources: [] },
    categories: ['Automation'],
    tags: ['crm'],
    author: 'Editorial desk',
    publishedAt: date,
    updatedAt: date,
    readingTime: 3,
    content: `<p>Body of ${slug}</p>`,
    seoTitle: '',
    seoDescription: '',
    partner: '',
    ...change,
  };
}

/** Holds a store to the port. */
export function describeArticleCacheStore(
  name: string,
  create: () => { readonly store: ArticleCacheStore; readonly clean: () => void },
): void {
  describe(`article cache store: ${name}`, () => {
    let store: ArticleCacheStore;
    let clean: () => void;
    beforeEach(() => {
      ({ store, clean } = create());
    });
    afterEach(async () => {
      await store.close();
      clean();
    });
    const slugs = async () => (await store.readCards()).map(({ card }) => card.slug);

    it('is empty at first', async () => {
      expect(await store.readCards()).toEqual([]);
      expect(await store.readPages()).toEqual([]);
      expect(await store.readArticle('a')).toBeNull();
      expect(await store.readFact('complete')).toBeNull();
    });

    it('gives back whole articles as they were, cards newest first', async () => {
      const articles = [buildTestArticle('a', 1), buildTestArticle('b', 2), buildTestArticle('c', 1)];
      await store.write(articles);
      expect(await slugs()).toEqual(['b', 'a', 'c']);
      expect((await store.readCards())[1]).toEqual({
        card: articles[0] && buildCard(articles[0]),
        bodyOf: articles[0]?.updatedAt,
      });
      expect(await store.readArticle('a')).toEqual(articles[0]);
    });

    it('keeps the body when only the card is new', async () => {
      const card: ArticleCard = buildCard(buildTestArticle('a'));
      await store.write([card]);
      expect(await store.readCards()).toEqual([{ card, bodyOf: null }]);
      expect(await store.readArticle('a')).toBeNull();
      await store.write([buildTestArticle('a')]);
      await store.write([{ ...card, title: 'New', updatedAt: '2027-01-01T00:00:00.000Z' }]);
      expect(await store.readArticle('a')).toMatchObject({ title: 'New', content: '<p>Body of a</p>' });
      expect((await store.readCards())[0]?.bodyOf).toBe(card.updatedAt);
    });

    it('walks through the bodies in batches', async () => {
      await store.write(['d', 'a', 'c', 'b'].map((slug) => buildTestArticle(slug)));
      await store.write([buildCard(buildTestArticle('bb'))]);
      const walk = async (after: string) =>
        (await store.readArticlesAfter(after, 2)).map(({ slug }) => slug).join('');
      expect([await walk(''), await walk('b'), await walk('d')]).toEqual(['ab', 'cd', '']);
    });

    it('removes an article', async () => {
      await store.write([buildTestArticle('a'), buildTestArticle('b')]);
      await store.remove('a');
      await store.remove('never-there');
      expect(await slugs()).toEqual(['b']);
    });

    it('keeps pages and facts, the last of each', async () => {
      await store.writePage({ key: '1:12', slugs: ['a'], hasMore: true });
      await store.writePage({ key: '2:12', slugs: [], hasMore: false });
      await store.writePage({ key: '1:12', slugs: ['b', 'a'], hasMore: false });
      expect(await store.readPages()).toEqual([
        { key: '2:12', slugs: [], hasMore: false },
        { key: '1:12', slugs: ['b', 'a'], hasMore: false },
      ]);
      await store.writeFact('complete', 'no');
      await store.writeFact('complete', 'yes');
      expect(await store.readFact('complete')).toBe('yes');
    });

    it('drops the oldest past its bounds', async () => {
      await store.write(
        [1, 2, 3, 4, 5].map((day) => buildTestArticle(`a${day}`, day, { content: 'x'.repeat(100) })),
      );
      for (const key of ['1:12', '2:12', '3:12']) await store.writePage({ key, slugs: [], hasMore: false });
      expect([...(await store.prune({ articles: 4, pages: 2, bytes: 300 }))].sort()).toEqual(['a1', 'a2']);
      expect(await slugs()).toEqual(['a5', 'a4', 'a3']);
      expect((await store.readPages()).map(({ key }) => key)).toEqual(['2:12', '3:12']);
      expect(await store.prune({ articles: 4, pages: 2, bytes: 300 })).toEqual([]);
    });

    it('keeps any text whole', async () => {
      const odd = buildTestArticle('odd', 1, {
        title: `'"; DROP TABLE articles;-- 東京 👩‍💻`,
        content: 'a'.repeat(300_000),
      });
      await store.write([odd]);
      expect(await store.readArticle('odd')).toEqual(odd);
      expect(await store.readArticle("' OR 1=1 --")).toBeNull();
    });
  });
}
