import { type PurgePlatform, purgeArticles } from '../../../src/server/articles/purge-articles.ts';
import type { Settings } from '../../../src/server/settings.ts';
import { readContent } from '../../../src/sources/content/read-content.ts';

/** Purges copies of articles and prints what happened to each; resolves with the exit code. */
export async function runPurge(
  config: Settings,
  platform: PurgePlatform,
  request: Parameters<typeof purgeArticles>[3],
): Promise<number> {
  const content = readContent(config.CONTENT_DIR);
  let purged = 0;
  let failed = 0;
  for await (const copy of purgeArticles(config, content, platform, request)) {
    purged += 1;
    if (copy.error) failed += 1;
    process.stdout.write(`${copy.slug}: ${copy.outcome}${copy.error ? ` (${copy.error.message})` : ''}\n`);
  }
  process.stdout.write(`${purged - failed} copies replaced, ${failed} could not be read.\n`);
  return failed === 0 ? 0 : 1;
}
