import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkContent, listFormerFields } from '../../scripts/build/check-content.ts';
import { readImageCatalog } from '../../scripts/build/read-image-catalog.ts';
import {
  checkAmounts,
  checkClaimants,
  checkCodes,
  checkCopy,
  checkOffers,
  checkQuotations,
  checkReviews,
} from '../content-files/check-copy.ts';
import { checkRules, type LinedFinding } from '../content-files/check-rules.ts';
import { collectSources, type ListedStatement } from '../content-files/collect-sources.ts';
import { readContent } from '../content-files/read-content.ts';
import { readTextFile } from '../content-files/read-text-file.ts';
import type { Content } from '../core/pages/content.ts';
import { listOrphanedPages } from '../core/pages/content-uses.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { checkArticles } from '../server/articles/check-articles.ts';
import { findUnknownChecks } from '../server/outbound/link-watch.ts';
import { defineCommand, FLAG, parseChoice, UsageError } from './command.ts';
import { checkOptions, editContent, hasFileArticles, isEdit } from './edit-content.ts';
import { CLOCK, type DataFolderSite } from './site.ts';

const RUN = nameCommand('content');

const USAGE = `Usage:
  ${RUN}
  ${RUN} --style                    lists words that the shipped content avoids, too
  ${RUN} --rules                    lists warnings of the rules on what pages may say, too
  ${RUN} sources                    lists every external source, price, claim and rule
  ${RUN} sources --format json
  ${RUN} rename FILE NAME [--keep-links]
  ${RUN} remove FILE [--to PATH | --nowhere]
  ${RUN} take-down FILE [--to PATH | --nowhere]
  ${RUN} publish FILE [--at TIME | --keep-date]
  ${RUN} draft FILE

Checks every content file, as a build and a start do, and lists texts that are still to be written, links that lead nowhere or
to a partner without a disclosure, amounts of money next to a product that are neither a figure of the content nor labeled as an
example, quotations and numbers that are not in the text they are from, and what the rules on what pages may say do not
allow. Ends with code 1 when there is one, or an invalid file. Warns of pages that no other one links to, and of checks of
links that are named as evidence and are not stored. \`sources\` lists what the content states with its source, the day of
the copy that was read, and the pages and articles that use it.

The other words edit a file, such as pages/pricing.yaml, as the console does, also while the site runs: with the redirect, the
links to it and its versions, all or nothing. A page that visitors see needs --to, the page to which its address leads, or
--nowhere. --at is a time in TIME_ZONE such as 2026-03-12T09:00; --keep-date keeps the day of an article. --dry-run shows what
would be written; --format json prints it for programs.`;

