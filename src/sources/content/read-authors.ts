import { type Author, authorFileSchema } from '../../core/articles/author.schema.ts';
import { findContentImage, type ImageCatalog } from '../../core/pages/content-image.ts';
import { checkPartnerLinks, type KnownPartners } from '../../core/pages/partner-link-check.ts';
import type { ContentFolder } from './content-folder.ts';

/** Reads `authors/*.yaml`; the authors by key. `images`: what a portrait may refer to; undefined: not checked. */
export function readAuthors(
  folder: ContentFolder,
  known: KnownPartners,
  images: ImageCatalog | undefined,
): Map<string, Author> {
  const authors = new Map<string, Author>();
  const files = folder.readFolder('authors', authorFileSchema, (raw, report) => {
    for (const { path, reason } of checkPartnerLinks(raw, known)) report(path, reason);
    return raw;
  });
  for (const [key, author] of files) {
    const report = (field: string, reason: string) =>
      folder.problems.push({ file: `authors/${key}.yaml`, field, reason });
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key)) {
      report('', 'the file name may have only a-z, 0-9 and single hyphens');
    }
    const portrait = author.image && images && findContentImage(author.image.src, images);
    if (portrait && 'problem' in portrait) {
      const list = portrait.needsBuild ? folder.waits : folder.problems;
      list.push({ file: `authors/${key}.yaml`, field: 'image.src', reason: portrait.problem });
    }
    authors.set(key, { ...author, key });
  }
  return authors;
}
