// npm run new -- article "Title" | page "Title": creates a content file with every field that its kind requires.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildArticleDraft } from '../../src/core/articles/article-draft.ts';
import { buildPageDraft } from '../../src/core/pages/page-draft.ts';
import { buildSlug } from '../../src/core/text/slug.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';

const USAGE = `Usage:
  npm run new -- article "Title of the article"
  npm run new -- page "Title of the landing page"

Creates the file in CONTENT_DIR (./content). An existing file is never overwritten.`;

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
      publish: (slug: string) => `It is a draft: remove "draft: true" to publish it at /${slug}`,
    },
  ],
]);

/** Creates the file. Returns the reason when that is not possible, else null. */
function run([name = '', ...words]: readonly string[]): string | null {
  const title = words.join(' ').replace(/\s+/g, ' ').trim();
  const kind = KINDS.get(name);
  if (!kind) return failWithUsage(`There is no kind "${name}".`, USAGE);
  if (title === '') return failWithUsage('The title is missing.', USAGE);
  const slug = buildSlug(title);
  if (slug === '')
    return 'The title needs a letter or a digit of the Latin alphabet: the address is built from it.';
  const file = path.join(process.env['CONTENT_DIR'] ?? './content', ...kind.place(slug));
  if (existsSync(file)) return `${file} is there already; nothing was changed.`;
  writeFileSync(file, kind.build(title, new Date().toISOString().slice(0, 10)), { flag: 'wx' });
  process.stdout.write(`${file}\n${kind.publish(slug)}\n`);
  return null;
}

const { positionals } = parseArguments(USAGE, {
  options: {},
  words: { min: 1, max: Number.POSITIVE_INFINITY },
});
const problem = run(positionals);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
