import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ViteDevServer } from 'vite';
import {
  buildImageCatalog,
  encodeImage,
  readContentImages,
  type SourceImage,
} from '../../src/content-files/check-image.ts';
import { HEALTH_PATH, IMAGES_PREFIX } from '../../src/core/paths.ts';
import { DEV_IMAGE_MANIFEST } from '../../src/runtimes/astro/dev-image-manifest.ts';
import type { Development } from '../../src/runtimes/astro/dev-middleware.ts';
import { buildHostOrigin } from '../../src/server/http/same-origin.ts';
import { createFolder, writeWhole } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';

const CONTENT = path.resolve(ROOT, process.env['CONTENT_DIR'] || 'content');
const IMAGES = path.join(CONTENT, 'images');
/** The property of a request whose value Astro takes as `Astro.locals`. */
const LOCALS = Symbol.for('astro.locals');
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
    createFolder(path.dirname(DEV_IMAGE_MANIFEST));
    writeWhole(
      DEV_IMAGE_MANIFEST,
      JSON.stringify({ images: Object.fromEntries(buildImageCatalog(images).images) }),
    );
  };
  await refresh();
  const development: Development = {};
  server.watcher.add(CONTENT);
  const reload = async (file: string) => {
    // Vite's watcher leaves out a change within 50 ms of another, as of a formatter after a save: wait for both.
    await setTimeout(100);
    if (file.startsWith(IMAGES + path.sep)) await refresh();
    // A site that cannot be opened shows why to the next request.
    const opened = await development.site?.catch(() => null);
    await opened?.site.content.applyEdits([path.relative(CONTENT, file)]);
    server.ws.send({ type: 'full-reload' });
  };
  server.watcher.on('all', (_event, file) => {
    if (file.startsWith(CONTENT + path.sep)) void reload(file);
  });
  // A preview in the console has no origin: Astro, which would refuse to send it the font, sees no sender.
  server.httpServer?.prependListener('request', ({ headers }, response) => {
    if (headers['sec-fetch-dest'] !== 'font') return;
    delete headers['sec-fetch-site'];
    response.setHeader('access-control-allow-origin', '*');
  });
  server.middlewares.use((request, response, next) => {
    Object.assign(request, { [LOCALS]: { development } });
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

/**
 * Gives the site the address at which the server listens, and opens it, so that the terminal shows where the console is or
 * why the site cannot be shown.
 */
export function startDevSite(host: string | boolean, { address, port }: AddressInfo): void {
  process.env['HOST'] = typeof host === 'string' ? host : host ? '0.0.0.0' : 'localhost';
  process.env['PORT'] = String(port);
  process.env['CONTENT_DIR'] = CONTENT;
  void fetch(buildHostOrigin(address, port) + HEALTH_PATH).catch(() => {});
}

async function readServed(images: readonly SourceImage[], name: string): Promise<Buffer | null> {
  for (const source of images) {
    if (source.copy === name) return readFile(source.file);
    const variant = source.variants.find((one) => one.name === name);
    if (variant !== undefined) return (await encodeImage(source, [variant]))[0]?.data ?? null;
  }
  return null;
}
