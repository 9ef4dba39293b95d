import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { REPORTED_COLUMNS } from '../console/commissions/read.ts';
import { buildTable } from '../console/reports/columns.ts';
import { buildCommissionRow } from '../console/reports/select-entries.ts';
import { parseArticleFile } from '../content-files/articles/article-file.ts';
import { readShown } from '../content-files/content-source.ts';
import { readRedirectFiles } from '../content-files/read-redirects.ts';
import { buildSourceId } from '../core/articles/citations.ts';
import type { CitedSource } from '../core/articles/front-matter.schema.ts';
import { describeShortcodes } from '../core/articles/shortcodes.ts';
import { buildCsvHead, buildCsvRow } from '../core/events/event-csv.ts';
import { buildPaidAddress } from '../core/outbound/partner.ts';
import { fillFigures } from '../core/pages/claims/placeholders.ts';
import type { Content } from '../core/pages/content.ts';
import type { ContentImage, ImageCatalog } from '../core/pages/images/content-image.ts';
import {
  buildApacheRedirects,
  buildCaddyRedirects,
  buildCloudflareRedirects,
  buildNginxRedirects,
  type RedirectPair,
} from '../core/pages/redirects/redirect-files.ts';
import { isImageTarget } from '../core/pages/redirects/redirects.ts';
import {
  buildArticlePath,
  buildDefaultPath,
  buildRedirectPath,
  IMAGES_PREFIX,
  trimAddress,
} from '../core/paths.ts';
import { buildCsvLine } from '../core/text/csv.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { decodePercent, escapeHtml } from '../core/text/parse-text.ts';
import { createPolicyReader } from '../server/articles/article-sources.ts';
import { buildFeedContent } from '../server/seo/feeds.ts';
import type { Settings } from '../server/settings.ts';
import { createBodyPreparer } from '../sources/articles/html/prepare-body.ts';
import { findMissingData } from '../stores/data-folder.ts';
import { copyWhole, createFolder, createPrivateFolder, openWhole, writePrivateFile } from '../stores/disk.ts';
import { claimFolder, EXPORT_LIST, writeFileList } from './backup.ts';
import { defineCommand, UsageError } from './command.ts';
import { exportData } from './data/transfer.ts';
import columnTexts from './export-columns.json' with { type: 'json' };
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('export');

const USAGE = `Usage:
  ${RUN} site FOLDER

Writes the whole site into FOLDER, which must be empty or missing:
  content/      the content as it is: articles in Markdown, pages, partners and redirects, images
  html/         every article as an HTML file
  markdown/     every article for another generator: prices in their places, date and address, images at /images/
  pages/        every page as Markdown, without the layout of its sections
  links/        links to partners as CSV for ThirstyAffiliates and Pretty Links
  redirects/    former addresses and links to partners for nginx, Apache, Caddy and Cloudflare
  events/ and commissions/   CSV and lines of JSON, with columns.md, which describes each column
  data.ndjson.gz             all data; the command import reads it with content/ into an empty site
  export.json                sizes and hashes of the files, written last: without it, the export was interrupted`;

