import { startCommand } from './run-command.ts';
import type { Site } from './site.ts';

/**
 * Runs `signpost articles purge` for a site that reads a remote article service; resolves with the exit code and
 * everything that the command has written.
 */
export async function purgeArticles(
  site: Pick<Site, 'runtime' | 'dataDir' | 'contentDir'>,
  service: { readonly url: string; readonly key: string },
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const env = {
    DATA_DIR: site.dataDir,
    CONTENT_DIR: site.contentDir,
    ARTICLE_SOURCE: 'remote',
    ARTICLE_SERVICE_URL: service.url,
    ARTICLE_SERVICE_KEY: service.key,
  };
  const place = site.runtime === 'workers' ? ['--edge'] : [];
  const { code, stdout, stderr } = await startCommand('articles', ['purge', ...place, ...words], env);
  return { code, output: `${stdout}${stderr}` };
}
