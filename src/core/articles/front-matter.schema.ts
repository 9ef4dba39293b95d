import { z } from 'zod';
import { ruleFields } from '../pages/claims/content-rules.schema.ts';
import { describeField } from '../pages/content.ts';
import { imageField } from '../pages/images/image-field.schema.ts';
import { addressField, updatesField } from '../pages/sections/fields.schema.ts';
import { describeIssue, listIssues } from '../text/describe-issue.schema.ts';
import { buildSlug } from '../text/slug.ts';
import { findNearest } from '../text/words.ts';

const line = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be text') })
    .trim()
    .min(1, 'is empty')
    .max(max, `is longer than ${max} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters');

const name = line(60).refine((text) => buildSlug(text) !== '', 'needs a letter or a digit');

const instant = z
  .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be a date') })
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/, {
    error: 'must be a date such as 2026-03-12 or 2026-03-12T09:00:00+01:00',
    abort: true,
  })
  .refine((text) => isCalendarDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)), {
    error: 'is not a day of the calendar',
    abort: true,
  })
  .transform((text) => new Date(text).toISOString());

/** A page that an article refers to by its number: `[^2]` is the second of the list. */
const source = z.strictObject({
  title: line(160),
  url: z.url({ protocol: /^https$/, error: 'must be an https address' }),
  /** Day or month of the copy that was read: the reader learns how old the statement may be. */
  date: z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be a date') })
    .regex(/^\d{4}-\d{2}(-\d{2})?$/, {
      error: 'must be a day or a month, such as 2026-11-21 or 2026-11',
      abort: true,
    })
    .refine((text) => isCalendarDay(text.padEnd(10, '-01')), 'is not a day of the calendar'),
  /** What the article takes from it. */
  supports: line(240),
});

const MAX_SOURCES = 6;
const SHORT_LINES = 3;

/** Between the lines of `---` at the start of an article file. */
export const frontMatterSchema = z
  .strictObject({
    title: line(120),
    /** One or two sentences for the card. */
    excerpt: line(320),
    /** The first is the topic. */
    categories: z
      .array(name.meta({ names: 'category' }), { error: 'must be a list' })
      .min(1, 'needs the topic')
      .max(6),
    tags: z.array(name, { error: 'must be a list' }).max(12).default([]),
    publishedAt: instant.describe('Day (from midnight UTC) or time from which readers see it.'),
    position: z
      .int({ error: 'must be a whole number' })
      .min(1)
      .max(999)
      .optional()
      .describe('The place among the articles of one day, from 1.'),
    /** Default: publishedAt. */
    updatedAt: instant.optional(),
    /** What changed since: the log at the end of the article. */
    updates: updatesField,
    /** From then on the article is hidden. */
    unpublishAt: instant.optional(),
    /** Document title. */
    seoTitle: line(120).optional(),
    /** Meta description; default: the excerpt. */
    seoDescription: line(320).optional(),
    /** The path at which the article is, as it was published before; default: `/blog/` and the name of the file. */
    address: addressField.optional(),
    /** false keeps the article out of search engines and the sitemap. */
    index: z.boolean({ error: 'must be true or false' }).default(true),
    /** Address of the original on another site, when the article is a copy of it. */
    canonicalUrl: z
      .url({ protocol: /^https?$/, hostname: z.regexes.domain, error: 'must be an http or https address' })
      .max(2_000, 'is longer than 2000 characters')
      .optional(),
    /** Title where the article is shared; default: the document title. */
    socialTitle: line(120).optional(),
    /** Text where the article is shared; default: the meta description. */
    socialDescription: line(320).optional(),
    /** Shown on cards, at the top and on the sharing image. */
    image: imageField.optional().meta({ isMain: true }),
    /** Partner key for the call to action; default: the site's promoted partner. `none`: no pick and no button in the header. */
    partner: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must be a partner key')
      .meta({ names: 'partner' })
      .optional(),
    author: line(80).meta({ names: 'author' }).optional().meta({ isMain: true }),
    /** The article in three lines, with its most important figure; Markdown with citations. */
    short: z
      .array(line(220), { error: 'must be a list' })
      .length(SHORT_LINES, `needs ${SHORT_LINES} lines`)
      .optional(),
    /** External pages, in the order of their numbers. */
    sources: z
      .array(source, { error: 'must be a list' })
      .max(MAX_SOURCES, `has more than ${MAX_SOURCES} sources`)
      .default([]),
    /** When facts of the article were last compared with its sources, and which facts. */
    checked: z.strictObject({ date: z.iso.date(), what: line(160) }).optional(),
    ...ruleFields,
    /** true: hidden except with the preview token. */
    draft: z.boolean({ error: 'must be true or false' }).default(false),
  })
  .refine((front) => !front.updatedAt || front.updatedAt >= front.publishedAt, {
    path: ['updatedAt'],
    error: 'is before publishedAt',
  })
  .refine((front) => front.updates.every(({ date }) => date >= front.publishedAt.slice(0, 10)), {
    path: ['updates'],
    error: 'has a day before publishedAt',
  })
  .refine((front) => !front.unpublishAt || front.unpublishAt > front.publishedAt, {
    path: ['unpublishAt'],
    error: 'is not after publishedAt',
  });

/** The front matter of an article file; dates are ISO 8601 instants. */
export type FrontMatter = z.infer<typeof frontMatterSchema>;

/** A page that an article cites. */
export type CitedSource = FrontMatter['sources'][number];

export interface FieldProblem {
  /** The name of a field, or the way to it in words, such as `category 2`. */
  readonly field: string;
  readonly reason: string;
}

/** Parses the head of an article file; all that is wrong with it at once. */
export function parseFrontMatter(
  input: unknown,
): { readonly front: FrontMatter } | { readonly problems: readonly FieldProblem[] } {
  const result = frontMatterSchema.safeParse(input ?? {}, { error: describeIssue });
  return result.success ? { front: result.data } : { problems: listIssues(result.error).flatMap(problemsOf) };
}

const FILES_NOW = 'is no longer drawn: name an image file in `image.src`, such as ../images/photo.jpg';

/** Fields that older articles have, with what to do about them. */
const REMOVED_FIELDS: Readonly<Record<string, string>> = {
  'image.motif': FILES_NOW,
  'image.values': FILES_NOW,
};

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const field = [...at, key].join('.');
      return { field, reason: REMOVED_FIELDS[field] ?? describeUnknownField(key, at.length === 0) };
    });
  }
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const isInList = path.some((part) => typeof part === 'number');
  const field = isInList ? describeField(undefined, path) : at.join('.');
  return [{ field: field || 'front matter', reason: issue.message }];
}

function describeUnknownField(key: string, isOutermost: boolean): string {
  const nearest = isOutermost ? findNearest(key, Object.keys(frontMatterSchema.shape)) : null;
  return `is not a known field${nearest === null ? '' : `; did you mean ${nearest}?`}`;
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
