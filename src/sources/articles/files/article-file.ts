import {
  type FieldProblem,
  type FrontMatter,
  parseFrontMatter,
} from '../../../core/articles/front-matter.schema.ts';
import { buildReadingTime } from '../../../core/articles/reading-time.ts';
import { isArticleSlug } from '../../../core/text/slug.ts';
import { parseYaml } from '../../content/read-text-file.ts';
import { stripMarkdown } from './strip-markdown.ts';

/** A parsed article file; its body is not rendered. */
export interface ArticleFile {
  readonly slug: string;
  readonly front: FrontMatter;
  readonly markdown: string;
  /** Whole minutes, at least 1. */
  readonly readingTime: number;
}

/** A larger file is not an article. */
const MAX_BODY_LENGTH = 1_000_000;

/** Parses `slug.md`: YAML between two `---` lines, then Markdown. */
export function parseArticleFile(
  fileName: string,
  text: string,
): { readonly file: ArticleFile } | { readonly problems: readonly FieldProblem[] } {
  const slug = fileName.replace(/\.md$/, '');
  const found = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!found)
    return buildProblems('front matter', 'must be between two lines of --- at the start of the file');
  const read = parseYaml(found[1] ?? '');
  const parsed = 'problem' in read ? { problems: [buildYamlProblem(read)] } : parseFrontMatter(read.value);
  const markdown = (found[2] ?? '').trim();
  const problems = [
    ...(isArticleSlug(slug)
      ? []
      : [{ field: 'file name', reason: 'must be lower-case letters, digits, _ and - only, then .md' }]),
    ...('problems' in parsed ? parsed.problems : []),
    ...findBodyProblems(markdown),
  ];
  return 'problems' in parsed || problems.length > 0
    ? { problems }
    : { file: { slug, front: parsed.front, markdown, readingTime: countMinutes(markdown) } };
}

const countMinutes = (markdown: string) => buildReadingTime(stripMarkdown(markdown));

function findBodyProblems(markdown: string): FieldProblem[] {
  if (markdown === '') return [{ field: 'body', reason: 'is empty' }];
  if (markdown.length > MAX_BODY_LENGTH) {
    return [{ field: 'body', reason: `is longer than ${MAX_BODY_LENGTH} characters` }];
  }
  return [];
}

/** The front matter begins on the second line of the file. */
function buildYamlProblem({ line, problem }: { readonly line: number | null; readonly problem: string }) {
  return { field: line === null ? 'front matter' : `line ${line + 1}`, reason: problem };
}

function buildProblems(field: string, reason: string) {
  return { problems: [{ field, reason }] };
}
