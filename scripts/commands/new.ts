// npm run new -- article "Title" | page "Title": begins a file with everything that its kind needs.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildArticleDraft } from '../src/core/articles/article-draft.ts';
import { buildSlug } from '../src/core/articles/article-slug.ts';
import { buildPageDraft } from '../src/core/content/page-draft.ts';

const USAGE = `Usage:
  npm run new -- article "Title of the article"
  npm run new -- page "Title of the landing page"`;

const KINDS = new Map([
  [
    'article',
    {
      build: buildArticleDraft,
      place: (slug: string) => ['articles', `${slug}.md`],
      publish: (slug: string) => `It is a draft: remove "draft: true" to publish it at /blog/${slug}`,
    },
  ],
  [
    'page',
    {
      build: buildPageDraft,
      place: (slug: string) => ['pages', `${slug}.yaml`],
      publish: (slug: string) =>
        `It is served at /${slug}; remove "index: false" to let search engines find it`,
    },
  ],
]);

/** What went wrong; null: nothing. */
function run([name = '', ...words]: readonly string[]): string | null {
  const title = words.join(' ').replace(/\s+/g, ' ').trim();
  const kind = KINDS.get(name);
  if (!kind || title === '') return USAGE;
  const slug = buildSlug(title);
  if (slug === '') return 'The title needs a letter or a digit of the Latin alphabet, for the address.';
  const file = path.join(process.env['CONTENT_DIR'] ?? './content', ...kind.place(slug));
  if (existsSync(file)) return `${file} is there already; nothing was changed.`;
  writeFileSync(file, kind.build(title, new Date().toISOString().slice(0, 10)), { flag: 'wx' });
  process.stdout.write(`${file}\n${kind.publish(slug)}\n`);
  return null;
}

const problem = run(process.argv.slice(2));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
