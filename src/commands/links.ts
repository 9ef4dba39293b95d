import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Column, exported } from '../console/reports/columns.ts';
import { parseArticleFile } from '../content-files/articles/article-file.ts';
import type { LinkRecord } from '../core/outbound/link-state.ts';
import { describeUnchecked, type PageLink, type WatchedLink } from '../core/outbound/watched-links.ts';
import { nameCommand } from '../core/text/name-command.ts';
import {
  acceptLink,
  checkAllLinks,
  type LinkWatchSite,
  listArticleLinks,
  readWatchedLinks,
} from '../server/outbound/link-watch.ts';
import { defineCommand, formatJson, formatTable, parseChoice, UsageError } from './command.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('links');

const USAGE = `Usage:
  ${RUN} check [URL] [--partner KEY] [--format json]
  ${RUN} status [--partner KEY] [--format json]
  ${RUN} accept URL

check follows the links of partners and every link to another site in pages and articles, at most one of a host in 10
seconds, and stores what it finds. It ends with code 1 when one is broken. status shows the last results without a request.
accept takes what the last check of a link has found as right from now on.`;

/** `signpost links`: checks links to other sites, shows the last results, and accepts what a link has become. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    format: { type: 'string', default: 'table' },
    partner: { type: 'string', default: '' },
  },
  words: [1, 2],
  async run({ values, positionals: [name = '', url = ''] }, io, site: DataFolderSite) {
    if (!['check', 'status', 'accept'].includes(name)) throw new UsageError(`There is no command "${name}".`);
    if (name === 'accept' && url === '') throw new UsageError('The address of the link is missing.');
    if (name === 'status' && url !== '') throw new UsageError(`Unexpected argument "${url}".`);
    const format = parseChoice('format', values.format, ['table', 'json']);
    const opened = await site.openLinks(name === 'check');
    const { ARTICLE_SOURCE, CONTENT_DIR } = opened.settings;
    const articleLinks = ARTICLE_SOURCE === 'files' ? listFileLinks(CONTENT_DIR) : undefined;
    // What is checked is watched from now on; the other words change nothing about that.
    if (name === 'check' && articleLinks !== undefined)
      await opened.content.links.writeArticleLinks(articleLinks);
    const watched = (await readWatchedLinks(opened, articleLinks)).filter(
      ({ partner }) => values.partner === '' || partner === values.partner,
    );
    if (values.partner !== '' && watched.length === 0) {
      throw new Error(`No link of a partner "${values.partner}" is checked.`);
    }
    if (name === 'accept') return accept(opened, findLink(watched, url), io.stdout);
    const chosen = url === '' ? watched : [findLink(watched, url)];
    if (name === 'check') await checkAllLinks(opened, chosen, (ms) => sleep(ms));
    const known = await opened.content.links.readAll();
    const lines = chosen.flatMap((link) => buildLines(link, known.get(link.url)));
    io.stdout.write(format === 'json' ? formatJson(lines) : formatTable(lines, COLUMNS));
    return name === 'check' && lines.some(({ state }) => state === 'broken') ? 1 : 0;
  },
});

async function accept(site: LinkWatchSite, { url }: WatchedLink, output: { write(text: string): unknown }) {
  const record = await acceptLink(site.clock, site.content.links, url);
  if (record === null) {
    throw new Error(
      `The last check of ${url} has found nothing to accept: run ${RUN} check ${url}, ` +
        'or correct watch.expect in the file of its partner',
    );
  }
  const { finalHost, finalPath } = record.result;
  output.write(`${url} is right when it leads to ${finalHost}${finalPath}.\n`);
  return 0;
}

function findLink(watched: readonly WatchedLink[], text: string): WatchedLink {
  const normalized = URL.canParse(text) ? new URL(text).href : text;
  const link = watched.find(({ url, affiliate }) => {
    if (url === normalized) return true;
    const plain = new URL(url);
    plain.searchParams.delete(affiliate?.parameter ?? '');
    return plain.href === normalized;
  });
  if (link === undefined) throw new Error(`No link leads to ${text}: ${RUN} status lists all.`);
  return link;
}

/** The links in the files of articles; the running site reads those of other sources. */
function listFileLinks(contentDir: string): PageLink[] {
  const folder = path.join(contentDir, 'articles');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return names.flatMap((name) => {
    const read = parseArticleFile(name, readFileSync(path.join(folder, name), 'utf8'));
    // `signpost content` says what is wrong with a file.
    if (!('file' in read) || read.file.front.draft) return [];
    return listArticleLinks(
      { slug: read.file.slug, address: read.file.front.address },
      read.file.markdown,
      read.file.front,
    );
  });
}

/** A result as the command prints it, one for each destination of a partner. */
type LinkLine = ReturnType<typeof buildLines>[number];

function buildLines(link: WatchedLink, record: LinkRecord | undefined) {
  const { partner, destinations, url } = link;
  const { evidence = null, result } = record ?? {};
  const line = {
    url,
    state: record?.state ?? 'unchecked',
    reason: record?.reason ?? describeUnchecked(link),
    since: record === undefined ? null : new Date(record.since).toISOString(),
    checkedAt: record === undefined ? null : new Date(record.checkedAt).toISOString(),
    hops: result?.hops ?? [],
    finalHost: result?.finalHost ?? null,
    finalPath: result?.finalPath ?? null,
    parameterKept: result?.parameterKept ?? null,
    evidence: evidence && { ...evidence, checkedAt: new Date(evidence.checkedAt).toISOString() },
  };
  const names = destinations.length === 0 ? [null] : destinations;
  return names.map((destination) => ({ partner, destination, ...line }));
}

const COLUMNS: readonly Column<LinkLine>[] = [
  exported('state', ({ state }) => state),
  exported('partner', ({ partner, destination }) =>
    partner === null ? 'other site' : `${partner} ${destination}`,
  ),
  exported('address', ({ url }) => url),
  exported('since (UTC)', ({ since }) => since?.slice(0, 16).replace('T', ' ') ?? ''),
  exported('reason', ({ reason }) => reason),
];