/** `signpost content`: checks every content file, and lists texts that are still to be written. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    style: FLAG,
    rules: FLAG,
    nowhere: FLAG,
    'keep-links': FLAG,
    'keep-date': FLAG,
    'dry-run': FLAG,
    format: { type: 'string', default: 'text' },
    to: { type: 'string' },
    at: { type: 'string' },
  },
  words: [0, 3],
  namesFiles: true,
  async run({ values, positionals }, io, site: DataFolderSite) {
    const [word = ''] = positionals;
    const { style, rules } = values;
    const format = parseChoice('format', values.format, ['text', 'json']);
    if (isEdit(word)) {
      await editContent(positionals, values, format === 'json', io, site);
      return 0;
    }
    if (!['', 'sources'].includes(word)) throw new UsageError(`There is no command "${word}".`);
    checkOptions(word, [], values);
    if (positionals.length > 1) throw new UsageError(`Unexpected argument "${positionals.at(-1)}".`);
    const root = path.resolve(site.readSettings('CONTENT_DIR').CONTENT_DIR);
    if (word === 'sources') {
      io.stdout.write(formatSources(collectSources(root, readContent(root)), format));
      return 0;
    }
    const name = path.relative(process.cwd(), root) || '.';
    const hasArticleFiles = hasFileArticles(site);
    const problem = await checkContent(root, hasArticleFiles);
    const faults = [
      ...checkCopy(root, style ? 'all' : 'placeholders'),
      ...checkQuotations(root),
      ...(problem === null
        ? [checkCodes, checkAmounts, checkClaimants, checkOffers, checkReviews].flatMap((check) =>
            check(root, readContent(root)),
          )
        : []),
    ];
    if (problem !== null) io.stdout.write(`${problem}\n`);
    if (faults.length > 0) {
      const lines = faults.map(({ file, text }) => `  ${file} ${text}`);
      io.stdout.write(`[copy] ${faults.length} to rewrite:\n${lines.join('\n')}\n`);
    }
    if (problem !== null) return 1;
    for (const warning of listFormerFields(root)) io.stdout.write(`${warning}\n`);
    const content = readContent(root, { images: await readImageCatalog(root) });
    const { SITE_URL: siteUrl } = site.readSettings('CONTENT_DIR', 'SITE_URL');
    const judged = checkRules(root, content, { siteUrl, now: Date.now() });
    const errors = judged.filter(({ isError }) => isError);
    io.stdout.write(describeRules(judged, rules));
    const links = hasArticleFiles ? await findArticleLinkProblems(site, root, content) : [];
    if (links.length > 0) io.stdout.write(`[links] ${links.length} to correct:\n${links.join('\n')}\n`);
    io.stdout.write(describeOrphans(root, content));
    for (const { file, text } of await findUnknownChecks(content, site.openLinkStore())) {
      io.stdout.write(`[checks] warning: ${file}: ${text}\n`);
    }
    if (faults.length + links.length + errors.length > 0) return 1;
    io.stdout.write(`All files in ${name} are valid.\n`);
    return 0;
  },
});

/** What the rules have found: errors, and warnings when they are asked for. */
function describeRules(judged: readonly LinedFinding[], isWhole: boolean): string {
  const errors = judged.filter(({ isError }) => isError);
  const warnings = judged.filter(({ isError }) => !isError);
  const list = (found: readonly LinedFinding[]) =>
    found.map(({ file, text }) => `  ${file} ${text}\n`).join('');
  const more = isWhole ? `\n${list(warnings)}` : '; --rules lists them\n';
  return (
    (errors.length === 0
      ? ''
      : `[rules] ${errors.length} to correct, or to allow with a reason:\n${list(errors)}`) +
    (warnings.length === 0 ? '' : `[rules] warnings: ${warnings.length}${more}`)
  );
}

/** Titles of the kinds, in the order of the list. */
const KINDS: Readonly<Record<ListedStatement['kind'], string>> = {
  price: 'Prices',
  figure: 'Limits, charges and terms',
  claim: 'Claims',
  rule: 'Rules of partner programs',
  source: 'Sources of articles',
  link: 'Other links to other sites',
};

function formatSources(listed: readonly ListedStatement[], format: 'text' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(listed, null, 2)}\n`;
  const groups = Object.entries(KINDS).flatMap(([kind, title]) => {
    const found = listed.filter((one) => one.kind === kind);
    return [`${title} (${found.length})`, ...found.flatMap(formatStatement), ''];
  });
  return `${groups.join('\n')}`;
}

function formatStatement({ subject, text, source, checked, file, uses }: ListedStatement): string[] {
  return [
    `  ${[subject, text].filter(Boolean).join(' ')}`,
    `    ${[checked || 'no day', source || 'no source', file && `content/${file}`].filter(Boolean).join('  ')}`,
    `    ${uses.length === 0 ? 'no page' : uses.join(' ')}`,
  ];
}

/** Finds links of article files that lead nowhere, are not https, or lead to a partner without a disclosure. */
async function findArticleLinkProblems(
  site: DataFolderSite,
  root: string,
  content: Content,
): Promise<readonly string[]> {
  const settings = site.readSettings('CONTENT_DIR', 'SITE_URL');
  const { checked, missing } = await checkArticles(settings, content, CLOCK);
  return [
    ...checked
      .filter(({ slug }) => !isDraft(readFileSync(path.join(root, 'articles', `${slug}.md`), 'utf8')))
      .flatMap(({ slug, links }) => links.map((text) => `  content/articles/${slug}.md ${text}`)),
    ...missing.map(({ place, path: address }) => `  ${place}: links to ${address}, which does not exist`),
  ];
}

/** Names the pages that no other one links to: that is no error, and mostly an oversight. */
function describeOrphans(root: string, content: Content): string {
  const folder = path.join(root, 'articles');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  const texts = names.flatMap((name) => {
    const read = readTextFile(root, path.join('articles', name));
    return 'text' in read ? [read.text] : [];
  });
  const orphans = listOrphanedPages(content, texts);
  if (orphans.length === 0) return '';
  const lines = orphans.map((orphan) => `  content/pages${orphan}.yaml`);
  return `[links] ${orphans.length} without a link from another page:\n${lines.join('\n')}\n`;
}

const isDraft = (text: string) => /^draft: true$/m.test(text);
