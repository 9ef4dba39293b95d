// npm run articles -- check: reads the chosen source and says what is wrong with each article.
import { ArticleFilesError } from '../src/adapters/articles/files-error.ts';
import { readContent } from '../src/adapters/content/read-content.ts';
import { ArticleSourceError } from '../src/core/articles/article-source.ts';
import { ContentError } from '../src/core/content/content-error.ts';
import { checkArticles } from '../src/server/compose-check.ts';
import { ConfigError, parseConfig } from '../src/server/config.ts';
import { findHugePictures } from './article-commands/picture-size.ts';

const USAGE = 'Usage: npm run articles -- check';

async function check(): Promise<number> {
  const config = parseConfig(process.env);
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const { checked, dropped } = await checkArticles(config, readContent(config.CONTENT_DIR), clock);
  let wrong = dropped.length;
  for (const reason of dropped) process.stdout.write(`an article of the source was left out: ${reason}\n`);
  for (const { slug, problems, pictures } of checked) {
    const all = [...problems, ...(await findHugePictures(pictures))];
    wrong += all.length;
    for (const problem of all) process.stdout.write(`${slug}: ${problem}\n`);
  }
  const found = wrong === 1 ? 'one thing' : `${wrong || 'nothing'}${wrong > 1 ? ' things' : ''}`;
  process.stdout.write(
    `${checked.length} articles of the source "${config.ARTICLE_SOURCE}" read, ${found} to mend.\n`,
  );
  return wrong === 0 ? 0 : 1;
}

if (process.argv[2] !== 'check' || process.argv.length > 3) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await check();
  } catch (error) {
    const isExpected = [ArticleFilesError, ArticleSourceError, ConfigError, ContentError].some(
      (kind) => error instanceof kind,
    );
    if (!isExpected) throw error;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
