import type { ImageCatalog } from '../../core/pages/content-image.ts';
import { FilesSource } from '../articles/files/files-source.ts';
import { type BuiltParts, stringifyPart } from './built-content.ts';
import { openFolderContent } from './folder-content.ts';

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
