import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildMedia } from '../../scripts/build-media.ts';
import { ROOT } from '../../scripts/pinned-node.mjs';

/** Draws every picture of a site of `count` articles, none of them drawn before. Answers the seconds. */
export async function measureMedia(count: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-media-'));
  const contentDir = path.join(folder, 'content');
  try {
    cpSync(path.join(ROOT, 'content'), contentDir, { recursive: true });
    const articles = path.join(contentDir, 'articles');
    const samples = readdirSync(articles)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(path.join(articles, name), 'utf8'));
    for (let index = samples.length; index < count; index += 1) {
      const text = (samples[index % samples.length] ?? '').replace(
        /^title: "?/m,
        (head) => `${head}${index} `,
      );
      writeFileSync(path.join(articles, `copy-${index}.md`), text);
    }
    const began = performance.now();
    await buildMedia({ contentDir, outDir: path.join(folder, 'out'), cacheDir: path.join(folder, 'cache') });
    return (performance.now() - began) / 1_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
