import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Where a path of the site may have its file: as it is kept, and as it is built. */
const FOLDERS = ['public', 'dist/client'];
const MOST_BYTES = 500_000;
const DEADLINE_MS = 2_000;

/** Finds the pictures that are too heavy for a page or not there; one sentence each. */
export async function findHugePictures(sources: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all([...new Set(sources)].map(describe));
  return found.filter((sentence) => sentence !== '');
}

async function describe(src: string): Promise<string> {
  const bytes = src.startsWith('/') ? readLocal(src) : await readRemote(src);
  if (bytes === null) return `the picture ${src} is not there`;
  return bytes > MOST_BYTES ? `the picture ${src} has ${Math.round(bytes / 1_000)} kB` : '';
}

/** What is drawn by the build counts as there until there is a build to look into. */
function readLocal(src: string): number | null {
  if (!existsSync(path.join(ROOT, 'dist/client'))) return 0;
  const relative = new URL(src, 'http://site.invalid').pathname;
  const file = FOLDERS.map((folder) => path.join(ROOT, folder, relative)).find((name) => existsSync(name));
  return file === undefined ? null : statSync(file).size;
}

async function readRemote(src: string): Promise<number | null> {
  try {
    const answer = await fetch(src, { method: 'HEAD', signal: AbortSignal.timeout(DEADLINE_MS) });
    return answer.ok ? Number(answer.headers.get('content-length') ?? 0) : null;
  } catch {
    return null;
  }
}
