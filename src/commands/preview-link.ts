import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildDefaultPath, buildPagePath } from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { makePreviewToken } from '../server/http/secret-token.ts';
import { defineCommand, FLAG, parsePlace, runEdge } from './command.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('preview-link');

const USAGE = `Usage:
  ${RUN} SLUG [--renew] [--edge | --remote]

Prints the address that opens a draft or a scheduled page or article. SLUG is the name of a file in content/articles or
content/pages, without its ending. The secret in the address opens every other draft too; --renew changes it, and earlier
addresses stop working. --edge is for signpost edge, --remote for the deployed worker, with your Cloudflare login.`;

/** `signpost preview-link`: prints the address that opens a draft or a scheduled page or article. */
export const command = defineCommand({
  usage: USAGE,
  options: { renew: FLAG, edge: FLAG, remote: FLAG },
  words: [1, 1],
  async run({ positionals: [slug = ''], values }, io, site: CommandSite) {
    const place = parsePlace(values);
    if (place !== 'node' && !site.isWorker) {
      const words = values.renew ? [slug, '--renew'] : [slug];
      return runEdge('preview-link', ...words, `--${place}`);
    }
    const { CONTENT_DIR, siteUrl } = site.readSettings('SITE_URL', 'HOST', 'PORT', 'CONTENT_DIR');
    const found = findPath(CONTENT_DIR, slug);
    if (found === null) {
      throw new Error(`There is no ${slug}.md in content/articles and no ${slug}.yaml in content/pages.`);
    }
    const token = await makePreviewToken(await site.openLedgerStore(), values.renew);
    io.stdout.write(`${siteUrl}${found}?preview=${token}\n`);
    return 0;
  },
});

/** The site's path of the slug; null for no such file. */
function findPath(contentDir: string, slug: string): string | null {
  const exists = (...parts: string[]) => existsSync(path.join(contentDir, ...parts));
  if (!/^[\w-]+$/.test(slug)) return null;
  if (exists('articles', `${slug}.md`)) return buildDefaultPath(slug);
  return exists('pages', `${slug}.yaml`) ? buildPagePath(slug) : null;
}
