import path from 'node:path';
import { type BuiltParts, stringifyPart } from '../../src/content-files/built-content.ts';
import { createImageManifestReader } from '../../src/content-files/content-folder.ts';
import { openFolderContent } from '../../src/content-files/content-source.ts';
import { ContentError } from '../../src/core/pages/content.ts';
import type { ImageCatalog } from '../../src/core/pages/images/content-image.ts';
import { readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';

/** The images that the build of the worker has written. */
export const WORKER_IMAGES = path.join(ROOT, 'edge', 'dist', 'images.json');

/**
 * Reads and checks a content folder for the worker, which loads the parts. Rejects with `ContentError` and
 * `ArticleFilesError`.
 */
export function buildWorkerContent(
  contentDir: string,
  hasArticleFiles: boolean,
): ReturnType<typeof buildContentParts> {
  const readImages = createImageManifestReader(WORKER_IMAGES);
  const version = readSourceState(ROOT, ['src']);
  return buildContentParts(contentDir, readImages(), version, hasArticleFiles);
}

/**
 * Reads and checks the content folder as a start does, and returns the parts that `openBuiltContent` loads. Rejects
 * with `ContentError` and `ArticleFilesError`. `hasArticleFiles`: the articles of the site are the files of
 * the folder, so that pages can be checked for links to others.
 */
export async function buildContentParts(
  root: string,
  images: ImageCatalog,
  version: string,
  hasArticleFiles: boolean,
): Promise<Readonly<Record<keyof BuiltParts, string>>> {
  const folder = openFolderContent(root, () => images);
  const slugs = hasArticleFiles ? new Set(folder.articles.listSlugs()) : undefined;
  const { content, leftOut } = folder.readStart(slugs);
  if (leftOut.length > 0) throw new ContentError(leftOut);
  const claimUses = folder.readClaimUses(content.claims);
  const articles = folder.articles.read({
    partners: new Set(content.partners.keys()),
    authors: content.authors,
    figures: content.figures,
    products: content.products,
    images,
  });
  const files: Record<string, string> = {};
  for (const { file } of folder.files?.list() ?? []) {
    const read = folder.files?.read(file);
    if (read !== undefined && 'text' in read) files[file] = read.text;
  }
  return {
    files: stringifyPart<'files'>(files, version),
    content: stringifyPart<'content'>({ content, claimUses }, version),
    articles: stringifyPart<'articles'>(articles, version),
  };
}
