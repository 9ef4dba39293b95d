import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import type { ListState } from '../../core/articles/listed-articles.ts';
import { buildMetaTags } from '../../core/seo/page-head.ts';
import { respondWithArticle, respondWithGroup, respondWithList } from './respond.ts';

const site = readSampleSite();
const createResponse = () => ({ status: 200, headers: new Headers() });

const ARTICLE = buildTestArticle('x', 1, { title: 'Seats', excerpt: 'About seats.' });
const NEIGHBORS = { previous: null, next: null, related: [], isPreview: false } as const;

it.each([
  [{}, 'Seats | CRM & Automation Hub Blog', 'About seats.'],
  [{ seoTitle: 'Seat prices', seoDescription: 'What seats cost.' }, 'Seat prices', 'What seats cost.'],
])('gives an article with %j the title %s', (fields, title, description) => {
  const response = createResponse();
  const view = { kind: 'found', article: { ...ARTICLE, ...fields }, ...NEIGHBORS } as const;
  const head = respondWithArticle(response, view, 'x', site);
  expect(head).toMatchObject({ title, description, path: '/blog/x', type: 'article' });
  expect(response.status).toBe(200);
});

it.each([
  [{ kind: 'absent', newest: [] }, 404, null],
  [{ kind: 'failed', retrySeconds: 7 }, 503, '7'],
] as const)('responds to the article view %j with status %i', (view, status, retryAfter) => {
  const response = createResponse();
  expect(respondWithArticle(response, view, 'x', site).noindex).toBe(true);
  expect(response.status).toBe(status);
  expect(response.headers.get('retry-after')).toBe(retryAfter);
});

it('heads an article with its own address, and with what its file says to search engines and shares', () => {
  const fields = {
    address: '/2022/x/',
    noindex: true,
    canonicalUrl: 'https://original.example/',
    socialTitle: 'Shared',
    socialDescription: 'Shared text.',
  };
  const view = { kind: 'found', article: { ...ARTICLE, ...fields }, ...NEIGHBORS } as const;
  const { address: path, ...rest } = fields;
  const head = respondWithArticle(createResponse(), view, 'x', site);
  expect(head).toMatchObject({ path, ...rest });
  const drawn = new Map([['/og/default.png', '/og/default.0123456789.png']]);
  const hub = { name: 'Hub', origin: 'https://hub.example', drawn };
  const tags = buildMetaTags(head, hub);
  const images = (shown: typeof drawn) =>
    buildMetaTags(head, { ...hub, drawn: shown }).flatMap(({ property = '', content }) =>
      property.startsWith('og:image') ? [content] : [],
    );
  expect([images(drawn), images(new Map())]).toEqual([
    ['https://hub.example/og/default.0123456789.png', '1200', '630'],
    [],
  ]);
  expect(tags).toEqual(
    expect.arrayContaining([
      { property: 'og:title', content: 'Shared' },
      { property: 'og:description', content: 'Shared text.' },
      { property: 'og:url', content: 'https://original.example/' },
      { name: 'robots', content: 'noindex, follow' },
    ]),
  );
});

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
  [
    { kind: 'failed', retrySeconds: 5 },
    '',
    1,
    503,
    false,
    'Latest CRM & Automation Insights | CRM & Automation Hub',
  ],
  [{ kind: 'not-configured' }, '', 1, 503, false, 'Latest CRM & Automation Insights | CRM & Automation Hub'],
] as const)('responds to the state of the list, case %#', (list, query, page, status, isIndexed, title) => {
  const response = createResponse();
  expect(respondWithList(response, list, { query, page }, site)).toEqual({ title, isIndexed });
  expect(response.status).toBe(status);
});

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
] as const)('builds the head of a group and its indexing, case %#', (view, noindex, path, title) => {
  expect(respondWithGroup(createResponse(), view, '/x', site)).toMatchObject({ noindex, path, title });
});

it.each([
  ['Sequences.', [], 'Sequences.'],
  ['', [{ title: 'First' }, { title: 'Second' }], '30 articles about Automation: First; Second.'],
  // As long as search results show, with the full stop.
  ['', [{ title: 'x'.repeat(124) }], `30 articles about Automation: ${'x'.repeat(124)}.`],
  ['', [{ title: 'x'.repeat(125) }, { title: 'Second' }], '30 articles about Automation: Second.'],
  ['', [{ title: 'x'.repeat(125) }], '30 articles about Automation on CRM & Automation Hub.'],
])(
  'describes a group without a description of its own by its articles, case %#',
  (description, titles, expected) => {
    const articles = titles.map((title) => ({ ...ARTICLE, ...title }));
    const view = { ...found, description, articles };
    expect(respondWithGroup(createResponse(), view, '/x', site).description).toBe(expected);
  },
);

it.each([
  [{ kind: 'absent' }, 404],
  [{ kind: 'failed', retrySeconds: 5 }, 503],
] as const)('responds to the group view %j with status %i', (view, status) => {
  const response = createResponse();
  expect(respondWithGroup(response, view, '/blog/tag/x', site).noindex).toBe(true);
  expect(response.status).toBe(status);
});