/** `signpost export`: writes everything of a site in forms that other programs read. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [2, 2],
  async run({ positionals: [kind = '', given = ''] }, io, site: DataFolderSite) {
    if (kind !== 'site') throw new UsageError(`There is no kind "${kind}".`);
    const folder = path.resolve(given);
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new Error(`${folder} is not empty; nothing was written.`);
    const settings = site.readSettings('CONTENT_DIR', 'DATA_DIR', 'SITE_URL');
    const { CONTENT_DIR, DATA_DIR } = settings;
    const missing = findMissingData(DATA_DIR);
    if (missing !== null) throw new Error(`${missing} Nothing was written.`);
    const { content } = readShown(CONTENT_DIR);
    const write = (name: string, text: string) => {
      createFolder(path.dirname(path.join(folder, name)));
      writePrivateFile(path.join(folder, name), text);
    };
    createPrivateFolder(folder);
    claimFolder(folder, EXPORT_LIST);
    // Files such as .env and .git are no content, and may be secret.
    const isContent = (file: string) => file === CONTENT_DIR || !path.basename(file).startsWith('.');
    copyWhole(CONTENT_DIR, path.join(folder, 'content'), { filter: isContent });
    const addresses = writeArticles(settings, content, write);
    for (const [address, page] of content.pages) write(`pages${address}.md`, formatPage(page));
    write('links/thirstyaffiliates.csv', formatThirstyLinks(content.partners));
    write('links/pretty-links.csv', formatPrettyLinks(content.partners));
    const redirects = [...listImageRedirects(CONTENT_DIR), ...listRedirects(content, addresses)];
    write('redirects/nginx.conf', buildNginxRedirects(redirects));
    write('redirects/apache.conf', buildApacheRedirects(redirects));
    write('redirects/Caddyfile', buildCaddyRedirects(redirects));
    write('redirects/cloudflare/_redirects', buildCloudflareRedirects(redirects));
    const [events, commissions] = [await writeEvents(site, folder), await writeCommissions(site, folder)];
    await exportData(site.openData(), path.join(folder, 'data.ndjson.gz'));
    await writeFileList(folder, EXPORT_LIST, listWritten(folder));
    io.stdout.write(
      `${addresses.size} articles, ${content.pages.size} pages, ${content.partners.size} partners, ${redirects.length} redirects, ` +
        `${events} events and ${commissions} commissions are in ${folder}.\n`,
    );
  },
});

const listWritten = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(EXPORT_LIST))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));

type Write = (name: string, text: string) => void;

/** Writes every article as HTML, and as Markdown for another generator. Returns their addresses by their default paths. */
function writeArticles(settings: Settings, content: Content, write: Write): ReadonlyMap<string, string> {
  const dir = path.join(settings.CONTENT_DIR, 'articles');
  const { figures } = content;
  const prepare = createBodyPreparer(createPolicyReader(settings, () => content)());
  const images = listImages(path.join(settings.CONTENT_DIR, 'images'));
  const about = { origin: settings.siteUrl, disclosure: content.site.disclosure.short, figures };
  const addresses = new Map<string, string>();
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.md')) : [];
  for (const name of names) {
    const parsed = parseArticleFile(name, readFileSync(path.join(dir, name), 'utf8'));
    if ('problems' in parsed) continue;
    const { markdown: written, slug } = parsed.file;
    const front = fillFigures(parsed.file.front, figures, () => undefined);
    const markdown = describeShortcodes(
      fillFigures(written, figures, () => undefined),
      figures,
      'markdown',
    );
    const address = front.address ?? `${buildDefaultPath(slug)}/`;
    addresses.set(buildDefaultPath(slug), address);
    // Generators name folders as addresses are read, not as they are sent.
    const url = decodePercent(address);
    // For Hugo and Jekyll, a file called index is the page of its folder.
    const file = slug === 'index' ? 'index-article' : slug;
    const fields = placeImages({
      ...front,
      date: front.publishedAt,
      lastmod: front.updatedAt ?? front.publishedAt,
      description: front.seoDescription ?? front.excerpt,
      // Hugo reads `url`, Jekyll and Eleventy `permalink`; Eleventy would take double braces for its own.
      url,
      permalink: url,
      // Links of other articles name it by its default path.
      ...(isMoved(buildDefaultPath(slug), address) && { aliases: [buildDefaultPath(slug)] }),
      templateEngineOverride: 'md',
      render_with_liquid: false,
    });
    write(`markdown/${file}.md`, `---\n${stringify(fields)}---\n\n${placeImages(escapeTags(markdown))}`);
    const { content: prepared } = prepare({ format: 'markdown', source: markdown, images });
    const article = { content: prepared, featuredImage: null, slug, address: front.address };
    const body = buildFeedContent(article, about)
      .replaceAll(`="${settings.siteUrl}${IMAGES_PREFIX}`, '="../../content/images/')
      .replaceAll(`="${settings.siteUrl}${buildArticlePath(article)}#`, '="#');
    const title = escapeHtml(front.seoTitle ?? front.title);
    const description = escapeHtml(front.seoDescription ?? front.excerpt);
    write(
      `html/articles/${slug}.html`,
      `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${description}">
</head>
<body>
<h1>${escapeHtml(front.title)}</h1>
${body}${formatSources(front.sources)}</body>
</html>
`,
    );
  }
  return addresses;
}

