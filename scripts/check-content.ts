import path from 'node:path';
import { ArticleFilesError } from '../src/adapters/articles/files-error.ts';
import { readArticleFiles } from '../src/adapters/articles/read-article-files.ts';
import { readContent } from '../src/adapters/content/read-content.ts';
import { ContentError } from '../src/core/content/content-error.ts';

/** Reads all content files as a start would. Returns what is wrong, for the terminal; null when nothing is. */
export function checkContent(root: string): string | null {
  try {
    const { partners } = readContent(root);
    readArticleFiles(path.join(root, 'articles'), new Set(partners.keys()));
    return null;
  } catch (error) {
    if (error instanceof ContentError || error instanceof ArticleFilesError) return error.message;
    throw error;
  }
}
