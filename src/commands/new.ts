import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { locateSource } from '../content-files/site-folder.ts';
import { besideSchema } from '../core/outbound/beside.schema.ts';
import { buildPieceDraft, PAGE_KINDS } from '../core/pages/drafts.ts';
import { PRODUCT_KINDS } from '../core/products/product.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { buildSlug } from '../core/text/slug.ts';
import { buildEmptySite, fillTemplate, type NamedSite } from '../move-in/sample.ts';
import { copyWhole, createFolder, move, remove, writeWhole } from '../stores/disk.ts';
import { defineCommand, UsageError } from './command.ts';
import { buildPageJsonSchema } from './page-schema.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('new');

const USAGE = `Usage:
  ${RUN} article "Title of the article"
  ${RUN} page "Title of the page" [--kind landing|roundup|versus|review]
  ${RUN} product "Name of the product"
  ${RUN} site "Name of the site"               where there is no content yet
  ${RUN} site "Name of the site" --kind physical|software
                                                       what its products are: things with a price paid once
                                                       (when left out), or software with a monthly price
  ${RUN} site "Name of the site" --about "What it is about, on one line" --currency EUR
  ${RUN} site "Name of the site" --beside https://blog.example
                                                       without content: counts the visits and links of that site

Creates the files in CONTENT_DIR (./content). An existing file is never overwritten.`;

/** `signpost new`: creates content files with every required field. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    kind: { type: 'string' },
    about: { type: 'string' },
    currency: { type: 'string' },
    beside: { type: 'string' },
  },
  words: [1, Number.POSITIVE_INFINITY],
  run(
    { positionals: [kind = '', ...words], values: { kind: pattern, about, currency, beside } },
    io,
    site: CommandSite,
  ) {
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
      const folder = path.normalize(root).replace(/[/\\]$/, '');
      const address = beside && parseBeside(beside);
      createSiteFolder({
        name: title,
        kind: productKind,
        ...(about && { about }),
        ...(currency && { currency }),
        ...(address && { beside: address }),
        folder,
        day,
      });
      io.stdout.write(
        address
          ? `The site in ${folder} counts the visits and links of ${address}: the first steps of its console have the line to paste there.\n`
          : `${folder} has an empty site called "${title}".\n` +
              `Texts with "Say here" or "Example Product" are yours to replace: "${nameCommand('launch-check')}" lists them.\n`,
      );
      return;
    }
    for (const [option, value] of Object.entries({ about, currency, beside }))
      if (value !== undefined) throw new UsageError(`--${option} belongs to "site".`);
    const slug = buildSlug(title);
    if (slug === '') {
      throw new Error(
        'The title needs a letter or a digit of the Latin alphabet: the address is built from it.',
      );
    }
    const [partners, products] = [listKeys(root, 'partners'), listKeys(root, 'products')];
    const topic = readFirstTopic(root);
    const draft = buildPieceDraft({
      kind,
      pattern: pageKind,
      title,
      slug,
      day,
      topic,
      partners: partners.map((key) => ({ key, name: key })),
      products,
    });
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

/** The address of a site as `beside.yaml` has it. Throws `UsageError` for anything else. */
function parseBeside(address: string): string {
  const parsed = besideSchema.safeParse({ hosts: [{ name: 'site', address }] });
  if (!parsed.success) throw new UsageError(`--beside ${parsed.error.issues[0]?.message}.`);
  return parsed.data.hosts[0]?.address ?? '';
}

/** What a new site is made of. */
interface NewSite extends NamedSite {
  /** The content folder that is written: empty, or missing. */
  readonly folder: string;
  /** `2026-03-12` */
  readonly day: string;
  /** The address of a site whose visits and links are counted, in place of pieces of its own. */
  readonly beside?: string;
}

/** Writes the content of an empty site. Throws an `Error` when the folder has files. */
export function createSiteFolder({ folder, day, beside, ...named }: NewSite): void {
  const isThere = existsSync(folder);
  if (isThere && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty; nothing was changed.`);
  // An empty folder may be one at which a disk is mounted, which has no other name.
  const draft = isThere ? folder : `${path.resolve(folder)}.part`;
  if (draft !== folder) remove(draft);
  createFolder(path.dirname(draft));
  const template = locateSource('commands/new/site-template');
  if (template === null) throw new Error('The template of a site is missing beside the program.');
  if (beside === undefined) {
    copyWhole(template, draft);
    for (const file of readdirSync(draft, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(yaml|md)$/.test(file)) continue;
      const full = path.join(draft, file);
      writeWhole(full, fillTemplate(readFileSync(full, 'utf8'), named, day));
    }
  } else {
    const hosts = JSON.stringify([{ name: new URL(beside).host, address: beside }]);
    const files = buildEmptySite(template, null, named, day);
    for (const [file, text] of [...files, ['beside.yaml', `hosts: ${hosts}\n`] as const]) {
      createFolder(path.dirname(path.join(draft, file)));
      writeWhole(path.join(draft, file), text);
    }
  }
  writeWhole(path.join(draft, 'page.schema.json'), buildPageJsonSchema());
  if (draft !== folder) move(draft, folder);
}
