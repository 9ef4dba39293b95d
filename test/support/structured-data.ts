import { z } from 'zod';

/*
 * The shapes that search engines document for rich results (Google Search Central, "Structured data markup that
 * Google Search supports", read November 2026): required properties must be there, recommended ones that the site
 * states must have the documented form. Strict, so that a misspelled property is found.
 */

const text = z.string().trim().min(1);
const address = z.url({ protocol: /^https?$/ });
/** ISO 8601: a day, or an instant with its time zone. */
const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const context = { '@context': z.literal('https://schema.org') };

const image = z.strictObject({
  '@type': z.literal('ImageObject'),
  url: address,
  width: z.int().min(112),
  height: z.int().min(112),
});
const organisation = {
  '@type': z.literal('Organization'),
  '@id': address,
  name: text,
  url: address,
  logo: image,
};
/** What an author with a page has besides. */
const authorPage = {
  '@id': address.optional(),
  url: address.optional(),
  sameAs: z.array(address).optional(),
};
const author = z.discriminatedUnion('@type', [
  z.strictObject({
    '@type': z.literal('Person'),
    name: text,
    ...authorPage,
    jobTitle: text.optional(),
    worksFor: z.strictObject({ '@id': address }).optional(),
  }),
  z.strictObject({
    '@type': z.literal('Organization'),
    name: text,
    ...authorPage,
    parentOrganization: z.strictObject({ '@id': address }).optional(),
  }),
]);
const profile = z.strictObject({ ...context, '@type': z.literal('ProfilePage'), mainEntity: author });

const website = z.strictObject({
  ...context,
  '@type': z.literal('WebSite'),
  '@id': address,
  name: text,
  description: text,
  inLanguage: text,
  url: address,
  publisher: z.strictObject({ '@id': address }),
  potentialAction: z.strictObject({
    '@type': z.literal('SearchAction'),
    target: z.strictObject({
      '@type': z.literal('EntryPoint'),
      urlTemplate: address.and(z.string().includes('{search_term_string}')),
    }),
    'query-input': z.literal('required name=search_term_string'),
  }),
});

const breadcrumbs = z.strictObject({
  ...context,
  '@type': z.literal('BreadcrumbList'),
  itemListElement: z
    .array(
      z.strictObject({ '@type': z.literal('ListItem'), position: z.int().min(1), name: text, item: address }),
    )
    .min(2)
    .refine(
      (items) => items.every(({ position }, index) => position === index + 1),
      'positions count from 1',
    ),
});

const article = z.strictObject({
  ...context,
  '@type': z.literal('BlogPosting'),
  headline: text.max(110),
  description: text,
  image: z.array(address).min(1),
  datePublished: date,
  dateModified: date,
  author,
  publisher: z.strictObject(organisation),
  mainEntityOfPage: z.strictObject({ '@type': z.literal('WebPage'), '@id': address }),
  inLanguage: text,
  timeRequired: z.string().regex(/^PT[1-9]\d*M$/),
  articleSection: text.optional(),
  keywords: z.array(text).min(1).optional(),
});

const price = z.string().regex(/^\d+\.\d{2}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

const offer = z.strictObject({
  '@type': z.literal('Offer'),
  name: text,
  price,
  priceCurrency: currency,
  // Left out for a price that is paid once.
  priceSpecification: z
    .strictObject({
      '@type': z.literal('UnitPriceSpecification'),
      price,
      priceCurrency: currency,
      unitCode: z.enum(['MON', 'ANN']),
    })
    .optional(),
});

const rating = z
  .strictObject({
    '@type': z.literal('Rating'),
    ratingValue: z.number(),
    bestRating: z.number(),
    worstRating: z.number(),
  })
  .refine(({ ratingValue, bestRating }) => ratingValue <= bestRating, 'is above the best')
  .refine(({ ratingValue, worstRating }) => ratingValue >= worstRating, 'is below the worst');

/** Notes are read when there are at least two. */
const notes = z.strictObject({
  '@type': z.literal('ItemList'),
  itemListElement: z
    .array(z.strictObject({ '@type': z.literal('ListItem'), position: z.int().min(1), name: text }))
    .min(2),
});

const review = z.strictObject({
  '@type': z.literal('Review'),
  reviewAspect: text.optional(),
  reviewBody: text,
  author,
  datePublished: date.optional(),
  reviewRating: rating,
  positiveNotes: notes.optional(),
  negativeNotes: notes.optional(),
});

const reviewed = {
  ...context,
  name: text,
  url: address.optional(),
  review: z.union([review, z.array(review).min(1)]),
};

const software = z.strictObject({
  ...reviewed,
  '@type': z.literal('SoftwareApplication'),
  applicationCategory: z.literal('BusinessApplication'),
  operatingSystem: text,
  offers: z.array(offer).min(1),
});

const product = z.strictObject({
  ...reviewed,
  '@type': z.literal('Product'),
  brand: z.strictObject({ '@type': z.literal('Brand'), name: text }),
  offers: z.array(offer).min(1).optional(),
});

const known = z.discriminatedUnion('@type', [
  website,
  z.strictObject({ ...context, ...organisation }),
  breadcrumbs,
  article,
  software,
  product,
  profile,
]);

/** One object of structured data that search engines can use. */
export type StructuredData = z.infer<typeof known>;

/** Checks one object of structured data against the documented shapes. Throws with every fault and its place. */
export function parseStructuredData(data: unknown): StructuredData {
  const result = known.safeParse(data);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}

/**
 * Parses every `<script type="application/ld+json">` of a page. Throws for one that is not JSON or not a known shape.
 */
export function readStructuredData(html: string): StructuredData[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs);
  return [...scripts].map(([, json = '']) => parseStructuredData(JSON.parse(json)));
}
