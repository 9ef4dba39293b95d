import path from 'node:path';
import type { ImageCatalog } from '../../src/core/pages/content-image.ts';
import { FilesSource } from '../../src/sources/articles/files/files-source.ts';
import { type BuiltParts, stringifyPart } from '../../src/sources/content/built-content.ts';
import { createImageManifestReader } from '../../src/sources/content/content-folder.ts';
import { openFolderContent } from '../../src/sources/content/content-source.ts';
import { readSourceState } from '../start/build-stamp.mjs';
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
  return buildContentParts(contentDir, readImages(), { version, now: Date.now(), hasArticleFiles });
}

/**
 * Reads and checks the content folder as a start does, and returns the parts that `openBuiltContent` loads. Rejects
 * with `ContentError` and `ArticleFilesError`. `now`: articles published by then are in the search index.
 */
export async function buildContentParts(
  root: string,
  images: ImageCatalog,
  {
    version,
    now,
    hasArticleFiles,
  }: {
    readonly version: string;
    readonly now: number;
    /** The articles of the site are the files of the folder, so that pages can be checked for links to others. */
    readonly hasArticleFiles: boolean;
  },
): Promise<Readonly<Record<keyof BuiltParts, string>>> {
  const folder = openFolderContent(root, () => images);
  const { content } = folder.read(hasArticleFiles ? new Set(folder.articles.listSlugs()) : undefined);
  const claimUses = folder.createClaimUsesReader(new Set(content.claims.keys()))();
  const articles = folder.articles.read({
    partners: new Set(content.partners.keys()),
    authors: content.authors,
    images,
  });
  const source = new FilesSource({
    files: { ...folder.articles, read: () => articles },
    clock: { now: () => now, monotonic: () => performance.now() },
    defaultAuthor: content.site.author,
    readImages: () => images,
    // A search index has the words of the files.
    processBody: () => Promise.reject(new Error('a build renders no article')),
  });
  return {
    content: stringifyPart<'content'>({ content, claimUses }, version),
    articles: stringifyPart<'articles'>(articles, version),
    search: stringifyPart<'search'>(await source.storeSearch(), version),
  };
}
