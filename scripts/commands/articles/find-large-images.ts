import { statSync } from 'node:fs';
import path from 'node:path';
import { IMAGES_PREFIX } from '../../../src/core/paths.ts';
import { ROOT } from '../../start/pinned-node.mjs';

const MAX_BYTES = 500_000;
const DEADLINE_MS = 2_000;
/** Where a path of the site has its file: as it is committed, and as the build wrote it. */
const FOLDERS = ['public', 'dist/client'];
/** Paths that only a build writes. Content images were checked when the content was read. */
const BUILT = [IMAGES_PREFIX, '/og/', '/_astro/'];

/**
 * Finds the images that are missing or larger than 500 kB; one sentence each. Asks other hosts for the size of theirs.
 */
export async function findLargeImages(sources: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all([...new Set(sources)].map(describe));
  return found.filter((sentence) => sentence !== '');
}

async function describe(src: string): Promise<string> {
  if (BUILT.some((prefix) => src.startsWith(prefix))) return '';
  const bytes = src.startsWith('/') ? readLocal(src) : await readRemote(src);
  if (bytes === null) return `the image ${src} does not exist`;
  return bytes > MAX_BYTES ? `the image ${src} has ${Math.round(bytes / 1_000)} kB` : '';
}

function readLocal(src: string): number | null {
  const { pathname } = new URL(src, 'http://site.invalid');
  for (const folder of FOLDERS) {
    const file = statSync(path.join(ROOT, folder, pathname), { throwIfNoEntry: false });
    if (file !== undefined) return file.size;
  }
  return null;
}

async function readRemote(src: string): Promise<number | null> {
  try {
    const response = await fetch(src, { method: 'HEAD', signal: AbortSignal.timeout(DEADLINE_MS) });
    return response.ok ? Number(response.headers.get('content-length') ?? 0) : null;
  } catch {
    return null;
  }
}
