import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Connect } from 'vite';
import { buildMedia } from './build-media.ts';
import { ROOT } from './pinned-node.mjs';

const OUT = path.join(ROOT, '.cache', 'media', 'dev');
const PICTURE = /^\/(?:art|og)\/[\w/-]+\.(avif|webp|png)$/;

/** Draws the pictures that the build would draw, behind, and serves them in development. */
export function createPictureMiddleware(): Connect.NextHandleFunction {
  const contentDir = path.join(ROOT, 'content');
  const cacheDir = path.join(ROOT, '.cache', 'media');
  const drawn = buildMedia({ contentDir, outDir: OUT, cacheDir }).catch((error: unknown) => {
    console.error('Pictures could not be drawn:', error);
  });
  return (request, response, next) => {
    const [address = '', type] = PICTURE.exec(request.url?.split('?')[0] ?? '') ?? [];
    if (type === undefined) return next();
    void drawn.then(() => {
      const file = path.join(OUT, address);
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return next();
      response.setHeader('content-type', `image/${type}`);
      createReadStream(file).pipe(response);
    });
  };
}
