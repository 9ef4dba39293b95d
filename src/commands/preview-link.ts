import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildDefaultPath, buildPagePath } from '../core/paths.ts';
import { defineCommand } from './command.ts';
import type { CommandSite } from './site.ts';

const USAGE = `Usage:
  npm run -s preview-link -- SLUG    the name of a file in content/articles or content/pages, without its ending

Prints the address that opens a draft or a scheduled page or article. PREVIEW_TOKEN has to be set.`;

/** `npm run preview-link`: prints the address that opens a draft or a scheduled page or article. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [1, 1],
  run({ positionals: [slug = ''] }, io, site: CommandSite) {
    const { CONTENT_DIR, PREVIEW_TOKEN, siteUrl } = site.readSettings(
      ...(['SITE_URL', 'HOST', 'PORT', 'CONTENT_DIR', 'PREVIEW_TOKEN'] as const),
    );
    const found = findPath(CONTENT_DIR, slug);
    if (PREVIEW_TOKEN === '') {
      throw new Error('PREVIEW_TOKEN is not set. Put a long random text into .env, then restart the site.');
    }
    if (found === null) {
      throw new Error(`There is no ${slug}.md in content/articles and no ${slug}.yaml in content/pages.`);
    }
    io.stdout.write(`${siteUrl}${found}?preview=${encodeURIComponent(PREVIEW_TOKEN)}\n`);
  },
});

/** The site's path of the slug; null for no such file. */
function findPath(contentDir: string, slug: string): string | null {
  const exists = (...parts: string[]) => existsSync(path.join(contentDir, ...parts));
  if (!/^[\w-]+$/.test(slug)) return null;
  if (exists('articles', `${slug}.md`)) return buildDefaultPath(slug);
  return exists('pages', `${slug}.yaml`) ? buildPagePath(slug) : null;
}
