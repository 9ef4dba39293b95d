import { describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildPartner } from '../../../test/support/console-ledger.ts';
import { readSampleProducts } from '../../../test/support/sample-content.ts';
import { parseStructuredData } from '../../../test/support/structured-data.ts';
import { authorFileSchema } from '../articles/author.schema.ts';
import { pageSchema } from '../pages/page.schema.ts';
import type { Product } from '../products/product.ts';
import {
  buildArticleData,
  buildAuthor,
  buildBreadcrumbData,
  buildLandingData,
  buildPlainText,
  buildSiteData,
  type Reviewed,
} from './structured-data.ts';

const ADA = {
  key: 'ada',
  ...authorFileSchema.parse({
    name: 'Ada Park',
    role: 'Consultant',
    bio: 'Tests CRMs.',
    links: [{ label: 'Profile', href: 'https://profiles.example/ada' }],
    tests: [{ what: 'GoHighLevel, Starter plan', date: '2026-06-20' }],
  }),
};
const SITE = {
  name: 'Hub',
  description: 'What the hub is about.',
  language: 'en',
  author: 'Editorial desk',
  authors: new Map([['ada', ADA]]),
  origin: 'https://hub.example',
};
const highlevel = readSampleProducts().get('highlevel');
const tested = { by: 'ada', on: '2026-06-20', evidence: [{ text: 'Two weeks on the Starter plan.' }] };
const REVIEWED = {
  partner: buildPartner('platform', { name: 'Platform', site: 'https://platform.example/' }),
  product: highlevel && { ...highlevel, tested },
  products: readSampleProducts(),
  now: Date.parse('2026-11-23'),
} as const;
const ARTICLE = buildTestArticle('crm-basics', 1, {
  title: 'CRM "basics" </script>',
  excerpt: 'Short.',
  featuredImage: { src: '/images/crm-basics.0123456789.svg', alt: '', width: 1200, height: 675, sources: [] },
  categories: ['CRM Strategy', 'Other'],
  tags: ['crm'],
  author: 'Editorial desk',
  publishedAt: '2026-05-01T00:00:00.000Z',
  updatedAt: '2026-06-01T00:00:00.000Z',
  readingTime: 7,
});

const AUTHOR = { type: 'author', author: 'ada', text: 'Work.' };
const RATINGS = {
  type: 'ratings',
  items: [
    { title: 'Features', score: '5/5', stars: 5, text: 'It has **all**.' },
    { title: 'Ease', score: '4/5', stars: 4, text: 'Three menus deep.' },
  ],
};

function buildLanding(sections: readonly object[], site = SITE, reviewed: Reviewed = REVIEWED) {
  const page = pageSchema.parse({
    title: 'Review',
    description: 'A description of this page that is long enough to be one in search results.',
    updated: '2026-07-01',
    cta: { source: 'review' },
    sections,
  });
  return buildLandingData(page, '/review', { site, reviewed }).map(parseStructuredData);
}

/** The only object of a type; fails when it is missing or there are two. */
function only(data: readonly object[], type: string): Record<string, unknown> {
  const found = data.filter((one) => '@type' in one && one['@type'] === type);
  expect(found).toHaveLength(1);
  return found[0] as Record<string, unknown>;
}

