import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildMedia } from '../../scripts/build-media.ts';
import { writeManyArticles } from './many-articles.ts';

/** Draws every picture of a site of `count` articles, none of them drawn before. Answers the seconds. */
export async function measureMedia(count: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-media-'));
  const contentDir = path.join(folder, 'content');
  try {
    writeManyArticles(contentDir, count);
    const began = performance.now();
    await buildMedia({ contentDir, outDir: path.join(folder, 'out'), cacheDir: path.join(folder, 'cache') });
    return (performance.now() - began) / 1_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
