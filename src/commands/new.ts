import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { isLinkToSample, SITE_CONTENT } from '../content-files/site-folder.ts';
import { buildPieceDraft, PAGE_KINDS } from '../core/pages/drafts.ts';
import { PRODUCT_KINDS, type Product } from '../core/products/product.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { buildSlug } from '../core/text/slug.ts';
import { fillTemplate } from '../move-in/sample.ts';
import { copyWhole, createFolder, move, remove, writeWhole } from '../stores/disk.ts';
import { type CommandIo, defineCommand, UsageError } from './command.ts';
import { buildPageJsonSchema } from './page-schema.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('new');

const USAGE = `Usage:
  ${RUN} article "Title of the article"
  ${RUN} page "Title of the page" [--kind landing|roundup|versus|review]
  ${RUN} product "Name of the product"
  ${RUN} site "Name of the site"               begins site/content; what was there stays under another name
  ${RUN} site "Name of the site" --into FOLDER writes to a folder that is empty or missing
  ${RUN} site "Name of the site" --kind physical|software
                                                       what its products are: things with a price paid once
                                                       (when left out), or software with a monthly price

Creates the files in CONTENT_DIR (./site/content). An existing file is never overwritten.`;

/** `signpost new`: creates content files with every required field. */
export const command = defineCommand({
  usage: USAGE,
  options: { into: { type: 'string' }, kind: { type: 'string' } },
  words: [1, Number.POSITIVE_INFINITY],
  run({ positionals: [kind = '', ...words], values: { into, kind: pattern } }, io, site: CommandSite) {
    const { CONTENT_DIR: root } = site.readSettings('CONTENT_DIR');
    const day = new Date().toISOString().slice(0, 10);
    const title = words.join(' ').replace(/\s+/g, ' ').trim();
    if (kind !== 'site' && kind !== 'article' && kind !== 'page' && kind !== 'product') {
      throw new UsageError(`There is no kind "${kind}".`);
    }
    const choice = kind === 'site' ? undefined : pattern;
    const pageKind = PAGE_KINDS.find((one) => one === (choice ?? 'landing'));
    if (pageKind === undefined) {
      throw new UsageError(`There is no kind of page "${pattern}": it is ${PAGE_KINDS.join(', ')}.`);
    }
    const productKind = PRODUCT_KINDS.find((one) => one === (pattern ?? 'physical'));
    if (kind === 'site' && productKind === undefined) {
      throw new UsageError(`There is no kind of product "${pattern}": it is ${PRODUCT_KINDS.join(', ')}.`);
    }
    if (choice !== undefined && kind !== 'page') throw new UsageError('--kind belongs to "page" and "site".');
    if (title === '') {
      throw new UsageError(`The ${kind === 'site' ? 'name of the site' : 'title'} is missing.`);
    }
    if (kind === 'site') {
      const own = root === './content' ? SITE_CONTENT : root;
      const folder = path.normalize(into ?? own).replace(/[/\\]$/, '');
      startSite({ name: title, folder, isReplacing: into === undefined, day, kind: productKind }, io);
      return;
    }
    if (into !== undefined) throw new UsageError('--into belongs to "site".');
    const slug = buildSlug(title);
    if (slug === '') {
      throw new Error(
        'The title needs a letter or a digit of the Latin alphabet: the address is built from it.',
      );
    }
    const [partners, products] = [listKeys(root, 'partners'), listKeys(root, 'products')];
    const topic = readFirstTopic(root);
    const draft = buildPieceDraft({ kind, pattern: pageKind, title, slug, day, topic, partners, products });
    const file = path.join(root, draft.file);
    if (existsSync(file)) throw new Error(`${file} is there already; nothing was changed.`);
    createFolder(path.dirname(file));
    writeWhole(file, draft.text, true);
    io.stdout.write(`${file}\nIt is a draft: remove "draft: true" to ${draft.use}\n`);
  },
});

/** The names of the files of a folder of the content, without their ending. */
function listKeys(root: string, folder: string): readonly string[] {
  const full = path.join(root, folder);
  const names = existsSync(full) ? readdirSync(full) : [];
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => path.basename(name, '.yaml'));
}

/** The first topic of the blog; a word to replace when site.yaml cannot be read, which the content check reports. */
function readFirstTopic(root: string): string {
  try {
    const { blog } = Object(parseYaml(readFileSync(path.join(root, 'site.yaml'), 'utf8'))).value;
    return String(Object(blog).topics[0].name);
  } catch {
    return 'Guides';
  }
}

function startSite(site: NewSite, io: CommandIo): void {
  const { name, folder } = site;
  const before = createSiteFolder(site);
  if (before !== null) io.stdout.write(`The content that was in ${folder} is now in ${before}.\n`);
  io.stdout.write(
    `${folder} has an empty site called "${name}". "npm start" shows it; a site that a unit ` +
      'of systemd serves needs "npm run build" and a restart.\n' +
      `Texts with "Say here" or "Example Product" are yours to replace: "${nameCommand('launch-check')}" lists them.\n`,
  );
}

const TEMPLATE = path.join(import.meta.dirname, 'new/site-template');

/** What a new site is made of. */
export interface NewSite {
  readonly name: string;
  /** The content folder that is written. */
  readonly folder: string;
  /** Whether a folder with files is renamed and replaced; otherwise it is left as it is. */
  readonly isReplacing: boolean;
  /** `2026-03-12` */
  readonly day: string;
  /** Of the example product, whose price is paid once, or by the month for software; physical when undefined. */
  readonly kind?: Product['kind'] | undefined;
}

/**
 * Writes the content of an empty site. Returns where the content that was there before is now, null when there was
 * none. Throws an `Error` with the reason when the folder is in use and may not be replaced.
 */
export function createSiteFolder({ name, folder, isReplacing, day, kind }: NewSite): string | null {
  const before = `${folder}-before-${day}`;
  // A link to the sample is no content of anybody.
  if (isLinkToSample(folder)) remove(folder);
  const isUsed = existsSync(folder) && readdirSync(folder).length > 0;
  if (isUsed && !isReplacing) throw new Error(`${folder} is not empty; nothing was changed.`);
  if (isUsed && existsSync(before)) throw new Error(`${before} is there already; nothing was changed.`);
  // An empty folder may be one at which a disk is mounted, which has no other name.
  const draft = existsSync(folder) && !isUsed ? folder : `${path.resolve(folder)}.part`;
  if (draft !== folder) remove(draft);
  createFolder(path.dirname(draft));
  copyWhole(TEMPLATE, draft);
  for (const file of readdirSync(draft, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(yaml|md)$/.test(file)) continue;
    const full = path.join(draft, file);
    writeWhole(full, fillTemplate(readFileSync(full, 'utf8'), { name, kind }, day));
  }
  writeWhole(path.join(draft, 'page.schema.json'), buildPageJsonSchema());
  if (isUsed) move(folder, before);
  if (draft !== folder) move(draft, folder);
  return isUsed ? before : null;
}
