import { z } from 'zod';
import { cleanText } from '../text/parse-text.ts';
import { buildSlug, isArticleSlug } from '../text/slug.ts';
import type { ArticleVersion } from './article-source.ts';

/** In characters: about 40,000 words. */
const MAX_CONTENT_LENGTH = 300_000;
/** A long article has a few thousand; sanitizing time grows with tags more than with text. */
const MAX_CONTENT_TAGS = 25_000;

/** Of an item that an adapter could read only without its body. */
const TOO_LARGE = 'content is larger than a response may be';

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

/** Entries of a list that are parsed: one with thousands would stall the event loop. */
const MAX_ENTRIES = 100;

const names = (limit: number) =>
  z
    .array(z.unknown())
    .transform((list) => list.slice(0, MAX_ENTRIES))
    .pipe(z.array(named.catch('')))
    .transform((list) =>
      // A name without letter and digit has no address of its own.
      [...new Set(list.map((name) => cleanText(name, 60)).filter((name) => buildSlug(name) !== ''))].slice(
        0,
        limit,
      ),
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

/** 0: unknown. */
const pixels = z.number().int().min(1).max(20_000).catch(0);

const image = z
  .union([
    z.string().transform((src) => ({ src, alt: '', width: 0, height: 0, type: '', caption: '', sizes: [] })),
    z.object({
      src: z.string(),
      alt: text(400),
      width: pixels,
      height: pixels,
      /** MIME type; empty: unknown. */
      type: text(40),
      /** Plain text, such as the photographer. */
      caption: text(300),
      /** The same image in other sizes, and cropped ones. */
      sizes: z
        .array(z.unknown())
        .transform((sizes) => sizes.slice(0, MAX_ENTRIES))
        .pipe(z.array(z.object({ src: z.string(), width: pixels, height: pixels }).nullable().catch(null)))
        .transform((sizes) => sizes.filter((size) => size !== null))
        .catch([]),
    }),
  ])
  .nullable()
  .catch(null);

const article = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(''),
  slug: z
    .string('must be text')
    .refine(isArticleSlug, 'must be lower-case letters, digits, _ and - of at most 200 characters'),
  title: z
    .string('must be text')
    .transform((value) => cleanText(value, 200))
    .refine((value) => value !== '', 'must not be empty'),
  excerpt: text(400),
  featuredImage: image,
  categories: names(6),
  tags: names(20),
  author: named.transform((value) => cleanText(value, 80)).catch(''),
  publishedAt: instant,
  updatedAt: instant,
  createdAt: instant,
  /** Minutes; null: unknown. */
  readingTime: z.number().min(0.1).max(600).transform(Math.ceil).nullable().catch(null),
  /** HTML; null: not part of the response, as in most lists. */
  content: z.string().nullable().catch(null),
  seoTitle: text(200),
  seoDescription: text(400),
  /** Address of the original when the article is a copy; empty: it is the original. */
  canonicalUrl: text(2_000),
  /** The adapter could not read the body. */
  isTooLarge: z.boolean().catch(false),
  published: z.unknown().optional(),
  deleted: z.unknown().optional(),
  status: z.unknown().optional(),
});

type StateField = 'createdAt' | 'isTooLarge' | 'published' | 'deleted' | 'status';

/** An article of another system: its fields are checked, its body is not sanitized, its image may be on any host. */
export interface UpstreamArticle extends Omit<z.infer<typeof article>, StateField> {
  readonly publishedAt: string;
  readonly updatedAt: string;
}

/**
 * What an item of another system is: an article, one that is not public, one that the site leaves out (`invalid`), or
 * no article at all (`malformed`: neither slug nor title).
 */
type ParsedUpstreamArticle =
  | { readonly kind: 'article'; readonly article: UpstreamArticle }
  | { readonly kind: 'unpublished' }
  | { readonly kind: 'invalid' | 'malformed'; readonly skipped: SkippedArticle };

/**
 * Parses one article of another system. Slug, title and a date are required, a body must not exceed the limits; every
 * other field that is invalid gets its default.
 */
export function parseUpstreamArticle(input: unknown): ParsedUpstreamArticle {
  const result = article.safeParse(input);
  if (!result.success) return buildInvalid(input, describeIssue(result.error.issues[0]));
  const { published, deleted, status, createdAt: _, isTooLarge, ...fields } = result.data;
  const isHidden = typeof status === 'string' && /draft|trash|private/.test(status);
  if (published === false || deleted === true || isHidden) return { kind: 'unpublished' };
  if (isTooLarge) return buildInvalid(input, TOO_LARGE);
  const dates = resolveDates(result.data);
  if (dates === null) return buildInvalid(input, 'publishedAt must be a date from 1990 on');
  const problem = findContentProblem(fields.content ?? '');
  if (problem !== null) return buildInvalid(input, problem);
  const id = cleanText(fields.id, 100) || fields.slug;
  return { kind: 'article', article: { ...fields, id, ...dates } };
}

const version = article.pick({ slug: true, publishedAt: true, updatedAt: true, createdAt: true });

/** Parses the slug and the dates of one article of another system; null when one of them is invalid. */
export function parseArticleVersion(input: unknown): ArticleVersion | null {
  const { data } = version.safeParse(input);
  const dates = data && resolveDates(data);
  return dates ? { slug: data.slug, updatedAt: dates.updatedAt } : null;
}

/** An article that names no date of publication has that of its creation or last change. */
function resolveDates({
  publishedAt,
  createdAt,
  updatedAt,
}: Readonly<Record<'publishedAt' | 'createdAt' | 'updatedAt', string | null>>) {
  const published = publishedAt ?? createdAt ?? updatedAt;
  if (published === null) return null;
  return {
    publishedAt: published,
    updatedAt: updatedAt && updatedAt > published ? updatedAt : published,
  };
}

function findContentProblem(html: string): string | null {
  if (html.length > MAX_CONTENT_LENGTH) return `content is longer than ${MAX_CONTENT_LENGTH} characters`;
  const tags = html.match(/<[a-z]/gi)?.length ?? 0;
  return tags > MAX_CONTENT_TAGS ? `content has ${tags} tags, more than ${MAX_CONTENT_TAGS}` : null;
}

const identity = z
  .object({
    id: z.union([z.number().transform(String), text(100)]).catch(''),
    slug: text(200),
    title: text(200),
  })
  .catch({ id: '', slug: '', title: '' });

function buildInvalid(input: unknown, reason: string): ParsedUpstreamArticle {
  const skipped = { ...identity.parse(input), reason };
  return { kind: skipped.slug === '' && skipped.title === '' ? 'malformed' : 'invalid', skipped };
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.path.length === 0) return 'is not an object';
  return `${issue.path.join('.')} ${issue.message}`;
}

/** Seconds or milliseconds since 1970: no article is from before 1973 in the second reading. */
function toMilliseconds(time: number): number {
  return time < 100_000_000_000 ? time * 1_000 : time;
}

/** An article of another system that the site leaves out; a field that is not text is empty. */
export interface SkippedArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Continues a sentence that begins with the article, such as `content is empty`. */
  readonly reason: string;
}

/** Names an article that is left out, by all that is known of it: `crm-basics (id 12, "CRM basics")`. */
export function describeSkipped({ id, slug, title }: SkippedArticle): string {
  const others = [id && `id ${id}`, title && `"${title}"`].filter(Boolean).join(', ');
  if (slug === '') return others || 'an item without slug, id and title';
  return others === '' ? slug : `${slug} (${others})`;
}