/** Hugo reads its tags in code and comments too, and builds no site with one that it does not know. */
const escapeTags = (markdown: string) =>
  markdown.replace(
    /\{\{([<%])(?!\/\*)((?:[^{}>%]|[>%](?!\}\})){0,1000})[>%]?\}\}/g,
    (_, mark: string, words: string) => `{{${mark}/*${words}*/${mark === '<' ? '>' : '%'}}}`,
  );

function formatSources(sources: readonly CitedSource[]): string {
  const items = sources.map(({ title, url, date, supports }, index) => {
    const link = `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`;
    return `<li id="${buildSourceId(index + 1)}">${link}, ${date}. ${escapeHtml(supports)}</li>\n`;
  });
  return items.length === 0 ? '' : `<h2>Sources</h2>\n<ol>\n${items.join('')}</ol>\n`;
}

/** The images of the content as they are, whether or not the site has converted them. */
function listImages(dir: string): ImageCatalog {
  const names = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: 'utf8' }) : [];
  const images = names.map((name): [string, ContentImage] => {
    const parts = name.split(path.sep);
    const src = IMAGES_PREFIX + parts.map(encodeURIComponent).join('/');
    // Without a size: one of 0 would be that of a picture which counts visitors.
    return [parts.join('/'), { src, width: Number.NaN, height: Number.NaN, sources: [] }];
  });
  return { images: new Map(images), origin: 'folder' };
}

/** Whether an article is elsewhere than at its default path. */
const isMoved = (path: string, address: string) => trimAddress(address) !== path;

/** Replaces the paths of images of the content, in texts at any depth, by addresses of a server that has them at /images/. */
function placeImages<T>(value: T): T {
  const place = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(/(^|[("'\s=])\.\.\/images\//g, '$1/images/');
    if (Array.isArray(part)) return part.map(place);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, place(inner)]));
  };
  return place(value) as T;
}

/** Encodes what an address may not have, and nothing that is encoded. */
const encodeOnce = (address: string) =>
  address.toWellFormed().replace(/%(?![0-9a-f]{2})|[^\x21-\x7e]/giu, encodeURIComponent);

