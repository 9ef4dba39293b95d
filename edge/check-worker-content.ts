import path from 'node:path';
import { checkContent } from '../scripts/build/check-content.ts';

/** The content folder that the build of the worker reads. */
export const WORKER_CONTENT = path.join(import.meta.dirname, '..', 'content');

/**
 * Checks what the build cannot, because it does not know the settings: with articles from files, every article that a
 * page names has to exist. Throws what is wrong, by file and field.
 */
export async function checkWorkerContent(articleSource: string | undefined): Promise<void> {
  const problem = await checkContent(WORKER_CONTENT, hasArticleFiles(articleSource));
  if (problem !== null) throw new Error(problem);
}

/** Whether the articles are the files of the content folder, as they are by default. */
export function hasArticleFiles(articleSource = 'files'): boolean {
  return articleSource === 'files';
}
