import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openArticleFolder } from '../../src/content-files/articles/read-article-files.ts';
import {
  buildImageCatalog,
  encodeImage,
  mapBounded,
  readContentImages,
  type SourceImage,
} from '../../src/content-files/check-image.ts';
import { readShown } from '../../src/content-files/content-source.ts';
import { prepareFont } from '../../src/content-files/drawn/brand-font.ts';
import { draw } from '../../src/content-files/drawn/draw.ts';
import {
  type DrawnArticle,
  nameDrawn,
  type PlannedFile,
  planDrawn,
} from '../../src/content-files/drawn/plan.ts';
import { findContentImage, type ImageCatalog } from '../../src/core/pages/images/content-image.ts';
import type { ImageManifest } from '../../src/core/pages/images/image-field.schema.ts';
import { copyDraft, createFolder, writeDraft } from '../../src/stores/disk.ts';
import { type MediaCache, openMediaCache } from './media-cache.ts';

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
 * and how many files were drawn. Pages and articles that are invalid are left out, as in the site. Throws
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
  const { content } = readShown(contentDir, { images: catalog }, new Map(), true);
  const shipped = await cutCardFonts(path.join(path.dirname(manifestFile), 'card-fonts'), cache);
  const files = path.join(cacheDir, 'files');
  const font = await prepareFont(contentDir, files);
  if (font !== null) {
    for (const name of [nameDrawn(font.address), font.heading]) cache.has(name);
    createFolder(path.join(outDir, 'fonts'));
    await cache.copy(nameDrawn(font.address), path.join(outDir, font.address));
  }
  const fonts = font === null ? shipped : [path.join(files, font.heading)];
  const planned = planDrawn(content, listDrawnArticles(contentDir, catalog), font?.heading ?? null);
  const places = { source: path.join(contentDir, 'images'), fonts, cache, outDir };
  const drawn = await writeDrawn(planned, places);
  await cache.prune();
  const manifest: ImageManifest = {
    images: Object.fromEntries(catalog.images),
    drawn: Object.fromEntries(planned.map(({ plain, address }) => [plain, address])),
    fontStyles: font?.styles ?? '',
  };
  await writeDraft(manifestFile, `${JSON.stringify(manifest)}\n`);
  return { images: converted, og: drawn };
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

const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const;
/** A headline of 50 to 90 px, as heavy as the site's. */
const AXES = { opsz: 48, wght: 640 };

/** Cuts the shipped heading font for sharing images, or takes it from the cache; a package has it. Returns the files. */
async function cutCardFonts(dir: string, cache: MediaCache): Promise<readonly string[]> {
  if (existsSync(dir)) return readdirSync(dir).map((name) => path.join(dir, name));
  createFolder(dir);
  const manifest = fileURLToPath(
    import.meta.resolve('@fontsource-variable/bricolage-grotesque/package.json'),
  );
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const { default: subsetFont } = await import('subset-font');
  return Promise.all(
    SUBSETS.map(async (subset) => {
      const name = `bricolage-${subset}-${version}-${AXES.opsz}-${AXES.wght}.ttf`;
      const source = path.join(
        path.dirname(manifest),
        'files',
        `bricolage-grotesque-${subset}-opsz-normal.woff2`,
      );
      if (!cache.has(name)) {
        const options = {
          keepAllGlyphs: true,
          targetFormat: 'sfnt',
          variationAxes: AXES,
          noHinting: true,
        } as const;
        await cache.put(name, await subsetFont(await readFile(source), '', options));
      }
      await cache.copy(name, path.join(dir, name));
      return path.join(dir, name);
    }),
  );
}

interface DrawnPlaces {
  readonly source: string;
  readonly fonts: readonly string[];
  readonly cache: MediaCache;
  readonly outDir: string;
}

/** Writes the planned files under both addresses, from the cache where it has them. Returns how many were drawn. */
async function writeDrawn(
  planned: readonly PlannedFile[],
  { source, fonts, cache, outDir }: DrawnPlaces,
): Promise<number> {
  const files = [...new Map(planned.map((file) => [nameDrawn(file.address), file]))];
  const missing = files.filter(([name]) => !cache.has(name));
  await mapBounded(missing, availableParallelism(), async ([name, { drawing }]) => {
    await cache.put(name, await draw(drawing, source, fonts));
  });
  const addresses = planned.flatMap(({ plain, address }) =>
    [plain, address].map((one) => ({ one, address })),
  );
  for (const { one } of addresses) createFolder(path.dirname(path.join(outDir, one)));
  await mapBounded(addresses, COPIES, ({ one, address }) =>
    cache.copy(nameDrawn(address), path.join(outDir, one)),
  );
  return missing.length;
}

/** What the articles of the files show in sharing images, those too that are published later. */
function listDrawnArticles(contentDir: string, images: ImageCatalog): readonly DrawnArticle[] {
  const { files } = openArticleFolder(path.join(contentDir, 'articles')).readShown({ images }, null);
  return files.map(({ slug, front: { title, categories, image } }) => {
    const found = image && findContentImage(image.src, images);
    const isFound = found !== undefined && 'image' in found;
    const featuredImage = isFound && image ? { ...found.image, alt: image.alt, focus: image.focus } : null;
    return { slug, title, categories, featuredImage };
  });
}
