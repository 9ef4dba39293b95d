import { z } from 'zod';
import type { Article, ArticleSummary } from '../../../core/articles/article.ts';
import type { StoredSummary } from '../../../core/articles/article-cache-store.ts';

/** A row with the columns `summary` and, for a whole article, `content` and `outline`. */
type Row = Readonly<Record<string, unknown>>;

const text = z.string();
const entryFields = { id: text, text };
const imageSchema = z.object({
  src: text,
  width: z.number(),
  height: z.number(),
  sources: z.array(z.object({ type: text, srcset: text })),
  alt: text,
  focus: z.object({ x: z.number(), y: z.number() }).optional(),
  isUnsized: z.boolean().optional(),
  caption: text.optional(),
});
const summarySchema: z.ZodType<ArticleSummary> = z.object({
  id: text,
  slug: text,
  title: text,
  excerpt: text,
  featuredImage: imageSchema.nullable(),
  categories: z.array(text),
  tags: z.array(text),
  author: text,
  publishedAt: text,
  updatedAt: text,
  readingTime: z.number(),
  seoTitle: text,
  seoDescription: text,
  partner: text,
  canonicalUrl: text.optional(),
});
const outlineSchema: z.ZodType<Pick<Article, 'contents' | 'splitAt'>> = z.object({
  contents: z.array(z.object({ ...entryFields, children: z.array(z.object(entryFields)) })),
  splitAt: z.number(),
});

/** Reads stored summaries. One that is not as this version writes it is left out: the copy counts as missing. */
export function parseSummaryRows(rows: readonly Row[]): StoredSummary[] {
  return rows.flatMap((row) => {
    const summary = parseJson(row['summary'], summarySchema);
    const version = row['body_version'];
    return summary ? [{ summary, bodyVersion: typeof version === 'string' ? version : null }] : [];
  });
}

/** Reads stored articles, as `parseSummaryRows` does. */
export function parseArticleRows(rows: readonly Row[]): Article[] {
  return rows.map(parseArticleRow).filter((article) => article !== null);
}

/** Reads the slugs of a stored page of a list. */
export function parseSlugs(row: Row): readonly string[] {
  return parseJson(row['slugs'], z.array(text)) ?? [];
}

function parseArticleRow(row: Row): Article | null {
  const summary = parseJson(row['summary'], summarySchema);
  const outline = parseJson(row['outline'], outlineSchema);
  return summary && outline && { ...summary, content: String(row['content']), ...outline };
}

function parseJson<T>(json: unknown, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(String(json))).data ?? null;
  } catch {
    return null;
  }
}
