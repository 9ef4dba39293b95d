import { statSync } from 'node:fs';
import path from 'node:path';
import { readImageCatalog } from '../../scripts/build/read-image-catalog.ts';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { readContent } from '../content-files/read-content.ts';
import { describeHeld } from '../core/articles/held-deletions.ts';
import { describeSkipped } from '../core/articles/upstream-article.schema.ts';
import { IMAGES_PREFIX } from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { checkArticles } from '../server/articles/check-articles.ts';
import { acceptDeletions, purgeArticles } from '../server/articles/purge-articles.ts';
import { type CommandIo, defineCommand, FLAG, parsePlace, runEdge, UsageError } from './command.ts';
import { CLOCK, type CommandSite } from './site.ts';

const RUN = nameCommand('articles');

const USAGE = `Usage:
  ${RUN} check
  ${RUN} purge [SLUG] [--force] [--edge | --remote]
  ${RUN} accept [--edge | --remote]

check reads every article of the chosen source (ARTICLE_SOURCE) and lists what is wrong with each.
purge replaces the copy of one article, or all copies, by what the source has now; a running server has them within a
second. When an article cannot be read, its copy stays as it is; --force removes it.
accept removes the articles that the source no longer has and that are still shown, because a damaged source looks the
same: a running server looks for each once more, within seconds, a worker within five minutes.
--edge is for the copies of signpost edge, --remote for those of the deployed worker, with your Cloudflare login; the
settings of that worker are "vars" in edge/wrangler.jsonc, and secrets such as the key of the source are in the
environment.`;

/**
 * `signpost articles`: `check` reports what is wrong with the articles of the source, `purge` replaces their copies,
 * `accept` lets held deletions go.
 */
export const command = defineCommand({
  usage: USAGE,
  options: { force: FLAG, edge: FLAG, remote: FLAG },
  words: [1, 2],
  run({ positionals: [name = '', slug], values }, io, site: CommandSite) {
    const place = parsePlace(values);
    if (!['check', 'purge', 'accept'].includes(name)) throw new UsageError(`There is no command "${name}".`);
    if (name !== 'purge' && slug !== undefined) throw new UsageError(`Unexpected argument "${slug}".`);
    if (name === 'check') return check(io, site);
    if (place === 'node' || site.isWorker)
      return name === 'accept' ? accept(io, site) : purge(slug ?? null, values.force, io, site);
    const words = [name, slug ?? [], values.force ? '--force' : []].flat();
    return runEdge('articles', ...words, `--${place}`);
  },
});

async function check(io: CommandIo, site: CommandSite): Promise<number> {
  const config = site.readSettings();
  const images = config.ARTICLE_SOURCE === 'files' ? await readImageCatalog(config.CONTENT_DIR) : undefined;
  const content = readContent(config.CONTENT_DIR, { images });
  const { checked, skipped, missing } = await checkArticles(config, content, CLOCK);
  let count = skipped.length + missing.length;
  for (const { place, path } of missing)
    io.stdout.write(`${place}: links to ${path}, which the source does not have\n`);
  for (const article of skipped)
    io.stdout.write(`${describeSkipped(article)}: left out, ${article.reason}\n`);
  for (const { slug, problems, images: shown } of checked) {
    const all = [...problems, ...(await findLargeImages(shown))];
    count += all.length;
    for (const problem of all) io.stdout.write(`${slug}: ${problem}\n`);
  }
  const found = count === 1 ? '1 problem' : `${count} problems`;
  io.stdout.write(`${checked.length} articles of the source "${config.ARTICLE_SOURCE}" checked: ${found}.\n`);
  return count === 0 ? 0 : 1;
}

async function purge(
  slug: string | null,
  isForced: boolean,
  io: CommandIo,
  site: CommandSite,
): Promise<number> {
  const config = site.readSettings();
  if (config.ARTICLE_SOURCE === 'files') {
    io.stdout.write('The source "files" has no copies: its articles are read at start.\n');
    return 1;
  }
  const { database, platform } = await site.openCopies(config);
  const content = readContent(config.CONTENT_DIR);
  let purged = 0;
  let failed = 0;
  for await (const copy of purgeArticles(config, content, platform, database, { slug, isForced })) {
    purged += 1;
    if (copy.error) failed += 1;
    io.stdout.write(`${copy.slug}: ${copy.outcome}${copy.error ? ` (${copy.error.message})` : ''}\n`);
  }
  io.stdout.write(`${purged - failed} copies replaced, ${failed} could not be read.\n`);
  return failed === 0 ? 0 : 1;
}

async function accept(io: CommandIo, site: CommandSite): Promise<number> {
  const config = site.readSettings();
  if (config.ARTICLE_SOURCE === 'files') {
    io.stdout.write('Deletions of article files are accepted in the console, in the view Content.\n');
    return 1;
  }
  const { database } = await site.openCopies(config);
  const { held, known } = await acceptDeletions(config, database);
  if (held === null) io.stdout.write('No deletion is held back.\n');
  else io.stdout.write(`${describeHeld(held, known)}\nAccepted: ${held.slugs.join(', ')}\n`);
  return 0;
}

const MAX_BYTES = 500_000;
const DEADLINE_MS = 2_000;
/** Where a path of the site has its file: as it is committed, and as the build wrote it. */
const FOLDERS = ['public', 'dist/client'];
/** Paths that only a build writes. Content images were checked when the content was read. */
const BUILT = [IMAGES_PREFIX, '/og/', '/_astro/'];

/**
 * Finds the images that are missing or larger than 500 kB; one sentence each. Asks other hosts for the size of theirs.
 */
async function findLargeImages(sources: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all([...new Set(sources)].map(describeImage));
  return found.filter((sentence) => sentence !== '');
}

async function describeImage(src: string): Promise<string> {
  if (BUILT.some((prefix) => src.startsWith(prefix))) return '';
  const bytes = src.startsWith('/') ? readLocal(src) : await readRemote(src);
  if (bytes === null) return `the image ${src} does not exist`;
  return bytes > MAX_BYTES ? `the image ${src} has ${Math.round(bytes / 1_000)} kB` : '';
}

function readLocal(src: string): number | null {
  const { pathname } = new URL(src, 'http://site.invalid');
  for (const folder of FOLDERS) {
    const file = statSync(path.join(ROOT, folder, pathname), { throwIfNoEntry: false });
    if (file !== undefined) return file.size;
  }
  return null;
}

async function readRemote(src: string): Promise<number | null> {
  try {
    const response = await fetch(src, { method: 'HEAD', signal: AbortSignal.timeout(DEADLINE_MS) });
    return response.ok ? Number(response.headers.get('content-length') ?? 0) : null;
  } catch {
    return null;
  }
}
