import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ViteDevServer } from 'vite';
import { IMAGES_PREFIX } from '../../src/core/paths.ts';
import { DEV_IMAGE_MANIFEST } from '../../src/runtimes/astro/dev-image-manifest.ts';
import {
  buildImageCatalog,
  encodeImage,
  readContentImages,
  type SourceImage,
} from '../../src/sources/content/content-images.ts';
import { ROOT } from '../start/pinned-node.mjs';

const CONTENT = path.join(ROOT, 'content');
const IMAGES = path.join(CONTENT, 'images');
const TYPES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.jpg': 'image/jpeg' };

/**
 * Serves the images of the content folder in development, each variant converted when a page requests it, and reloads
 * browsers after an edit of a content file. The list of images follows the folder.
 */
export async function serveDevContent(server: ViteDevServer): Promise<void> {
  let images: readonly SourceImage[] = [];
  const refresh = async () => {
    try {
      images = await readContentImages(CONTENT);
    } catch (error) {
      server.config.logger.error(error instanceof Error ? error.message : String(error));
    }
    await mkdir(path.dirname(DEV_IMAGE_MANIFEST), { recursive: true });
    await writeFile(DEV_IMAGE_MANIFEST, JSON.stringify(Object.fromEntries(buildImageCatalog(images).images)));
  };
  await refresh();
  server.watcher.add(CONTENT);
  const reload = async (file: string) => {
    // Vite's watcher leaves out a change within 50 ms of another, as of a formatter after a save: wait for both.
    await setTimeout(100);
    if (file.startsWith(IMAGES + path.sep)) await refresh();
    server.ws.send({ type: 'full-reload' });
  };
  server.watcher.on('all', (_event, file) => {
    if (file.startsWith(CONTENT + path.sep)) void reload(file);
  });
  server.middlewares.use((request, response, next) => {
    const address = request.url?.split('?')[0] ?? '';
    if (!address.startsWith(IMAGES_PREFIX)) return next();
    readServed(images, address.slice(IMAGES_PREFIX.length)).then((data) => {
      if (data === null) return next();
      const extension = path.extname(address);
      response.setHeader('content-type', TYPES[extension] ?? `image/${extension.slice(1)}`);
      response.end(data);
    }, next);
  });
}

async function readServed(images: readonly SourceImage[], name: string): Promise<Buffer | null> {
  for (const source of images) {
    if (source.copy === name) return readFile(source.file);
    const variant = source.variants.find((one) => one.name === name);
    if (variant !== undefined) return (await encodeImage(source, [variant]))[0]?.data ?? null;
  }
  return null;
}
