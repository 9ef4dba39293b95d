// npm run articles -- check: reads the chosen source and reports what is wrong with each article.
import { ArticleFilesError } from '../../src/adapters/articles/files/read-article-files.ts';
import { readContent } from '../../src/adapters/content/read-content.ts';
import { ArticleSourceError } from '../../src/core/articles/article-source.ts';
import { describeSkipped } from '../../src/core/articles/upstream-article.schema.ts';
import { ContentError } from '../../src/core/pages/content-error.ts';
import { checkArticles } from '../../src/server/compose/article-check.ts';
import { ConfigError, parseConfig } from '../../src/server/config.ts';
import { ImageFilesError } from '../build/media/image-files-error.ts';
import { readImageCatalog } from '../build/read-image-catalog.ts';
import { failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { findLargeImages } from './articles/find-large-images.ts';

const USAGE = `Usage:
  npm run articles -- check

Reads every article of the chosen source (ARTICLE_SOURCE) and lists what is wrong with each.`;

async function check(): Promise<number> {
  const config = parseConfig(process.env);
  const clock = { now: Date.now, monotonic: () => performance.now() };
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

const [command] = parseArguments(USAGE, { options: {}, words: { min: 1, max: 1 } }).positionals;
if (command !== 'check') failWithUsage(`There is no command "${command}".`, USAGE);
try {
  process.exitCode = await check();
} catch (error) {
  const isExpected = [ArticleFilesError, ArticleSourceError, ConfigError, ContentError, ImageFilesError].some(
    (kind) => error instanceof kind,
  );
  if (!isExpected) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
