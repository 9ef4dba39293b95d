// Converts the images of the content folder and draws the sharing images into the built site. Part of the build; alone:
// node scripts/build/build-media.ts
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { readArticleFiles } from '../../src/content-files/articles/read-article-files.ts';
import {
  buildImageCatalog,
  readContentImages,
  type SourceImage,
} from '../../src/content-files/check-image.ts';
import { readContent } from '../../src/content-files/read-content.ts';
import { findContentFolder, noteBuiltSite } from '../../src/content-files/site-folder.ts';
import {
  FALLBACK_CARD_IMAGE,
  findContentImage,
  type ImageCatalog,
  listPageImages,
} from '../../src/core/pages/images/content-image.ts';
import type { ImageField } from '../../src/core/pages/images/image-field.schema.ts';
import {
  ASSESSMENT_PATH,
  BLOG_PATH,
  buildDefaultPath,
  buildSharingImagePath,
  HOME_PATH,
} from '../../src/core/paths.ts';
import { ROOT } from '../start/pinned-node.mjs';
import { readBrandFont } from './font/brand-font.ts';
import { writeIcons } from './media/brand-icons.ts';
import { buildImages } from './media/build-images.ts';
import { buildOgImages } from './media/build-og-images.ts';
import { openMediaCache } from './media/media-cache.ts';
import type { OgItem } from './media/og-card.ts';
import { openOgFont } from './media/og-font.ts';

/** Where images come from and where they are written. */
export interface MediaOptions {
  readonly contentDir: string;
  /** Folder of static files: `images/` and `og/` in it belong to this program. */
  readonly outDir: string;
  /** Folder of the files that later builds use again. */
  readonly cacheDir: string;
  /** The list of images that the server reads. */
  readonly manifestFile: string;
}

/**
 * Writes what is missing and removes what is stale. Returns how many images were converted and how many sharing images
 * were drawn. Throws `ImageFilesError`, and what the readers of content throw.
 */
export async function buildMedia(options: MediaOptions): Promise<{ images: number; og: number }> {
  const { contentDir, outDir, cacheDir, manifestFile } = options;
  // One thread per image and one image per core: faster for many small images than all cores on each.
  sharp.concurrency(1);
  sharp.cache(false);
  const images = await readContentImages(contentDir);
  const catalog = buildImageCatalog(images);
  const cache = await openMediaCache(path.join(cacheDir, 'files'));
  const converted = await buildImages(images, { outDir: path.join(outDir, 'images'), cache });
  await writeFile(manifestFile, `${JSON.stringify(Object.fromEntries(catalog.images))}\n`);
  const content = readContent(contentDir, { images: catalog });
  noteBuiltSite(path.dirname(manifestFile), contentDir, content.site.name);
  const og = await buildOgImages({
    items: listOgItems(contentDir, content, images, catalog),
    site: {
      name: content.site.name,
      accent: content.brand.colors.accent,
      ground: content.brand.colors.ground,
      logo: await readLogo(content, images),
    },
    outDir: path.join(outDir, 'og'),
    cache,
    font: await openOgFont(path.join(cacheDir, 'font'), await readBrandFont(contentDir)),
  });
  await cache.prune();
  await writeSocialImage(content, images, path.join(outDir, 'og'));
  await writeBrandIcons(content, images, outDir);
  return { images: converted, og };
}

function findSource(src: string | undefined, images: readonly SourceImage[]): SourceImage | undefined {
  const found = src === undefined ? undefined : findContentImage(src, buildImageCatalog(images));
  if (found === undefined || !('image' in found)) return undefined;
  return images.find(({ image }) => image.src === found.image.src);
}

async function readLogo(
  { brand }: ReturnType<typeof readContent>,
  images: readonly SourceImage[],
): Promise<string | undefined> {
  const source = findSource(brand.logo?.src, images);
  if (source === undefined) return undefined;
  const png = await sharp(source.file).resize(176, 176, { fit: 'inside' }).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Puts the brand's own image in the place of those for the front page and for pages without an image. */
async function writeSocialImage(
  { brand }: ReturnType<typeof readContent>,
  images: readonly SourceImage[],
  folder: string,
): Promise<void> {
  const source = findSource(brand.socialImage, images);
  if (source === undefined) return;
  const png = await sharp(source.file).resize(1200, 630, { fit: 'cover' }).png().toBuffer();
  await Promise.all(['default', 'home'].map((name) => writeFile(path.join(folder, `${name}.png`), png)));
}

/** Puts icons of the brand in the place of the shipped ones. */
async function writeBrandIcons(
  { brand: { colors, favicon } }: ReturnType<typeof readContent>,
  images: readonly SourceImage[],
  folder: string,
): Promise<void> {
  if (favicon === undefined && colors.accent === undefined) return;
  await mkdir(path.join(folder, 'icons'), { recursive: true });
  await writeIcons(folder, { ...colors, favicon: findSource(favicon, images)?.file });
}

function listOgItems(
  contentDir: string,
  { site, pages, assessment }: ReturnType<typeof readContent>,
  images: readonly SourceImage[],
  catalog: ImageCatalog,
): OgItem[] {
  const bySrc = new Map(images.map((source) => [source.image.src, source]));
  const find = (field: ImageField | undefined): OgItem['image'] => {
    const found = findContentImage(field?.src ?? `../images/${FALLBACK_CARD_IMAGE}`, catalog);
    const source = 'image' in found ? bySrc.get(found.image.src) : undefined;
    return source && { source, focus: field?.focus };
  };
  const item = (route: string, title: string, kicker: string, field?: ImageField): OgItem => ({
    name: buildSharingImagePath(route).slice('/og/'.length, -'.png'.length),
    title,
    kicker,
    image: find(field),
  });
  const articles = readArticleFiles(path.join(contentDir, 'articles'), { images: catalog });
  return [
    { ...item(HOME_PATH, site.tagline, ''), name: 'default' },
    item(HOME_PATH, site.tagline, ''),
    item(BLOG_PATH, site.blog.title, 'Articles'),
    item(ASSESSMENT_PATH, assessment.copy.intro.headline, assessment.copy.title),
    ...[...pages].map(([route, page]) => item(route, page.title, page.kicker ?? '', listPageImages(page)[0])),
    ...articles.flatMap(({ slug, front }) =>
      front.image ? [item(buildDefaultPath(slug), front.title, front.categories[0] ?? '', front.image)] : [],
    ),
  ];
}

if (import.meta.main) {
  const { images, og } = await buildMedia({
    contentDir: path.resolve(ROOT, findContentFolder(ROOT, process.env['CONTENT_DIR'])),
    outDir: path.join(ROOT, 'dist', 'client'),
    cacheDir: path.join(ROOT, '.cache', 'media'),
    manifestFile: path.join(ROOT, 'dist', 'images.json'),
  });
  console.log(`${images} images converted and ${og} sharing images drawn.`);
}
