// npm run articles: `check` reports what is wrong with the articles of the source, `purge` replaces their copies.
import { ArticleFilesError } from '../../src/adapters/articles/files/read-article-files.ts';
import { readContent } from '../../src/adapters/content/read-content.ts';
import { ArticleSourceError } from '../../src/core/articles/article-source.ts';
import { describeSkipped } from '../../src/core/articles/upstream-article.ts';
import { ContentError } from '../../src/core/pages/content-error.ts';
import { checkArticles } from '../../src/server/compose/article-check.ts';
import { purgeArticles } from '../../src/server/compose/article-purge.ts';
import { ConfigError, parseConfig } from '../../src/server/config.ts';
import { ImageFilesError } from '../build/media/image-files-error.ts';
import { readImageCatalog } from '../build/read-image-catalog.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { findLargeImages } from './articles/find-large-images.ts';

const USAGE = `Usage:
  npm run articles -- check
  npm run articles -- purge [SLUG] [--force]

check reads every article of the chosen source (ARTICLE_SOURCE) and lists what is wrong with each.
purge replaces the copy of one article, or all copies, by what the source has now; a running server has them within a
second. When an article cannot be read, its copy stays as it is; --force removes it.`;

const clock = { now: Date.now, monotonic: () => performance.now() };

async function check(): Promise<number> {
  const config = parseConfig(process.env);
  const images = config.ARTICLE_SOURCE === 'files' ? await readImageCatalog(config.CONTENT_DIR) : undefined;
  const content = readContent(config.CONTENT_DIR, images);
  const { checked, skipped, missing } = await checkArticles(config, content, clock);
  let count = skipped.length + missing.length;
  for (const { place, path } of missing)
    process.stdout.write(`${place}: links to ${path}, which the source does not have\n`);
  for (const article of skipped)
    process.stdout.write(`${describeSkipped(article)}: left out, ${article.reason}\n`);
  for (const { slug, problems, images: shown } of checked) {
    const all = [...problems, ...(await findLargeImages(shown))];
    count += all.length;
    for (const problem of all) process.stdout.write(`${slug}: ${problem}\n`);
  }
  const found = count === 1 ? '1 problem' : `${count} problems`;
  process.stdout.write(
    `${checked.length} articles of the source "${config.ARTICLE_SOURCE}" checked: ${found}.\n`,
  );
  return count === 0 ? 0 : 1;
}

async function purge(slug: string | null, isForced: boolean): Promise<number> {
  const config = parseConfig(process.env);
  if (config.ARTICLE_SOURCE === 'files') {
    process.stdout.write('The source "files" has no copies: its articles are read at start.\n');
    return 1;
  }
  let purged = 0;
  let failed = 0;
  for await (const copy of purgeArticles(config, readContent(config.CONTENT_DIR), clock, {
    slug,
    isForced,
  })) {
    purged += 1;
    if (copy.error) failed += 1;
    process.stdout.write(`${copy.slug}: ${copy.outcome}${copy.error ? ` (${copy.error.message})` : ''}\n`);
  }
  process.stdout.write(`${purged - failed} copies replaced, ${failed} could not be read.\n`);
  return failed === 0 ? 0 : 1;
}

const { positionals, values } = parseArguments(USAGE, {
  options: { force: { type: 'boolean', default: false } },
  words: { min: 1, max: 2 },
});
const [command, slug] = positionals;
if (command !== 'check' && command !== 'purge') failWithUsage(`There is no command "${command}".`, USAGE);
if (command === 'check' && slug !== undefined) failWithUsage(`Unexpected argument "${slug}".`, USAGE);
try {
  process.exitCode = await (command === 'check' ? check() : purge(slug ?? null, values.force));
} catch (error) {
  const isExpected = [ArticleFilesError, ArticleSourceError, ConfigError, ContentError, ImageFilesError].some(
    (kind) => error instanceof kind,
  );
  if (!isExpected) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