/** Former addresses of images, which lead to /images/: what was read has checked the files. */
function listImageRedirects(root: string): RedirectPair[] {
  return readRedirectFiles(root, []).flatMap(({ from, to }): RedirectPair[] =>
    isImageTarget(to) ? [[from, encodeOnce(to.replace(/^.*?images\//, '/images/'))]] : [],
  );
}

/** Fields of sections that visitors read, in the order of a page, with the Markdown before them. */
const READ_FIELDS: Readonly<Record<string, string>> = {
  title: '## ',
  question: '### ',
  label: '',
  name: '',
  lead: '',
  text: '',
  answer: '',
  body: '',
  note: '',
  description: '',
  quote: '> ',
};

/** The texts of a page as Markdown. */
function formatPage({
  title,
  description,
  sections,
}: {
  readonly title: string;
  readonly description: string;
  readonly sections: unknown;
}): string {
  const collect = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(collect);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
      if (typeof part !== 'string') return collect(part);
      const mark = Object.hasOwn(READ_FIELDS, key) ? READ_FIELDS[key] : undefined;
      return mark === undefined || part.trim() === '' ? [] : [mark + part.trim()];
    });
  };
  return `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n\n${collect(sections).join('\n\n')}\n`;
}

const listLinks = (partners: Content['partners']) =>
  [...partners.values()].flatMap((partner) =>
    [...partner.destinations].map(([page, address]) => ({
      name: `${partner.name} ${page}`,
      slug: page === 'pricing' ? partner.key : `${partner.key}-${page}`,
      group: partner.name,
      url: buildPaidAddress(partner, address),
    })),
  );

function formatThirstyLinks(partners: Content['partners']): string {
  const head = [
    'Link Name',
    'Destination URL',
    'Slug',
    'Categories',
    'Images',
    'Geolocation Links',
    'Autolinker Keywords',
  ];
  const rows = listLinks(partners).map(({ name, url, slug, group }) => [name, url, slug, group, '', '', '']);
  return [head, ...rows].map(buildCsvLine).join('');
}

function formatPrettyLinks(partners: Content['partners']): string {
  const head =
    `id,link_cpt_id,url,slug,name,redirect_type,track_me,nofollow,sponsored,param_forwarding,google_tracking,delay,
created_at,last_updated_at,link_categories,link_tags,keywords`.split(/,\s*/);
  const rows = listLinks(partners).map(({ name, url, slug, group }) => [
    '',
    '',
    url,
    `go/${slug}`,
    name,
    '301',
    '1',
    '1',
    '1',
    '0',
    '0',
    '0',
    '',
    '',
    group,
    '',
    '',
  ]);
  return [head, ...rows].map(buildCsvLine).join('');
}

/**
 * Former addresses, which lead to where the articles are, and the paths of partners: they lead to the partner where this
 * site does not run.
 */
function listRedirects(
  { redirects, site, partners }: Content,
  addresses: ReadonlyMap<string, string>,
): RedirectPair[] {
  const links = [...partners.values()].flatMap((partner): RedirectPair[] => {
    const go = buildRedirectPath(partner.key);
    const pages = [...partner.destinations].map(
      ([page, address]): RedirectPair => [`${go}?page=${page}`, buildPaidAddress(partner, address)],
    );
    const first = partner.destinations.get('pricing') ?? partner.site;
    const trial = partner.destinations.get('trial');
    return [
      ...pages,
      [go, buildPaidAddress(partner, first)],
      ...(partner.trialPath === null || trial === undefined
        ? []
        : [[partner.trialPath, buildPaidAddress(partner, trial)] as const]),
    ];
  });
  const known = new Map([...addresses, ...links]);
  const follow = (to: string) => {
    const [path = '', hash] = to.split('#', 2);
    const found = known.get(to) ?? known.get(path);
    return found === undefined || hash === undefined ? (found ?? to) : `${found}#${hash}`;
  };
  const moved = [...addresses].filter(([path, address]) => isMoved(path, address));
  return [...redirects, ...Object.entries(site.aliases), ...moved, ...links].map(
    ([from, to]) => [from, follow(to)] as const,
  );
}

const CHUNK = 65_536;

/** Writes a list as CSV and as lines of JSON, one item at a time; resolves with how many there are. */
async function writeList<Item>(
  folder: string,
  name: keyof typeof columnTexts,
  items: AsyncIterable<Item>,
  format: {
    readonly head: string;
    readonly csv: (item: Item) => string;
    readonly json: (item: Item) => unknown;
  },
): Promise<number> {
  createFolder(path.join(folder, name));
  const open = (ending: string) => openWhole(path.join(folder, name, `${name}.${ending}`));
  const [csv, lines] = [await open('csv'), await open('ndjson')];
  let text = { csv: format.head, lines: '' };
  let count = 0;
  const flush = async () => {
    await Promise.all([csv.write(text.csv), lines.write(text.lines)]);
    text = { csv: '', lines: '' };
  };
  for await (const item of items) {
    count += 1;
    text.csv += format.csv(item);
    text.lines += `${JSON.stringify(format.json(item))}\n`;
    if (text.csv.length + text.lines.length > CHUNK) await flush();
  }
  await flush();
  for (const file of [csv, lines]) await file.finish();
  writePrivateFile(path.join(folder, name, 'columns.md'), formatColumns(name, columnTexts[name]));
  return count;
}

async function writeEvents(site: DataFolderSite, folder: string): Promise<number> {
  const events = (await site.openEventReader()).read({});
  return writeList(folder, 'events', events, {
    head: buildCsvHead(),
    csv: buildCsvRow,
    json: (event) => event,
  });
}

async function writeCommissions(site: DataFolderSite, folder: string): Promise<number> {
  const { ledger } = await site.openLedger();
  await ledger.fold.refold();
  async function* read() {
    for await (const page of ledger.table.readPages({}))
      yield* buildTable(page.map(buildCommissionRow), REPORTED_COLUMNS).rows;
  }
  const { columns } = buildTable([], REPORTED_COLUMNS);
  return writeList(folder, 'commissions', read(), {
    head: buildCsvLine(columns),
    csv: buildCsvLine,
    json: (cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])),
  });
}

function formatColumns(name: string, texts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(texts).map(([column, text]) => `| \`${column}\` | ${text} |`);
  return `# Columns of ${name}.csv and ${name}.ndjson

In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.

| column | meaning |
|---|---|
${rows.join('\n')}
`;
}
