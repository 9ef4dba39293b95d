import { z } from 'zod';
import { cleanText } from '../journey/clean-text.ts';
import { isArticleSlug } from './article-slug.ts';

/** Longest body that is taken, in characters: some 40,000 words. */
const CONTENT_MAX_LENGTH = 300_000;

const text = (limit: number) =>
  z
    .string()
    .transform((value) => cleanText(value, limit))
    .catch('');

const named = z.union([
  z.string(),
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ title: z.string() }).transform(({ title }) => title),
]);

const names = (limit: number) =>
  z
    .array(named.catch(''))
    .transform((list) =>
      [...new Set(list.map((name) => cleanText(name, 60)).filter(Boolean))].slice(0, limit),
    )
    .catch([]);

const YEAR_1990 = 631_152_000_000;
const YEAR_2100 = 4_102_444_800_000;

const instant = z
  .union([z.string().transform((value) => Date.parse(value)), z.number().transform(toMilliseconds)])
  .refine((time) => time >= YEAR_1990 && time < YEAR_2100)
  .transform((time) => new Date(time).toISOString())
  .nullable()
  .catch(null);

const pixels = z.number().int().min(1).max(20_000).catch(0);

const image = z
  .union([
    z.string().transform((src) => ({ src, alt: '', width: 0, height: 0 })),
    z.object({
      src: z.string(),
      alt: text(400),
      width: pixels,
      height: pixels,
    }),
  ])
  .nullable()
  .catch(null);

const article = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(''),
  slug: z.string().refine(isArticleSlug, 'slug is not of a-z, 0-9 and -'),
  title: z
    .string('title is not text')
    .transform((value) => cleanText(value, 200))
    .refine((value) => value !== '', 'title is empty'),
  excerpt: text(400),
  featuredImage: image,
  categories: names(6),
  tags: names(20),
  author: named.transform((value) => cleanText(value, 80)).catch(''),
  publishedAt: instant,
  updatedAt: instant,
  createdAt: instant,
  readingTime: z.number().min(0.1).max(600).transform(Math.ceil).nullable().catch(null),
  content: z.string().nullable().catch(null),
  seoTitle: text(200),
  seoDescription: text(400),
  published: z.unknown().optional(),
  deleted: z.unknown().optional(),
  status: z.unknown().optional(),
});

/** An article as another system gives it: fields checked, body not yet sanitised, pictures not yet allowed. */
export interface UpstreamArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: {
    readonly src: string;
    readonly alt: string;
    /** Pixels; 0: unknown. */
    readonly width: number;
    readonly height: number;
  } | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly author: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** Minutes; null: unknown. */
  readonly readingTime: number | null;
  /** HTML; null: the answer had none (lists need not). */
  readonly content: string | null;
  readonly seoTitle: string;
  readonly seoDescription: string;
}

/**
 * Parses one article of another system. Slug, title and a date are essential; every other field that is
 * wrong gets its default. `dropped` says why there is no article.
 */
export function parseUpstreamArticle(
  input: unknown,
): { readonly article: UpstreamArticle } | { readonly dropped: string } {
  const result = article.safeParse(input);
  if (!result.success) return { dropped: result.error.issues[0]?.message ?? 'is not an article' };
  const { published, deleted, status, createdAt, ...fields } = result.data;
  if (
    published === false ||
    deleted === true ||
    (typeof status === 'string' && /draft|trash|private/.test(status))
  ) {
    return { dropped: 'is not published' };
  }
  const publishedAt = fields.publishedAt ?? createdAt ?? fields.updatedAt;
  if (publishedAt === null) return { dropped: 'publishedAt is not a date' };
  if ((fields.content?.length ?? 0) > CONTENT_MAX_LENGTH) {
    return { dropped: `content is longer than ${CONTENT_MAX_LENGTH} characters` };
  }
  const updatedAt = fields.updatedAt && fields.updatedAt > publishedAt ? fields.updatedAt : publishedAt;
  return { article: { ...fields, id: cleanText(fields.id, 100) || fields.slug, publishedAt, updatedAt } };
}

const page = z.object({ articles: z.array(z.unknown()), hasMore: z.boolean().optional().catch(undefined) });

/** Parses a list answer `{articles, hasMore}`; null: it is none. Without `hasMore` a full page means more. */
export function parseUpstreamPage(
  input: unknown,
  limit: number,
): { readonly items: readonly unknown[]; readonly hasMore: boolean } | null {
  const result = page.safeParse(input);
  if (!result.success) return null;
  const { articles, hasMore } = result.data;
  return { items: articles.slice(0, limit), hasMore: hasMore ?? articles.length >= limit };
}

/** Seconds or milliseconds since 1970: no article is from before 1973 in the second reading. */
function toMilliseconds(time: number): number {
  return time < 100_000_000_000 ? time * 1_000 : time;
}
