import path from 'node:path';
import { ArticleFilesError, readArticleFiles } from '../../src/adapters/articles/files/read-article-files.ts';
import { readContent } from '../../src/adapters/content/read-content.ts';
import { ContentError } from '../../src/core/pages/content-error.ts';
import { ImageFilesError } from './media/image-files-error.ts';
import { isMissingPackage, readImageCatalog } from './read-image-catalog.ts';

/** Reads all content files as a start does, and the headers of images. Returns the errors as text, or null. */
export async function checkContent(root: string): Promise<string | null> {
  try {
    const images = await readImageCatalog(root);
    const { partners } = readContent(root, images);
    readArticleFiles(path.join(root, 'articles'), { partners: new Set(partners.keys()), images });
    await checkBrandFont(root);
    return null;
  } catch (error) {
    const isExpected = [ArticleFilesError, ContentError, ImageFilesError].some(
      (kind) => error instanceof kind,
    );
    if (isExpected && error instanceof Error) return error.message;
    throw error;
  }
}

/** Only the packages of a build can decode a font; without them, as in a production image, the build has checked it. */
async function checkBrandFont(root: string): Promise<void> {
  try {
    const { readBrandFont } = await import('./font/brand-font.ts');
    await readBrandFont(root);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
  }
}
