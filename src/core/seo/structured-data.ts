import { type Article, findAuthor, findTest } from '../articles/article.ts';
import type { Author } from '../articles/author.schema.ts';
import { getMinorDigits } from '../commissions/money.ts';
import type { Partner } from '../outbound/partner.ts';
import type { Page } from '../pages/page.schema.ts';
import { BLOG_PATH, buildArticlePath, buildAuthorPath, buildGroupPath, HOME_PATH } from '../paths.ts';
import { isAged } from '../products/price.ts';
import { computeScore, type Offer, type Product } from '../products/product.ts';
import { buildSlug } from '../text/slug.ts';
import { buildArticleSharingImage } from './page-head.ts';

export interface SiteIdentity {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  /** Signs what no person signs. */
  readonly author: string;
  /** Those who have a page. */
  readonly authors: ReadonlyMap<string, Author>;
  /** The site's address without a trailing slash. */
  readonly origin: string;
}

export const SCHEMA = 'https://schema.org';

const LOGO = '/icons/maskable-512.png';

/** Builds the structured data of the front page: the site with its search, and who runs it. */
export function buildSiteData(site: SiteIdentity): object[] {
  return [
    {
      '@context': SCHEMA,
      '@type': 'WebSite',
      '@id': `${site.origin}/#website`,
      name: site.name,
      description: site.description,
      inLanguage: site.language,
      url: `${site.origin}/`,
      publisher: { '@id': buildPublisherId(site.origin) },
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${site.origin}${BLOG_PATH}?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
    { '@context': SCHEMA, ...buildPublisher(site) },
  ];
}

/** Builds the organisation behind the site, as a part of other data. */
function buildPublisher(site: SiteIdentity): object {
  return {
    '@type': 'Organization',
    '@id': buildPublisherId(site.origin),
    name: site.name,
    url: `${site.origin}/`,
    logo: { '@type': 'ImageObject', url: site.origin + LOGO, width: 512, height: 512 },
  };
}

/** Builds who wrote something: an author with a page, else the site's own desk or a person. */
export function buildAuthor(name: string, site: SiteIdentity): object {
  const author = findAuthor(site.authors, name);
  if (author !== undefined) return buildAuthorData(author, site);
  const isDesk = name.toLowerCase().endsWith(site.author.toLowerCase());
  return isDesk ? { '@type': 'Organization', name, url: `${site.origin}/` } : { '@type': 'Person', name };
}

/** Builds a person or a team with a page of their own. */
export function buildAuthorData({ key, kind, name, role, links }: Author, site: SiteIdentity): object {
  return {
    '@type': kind === 'person' ? 'Person' : 'Organization',
    '@id': `${site.origin}${buildAuthorPath(key)}#author`,
    name,
    url: site.origin + buildAuthorPath(key),
    ...(kind === 'person' && { jobTitle: role, worksFor: { '@id': buildPublisherId(site.origin) } }),
    ...(kind === 'team' && { parentOrganization: { '@id': buildPublisherId(site.origin) } }),
    ...(links.length > 0 && { sameAs: links.map(({ href }) => href) }),
  };
}

function buildPublisherId(origin: string): string {
  return `${origin}/#organization`;
}

/** One step of the way from the front page. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

const HOME: Crumb = { name: 'Home', path: HOME_PATH };

/** The hub, the first step to every article. */
export const HUB_CRUMB: Crumb = { name: 'Articles', path: BLOG_PATH };

/** Builds the structured data of the way to a page; the front page is put before it, the page itself comes last. */
export function buildBreadcrumbData(origin: string, crumbs: readonly Crumb[]): object {
  return {
    '@context': SCHEMA,
    '@type': 'BreadcrumbList',
    itemListElement: [HOME, ...crumbs].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
}

/** Markdown of a page document as plain text: links and marks keep their words. */
export function buildPlainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|==|~~|`/g, '')
    .replace(/(^|\W)_([^_]+)_(?=\W|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Builds the structured data of a landing page: the way to it, and its scores if it has any. */
export function buildLandingData(
  page: Page,
  path: string,
  about: { readonly site: SiteIdentity; readonly reviewed: Reviewed },
): object[] {
  const review = buildReviewData(page, about.reviewed, about.site);
  return [
    buildBreadcrumbData(about.site.origin, [{ name: page.title, path }]),
    ...(review ? [review] : buildProductReviews(page, about.reviewed, about.site)),
  ];
}

/** What the scores of a page are about. */
export interface Reviewed {
  readonly partner: Partner;
  /** The product that the partner offers; undefined when none is about it. */
  readonly product: Product | undefined;
  /** Every product of the site, for pages with boxes and roundups. */
  readonly products: ReadonlyMap<string, Product>;
  /** ms since 1970: prices that are too old then are left out. */
  readonly now: number;
}

/**
 * Builds the structured data of a review: one score for each that the page shows, with the reason beside
 * it, and no sum or average that it does not show. Null for a page without scores or author, and for a product that no
 * author has tested.
 */
function buildReviewData(page: Page, reviewed: Reviewed, site: SiteIdentity): object | null {
  const scores = page.sections
    .flatMap((section) => (section.type === 'ratings' ? section.items : []))
    .filter(({ stars }) => stars !== undefined);
  const author = page.sections.find((section) => section.type === 'author');
  if (scores.length === 0 || author === undefined || !isTested(reviewed.product, site.authors)) return null;
  const item = buildReviewedItem(reviewed.product, reviewed.now);
  return (
    item && {
      ...item,
      url: reviewed.partner.site,
      review: scores.map(({ title, stars, text }) => ({
        '@type': 'Review',
        reviewAspect: buildPlainText(title),
        reviewBody: buildPlainText(text),
        author: buildAuthor(author.author, site),
        ...(page.updated === undefined ? {} : { datePublished: page.updated }),
        reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5, worstRating: 0 },
      })),
    }
  );
}

/**
 * Builds a review for each product that a box or a roundup of the page shows: its score, its verdict, and who tested it
 * when. Nothing for a product without scores, or that no author has tested.
 */
function buildProductReviews(page: Page, { products, now }: Reviewed, site: SiteIdentity): object[] {
  const keys = page.sections.flatMap((section) => {
    if (section.type === 'product-box') return [section.product];
    return section.type === 'roundup' ? section.items.map(({ product }) => product) : [];
  });
  return [...new Set(keys)].flatMap((key) => {
    const product = products.get(key);
    const score = computeScore(product?.scores ?? []);
    if (score === null || !isTested(product, site.authors)) return [];
    const item = buildReviewedItem(product, now);
    const author = site.authors.get(product.tested.by);
    if (item === null || author === undefined) return [];
    const review = {
      '@type': 'Review',
      ...(product.verdict !== undefined && { reviewBody: buildPlainText(product.verdict) }),
      author: buildAuthorData(author, site),
      datePublished: product.tested.on,
      reviewRating: { '@type': 'Rating', ratingValue: score, bestRating: 5, worstRating: 0 },
      // Search engines read notes of products, not of software.
      ...(product.kind === 'physical' && {
        positiveNotes: buildNotes(product.pros),
        negativeNotes: buildNotes(product.cons),
      }),
    };
    return [{ ...item, review }];
  });
}

function buildNotes(notes: readonly string[]): object {
  const itemListElement = notes.map((note, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: buildPlainText(note),
  }));
  return { '@type': 'ItemList', itemListElement };
}

/**
 * Builds the product of a review: `SoftwareApplication`, which needs the price of an offer, or `Product`. Prices that are
 * too old are left out. Null for software without another price.
 */
function buildReviewedItem(product: Product, now: number): object | null {
  const offers = product.offers.filter((offer) => !isAged(product, offer, now)).map(buildOffer);
  if (product.kind === 'physical') {
    const brand = product.maker !== undefined && { brand: { '@type': 'Brand', name: product.maker } };
    const prices = offers.length > 0 && { offers };
    return { '@context': SCHEMA, '@type': 'Product', name: product.name, ...brand, ...prices };
  }
  if (offers.length === 0) return null;
  return {
    '@context': SCHEMA,
    '@type': 'SoftwareApplication',
    name: product.name,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    offers,
  };
}

/** Whether an author has tested a product: its file has evidence, and the author's file lists the test. */
function isTested(
  product: Product | undefined,
  authors: ReadonlyMap<string, Author>,
): product is Product & { readonly tested: NonNullable<Product['tested']> } {
  if (product?.tested === undefined) return false;
  return findTest(authors.get(product.tested.by), product.name) !== undefined;
}

const UNIT_CODES = { monthly: 'MON', yearly: 'ANN' } as const;

function buildOffer({ name, amount, currency, billed }: Offer): object {
  const digits = getMinorDigits(currency);
  const price = (amount / 10 ** digits).toFixed(digits);
  return {
    '@type': 'Offer',
    name,
    price,
    priceCurrency: currency,
    ...(billed !== 'once' && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price,
        priceCurrency: currency,
        unitCode: UNIT_CODES[billed],
      },
    }),
  };
}

/** The most that search engines read of a headline. */
const MAX_HEADLINE_LENGTH = 110;

/** Builds the structured data of an article: what it is, and the way to it. */
export function buildArticleData(article: Article, site: SiteIdentity): object[] {
  const path = buildArticlePath(article);
  const [topic] = article.categories;
  const slug = buildSlug(topic ?? '');
  const group: Crumb[] =
    topic === undefined || slug === '' ? [] : [{ name: topic, path: buildGroupPath('topic', slug) }];
  return [
    {
      '@context': SCHEMA,
      '@type': 'BlogPosting',
      headline: article.title.slice(0, MAX_HEADLINE_LENGTH),
      description: article.seoDescription || article.excerpt || site.description,
      image: listImages(article, site.origin),
      datePublished: article.publishedAt,
      dateModified: article.updatedAt,
      author: buildAuthor(article.author, site),
      publisher: buildPublisher(site),
      mainEntityOfPage: { '@type': 'WebPage', '@id': site.origin + path },
      inLanguage: site.language,
      timeRequired: `PT${article.readingTime}M`,
      ...(topic === undefined ? {} : { articleSection: topic }),
      ...(article.tags.length === 0 ? {} : { keywords: [...article.tags] }),
    },
    buildBreadcrumbData(site.origin, [HUB_CRUMB, ...group, { name: article.title, path }]),
  ];
}

/** The article's image, when it has one, and the one for sharing, which always exists. */
function listImages({ slug, featuredImage }: Article, origin: string): string[] {
  const images = [
    buildArticleSharingImage(slug, featuredImage),
    ...(featuredImage ? [featuredImage.src] : []),
  ];
  return images.map((image) => new URL(image, origin).href);
}
