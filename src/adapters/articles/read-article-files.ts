import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ArticleFile, parseArticleFile } from './article-file.ts';
import { ArticleFilesError, type WrongFile } from './files-error.ts';

/**
 * Reads every `*.md` of a folder. Throws one `ArticleFilesError` for all wrong files.
 * `partners`: the keys that `partner` may name; undefined: any.
 */
export function readArticleFiles(
  dir: string,
  partners: ReadonlySet<string> | undefined,
): readonly ArticleFile[] {
  const files: ArticleFile[] = [];
  const wrong: WrongFile[] = [];
  for (const name of readdirSync(dir)
    .filter((entry) => entry.endsWith('.md'))
    .sort()) {
    const read = parseArticleFile(name, readFileSync(path.join(dir, name), 'utf8'));
    const problems = 'problems' in read ? read.problems : partnerProblems(read.file, partners);
    if (problems.length > 0) wrong.push({ file: path.join(dir, name), problems });
    if ('file' in read) files.push(read.file);
  }
  if (wrong.length > 0) throw new ArticleFilesError(wrong);
  return files;
}

function partnerProblems(file: ArticleFile, partners: ReadonlySet<string> | undefined) {
  const key = file.front.partner;
  if (!key || !partners || partners.has(key)) return [];
  return [{ field: 'partner', reason: `must be one of ${[...partners].join(', ')}` }];
}
