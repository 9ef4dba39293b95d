import path from 'node:path';
import type { ImageCatalog } from '../../core/pages/content-image.ts';
import { openArticleFolder } from '../articles/files/read-article-files.ts';
import { createClaimUsesReader } from './collect-claim-uses.ts';
import type { ContentSource } from './content-source.ts';
import { readContentDocuments, readFixedContent } from './read-content.ts';
import { readEdits } from './read-edits.ts';

/** Opens the content folder, which is read again with every call. */
export function openFolderContent(root: string, readImages: () => ImageCatalog): ContentSource {
  return {
    read: (articles) => readContentDocuments(root, { images: readImages(), articles }),
    readEdits: (shown, articles) => readEdits(root, { images: readImages(), articles }, shown),
    readFixed: () => readFixedContent(root),
    readImages,
    createClaimUsesReader: (keys) => createClaimUsesReader(root, keys),
    articles: openArticleFolder(path.join(root, 'articles')),
  };
}
