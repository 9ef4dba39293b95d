import path from 'node:path';
import { parseArticleFile } from '../../src/content-files/articles/article-file.ts';
import {
  ArticleFilesError,
  listArticleSlugs,
  readArticleFiles,
} from '../../src/content-files/articles/read-article-files.ts';
import { ImageFilesError } from '../../src/content-files/check-image.ts';
import { readShown } from '../../src/content-files/content-source.ts';
import { isMissingPackage } from '../../src/content-files/image-thread.ts';
import { readContent, readFolderContents } from '../../src/content-files/read-content.ts';
import { readTextFile } from '../../src/content-files/read-text-file.ts';
import { ContentError } from '../../src/core/pages/content.ts';
import { CHECK_PRICES, describeOldPrices, findOldPrices } from '../../src/core/pages/launch-report.ts';
import { readImageCatalog } from './read-image-catalog.ts';

/**
 * Reads all content files as a start does, and the headers of images. `hasArticleFiles`: the articles of the site are
 * the files of the folder, so that pages can be checked for links to others. Returns the errors as text, or null.
 */
export async function checkContent(root: string, hasArticleFiles = false): Promise<string | null> {
  try {
    const images = await readImageCatalog(root);
    const folder = path.join(root, 'articles');
    const articles = hasArticleFiles ? new Set(listArticleSlugs(folder)) : undefined;
    const { partners, authors, figures, products } = readContent(root, { images, articles });
    readArticleFiles(folder, { partners: new Set(partners.keys()), authors, figures, products, images });
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

/** Lists the prices that the site does not show because they are too old; empty for a folder with another problem. */
export function listOldPriceWarnings(root: string, problem: string | null): readonly string[] {
  if (problem !== null) return [];
  return findOldPrices(readContent(root).products, Date.now()).map(
    (old) =>
      `[content] warning: content/${old.file}: ${describeOldPrices(old)} and are not shown: ${CHECK_PRICES}`,
  );
}

/** Lists what files have that is not read any more; of files that can be read. */
export function listFormerFields(root: string): readonly string[] {
  const folder = path.join(root, 'articles');
  const articles = listArticleSlugs(folder).flatMap((slug) => {
    const name = `${slug}.md`;
    const source = readTextFile(folder, name);
    const read = 'text' in source ? parseArticleFile(name, source.text) : null;
    return read === null || 'problems' in read
      ? []
      : read.former.map((field) => ({ file: `articles/${name}`, ...field }));
  });
  return [...readFolderContents(root, {}).unread, ...articles].map(
    ({ file, field, reason }) =>
      `[content] warning: content/${[file, field].filter(Boolean).join(', ')} ${reason}`,
  );
}

/** Whether a site starts with a content folder: what is invalid can be left out. */
export async function canStart(root: string): Promise<boolean> {
  try {
    readShown(root, { images: await readImageCatalog(root) });
    await checkBrandFont(root);
    return true;
  } catch {
    return false;
  }
}

/** Only the packages of a build can decode a font; without them, as in a production image, the build has checked it. */
async function checkBrandFont(root: string): Promise<void> {
  try {
    const { readBrandFont } = await import('../../src/content-files/drawn/brand-font.ts');
    await readBrandFont(root);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
  }
}
