import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { LRUCache } from 'lru-cache';
import { buildEtag } from '../../server/http/responses.ts';
import { EncodedBody, isCompressible } from './encoded-body.ts';
import type { StoredResponse } from './stored-response.ts';

const HASHED = /^\/(_astro|fonts|images)\/|\.[0-9a-f]{10}\.(?:png|ico)$/;
/** Of all files in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Serves every file below `root` by path with the given headers; a file is read on its first request, with the
 * encodings that the build wrote beside it. Paths that are not in the listing made at start do not exist, so no request
 * reaches the file system's own paths. `findOther` names files that were added since, also in the place of one of these.
 */
export function createStaticFiles(
  root: string,
  security: Readonly<Record<string, string>>,
  findOther: (address: string) => string | undefined = () => undefined,
): { get(path: string): StoredResponse | undefined } {
  const files = listFiles(root);
  const isVariant = (file: string) => /\.(br|gz)$/.test(file) && files.has(file.replace(/\.(br|gz)$/, ''));
  const loaded = new LRUCache<string, StoredResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.identity.bytes.byteLength || 1,
  });
  return {
    get(address) {
      const file = findOther(address) ?? files.get(address);
      if (file === undefined || isVariant(address)) return undefined;
      const key = `${address} ${file}`;
      const known = loaded.get(key);
      if (known !== undefined) return known;
      const variants = { br: files.get(`${address}.br`), gzip: files.get(`${address}.gz`) };
      try {
        const response = loadFile(address, file, variants, security);
        loaded.set(key, response);
        return response;
      } catch (error) {
        // A build or a sync has removed it while the site runs: that address has nothing, all others have.
        if (!(error instanceof Error && 'code' in error)) throw error;
        return undefined;
      }
    },
  };
}

function listFiles(root: string): ReadonlyMap<string, string> {
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${path.relative(root, file).split(path.sep).join('/')}`, file]));
}

/**
 * Images and fonts may be shown by pages of another origin: readers of the feeds show the images, and a preview of the
 * console, which has no origin, shows both.
 */
function shareFile(contentType: string): Readonly<Record<string, string>> {
  if (contentType.startsWith('image/')) return { 'cross-origin-resource-policy': 'cross-origin' };
  return contentType.startsWith('font/') ? { 'access-control-allow-origin': '*' } : {};
}

function loadFile(
  address: string,
  file: string,
  variants: { readonly br: string | undefined; readonly gzip: string | undefined },
  security: Readonly<Record<string, string>>,
): StoredResponse {
  const content = readFileSync(file);
  const contentType = getMimeType(file) ?? 'application/octet-stream';
  const { br, gzip } = variants;
  return {
    status: 200,
    headers: {
      ...security,
      ...shareFile(contentType),
      'content-type': contentType,
      'cache-control': HASHED.test(address) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    },
    etag: buildEtag(content),
    body: new EncodedBody(content, {
      isCompressible: isCompressible(contentType),
      precompressed: { ...(br && { br: readFileSync(br) }), ...(gzip && { gzip: readFileSync(gzip) }) },
    }),
  };
}
