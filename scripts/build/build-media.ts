import { availableParallelism } from 'node:os';
import path from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import sharp from 'sharp';
import { openArticleFolder } from '../../src/content-files/articles/read-article-files.ts';
import {
  buildImageCatalog,
  encodeImage,
  mapBounded,
  readContentImages,
  type SourceImage,
} from '../../src/content-files/check-image.ts';
import { readShown, type ShownContent } from '../../src/content-files/content-source.ts';
import { noteBuiltSite } from '../../src/content-files/site-folder.ts';
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
import { copyDraft, createFolder, writeDraft } from '../../src/stores/disk.ts';
import { readBrandFont } from './font/brand-font.ts';
import { writeIcons } from './media/brand-icons.ts';
import { buildMediaKey, type MediaCache, openMediaCache } from './media/media-cache.ts';
import { buildOgCard, type OgItem, type OgSite, readPrint } from './media/og-card.ts';
import { type OgFont, openOgFont } from './media/og-font.ts';

/** Where images come from and where they are written. */
export interface MediaOptions {
  readonly contentDir: string;
  /** Folder of the static files of a new build. */
  readonly outDir: string;
  /** Folder of the files that later builds use again. */
  readonly cacheDir: string;
  /** The list of images that the server reads. */
  readonly manifestFile: string;
}

/**
 * Converts the images of the content folder, and draws the sharing images and icons. Returns how many images were converted
 * and how many sharing images were drawn. Pages and articles that are invalid are left out, as in the site. Throws
 * `ImageFilesError`, and `ContentError` where there is no site without a file.
 */
export async function buildMedia(options: MediaOptions): Promise<{ images: number; og: number }> {
  const { contentDir, outDir, cacheDir, manifestFile } = options;
  // One thread per image and one image per core: faster for many small images than all cores on each.
  sharp.concurrency(1);
  sharp.cache(false);
  const images = await readContentImages(contentDir);
  const catalog = buildImageCatalog(images);
  const cache = await openMediaCache(path.join(cacheDir, 'files'));
  const converted = await buildImages(images, path.join(outDir, 'images'), cache);
  await writeDraft(manifestFile, `${JSON.stringify(Object.fromEntries(catalog.images))}\n`);
  const { content } = readShown(contentDir, { images: catalog }, new Map(), true);
  noteBuiltSite(path.dirname(manifestFile), contentDir, content.site.name);
  const { accent, ground } = content.brand.colors;
  const site = { name: content.site.name, accent, ground, logo: await readLogo(content, images) };
  const font = await openOgFont(path.join(cacheDir, 'font'), await readBrandFont(contentDir));
  const items = listOgItems(contentDir, content, images, catalog);
  const og = await buildOgImages(items, { site, font, cache, outDir: path.join(outDir, 'og') });
  await cache.prune();
  await writeSocialImage(content, images, path.join(outDir, 'og'));
  await writeBrandIcons(content, images, outDir);
  return { images: converted, og };
}

/** Copies that run at a time. */
const COPIES = 16;

/**
 * Writes the variants of all images into a folder, from the cache where it has them. Returns how many were converted. Throws
 * `ImageFilesError` when an image cannot be decoded.
 */
async function buildImages(
  images: readonly SourceImage[],
  outDir: string,
  cache: MediaCache,
): Promise<number> {
  createFolder(outDir);
  const missing = images.filter(
    ({ variants }) => !variants.map(({ name }) => cache.has(name)).every(Boolean),
  );
  await mapBounded(missing, availableParallelism(), async (source) => {
    for (const { name, data } of await encodeImage(source, source.variants)) await cache.put(name, data);
  });
  const names = new Set(images.flatMap(({ variants }) => variants.map(({ name }) => name)));
  await mapBounded([...names], COPIES, (name) => cache.copy(name, path.join(outDir, name)));
  const copies = new Map(images.flatMap(({ copy, file }) => (copy === null ? [] : [[copy, file]])));
  await mapBounded([...copies], COPIES, ([name, file]) => copyDraft(file, path.join(outDir, name)));
  return missing.length;
}

/** Changes when the same SVG shall give another file. */
const RECIPE = 'og 2';
/** Flat colors and text need few; a photograph needs all that a palette can have. */
const COLORS = { drawing: 64, photograph: 256 };

interface OgPlace {
  readonly site: OgSite;
  readonly font: OgFont;
  readonly cache: MediaCache;
  readonly outDir: string;
}

