// npm run -s preview-link -- SLUG: prints the address that opens a draft or a scheduled page or article.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildArticlePath, buildPagePath } from '../../src/core/paths.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { readSettings } from './arguments/read-settings.ts';

const USAGE = `Usage:
  npm run -s preview-link -- SLUG    the name of a file in content/articles or content/pages, without its ending

Prints the address that opens a draft or a scheduled page or article. PREVIEW_TOKEN has to be set.`;

const { positionals } = parseArguments(USAGE, { options: {}, words: { min: 1, max: 1 } });
const [slug = ''] = positionals;
const { SITE_URL, HOST, PORT, CONTENT_DIR, PREVIEW_TOKEN } = process.env;
const config = readSettings({ SITE_URL, HOST, PORT, CONTENT_DIR, PREVIEW_TOKEN });

/** The site's path of the slug; null for no such file. */
function findPath(): string | null {
  const exists = (...parts: string[]) => existsSync(path.join(config.CONTENT_DIR, ...parts));
  if (!/^[\w-]+$/.test(slug)) return null;
  if (exists('articles', `${slug}.md`)) return buildArticlePath(slug);
  return exists('pages', `${slug}.yaml`) ? buildPagePath(slug) : null;
}

const found = findPath();
if (config.PREVIEW_TOKEN === '') {
  process.stderr.write(
    'PREVIEW_TOKEN is not set. Put a long random text into .env, then restart the site.\n',
  );
  process.exitCode = 1;
} else if (found === null) {
  process.stderr.write(`There is no ${slug}.md in content/articles and no ${slug}.yaml in content/pages.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${config.siteUrl}${found}?preview=${encodeURIComponent(config.PREVIEW_TOKEN)}\n`);
}
