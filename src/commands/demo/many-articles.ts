import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyWhole, writeNote } from '../../stores/disk.ts';

/** Copies a content folder to another and its articles there until there are `count`. */
export function writeManyArticles(from: string, contentDir: string, count: number): void {
  copyWhole(from, contentDir);
  const folder = path.join(contentDir, 'articles');
  const samples = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
  for (let index = 0; index < count - samples.length; index++) {
    const sample = samples[index % samples.length] ?? '';
    const text = sample.replace(/^title: "?/m, (head) => `${head}${index + 1}. `);
    writeNote(path.join(folder, `copy-${index + 1}.md`), text);
  }
}
