import { expect, it } from 'vitest';
import { parseArticlePage } from './parse-article-page.ts';

const SENT = {
  slug: 'crm-basics',
  title: 'CRM basics',
  excerpt: 'What it is.',
  featuredImage: 'https://images.example/of-the-specification.jpg',
  image: {
    src: '/images/crm-basics-800.webp',
    alt: 'A ledger',
    width: 1200,
    height: 630,
    sources: [{ type: 'image/avif', srcset: '/images/crm-basics-480.avif 480w' }],
  },
  categories: ['CRM Strategy'],
  author: 'Editorial desk',
  publishedAt: '2026-03-12T00:00:00.000Z',
  readingTime: 6,
};
const { image, ...rest } = SENT;
const ARTICLE = { ...rest, featuredImage: image };

it('parses an article with its image', () =>
  expect(parseArticlePage({ articles: [SENT], hasMore: true })).toEqual({
    articles: [ARTICLE],
    hasMore: true,
  }));

it('parses the landing pages of a search, and leaves out those that lead elsewhere', () => {
  const page = { title: 'Prices compared', description: 'Line by line.', href: '/prices' };
  const landingPages = [page, { ...page, href: '//elsewhere.example' }, { ...page, title: 7 }, null];
  expect(parseArticlePage({ articles: [], landingPages })).toEqual({
    articles: [],
    hasMore: false,
    landingPages: [page],
  });
});

it.each([null, undefined, '', 'articles', 7, [], {}, { articles: null }, { articles: 'none' }])(
  'refuses %j, which is not an article list',
  (response) => expect(parseArticlePage(response)).toBeNull(),
);

it('leaves out what is not an article', () => {
  const wrong = [null, 'x', {}, { slug: '../x', title: 'x' }, { slug: 'x' }, { title: 'x' }];
  const page = parseArticlePage({ articles: [...wrong, ARTICLE], hasMore: 'yes' });
  expect(page).toEqual({ articles: [ARTICLE], hasMore: false });
});

it('replaces invalid fields of an article by empty values', () => {
  const page = parseArticlePage({
    articles: [{ ...ARTICLE, excerpt: 3, categories: ['A', 1], readingTime: -4, image: { src: 4 } }],
  });
  expect(page?.articles[0]).toMatchObject({
    excerpt: '',
    categories: ['A'],
    readingTime: 1,
    featuredImage: null,
  });
});

it('gives an image without a size the default size', () => {
  const page = parseArticlePage({
    articles: [{ ...ARTICLE, featuredImage: 'https://images.example/a.jpg' }],
  });
  expect(page?.articles[0]?.featuredImage).toEqual({
    src: 'https://images.example/a.jpg',
    alt: '',
    width: 1200,
    height: 630,
    sources: [],
  });
});

it('parses an excerpt with marked words', () => {
  const excerptParts = [
    { text: 'What ', match: false },
    { text: 'it', match: true },
  ];
  const page = parseArticlePage({ articles: [{ ...ARTICLE, excerptParts: [...excerptParts, null] }] });
  expect(page?.articles[0]?.excerptParts).toEqual([...excerptParts, { text: '', match: false }]);
});
