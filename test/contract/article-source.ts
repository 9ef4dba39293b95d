import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArticleSource, ArticleSourceError } from '../../src/core/articles/article-source.ts';
import { buildServedArticles } from '../support/fake-services.ts';
import { FAULTS, type Fault, UPSTREAM_SECRET } from '../support/upstream-server.ts';

/** Number of articles in the source under test: those of `buildServedArticles`. */
export const CONTRACT_ARTICLES = 7;

/** A source under test; its articles are those of `buildServedArticles(CONTRACT_ARTICLES)`. */
export interface ContractSetup {
  readonly source: ArticleSource;
  /** Calls that reached the service behind it. */
  readonly calls?: readonly string[];
  readonly close?: () => Promise<void>;
}

const served = buildServedArticles(CONTRACT_ARTICLES);

/** Defines the tests that every adapter of the `ArticleSource` port passes. */
export function describeArticleSource(name: string, setUp: () => Promise<ContractSetup>): void {
  describe(`article source: ${name}`, () => {
    let setup: ContractSetup;
    beforeAll(async () => {
      setup = await setUp();
    });
    afterAll(async () => setup.close?.());
    const listSlugs = async (page: number, limit: number) =>
      (await setup.source.list({ page, limit })).articles.map(({ slug }) => slug);

    it('lists newest first, page by page, and reports whether there is more', async () => {
      expect(await listSlugs(1, 3)).toEqual(['article-0', 'article-1', 'article-2']);
      expect(await listSlugs(3, 3)).toEqual(['article-6']);
      expect((await setup.source.list({ page: 1, limit: 3 })).hasMore).toBe(true);
      expect((await setup.source.list({ page: 3, limit: 3 })).hasMore).toBe(false);
      expect((await setup.source.list({ page: 1, limit: 7 })).hasMore).toBe(false);
    });

    it('returns an empty page past the end', async () =>
      expect(await setup.source.list({ page: 9, limit: 3 })).toEqual({ articles: [], hasMore: false }));

    it('fills every field of a summary', async () => {
      const summary = (await setup.source.list({ page: 1, limit: 1 })).articles[0];
      expect(summary).toMatchObject({
        slug: 'article-0',
        title: served[0]?.title,
        excerpt: served[0]?.excerpt,
        categories: ['Automation'],
        tags: ['crm', 'tag-0'],
        author: 'The desk',
        publishedAt: served[0]?.publishedAt,
        updatedAt: served[0]?.publishedAt,
      });
      expect(summary?.id).toMatch(/./);
      expect(summary?.readingTime).toBeGreaterThanOrEqual(1);
      expect(summary?.featuredImage).toMatchObject({ width: 1200, height: 630 });
    });

    it('returns a whole article with a sanitized body and its table of contents', async () => {
      const article = await setup.source.get('article-3');
      expect(article?.title).toBe(served[3]?.title);
      expect(article?.content).toContain('<h2 id="s-part-one">Part one</h2>');
      expect(article?.content).toContain('<p>The body of 3.</p>');
      expect(article?.content).not.toContain('alert');
      expect(article?.contents).toEqual([{ id: 's-part-one', text: 'Part one', children: [] }]);
      expect(article?.splitAt).toBe(article?.content.length);
    });

    it('returns null for an article that does not exist', async () =>
      expect(await setup.source.get('no-such-article')).toBeNull());

    it.each(['../admin', '//evil.com', '@evil.com', 'a?b', 'a#b', 'a%00', 'A', '', 'ａ', 'a'.repeat(500)])(
      'returns null for the invalid slug %j without a call',
      async (slug) => {
        const before = setup.calls?.length;
        expect(await setup.source.get(slug)).toBeNull();
        expect(setup.calls?.length).toBe(before);
      },
    );

    it('finds articles by a word, page by page', async () => {
      const found = await setup.source.search({ text: 'pipelines', page: 1, limit: 2 });
      expect(found.articles.map(({ slug }) => slug).sort()).toEqual(['article-1', 'article-3']);
      expect(found.hasMore).toBe(true);
      const rest = await setup.source.search({ text: 'pipelines', page: 2, limit: 2 });
      expect(rest.articles.map(({ slug }) => slug)).toEqual(['article-5']);
      expect(rest.hasMore).toBe(false);
    });

    it.each(['', '   '])('lists when the search text is blank: %j', async (text) => {
      const found = await setup.source.search({ text, page: 1, limit: 2 });
      expect(found.articles.map(({ slug }) => slug)).toEqual(['article-0', 'article-1']);
    });

    it.each(['zzzzqqqq', '\'"%_*(){}[]\\', '%E0%A4%A'])('finds nothing for %j', async (text) =>
      expect((await setup.source.search({ text, page: 1, limit: 2 })).articles).toEqual([]),
    );
  });
}

