import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { FieldProblem } from '../../../core/articles/front-matter.schema.ts';
import { findContentImage, type ImageCatalog } from '../../../core/pages/content-image.ts';
import { findDraftPlaceholder } from '../../../core/pages/placeholders.ts';
import { readTextFile } from '../../content/read-text-file.ts';
import { placeImages } from '../html/place-images.ts';
import { renderMarkdown } from '../html/prepare-body.ts';
import { type ArticleFile, parseArticleFile } from './article-file.ts';

/** Markdown that can render to an image: its own form, and HTML. */
const MAY_HAVE_IMAGE = /!\[|<img/i;

/** What article files may refer to. */
export interface ArticleReferences {
  /** Keys that `partner` may name; undefined: any. */
  readonly partners?: ReadonlySet<string> | undefined;
  readonly images: ImageCatalog;
}

/** An invalid article file with all its problems. */
export interface InvalidFile {
  readonly file: string;
  readonly problems: readonly FieldProblem[];
}

/** Thrown when article files are invalid; the message has one line for each file, field and reason. */
export class ArticleFilesError extends Error {
  readonly code = 'invalid-files';
  constructor(invalid: readonly InvalidFile[]) {
    const lines = invalid.flatMap(({ file, problems }) =>
      problems.map(({ field, reason }) => `  ${file}: ${field} ${reason}`),
    );
    const count = invalid.length === 1 ? '1 file is' : `${invalid.length} files are`;
    super(`[articles:files] ${count} invalid\n${lines.join('\n')}`);
    this.name = 'ArticleFilesError';
  }
}

/** Reads every `*.md` of a folder. Throws one `ArticleFilesError` for all invalid files. */
export function readArticleFiles(dir: string, references: ArticleReferences): readonly ArticleFile[] {
  const files: ArticleFile[] = [];
  const invalid: InvalidFile[] = [];
  for (const name of readdirSync(dir)
    .filter((entry) => entry.endsWith('.md'))
    .sort()) {
    const source = readTextFile(dir, name);
    const read =
      'problem' in source
        ? { problems: [{ field: 'the file', reason: source.problem }] }
        : parseArticleFile(name, source.text);
    const problems = 'problems' in read ? read.problems : checkReferences(read.file, references);
    if (problems.length > 0) invalid.push({ file: path.join(dir, name), problems });
    if ('file' in read) files.push(read.file);
  }
  if (invalid.length > 0) throw new ArticleFilesError(invalid);
  return files;
}

function checkReferences({ front, markdown }: ArticleFile, { partners, images }: ArticleReferences) {
  const problems: FieldProblem[] = [];
  if (front.partner && partners && !partners.has(front.partner)) {
    problems.push({ field: 'partner', reason: `must be one of ${[...partners].join(', ')}` });
  }
  if (!front.draft) problems.push(...findPlaceholders(front, markdown));
  const featured = front.image && findContentImage(front.image.src, images);
  if (featured && 'problem' in featured) problems.push({ field: 'image.src', reason: featured.problem });
  // Rendering takes milliseconds an article: at the start of a site with thousands, most have no image to check.
  if (MAY_HAVE_IMAGE.test(markdown)) problems.push(...placeImages(renderMarkdown(markdown), images).problems);
  return problems;
}

/** Reports the texts of a published article that `npm run new` wrote for the author to replace. */
function findPlaceholders({ excerpt, seoDescription }: ArticleFile['front'], body: string): FieldProblem[] {
  return Object.entries({ excerpt, seoDescription, body }).flatMap(([field, text]) => {
    const reason = findDraftPlaceholder(text ?? '');
    return reason === null ? [] : [{ field, reason }];
  });
}
