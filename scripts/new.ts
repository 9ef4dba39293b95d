// npm run new -- article "Title": begins an article with everything that its head can have.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildArticleDraft } from '../src/core/articles/article-draft.ts';
import { buildSlug } from '../src/core/articles/article-slug.ts';

const USAGE = 'Usage: npm run new -- article "Title of the article"';

function run([kind, ...words]: readonly string[]): string | null {
  const title = words.join(' ').replace(/\s+/g, ' ').trim();
  if (kind !== 'article' || title === '') return USAGE;
  const slug = buildSlug(title);
  if (slug === '') return 'The title needs a letter or a digit of the Latin alphabet, for the address.';
  const file = path.join(process.env['CONTENT_DIR'] ?? './content', 'articles', `${slug}.md`);
  if (existsSync(file)) return `${file} is there already; nothing was changed.`;
  writeFileSync(file, buildArticleDraft(title, new Date().toISOString().slice(0, 10)), { flag: 'wx' });
  process.stdout.write(`${file}\n`);
  process.stdout.write(`It is a draft: remove "draft: true" to publish it at /blog/${slug}\n`);
  return null;
}

const problem = run(process.argv.slice(2));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