/** A source whose service can be made to fail. */
export interface FailingSetup extends ContractSetup {
  /** The same source with so short a deadline that a test can wait for it. */
  readonly hurriedSource: ArticleSource;
  readonly fail: (fault: Fault | null) => Promise<void>;
}

/** Defines the tests of how a source fails: every fault of its service, on a real socket. */
export function describeArticleSourceFailures(name: string, setUp: () => Promise<FailingSetup>): void {
  describe(`failing article source: ${name}`, () => {
    let setup: FailingSetup;
    beforeAll(async () => {
      setup = await setUp();
    });
    afterAll(async () => setup.close?.());

    it.each(FAULTS)(
      'rejects without the text of a response that is %s, and then works again',
      { tags: ['rest'] },
      async (fault) => {
        const source = EXPECTED[fault] === 'timeout' ? setup.hurriedSource : setup.source;
        await setup.fail(fault);
        const errors = await Promise.all(
          [
            source.list({ page: 2, limit: 2 }),
            source.get('article-1'),
            source.search({ text: 'pipelines', page: 1, limit: 2 }),
          ].map((attempt) => attempt.then(JSON.stringify, (reason: unknown) => reason)),
        );
        for (const error of errors) {
          if (!(error instanceof ArticleSourceError)) return expect.fail(`resolved with ${String(error)}`);
          expect(error.code).toBe(EXPECTED[fault]);
          expect(error.message).toMatch(/^\[articles:[a-z-]+\] /);
          expect(`${error.message} ${error.stack}`).not.toContain(UPSTREAM_SECRET);
          if (fault === 'status-429') expect(error.retryAfter).toBe(30);
        }
        await setup.fail(null);
        await expect
          .poll(() => source.get('article-1').catch(() => null))
          .toMatchObject({ slug: 'article-1' });
      },
    );
  });
}

const EXPECTED: Readonly<Record<Fault, string>> = {
  down: 'unreachable',
  hang: 'timeout',
  'hang-after-headers': 'timeout',
  'slow-drip': 'timeout',
  truncated: 'bad-response',
  'truncated-chunks': 'bad-response',
  reset: 'unreachable',
  garbage: 'bad-response',
  'broken-json': 'bad-response',
  'html-with-200': 'bad-response',
  'wrong-type': 'bad-response',
  'wrong-shape': 'bad-response',
  'invalid-utf8': 'bad-response',
  'empty-body': 'bad-response',
  'status-401': 'unauthorized',
  'status-403': 'unauthorized',
  'status-429': 'rate-limited',
  'status-500': 'failed',
  'status-503': 'failed',
  'redirect-loop': 'bad-response',
  'redirect-to-loopback': 'bad-response',
  'redirect-to-nowhere': 'bad-response',
  'endless-body': 'bad-response',
  'huge-length': 'bad-response',
  'gzip-bomb': 'bad-response',
  'bad-gzip': 'bad-response',
  'not-http': 'unreachable',
};
