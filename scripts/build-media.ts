// Draws the articles' pictures and every sharing image into the built site. The build runs it; alone:
// node scripts/build-media.ts
import path from 'node:path';
import sharp from 'sharp';
import { readArticleFiles } from '../src/adapters/articles/read-article-files.ts';
import { readContent } from '../src/adapters/content/read-content.ts';
import { buildSharingImagePath } from '../src/core/content/sharing-image.ts';
import { buildArticleSpec } from './media/article-art.ts';
import { buildArticleArt } from './media/build-article-art.ts';
import { buildOgImages } from './media/build-og-images.ts';
import { openMediaCache } from './media/media-cache.ts';
import type { OgItem } from './media/og-item.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Where pictures come from and go to. */
export interface MediaOptions {
  /** The content folder. */
  readonly contentDir: string;
  /** Folder of static files; `art/` and `og/` in it are this program's. */
  readonly outDir: string;
  /** What is kept between builds. */
  readonly cacheDir: string;
}

/** The signpost. */
const DEFAULT_ART = { motif: 'route', values: [8, 6, 4, 3], seed: 'post' } as const;

const nameOf = (route: string) => buildSharingImagePath(route).slice('/og/'.length, -'.png'.length);

/**
 * Draws what is missing and removes what is stale. Content must be right: throws what its readers throw.
 * Answers how many pictures were drawn anew.
 */
export async function buildMedia(options: MediaOptions): Promise<{ art: number; og: number }> {
  const { contentDir, outDir, cacheDir } = options;
  const { site, pages, assessment } = readContent(contentDir);
  const articles = readArticleFiles(path.join(contentDir, 'articles'), undefined).map(({ slug, front }) => ({
    slug,
    front,
    art: buildArticleSpec(slug, front.image),
  }));
  const items: OgItem[] = [
    { name: 'default', title: site.tagline, kicker: '', art: DEFAULT_ART },
    { name: nameOf('/'), title: site.tagline, kicker: '', art: DEFAULT_ART },
    { name: nameOf('/blog'), title: site.blog.title, kicker: 'Articles' },
    { name: nameOf('/assessment'), title: assessment.copy.intro.headline, kicker: assessment.copy.title },
    ...[...pages].map(([route, page]) => ({
      name: nameOf(route),
      title: page.title,
      kicker: page.kicker ?? '',
    })),
    ...articles.map(({ slug, front, art }) => ({
      name: nameOf(`/blog/${slug}`),
      title: front.title,
      kicker: front.categories[0] ?? '',
      art,
    })),
  ];
  // One thread a picture and one picture a core: faster for many small ones than all cores on each.
  sharp.concurrency(1);
  sharp.cache(false);
  const cache = await openMediaCache(path.join(cacheDir, 'files'));
  const art = await buildArticleArt(
    articles.map((article) => article.art),
    { outDir: path.join(outDir, 'art'), cache },
  );
  const fontDir = path.join(cacheDir, 'font');
  const og = await buildOgImages({
    items,
    siteName: site.name,
    outDir: path.join(outDir, 'og'),
    cache,
    fontDir,
  });
  await cache.prune();
  return { art, og };
}

if (import.meta.main) {
  const drawn = await buildMedia({
    contentDir: path.join(ROOT, 'content'),
    outDir: path.join(ROOT, 'dist', 'client'),
    cacheDir: path.join(ROOT, '.cache', 'media'),
  });
  console.log(`${drawn.art} pictures of articles and ${drawn.og} sharing images drawn.`);
}
