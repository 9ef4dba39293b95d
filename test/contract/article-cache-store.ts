import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Article } from '../../src/core/articles/article.ts';
import { ArticleCopies, buildSummary } from '../../src/stores/article-copies.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';

/** Builds an article for stores and caches; `day` orders it in time. */
export function buildTestArticle(slug: string, day = 1, change: Partial<Article> = {}): Article {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString();
  const content = change.content ?? `<p>Body of ${slug}</p>`;
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
    content,
    contents: [],
    splitAt: content.length,
    seoTitle: '',
    seoDescription: '',
    partner: '',
    ...change,
  };
}

/** Defines the tests of the copies of articles over an executor. */
export function describeArticleCopies(name: string, open: () => SqlExecutor): void {
  describe(`article copies: ${name}`, () => defineTests(open));
}

function defineTests(open: () => SqlExecutor): void {
  let executor: SqlExecutor;
  let store: ArticleCopies;
  beforeEach(() => {
    executor = open();
    store = new ArticleCopies(executor);
  });
  afterEach(() => executor.close());
  const readSlugs = async () => (await store.readSummaries()).map(({ summary }) => summary.slug);

  it('is empty at first', async () => {
    expect(await store.readSummaries()).toEqual([]);
    expect(await store.readPages()).toEqual([]);
    expect(await store.readArticle('a')).toBeNull();
    expect(await store.readIsComplete()).toBe(false);
  });

  it('returns whole articles unchanged and summaries newest first', async () => {
    const outline = { contents: [{ id: 's-one', text: 'One', children: [] }], splitAt: 7 };
    const articles = [buildTestArticle('a', 1, outline), buildTestArticle('b', 2), buildTestArticle('c', 1)];
    await store.write(articles);
    expect(await readSlugs()).toEqual(['b', 'a', 'c']);
    expect((await store.readSummaries())[1]).toEqual({
      summary: articles[0] && buildSummary(articles[0]),
      bodyVersion: articles[0]?.updatedAt,
    });
    expect(await store.readArticle('a')).toEqual(articles[0]);
  });

  it('leaves the body as it is when only a summary is written', async () => {
    const summary = buildSummary(buildTestArticle('a'));
    await store.write([summary]);
    expect(await store.readSummaries()).toEqual([{ summary, bodyVersion: null }]);
    expect(await store.readArticle('a')).toBeNull();
    await store.write([buildTestArticle('a')]);
    await store.write([{ ...summary, title: 'New', updatedAt: '2027-01-01T00:00:00.000Z' }]);
    expect(await store.readArticle('a')).toMatchObject({ title: 'New', content: '<p>Body of a</p>' });
    expect((await store.readSummaries())[0]?.bodyVersion).toBe(summary.updatedAt);
  });

  it('removes an article, and ignores one that is not stored', async () => {
    await store.write([buildTestArticle('a'), buildTestArticle('b')]);
    await store.remove('a');
    await store.remove('never-stored');
    expect(await readSlugs()).toEqual(['b']);
  });

  it('stores the last version of each page, and completeness', async () => {
    await store.writePage({ page: 1, limit: 12, slugs: ['a'], hasMore: true });
    await store.writePage({ page: 2, limit: 12, slugs: [], hasMore: false });
    await store.writePage({ page: 1, limit: 12, slugs: ['b', 'a'], hasMore: false });
    expect(await store.readPages()).toEqual([
      { page: 2, limit: 12, slugs: [], hasMore: false },
      { page: 1, limit: 12, slugs: ['b', 'a'], hasMore: false },
    ]);
    await store.writeIsComplete();
    await store.writeIsComplete();
    expect(await store.readIsComplete()).toBe(true);
  });

  it('removes the oldest articles and pages beyond its bounds', async () => {
    await store.write(
      [1, 2, 3, 4, 5].map((day) => buildTestArticle(`a${day}`, day, { content: 'x'.repeat(100) })),
    );
    for (const page of [1, 2, 3]) await store.writePage({ page, limit: 12, slugs: [], hasMore: false });
    const prune = () => store.prune(4, 2, 300);
    expect([...(await prune())].sort()).toEqual(['a1', 'a2']);
    expect(await readSlugs()).toEqual(['a5', 'a4', 'a3']);
    expect((await store.readPages()).map(({ page }) => page)).toEqual([2, 3]);
    expect(await prune()).toEqual([]);
  });

  it('returns any text unchanged', async () => {
    const odd = buildTestArticle('odd', 1, {
      title: `'"; DROP TABLE articles;-- 東京 👩‍💻`,
      content: 'a'.repeat(300_000),
    });
    await store.write([odd]);
    expect(await store.readArticle('odd')).toEqual(odd);
    expect(await store.readArticle("' OR 1=1 --")).toBeNull();
  });

  it('notices nothing foreign in what it has written itself', async () => {
    await store.readSummaries();
    await store.write([buildTestArticle('a')]);
    await store.writePage({ page: 1, limit: 12, slugs: ['a'], hasMore: false });
    await store.writeIsComplete();
    expect(await store.takeForeignChange()).toBe(false);
  });

  it('notices once what another process has written, and not what it wrote itself', async () => {
    const other = new ArticleCopies(executor);
    await store.write([buildTestArticle('a')]);
    await other.readSummaries();
    await store.takeForeignChange();
    await store.write([buildTestArticle('b')]);
    expect(await store.takeForeignChange()).toBe(false);
    await other.remove('a');
    expect([await store.takeForeignChange(), await store.takeForeignChange()]).toEqual([true, false]);
    await other.write([buildTestArticle('c')]);
    await store.write([buildTestArticle('d')]);
    expect([await store.takeForeignChange(), await store.takeForeignChange()]).toEqual([true, false]);
  });

  it('stores which deletions are held, accepted and done, for every process', async () => {
    await store.write(['a', 'b', 'c'].map((slug) => buildTestArticle(slug)));
    const other = new ArticleCopies(executor);
    await other.takeForeignChange();
    await store.writeHeld(['a', 'b'], 1_000);
    await store.writeHeld(['b', 'c'], 2_000);
    expect(await other.takeForeignChange()).toBe(true);
    const held = { b: { state: 'held', since: 1_000 }, c: { state: 'held', since: 2_000 } };
    expect(Object.fromEntries(await other.readMissing())).toEqual(held);
    expect(await other.acceptHeld()).toBe(2);
    expect([...(await store.readMissing()).values()].map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
    ]);
    await store.removeGone(['b'], null);
    await store.removeGone(['c'], 3_000);
    expect(Object.fromEntries(await store.readMissing())).toEqual({ c: { state: 'removed', since: 3_000 } });
    expect((await store.readSummaries()).map(({ summary }) => summary.slug)).toEqual(['a']);
    await store.writeHeld(['c'], 4_000);
    expect(Object.fromEntries(await store.readMissing())).toEqual({ c: { state: 'held', since: 4_000 } });
  });
}
