import { parse, YAMLParseError } from 'yaml';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import {
  type FieldProblem,
  type FrontMatter,
  parseFrontMatter,
} from '../../core/articles/front-matter.schema.ts';

/** One article file, parsed but not rendered. */
export interface ArticleFile {
  readonly slug: string;
  readonly front: FrontMatter;
  readonly markdown: string;
}

/** Largest article file in characters; past it something else was put there. */
const FILE_MAX_LENGTH = 1_000_000;

/** Parses `slug.md`: YAML between two `---` lines, then Markdown. */
export function parseArticleFile(
  fileName: string,
  text: string,
): { readonly file: ArticleFile } | { readonly problems: readonly FieldProblem[] } {
  const slug = fileName.replace(/\.md$/, '');
  const found = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!found) return wrong('front matter', 'the file does not start with --- and a head that ends with ---');
  const read = parseHead(found[1] ?? '');
  const parsed = 'problem' in read ? { problems: [read.problem] } : parseFrontMatter(read.head);
  const markdown = (found[2] ?? '').trim();
  const problems = [
    ...(isArticleSlug(slug) ? [] : [{ field: 'file name', reason: 'must be a-z, 0-9 and - only, then .md' }]),
    ...('problems' in parsed ? parsed.problems : []),
    ...bodyProblems(markdown),
  ];
  return 'problems' in parsed || problems.length > 0
    ? { problems }
    : { file: { slug, front: parsed.front, markdown } };
}

function parseHead(yaml: string): { readonly head: unknown } | { readonly problem: FieldProblem } {
  try {
    return { head: parse(yaml) as unknown };
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const at = (error.linePos?.[0].line ?? 0) + 1;
    const reason = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'is not YAML';
    return { problem: { field: `line ${at}`, reason } };
  }
}

function bodyProblems(markdown: string): FieldProblem[] {
  if (markdown === '') return [{ field: 'body', reason: 'is empty' }];
  if (markdown.length > FILE_MAX_LENGTH) {
    return [{ field: 'body', reason: `is longer than ${FILE_MAX_LENGTH} characters` }];
  }
  return [];
}

function wrong(field: string, reason: string) {
  return { problems: [{ field, reason }] };
}
