import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/start/pinned-node.mjs';

/** Copies the site's content to a folder and its articles until there are `count`. Answers the slugs of the copies. */
export function writeManyArticles(contentDir: string, count: number): readonly string[] {
  cpSync(path.join(ROOT, 'content'), contentDir, { recursive: true });
  const folder = path.join(contentDir, 'articles');
  const samples = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return Array.from({ length: Math.max(0, count - samples.length) }, (_, index) => {
    const slug = `copy-${index}`;
    const sample = samples[index % samples.length] ?? '';
    writeFileSync(
      path.join(folder, `${slug}.md`),
      sample.replace(/^title: "?/m, (head) => `${head}${index} `),
    );
    return slug;
  });
}
