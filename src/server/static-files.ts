import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildEncodings, type Encodings } from './compression.ts';

/** A file of the build, ready to send. */
export interface StaticFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly encodings: Encodings;
}

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const COMPRESSIBLE = /^(text|application)\/|svg/;
const HASHED = /^\/(_astro|fonts)\//;

/**
 * Knows every file below `root` by address; a file is read and compressed when it is first asked for.
 * Addresses that are not in the listing made at start do not exist, so no request reaches the file system's paths.
 */
export function createStaticFiles(root: string): { read(address: string): Promise<StaticFile> | undefined } {
  const names = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = new Map(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [`/${path.relative(root, file).split(path.sep).join('/')}`, file]),
  );
  const loaded = new Map<string, Promise<StaticFile>>();
  return {
    read(address) {
      const file = files.get(address);
      if (file === undefined) return undefined;
      const known = loaded.get(address);
      if (known !== undefined) return known;
      const loading = loadFile(address, file);
      loaded.set(address, loading);
      loading.catch(() => loaded.delete(address));
      return loading;
    },
  };
}

async function loadFile(address: string, file: string): Promise<StaticFile> {
  const body = readFileSync(file);
  const contentType = TYPES[path.extname(file)] ?? 'application/octet-stream';
  return {
    contentType,
    cacheControl: HASHED.test(address) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    encodings: COMPRESSIBLE.test(contentType) ? await buildEncodings(body, 11) : { identity: body },
  };
}