/** Writes `{name}.png` (1,200 × 630) for every item, from the cache where it has it. Returns how many were drawn. */
async function buildOgImages(
  items: readonly OgItem[],
  { site, font, cache, outDir }: OgPlace,
): Promise<number> {
  const fontNames = font.files.map((file) => path.basename(file));
  const cards = items.map((item) => {
    // The key of the image stands for its content, which is read only for cards that are drawn.
    const svg = buildOgCard(item, site, font, item.image?.source.key ?? null);
    const cached = `${buildMediaKey(svg + JSON.stringify([fontNames, item.image?.focus ?? null]), RECIPE)}.png`;
    return { item, cached, isCached: cache.has(cached) };
  });
  const missing = [
    ...new Map(cards.filter(({ isCached }) => !isCached).map((card) => [card.cached, card])).values(),
  ];
  await mapBounded(missing, availableParallelism(), async ({ item, cached }) => {
    await cache.put(cached, await renderCard(item, site, font));
  });
  const folders = new Set(items.map(({ name }) => path.dirname(path.join(outDir, name))));
  for (const folder of folders) createFolder(folder);
  await mapBounded(cards, COPIES, ({ item, cached }) =>
    cache.copy(cached, path.join(outDir, `${item.name}.png`)),
  );
  return missing.length;
}

async function renderCard(item: OgItem, site: OgSite, font: OgFont): Promise<Buffer> {
  const svg = buildOgCard(item, site, font, item.image ? await readPrint(item.image) : null);
  const text = item.title + item.kicker + site.name;
  const isForeign = [...text].some((character) => font.advance(character) === undefined);
  const card = await renderAsync(svg, {
    // System fonts are read only for scripts that the display font lacks: reading them takes longer than drawing.
    font: { fontFiles: [...font.files], loadSystemFonts: isForeign, defaultFontFamily: font.family },
  });
  const isPhotograph = item.image !== undefined && item.image.source.copy === null;
  const colours = isPhotograph ? COLORS.photograph : COLORS.drawing;
  return sharp(card.pixels, { raw: { width: card.width, height: card.height, channels: 4 } })
    .removeAlpha()
    .png({ palette: true, colours, dither: isPhotograph ? 1 : 0, effort: 1, compressionLevel: 9 })
    .toBuffer();
}

function findSource(src: string | undefined, images: readonly SourceImage[]): SourceImage | undefined {
  const found = src === undefined ? undefined : findContentImage(src, buildImageCatalog(images));
  if (found === undefined || !('image' in found)) return undefined;
  return images.find(({ image }) => image.src === found.image.src);
}

async function readLogo(
  { brand }: ShownContent['content'],
  images: readonly SourceImage[],
): Promise<string | undefined> {
  const source = findSource(brand.logo?.src, images);
  if (source === undefined) return undefined;
  const png = await sharp(source.file).resize(176, 176, { fit: 'inside' }).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Puts the brand's own image in the place of those for the front page and for pages without an image. */
async function writeSocialImage(
  { brand }: ShownContent['content'],
  images: readonly SourceImage[],
  folder: string,
): Promise<void> {
  const source = findSource(brand.socialImage, images);
  if (source === undefined) return;
  const png = await sharp(source.file).resize(1200, 630, { fit: 'cover' }).png().toBuffer();
  await Promise.all(['default', 'home'].map((name) => writeDraft(path.join(folder, `${name}.png`), png)));
}

/** Puts icons of the brand in the place of the shipped ones. */
async function writeBrandIcons(
  { brand: { colors, favicon } }: ShownContent['content'],
  images: readonly SourceImage[],
  folder: string,
): Promise<void> {
  if (favicon === undefined && colors.accent === undefined) return;
  createFolder(path.join(folder, 'icons'));
  await writeIcons(folder, { ...colors, favicon: findSource(favicon, images)?.file });
}

function listOgItems(
  contentDir: string,
  { site, pages, assessment }: ShownContent['content'],
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
  const articles = openArticleFolder(path.join(contentDir, 'articles')).readShown({ images: catalog }, null);
  return [
    { ...item(HOME_PATH, site.tagline, ''), name: 'default' },
    item(HOME_PATH, site.tagline, ''),
    item(BLOG_PATH, site.blog.title, 'Articles'),
    item(ASSESSMENT_PATH, assessment.copy.intro.headline, assessment.copy.title),
    ...[...pages].map(([route, page]) => item(route, page.title, page.kicker ?? '', listPageImages(page)[0])),
    ...articles.files.flatMap(({ slug, front }) =>
      front.image ? [item(buildDefaultPath(slug), front.title, front.categories[0] ?? '', front.image)] : [],
    ),
  ];
}
