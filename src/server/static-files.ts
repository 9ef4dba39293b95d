import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Body, createBody, createPlainBody } from './compression.ts';

/** A file of the build, ready to send. */
export interface StaticFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly body: Body;
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
/** Kept in memory at most; bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Whether the build compresses a file ahead, into `.br` and `.gz` beside it. */
export function isCompressible(file: string): boolean {
  return COMPRESSIBLE.test(readType(file));
}

/**
 * Knows every file below `root` by address; a file is read when it is first asked for, with the forms that the build
 * has compressed. Addresses that are not in the listing made at start do not exist, so no request reaches the file
 * system's paths.
 */
export function createStaticFiles(root: string): { read(address: string): StaticFile | undefined } {
  const names = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const paths = new Set(
    names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const files = new Map(
    [...paths]
      .filter((file) => !paths.has(file.replace(/\.(br|gz)$/, '')) || !/\.(br|gz)$/.test(file))
      .map((file) => [`/${path.relative(root, file).split(path.sep).join('/')}`, file]),
  );
  const loaded = new Map<string, StaticFile>();
  let bytes = 0;
  return {
    read(address) {
      const known = loaded.get(address);
      if (known !== undefined) return known;
      const file = files.get(address);
      if (file === undefined) return undefined;
      const made = loadFile(address, file, paths);
      loaded.set(address, made);
      bytes += made.body.identity.bytes.byteLength;
      for (const [oldest, { body }] of loaded) {
        if (bytes <= MOST_BYTES) break;
        loaded.delete(oldest);
        bytes -= body.identity.bytes.byteLength;
      }
      return made;
    },
  };
}

function readType(file: string): string {
  return TYPES[path.extname(file)] ?? 'application/octet-stream';
}

function loadFile(address: string, file: string, paths: ReadonlySet<string>): StaticFile {
  const content = readFileSync(file);
  const beside = (ending: string) => (paths.has(file + ending) ? readFileSync(file + ending) : undefined);
  const [br, gzip] = [beside('.br'), beside('.gz')];
  return {
    contentType: readType(file),
    cacheControl: HASHED.test(address) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    etag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    body: isCompressible(file)
      ? createBody(content, { ...(br && { br }), ...(gzip && { gzip }) })
      : createPlainBody(content),
  };
}
