// npm run new -- article "Title" | page "Title" | site "Name": creates content files with every required field.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { buildArticleDraft, buildPageDraft } from '../../src/core/pages/drafts.ts';
import { buildSlug } from '../../src/core/text/slug.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { readSettings } from './arguments/read-settings.ts';
import { createSite } from './new/create-site.ts';

const USAGE = `Usage:
  npm run new -- article "Title of the article"
  npm run new -- page "Title of the landing page"
  npm run new -- site "Name of the site"               replaces content/, which stays under another name
  npm run new -- site "Name of the site" --into FOLDER writes to a folder that is empty or missing

Creates the files in CONTENT_DIR (./content). An existing file is never overwritten.`;

const { CONTENT_DIR: ROOT } = readSettings({ CONTENT_DIR: process.env['CONTENT_DIR'] });
const today = new Date().toISOString().slice(0, 10);

const KINDS = new Map([
  [
    'article',
    {
      build: (title: string) => buildArticleDraft(title, today, readFirstTopic()),
      place: (slug: string) => ['articles', `${slug}.md`],
      publish: (slug: string) => `It is a draft: remove "draft: true" to publish it at /blog/${slug}`,
    },
  ],
  [
    'page',
    {
      build: (title: string) => buildPageDraft(title, today),
      place: (slug: string) => ['pages', `${slug}.yaml`],
      publish: (slug: string) => `It is a draft: remove "draft: true" to publish it at /${slug}`,
    },
  ],
]);

/** The first topic of the blog; a word to replace when site.yaml cannot be read, which the content check reports. */
function readFirstTopic(): string {
  try {
    const { blog } = Object(parse(readFileSync(path.join(ROOT, 'site.yaml'), 'utf8')));
    return String(Object(blog).topics[0].name);
  } catch {
    return 'Guides';
  }
}

/** Creates the file. Returns the reason when that is not possible, else null. */
function run([name = '', ...words]: readonly string[], into: string | undefined): string | null {
  const title = words.join(' ').replace(/\s+/g, ' ').trim();
  const kind = KINDS.get(name);
  if (!kind && name !== 'site') return failWithUsage(`There is no kind "${name}".`, USAGE);
  if (title === '') return failWithUsage(`The ${kind ? 'title' : 'name of the site'} is missing.`, USAGE);
  if (!kind) return runSite(title, into);
  if (into !== undefined) return failWithUsage('--into belongs to "site".', USAGE);
  const slug = buildSlug(title);
  if (slug === '')
    return 'The title needs a letter or a digit of the Latin alphabet: the address is built from it.';
  const file = path.join(ROOT, ...kind.place(slug));
  if (existsSync(file)) return `${file} is there already; nothing was changed.`;
  writeFileSync(file, kind.build(title), { flag: 'wx' });
  process.stdout.write(`${file}\n${kind.publish(slug)}\n`);
  return null;
}

function runSite(name: string, into: string | undefined): string | null {
  const folder = path.normalize(into ?? ROOT).replace(/[/\\]$/, '');
  try {
    const before = createSite({ name, folder, isReplacing: into === undefined, day: today });
    if (before !== null) process.stdout.write(`The content that was in ${folder} is now in ${before}.\n`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  process.stdout.write(
    `${folder} has an empty site called "${name}". "npm start" shows it.\n` +
      'Texts with "Say here" or "Example Product" are yours to replace: "npm run -s launch-check" lists them.\n',
  );
  return null;
}

const { positionals, values } = parseArguments(USAGE, {
  options: { into: { type: 'string' } },
  words: { min: 1, max: Number.POSITIVE_INFINITY },
});
const problem = run(positionals, values.into);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