describe('structured data', () => {
  it('of the front page names the site, its search and who runs it', () => {
    const data = buildSiteData(SITE).map(parseStructuredData);
    expect(only(data, 'WebSite')).toMatchObject({
      url: 'https://hub.example/',
      publisher: { '@id': 'https://hub.example/#organization' },
      potentialAction: { target: { urlTemplate: 'https://hub.example/blog?q={search_term_string}' } },
    });
    expect(only(data, 'Organization')).toMatchObject({
      '@id': 'https://hub.example/#organization',
      name: 'Hub',
    });
  });

  it('of a way begins at the front page and counts from 1', () =>
    expect(
      parseStructuredData(buildBreadcrumbData(SITE.origin, [{ name: 'Articles', path: '/blog' }])),
    ).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Home', item: 'https://hub.example/' },
        { position: 2, name: 'Articles', item: 'https://hub.example/blog' },
      ],
    }));

  it('of an article states its dates, images and author, and the way through its topic', () => {
    const data = buildArticleData(ARTICLE, SITE).map(parseStructuredData);
    expect(only(data, 'BlogPosting')).toMatchObject({
      headline: ARTICLE.title,
      description: 'Short.',
      image: [
        'https://hub.example/og/blog/crm-basics.png',
        'https://hub.example/images/crm-basics.0123456789.svg',
      ],
      datePublished: ARTICLE.publishedAt,
      dateModified: ARTICLE.updatedAt,
      articleSection: 'CRM Strategy',
      timeRequired: 'PT7M',
      mainEntityOfPage: { '@id': 'https://hub.example/blog/crm-basics' },
    });
    const names = (only(data, 'BreadcrumbList')['itemListElement'] as { name: string }[]).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Home', 'Articles', 'CRM Strategy', ARTICLE.title]);
  });

  it.each<[string, Partial<typeof ARTICLE>]>([
    ['no image', { featuredImage: null }],
    [
      'an image of another host',
      { featuredImage: { src: 'https://images.example/a.jpg', alt: '', width: 1, height: 1, sources: [] } },
    ],
    ['no topic and no tags', { categories: [], tags: [] }],
    ['a topic without a letter of the alphabet', { categories: ['日本'] }],
    ['a title of 400 characters', { title: 'long '.repeat(80).trim() }],
  ])('of an article with %s has the documented shape', (_, change) => {
    const data = buildArticleData({ ...ARTICLE, ...change }, SITE).map(parseStructuredData);
    expect(data.map((one) => one['@type'])).toEqual(['BlogPosting', 'BreadcrumbList']);
  });

  it('of a plain landing page is the way to it', () => {
    const data = buildLanding([{ type: 'hero', title: 'Hello' }]);
    expect(data.map((one) => one['@type'])).toEqual(['BreadcrumbList']);
  });

  it('of a review states the scores that the page shows and no other', () => {
    const review = only(buildLanding([AUTHOR, RATINGS]), 'SoftwareApplication');
    expect(review).toMatchObject({
      name: 'GoHighLevel',
      offers: [{ name: 'Starter', price: '97.00', priceCurrency: 'USD' }, {}, {}],
      review: [
        {
          reviewAspect: 'Features',
          reviewBody: 'It has all.',
          reviewRating: { ratingValue: 5, bestRating: 5 },
        },
        { reviewAspect: 'Ease', reviewRating: { ratingValue: 4 }, datePublished: '2026-07-01' },
      ],
    });
    expect(review).not.toHaveProperty('aggregateRating');
  });

  it.each([
    ['a product without evidence of a test', highlevel],
    ['a product whose author lists no test', highlevel && { ...highlevel, name: 'Other', tested }],
    ['no product', undefined],
  ])('claims no review for %s', (_, product) => {
    const data = buildLanding([AUTHOR, RATINGS], SITE, { ...REVIEWED, product });
    expect(data.map((one) => one['@type'])).toEqual(['BreadcrumbList']);
  });

  it.each([
    ['scores without an author', RATINGS],
    ['an author without scores', AUTHOR],
  ])('claims no review for %s', (_, section) => {
    expect(buildLanding([section]).map((one) => one['@type'])).toEqual(['BreadcrumbList']);
  });

  it.each([
    ['no test', []],
    ['a test of another product', [{ what: 'Other', date: '2026-06-20' }]],
  ])('claims no review by an author with %s', (_, tests) => {
    const site = { ...SITE, authors: new Map([['ada', { ...ADA, tests }]]) };
    expect(buildLanding([AUTHOR, RATINGS], site).map((one) => one['@type'])).toEqual(['BreadcrumbList']);
  });

  describe('of a tested product', () => {
    const base = highlevel ?? expect.fail();
    const scores = [
      { criterion: 'Noise', score: 4, why: '41 dB.' },
      { criterion: 'Stability', score: 4.5, why: '2 mm.' },
    ];
    const offers = base.offers.map((offer) => ({ ...offer, billed: 'once' as const }));
    const build = (changes: Partial<Product>, sections: readonly object[], now = REVIEWED.now) => {
      const product = { ...base, key: 'one', scores, tested, ...changes };
      const products = new Map([...REVIEWED.products, ['one', product]]);
      return buildLanding(sections, SITE, { ...REVIEWED, product: undefined, products, now });
    };
    const BOX = { type: 'product-box', product: 'one' };
    const ROUNDUP = { type: 'roundup', basis: 'Measured.', items: [{ product: 'one' }, { product: 'kit' }] };
    /** The properties without which Google shows no product or software snippet, and no review snippet. */
    const REQUIRED = {
      name: expect.any(String),
      review: {
        '@type': 'Review',
        author: { '@type': 'Person', name: 'Ada Park' },
        datePublished: '2026-06-20',
        reviewRating: { ratingValue: 4.3, bestRating: 5, worstRating: 0 },
      },
    };

    it.each([
      ['a box', BOX],
      ['a roundup', ROUNDUP],
    ])('in %s has the properties of Product and Review, and two notes of each kind', (_, section) => {
      const data = build({ kind: 'physical', offers }, [section]);
      const product = only(data, 'Product');
      expect(product).toMatchObject({ ...REQUIRED, brand: { name: base.maker } });
      expect(product['offers']).toContainEqual({
        '@type': 'Offer',
        name: 'Starter',
        price: '97.00',
        priceCurrency: 'USD',
      });
      const review = Object(product['review']);
      for (const kind of ['positiveNotes', 'negativeNotes'])
        expect(review[kind].itemListElement.length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(data)).not.toContain('aggregateRating');
    });

    it('has the required properties of SoftwareApplication, with the unit of each price', () => {
      const software = only(build({}, [BOX]), 'SoftwareApplication');
      expect(software).toMatchObject({
        ...REQUIRED,
        applicationCategory: 'BusinessApplication',
        offers: expect.arrayContaining([
          expect.objectContaining({
            price: '97.00',
            priceCurrency: 'USD',
            priceSpecification: expect.objectContaining({ unitCode: 'MON' }),
          }),
        ]),
      });
      expect(JSON.stringify(software)).not.toContain('aggregateRating');
    });

    it.each<[string, Partial<Product>, number?]>([
      ['a test', { tested: undefined }],
      ['an entry among the tests of its author', { name: 'Other' }],
      ['scores', { scores: [] }],
      ['a price that is new enough, as software', {}, Date.parse('2036-01-01')],
    ])('is missing without %s', (_, changes, now) => {
      for (const section of [BOX, ROUNDUP])
        expect(build(changes, [section], now).map((one) => one['@type'])).toEqual(['BreadcrumbList']);
    });

    it('has no price that is too old', () => {
      const product = only(build({ kind: 'physical', offers }, [BOX], Date.parse('2036-01-01')), 'Product');
      expect(product).not.toHaveProperty('offers');
    });
  });

  it.each([
    ['Editorial desk', 'Organization'],
    ['The editorial desk', 'Organization'],
    ['Another Author', 'Person'],
  ])('takes %s for a %s', (name, type) => {
    expect(buildAuthor(name, SITE)).toMatchObject({ '@type': type, name });
  });

  it('takes an author with a page, by name or key, for the person of that page', () => {
    const person = {
      '@type': 'Person',
      name: 'Ada Park',
      jobTitle: 'Consultant',
      url: 'https://hub.example/authors/ada',
      sameAs: ['https://profiles.example/ada'],
    };
    expect(buildAuthor('ada', SITE)).toMatchObject(person);
    expect(buildAuthor('Ada Park', SITE)).toMatchObject(person);
  });
});

it.each([
  ['a relative address', { ...buildBreadcrumbData('', [{ name: 'a', path: '/a' }]) }],
  ['an unknown type', { '@context': 'https://schema.org', '@type': 'Recipe', name: 'a' }],
  ['a date in words', { ...buildArticleData({ ...ARTICLE, publishedAt: 'soon' }, SITE)[0] }],
  ['an empty headline', { ...buildArticleData({ ...ARTICLE, title: '' }, SITE)[0] }],
])('%s does not pass as structured data', (_, data) => expect(() => parseStructuredData(data)).toThrow());

it.each([
  ['A [link](/x) and **strong** words', 'A link and strong words'],
  ['==marked== and ~~struck~~ and `code`', 'marked and struck and code'],
  ['two\nlines', 'two lines'],
  ['snake_case_stays', 'snake_case_stays'],
])('%j reads %j', (markdown, text) => expect(buildPlainText(markdown)).toBe(text));
