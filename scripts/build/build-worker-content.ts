import path from 'node:path';
import { type BuiltParts, stringifyPart } from '../../src/content-files/built-content.ts';
import { createImageManifestReader } from '../../src/content-files/content-folder.ts';
import { openFolderContent } from '../../src/content-files/content-source.ts';
import { ContentError } from '../../src/core/pages/content.ts';
import type { ImageCatalog } from '../../src/core/pages/images/content-image.ts';
import { createSecurityHeaders } from '../../src/server/http/security-headers.ts';
import { syncTree, writeDraft } from '../../src/stores/disk.ts';
import { readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { buildMedia } from './build-media.ts';

/**
 * Adds a checked content folder to the built code of the worker in `dist`: images, drawn files, the parts that it loads.
 * `cacheDir`: of the images. Rejects with `ContentError`, `ArticleFilesError` and `ImageFilesError`.
 */
export async function writeWorkerContent(contentDir: string, dist: string, cacheDir: string): Promise<void> {
  const client = path.join(dist, 'client');
  await buildMedia({ contentDir, outDir: client, cacheDir, manifestFile: path.join(dist, 'images.json') });
  for (const [name, text] of Object.entries(await buildWorkerContent(contentDir, dist, false)))
    await writeDraft(path.join(dist, 'server', `${name}.json`), text);
  await writeAssetHeaders(client);
  // A power cut must not leave a build that counts as complete and has empty files.
  syncTree(dist);
}

/** Folders whose files never change under their name. */
const HASHED = ['_astro', 'fonts', 'images'];

/** Writes the `_headers` file of Workers static assets: the headers that the Node server sends with files. */
function writeAssetHeaders(folder: string): Promise<void> {
  const sources = { hsts: 'day' as const, imageHosts: [], analytics: null };
  const { file } = createSecurityHeaders(sources, { scripts: new Set(), styles: new Set() });
  const write = (pattern: string, headers: Readonly<Record<string, string>>) =>
    [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  const rules = [
    write('/*', { ...file, 'cache-control': 'public, max-age=3600' }),
    // A rule adds to what earlier rules have set, so the general value is removed first.
    ...HASHED.map((name) =>
      [`/${name}/*`, '  ! cache-control', '  cache-control: public, max-age=31536000, immutable'].join('\n'),
    ),
  ];
  return writeDraft(path.join(folder, '_headers'), `${rules.join('\n\n')}\n`);
}

/**
 * Reads and checks a content folder for the worker, which loads the parts. `dist`: the build, with the images. Rejects with
 * `ContentError` and `ArticleFilesError`.
 */
export function buildWorkerContent(
  contentDir: string,
  dist: string,
  hasArticleFiles: boolean,
): ReturnType<typeof buildContentParts> {
  const readImages = createImageManifestReader(path.join(dist, 'images.json'));
  // A package knows of which sources it was built.
  const version = typeof __SOURCE_STATE__ === 'string' ? __SOURCE_STATE__ : readSourceState(ROOT, ['src']);
  return buildContentParts(contentDir, readImages(), version, hasArticleFiles);
}

/**
 * Reads and checks the content folder as a start does, and returns the parts that `openBuiltContent` loads. Rejects
 * with `ContentError` and `ArticleFilesError`. `hasArticleFiles`: the articles of the site are the files of
 * the folder, so that pages can be checked for links to others.
 */
export async function buildContentParts(
  root: string,
  images: ImageCatalog,
  version: string,
  hasArticleFiles: boolean,
): Promise<Readonly<Record<keyof BuiltParts, string>>> {
  const folder = openFolderContent(root, () => images);
  const slugs = hasArticleFiles ? new Set(folder.articles.listSlugs()) : undefined;
  const { content, leftOut } = folder.readStart(slugs);
  if (leftOut.length > 0) throw new ContentError(leftOut);
  const claimUses = folder.readClaimUses(content.claims);
  const articles = folder.articles.read({
    partners: new Set(content.partners.keys()),
    authors: content.authors,
    figures: content.figures,
    products: content.products,
    images,
  });
  const files: Record<string, string> = {};
  for (const { file } of folder.files?.list() ?? []) {
    const read = folder.files?.read(file);
    if (read !== undefined && 'text' in read) files[file] = read.text;
  }
  return {
    files: stringifyPart<'files'>(files, version),
    content: stringifyPart<'content'>({ content, claimUses }, version),
    articles: stringifyPart<'articles'>(articles, version),
  };
}
