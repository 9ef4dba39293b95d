import type { ArticleImage, ArticleSummary } from '../../core/articles/article.ts';
import { findCitationProblems } from '../../core/articles/citations.ts';
import {
  type FieldProblem,
  type FrontMatter,
  parseFrontMatter,
} from '../../core/articles/front-matter.schema.ts';
import { buildReadingTime } from '../../core/articles/reading-time.ts';
import { boundProblems, describeField } from '../../core/pages/content.ts';
import { findContentImage, type ImageCatalog } from '../../core/pages/images/content-image.ts';
import type { ImageField } from '../../core/pages/images/image-field.schema.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import { findBodyExcess } from '../../sources/articles/html/prepare-body.ts';
import { leaveOutFormer } from '../former-fields.ts';
import { parseYaml } from '../parse-yaml.ts';

/** A parsed article file; its body is not rendered. */
export interface ArticleFile {
  readonly slug: string;
  readonly front: FrontMatter;
  readonly markdown: string;
  /** Whole minutes, at least 1. */
  readonly readingTime: number;
}

/**
 * An article file as it is kept: its text as UTF-8, which is half of what a text with a letter beyond Latin-1 takes, and nothing
 * of it a part of the text that was read, which would stay with it.
 */
export function packArticle({ markdown, ...file }: ArticleFile): ArticleFile {
  const bytes = new TextEncoder().encode(markdown);
  return {
    ...structuredClone(file),
    get markdown() {
      return utf8.decode(bytes);
    },
  };
}
const utf8 = new TextDecoder();

/** The same article as another file, which is rendered again; both have one text. */
export const renewArticle = (file: ArticleFile): ArticleFile =>
  Object.create(Object.prototype, Object.getOwnPropertyDescriptors(file));

/** A larger file is not an article. */
const MAX_BODY_LENGTH = 500_000;
/** As many as the articles of a service may have. */
const MAX_TAGS = 25_000;

/** Parses `slug.md`: YAML between two `---` lines, then Markdown. */
export function parseArticleFile(
  fileName: string,
  text: string,
):
  | {
      readonly file: ArticleFile;
      /** What the file has that is not read any more. */
      readonly former: readonly FieldProblem[];
    }
  | { readonly problems: readonly FieldProblem[] } {
  const slug = fileName.replace(/\.md$/, '');
  const found = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!found)
    return buildProblems('front matter', 'must be between two lines of --- at the start of the file');
  const read = parseYaml(found[1] ?? '');
  const { value, former } = leaveOutFormer(`articles/${fileName}`, 'value' in read ? read.value : null);
  const parsed = 'problem' in read ? { problems: [buildYamlProblem(read)] } : parseFrontMatter(value);
  const body = found[2] ?? '';
  // Spaces before the first word may be those of code.
  const markdown = body.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
  const problems = boundProblems([
    ...(isArticleSlug(slug) ? [] : [{ field: 'file name', reason: explainName(slug) }]),
    ...('problems' in parsed ? parsed.problems : []),
    ...findBodyProblems(markdown, 'front' in parsed && parsed.front.draft),
    ...('value' in read && 'front' in parsed
      ? findCitationProblems({
          ...parsed.front,
          body,
          bodyLine: countLines(text.slice(0, text.length - body.length)),
          findLine: (path) => (read.findLine(path) ?? 0) + 1,
        })
      : []),
  ]);
  return 'problems' in parsed || problems.length > 0
    ? { problems }
    : {
        file: { slug, front: parsed.front, markdown, readingTime: countMinutes(markdown) },
        former: former.map(({ path, reason }) => ({ field: describeField(undefined, path), reason })),
      };
}

/** Why a name is refused; macOS writes letters and their marks apart, and the name looks right. */
const explainName = (slug: string) =>
  isArticleSlug(slug.normalize())
    ? `has letters and their marks apart, as macOS writes them: rename it to ${slug.normalize()}.md, typed anew`
    : 'must be lower-case letters, digits, _ and - only, then .md';

const countLines = (text: string) => text.split('\n').length;

const countMinutes = (markdown: string) => buildReadingTime(stripMarkdown(markdown));

function findBodyProblems(markdown: string, isDraft: boolean): FieldProblem[] {
  if (markdown === '' && !isDraft) return [{ field: 'body', reason: 'is empty' }];
  if (markdown.length > MAX_BODY_LENGTH) {
    return [{ field: 'body', reason: `is longer than ${MAX_BODY_LENGTH} characters` }];
  }
  if (markdown.split('<').length > MAX_TAGS)
    return [{ field: 'body', reason: `has more than ${MAX_TAGS} tags` }];
  const excess = findBodyExcess(markdown);
  return excess === null ? [] : [{ field: 'body', reason: excess }];
}

/** The front matter begins on the second line of the file. */
function buildYamlProblem({ line, problem }: { readonly line: number | null; readonly problem: string }) {
  return { field: line === null ? 'front matter' : `line ${line + 1}`, reason: problem };
}

function buildProblems(field: string, reason: string) {
  return { problems: [{ field, reason }] };
}

/** Strips the markup from Markdown, well enough to count and to search its words. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\[\^\d{1,2}\]/g, '')
    .replace(/\]\([^()]*\)/g, '] ')
    .replace(/^[ \t:|-]*\|[ \t:|-]*$/gm, ' ')
    .replace(/^(?:```|~~~).*$/gm, ' ')
    .replace(/^[ \t]*[-+][ \t]+/gm, '')
    .replace(/[#*_`>|[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:?)])/g, '')
    .trim();
}

/**
 * Builds the summary of a file; its body is not rendered. `defaultAuthor`: of articles that name none. `address`: that it has
 * of its own.
 */
export function buildFileSummary(
  { slug, front, readingTime }: ArticleFile,
  defaultAuthor: string,
  images: ImageCatalog,
  address?: string,
): ArticleSummary {
  return {
    id: slug,
    slug,
    ...(address !== undefined && { address }),
    title: front.title,
    excerpt: front.excerpt,
    featuredImage: front.image ? buildFeaturedImage(front.image, images) : null,
    categories: front.categories,
    tags: front.tags,
    author: front.author ?? defaultAuthor,
    publishedAt: front.publishedAt,
    updatedAt: findLatestChange(front),
    readingTime,
    comparedAt: front.checked?.date,
    seoTitle: front.seoTitle ?? '',
    seoDescription: front.seoDescription ?? front.excerpt,
    partner: front.partner ?? '',
    ...(front.canonicalUrl !== undefined && { canonicalUrl: front.canonicalUrl }),
    ...(front.position !== undefined && { position: front.position }),
    ...(!front.index && { noindex: true }),
    ...(front.socialTitle !== undefined && { socialTitle: front.socialTitle }),
    ...(front.socialDescription !== undefined && { socialDescription: front.socialDescription }),
  };
}

/** The newest of the days that a file names, as an instant. */
function findLatestChange({ publishedAt, updatedAt = publishedAt, updates }: FrontMatter): string {
  const latest =
    updates
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? '';
  return latest > updatedAt.slice(0, 10) ? new Date(latest).toISOString() : updatedAt;
}

function buildFeaturedImage({ src, alt, focus }: ImageField, images: ImageCatalog): ArticleImage | null {
  const found = findContentImage(src, images);
  return 'image' in found ? { ...found.image, alt, ...(focus && { focus }) } : null;
}
