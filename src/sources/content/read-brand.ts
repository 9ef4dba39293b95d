import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Brand, brandSchema } from '../../core/pages/brand/brand.schema.ts';
import { buildBrandStyles } from '../../core/pages/brand/build-brand-styles.ts';
import { findContentImage, type ImageCatalog } from '../../core/pages/content-image.ts';
import { ContentFolder } from './content-folder.ts';

const FILE = 'brand.yaml';

/** Reads `brand.yaml`; the shipped look without it. `images`: what it may refer to; undefined: not checked. */
export function readBrand(root: string, folder: ContentFolder, images: ImageCatalog | undefined): Brand {
  const brand = existsSync(path.join(root, FILE))
    ? folder.readFile(FILE, brandSchema, (raw) => raw ?? {})
    : undefined;
  if (brand === undefined) return brandSchema.parse({});
  const report = (field: string, reason: string) => folder.problems.push({ file: FILE, field, reason });
  for (const { field, reason } of buildBrandStyles(brand).problems) report(field, reason);
  const { logo, favicon, socialImage } = brand;
  for (const [field, src] of Object.entries({ 'logo.src': logo?.src, favicon, socialImage })) {
    const found = src !== undefined && images !== undefined ? findContentImage(src, images) : null;
    if (found !== null && 'problem' in found) report(field, found.problem);
  }
  return brand;
}

/** Reads the settings of the brand for a build. Throws `ContentError` when the file is invalid. */
export function readBrandSettings(root: string): Brand {
  const folder = new ContentFolder(root);
  const brand = readBrand(root, folder, undefined);
  folder.finish();
  return brand;
}
