import { describe, expect, it } from 'vitest';
import { readShippedSite } from '../../../test/support/shipped-content.ts';
import type { Article } from '../../core/articles/article.ts';
import type { ListState } from '../../core/articles/article-list.ts';
import { answerArticle } from './answer-article.ts';
import { answerGroup } from './answer-group.ts';
import { answerList } from './answer-list.ts';

const site = readShippedSite();
const createResponse = () => ({ status: 200, headers: new Headers() });

const ARTICLE: Article = {
  id: 'x',
  slug: 'x',
  title: 'Seats',
  excerpt: 'About seats.',
  featuredImage: null,
  categories: ['CRM Strategy'],
  tags: [],
  author: 'Editorial desk',
  publishedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  readingTime: 3,
  content: '<p>Words.</p>',
  seoTitle: '',
  seoDescription: '',
  partner: '',
};
const NEIGHBOURS = {
  contents: [],
  body: ['', ''],
  previous: null,
  next: null,
  related: [],
  isPreview: false,
} as const;

describe('an article', () => {
  it.each([
    [{}, 'Seats | CRM & Automation Hub Blog', 'About seats.'],
    [{ seoTitle: 'Seat prices', seoDescription: 'What seats cost.' }, 'Seat prices', 'What seats cost.'],
  ])('with %j is called %s', (fields, title, description) => {
    const response = createResponse();
    const view = { kind: 'found', article: { ...ARTICLE, ...fields }, ...NEIGHBOURS } as const;
    const head = answerArticle(response, view, 'x', site);
    expect(head).toMatchObject({ title, description, path: '/blog/x', type: 'article' });
    expect(response.status).toBe(200);
  });

  it.each([
    [{ kind: 'absent', newest: [] }, 404, null],
    [{ kind: 'failed' }, 503, '30'],
  ] as const)('that is %j answers %i', (view, status, retryAfter) => {
    const response = createResponse();
    expect(answerArticle(response, view, 'x', site).noindex).toBe(true);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
  });
});

describe('a list', () => {
  const loaded = (count: number): ListState => ({
    kind: 'loaded',
    first: 1,
    pages: [{ articles: Array.from({ length: count }, () => ARTICLE), hasMore: false }],
  });

  it.each([
    [loaded(3), '', 1, 200, true, 'Latest CRM & Automation Insights | CRM & Automation Hub'],
    [loaded(3), '', 2, 200, false, 'Latest CRM & Automation Insights, page 2 | CRM & Automation Hub'],
    [loaded(3), 'seats', 1, 200, false, 'Articles about seats | CRM & Automation Hub'],
    [loaded(0), 'seats', 1, 200, false, 'Articles about seats | CRM & Automation Hub'],
    [loaded(0), '', 9, 404, false, 'Latest CRM & Automation Insights, page 9 | CRM & Automation Hub'],
    [{ kind: 'failed' }, '', 1, 503, false, 'Latest CRM & Automation Insights | CRM & Automation Hub'],
    [
      { kind: 'not-configured' },
      '',
      1,
      503,
      false,
      'Latest CRM & Automation Insights | CRM & Automation Hub',
    ],
  ] as const)('%# answers by its state', (list, query, page, status, isIndexed, title) => {
    const response = createResponse();
    expect(answerList(response, list, { query, page }, site)).toEqual({ title, isIndexed });
    expect(response.status).toBe(status);
  });
});

describe('a topic or tag', () => {
  const found = {
    kind: 'found',
    group: 'topic',
    name: 'Automation',
    description: 'Sequences.',
    path: '/blog/topic/automation',
    count: 30,
    page: 1,
    lastPage: 2,
    articles: [],
  } as const;

  it.each([
    [found, false, '/blog/topic/automation', 'Automation: articles | CRM & Automation Hub'],
    [
      { ...found, page: 2 },
      true,
      '/blog/topic/automation?page=2',
      'Automation: articles, page 2 | CRM & Automation Hub',
    ],
    [
      { ...found, group: 'tag', name: 'dns' },
      true,
      '/blog/topic/automation',
      '#dns: articles | CRM & Automation Hub',
    ],
  ] as const)('%# says what it is and whether search engines may keep it', (view, noindex, path, title) => {
    expect(answerGroup(createResponse(), view, '/x', site)).toMatchObject({ noindex, path, title });
  });

  it.each([
    ['absent', 404],
    ['failed', 503],
  ] as const)('that is %s answers %i', (kind, status) => {
    const response = createResponse();
    expect(answerGroup(response, { kind }, '/blog/tag/x', site).noindex).toBe(true);
    expect(response.status).toBe(status);
  });
});
