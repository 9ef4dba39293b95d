// npm run articles: `check` reports what is wrong with the articles of the source, `purge` replaces their copies.

import { ArticleSourceError } from '../../src/core/articles/article-source.ts';
import { describeSkipped } from '../../src/core/articles/check-article.ts';
import { ContentError } from '../../src/core/pages/content.ts';
import { getArticleCacheFile } from '../../src/server/articles/article-sources.ts';
import { checkArticles } from '../../src/server/articles/check-articles.ts';
import { parseSettings, SettingsError } from '../../src/server/settings.ts';
import { ArticleFilesError } from '../../src/sources/articles/files/read-article-files.ts';
import { BodyProcessor } from '../../src/sources/articles/html/body-processor.ts';
import type { SanitizePolicy } from '../../src/sources/articles/html/sanitize.ts';
import { readContent } from '../../src/sources/content/read-content.ts';
import { guardedGet } from '../../src/sources/http/guarded-http.ts';
import { createSqliteArticleStore } from '../../src/stores/node-databases.ts';
import { ImageFilesError } from '../build/media/content-images.ts';
import { readImageCatalog } from '../build/read-image-catalog.ts';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { runPinned } from '../start/pinned-node.mjs';
import { FLAG, failWithUsage, parseArguments, parsePlace } from './arguments/parse-arguments.ts';
import { findLargeImages } from './articles/find-large-images.ts';
import { runPurge } from './articles/run-purge.ts';

const USAGE = `Usage:
  npm run articles -- check
  npm run articles -- purge [SLUG] [--force] [--edge | --remote]

check reads every article of the chosen source (ARTICLE_SOURCE) and lists what is wrong with each.
purge replaces the copy of one article, or all copies, by what the source has now; a running server has them within a
second. When an article cannot be read, its copy stays as it is; --force removes it. --edge purges the copies of npm run
edge, --remote those of the deployed worker, with your Cloudflare login; the settings of that worker are "vars" in
edge/wrangler.jsonc, and secrets such as the key of the source are in the environment.`;

const clock = { now: Date.now, monotonic: () => performance.now() };

async function check(): Promise<number> {
  const config = parseSettings(process.env);
  const images = config.ARTICLE_SOURCE === 'files' ? await readImageCatalog(config.CONTENT_DIR) : undefined;
  const content = readContent(config.CONTENT_DIR, { images });
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
  const config = parseSettings(process.env);
  if (config.ARTICLE_SOURCE === 'files') {
    process.stdout.write('The source "files" has no copies: its articles are read at start.\n');
    return 1;
  }
  const store = createSqliteArticleStore(getArticleCacheFile(config), () => undefined);
  const platform = {
    clock,
    httpGet: guardedGet,
    createBodyProcessor: (policy: SanitizePolicy) => new BodyProcessor(policy),
  };
  try {
    return await runPurge(config, platform, { store, slug, isForced });
  } finally {
    await store.close();
  }
}

/** Purges the copies of a worker, with the tools of Workers. */
function purgeWorker(slug: string | null, isForced: boolean, place: string): Promise<number> {
  ensureEdgeTools();
  const words = [slug ?? [], isForced ? '--force' : [], place].flat();
  return runPinned(['edge/main.ts', 'purge', ...words]);
}

async function run(command: 'check' | 'purge', slug: string | null): Promise<number> {
  if (command === 'check') return check();
  return place === 'node' ? purge(slug, values.force) : purgeWorker(slug, values.force, `--${place}`);
}

const { positionals, values } = parseArguments(USAGE, {
  options: { force: FLAG, edge: FLAG, remote: FLAG },
  words: { min: 1, max: 2 },
});
const [command, slug] = positionals;
if (command !== 'check' && command !== 'purge') failWithUsage(`There is no command "${command}".`, USAGE);
if (command === 'check' && slug !== undefined) failWithUsage(`Unexpected argument "${slug}".`, USAGE);
const place = parsePlace(values, USAGE);
try {
  process.exitCode = await run(command, slug ?? null);
} catch (error) {
  const isExpected = [
    ArticleFilesError,
    ArticleSourceError,
    SettingsError,
    ContentError,
    ImageFilesError,
  ].some((kind) => error instanceof kind);
  if (!isExpected) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
