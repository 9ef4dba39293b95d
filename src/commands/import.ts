import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { editYaml } from '../content-files/edit-yaml.ts';
import { ContentJournal, createOwnerReader } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { BESIDE_FILE, readContent } from '../content-files/read-content.ts';
import { findDestination, listHosts } from '../core/outbound/beside.schema.ts';
import { findPartnerOfAddress } from '../core/outbound/partner.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { MoveInError } from '../move-in/former-item.ts';
import { FORMER_SYSTEMS, parseFormerSettings } from '../move-in/former-settings.ts';
import { readPluginLinks } from '../move-in/link-plugins.ts';
import { openMedia } from '../move-in/media.ts';
import { formatDecisions, type PartnerDecision, parseDecisions } from '../move-in/merchants.ts';
import { openFormerSite, readProductNames, writeProductNames } from '../move-in/move-in.ts';
import { formatSummary, listReport } from '../move-in/move-in-report.ts';
import { type PreparedMoveIn, prepareMoveIn } from '../move-in/move-site.ts';
import { createLinkRequests } from '../sources/links/node-link.ts';
import { copyWhole, createFolder, move, PRIVATE_FILE, remove, writeWhole } from '../stores/disk.ts';
import { EXPORT_LIST, findFaults, readFileList } from './backup.ts';
import { type CommandIo, defineCommand, FLAG, UsageError } from './command.ts';
import { describeCounts, importData } from './data/transfer.ts';
import type { CommandSite } from './site.ts';

const SYSTEMS = [...FORMER_SYSTEMS.map(({ key }) => key), 'signpost', 'beside'] as const;

const RUN = nameCommand('import');

const USAGE = `Usage:
  ${RUN} wordpress export.xml   imports the export of a WordPress site (Tools, Export, All content)
  ${RUN} ghost export.json      imports the JSON export of Ghost
  ${RUN} substack EXPORT        imports the archive of Substack, or a folder with its files
  ${RUN} medium EXPORT          imports the archive of Medium, or a folder with its files
  ${RUN} markdown FOLDER        imports the folder of Jekyll, Hugo, Astro or Eleventy
  ${RUN} signpost FOLDER        reads what the command export has written into an empty site, data included
  ${RUN} beside FILE            names in beside.yaml where the links of a plugin lead, from what --links takes; --host says of
                                which site, where several are listed

  --links FILE       links of a plugin that are in no export: CSV of Pretty Links or Redirection, or an SQL dump; repeatable
  --media FOLDER     a copy of the uploads, or a ZIP or tar archive of it: its images become images of this site
  --download-media   downloads the images from the former site: at most 20 MB each, from public addresses alone
  --media-hosts LIST other hosts that images may be downloaded from, such as cdn.example
  --partners FILE    what became of each merchant's links; default: .import/partners.yaml in the content folder
  --prefixes LIST    former first parts of the paths of links, such as recommends,refer
  --bases LIST       first parts of the archives' paths when they were renamed: category,tag,author, such as topics,labels,by
  --amazon HOST,TAG  shop and tag of Amazon shortcodes; default: www.amazon.com
  --name, --about    of the site, and on one line what it is about, where the export does not say it
  --keep-sample      leaves the sample that the site ships with; it is removed otherwise, unless it was edited
  --report FILE      where the report is written; default: .import/report.txt in the content folder
  --dry-run          reads and checks everything, and writes the report and the list of merchants alone

Writes articles, images, partners and redirects into CONTENT_DIR (./content), all of them or nothing. A second run writes
the same files and leaves those that were edited. docs/recipes/move-in.md has the steps.`;

/** `signpost import`: moves another site in. */
export const command = defineCommand({
  usage: USAGE,
  options: {
    links: { type: 'string', multiple: true, default: [] },
    media: { type: 'string' },
    'download-media': FLAG,
    'media-hosts': { type: 'string', default: '' },
    partners: { type: 'string' },
    prefixes: { type: 'string', default: '' },
    bases: { type: 'string', default: '' },
    amazon: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    about: { type: 'string', default: '' },
    host: { type: 'string', default: '' },
    report: { type: 'string' },
    'keep-sample': FLAG,
    'dry-run': FLAG,
  },
  words: [2, 2],
  async run({ positionals: [name = '', file = ''], values }, io, site: CommandSite) {
    const system = parseSystem(name);
    if (system === 'signpost') return restoreSite(file, site, io);
    for (const named of system === 'beside' ? [file] : values.links) checkFile(named);
    const {
      CONTENT_DIR: contentDir,
      DATA_DIR: dataDir,
      TEST_HOSTS: standIns,
    } = site.readSettings('CONTENT_DIR', 'DATA_DIR', 'TEST_HOSTS');
    const journal = new ContentJournal(contentDir, createOwnerReader(dataDir));
    if (system === 'beside')
      return nameCloaked(file, values.host, contentDir, journal, values['dry-run'], io);
    if (values['download-media'] && values.media !== undefined)
      throw new UsageError('Give either --media or --download-media.');
    const parsed = parseFormerSettings(values);
    if ('problem' in parsed) throw new UsageError(parsed.problem);
    const partners = values.partners ?? path.join(contentDir, '.import', 'partners.yaml');
    const decisions = readDecisions(partners);
    const prepared = await prepareMoveIn({
      site: await openFormerSite(system, file),
      name: system,
      keepsSample: values['keep-sample'],
      day: new Date().toISOString().slice(0, 10),
      contentDir,
      journal,
      links: values.links.flatMap(readPluginLinks),
      decisions,
      names: readProductNames(contentDir),
      settings: parsed.settings,
      ...(values['download-media'] && {
        download: {
          hosts: values['media-hosts']
            .split(',')
            .map((host) => host.trim())
            .filter(Boolean),
          send: createLinkRequests(standIns),
          userAgent: 'Signpost import',
        },
      }),
      media: values.media === undefined ? null : await openMedia(values.media),
    });
    const report = values.report ?? path.join(contentDir, '.import', 'report.txt');
    const code = finish(prepared, { decisions, partners, report, isDryRun: values['dry-run'] }, io);
    writeProductNames(contentDir, prepared.nameless);
    return code;
  },
});

function parseSystem(name: string): (typeof SYSTEMS)[number] {
  const system = SYSTEMS.find((known) => known === name);
  if (system === undefined)
    throw new UsageError(`There is no source "${name}"; there are ${SYSTEMS.join(' and ')}.`);
  return system;
}

/** Names in `beside.yaml` where the links of a plugin lead: those to a destination of a partner; what is named already stays. */
function nameCloaked(
  file: string,
  given: string,
  contentDir: string,
  journal: ContentJournal,
  isDryRun: boolean,
  io: CommandIo,
): number {
  const { beside, partners } = readContent(contentDir);
  const hosts = listHosts(beside);
  const [host = ''] = given === '' && hosts.length === 1 ? hosts : hosts.filter((one) => one === given);
  if (host === '') throw new UsageError(`--host has to be a site of ${BESIDE_FILE}: ${hosts.join(', ')}.`);
  const named = new Map<string, string>();
  const open: string[] = [];
  for (const { path: from, target, skipped } of readPluginLinks(file)) {
    if (from === '' || skipped !== '') continue;
    const key = `${host}${from.replace(/\/?(\?.*)?$/, '')}`;
    const partner = findPartnerOfAddress(target, partners);
    const destination = partner && findDestination(partner, target);
    if (!beside.prefixes.some((prefix) => from.startsWith(prefix)))
      open.push(`${from} begins with none of the prefixes ${beside.prefixes.join(', ')}`);
    else if (partner === null) open.push(`${from} leads to ${target}, which is no partner's`);
    else if (destination === null)
      open.push(`${from} leads to ${target}, which is no destination of ${partner.key}`);
    else if (beside.cloaked[key] === undefined) named.set(key, `${partner.key}/${destination}`);
  }
  const edited = editYaml(
    readFileSync(path.join(contentDir, BESIDE_FILE), 'utf8'),
    [...named].map(([key, value]) => ({ kind: 'set', path: ['cloaked', key], value })),
  );
  if ('problem' in edited) throw new MoveInError(`${BESIDE_FILE} ${edited.problem}. Nothing was changed.`);
  if (!isDryRun && named.size > 0) {
    const staged = journal.begin();
    staged.add(BESIDE_FILE, edited.text);
    staged.commit();
  }
  for (const line of open) io.stdout.write(`${line}\n`);
  io.stdout.write(
    `${isDryRun ? 'Would be named' : 'Named'} in ${BESIDE_FILE}: ${named.size} links; ${open.length} stay with the plugin.\n`,
  );
  return 0;
}

/** Puts an exported site in the place of an empty one. */
async function restoreSite(folder: string, site: CommandSite, io: CommandIo): Promise<number> {
  const content = path.join(folder, 'content');
  if (!existsSync(path.join(content, 'site.yaml')))
    throw new MoveInError(`${folder} has no content/site.yaml: it is no exported site.`);
  const list = readFileList(folder, EXPORT_LIST);
  if (list === null)
    io.stderr.write(
      `${folder} has no ${EXPORT_LIST}: it is of version 0.2 or before, or only a part of it.\n`,
    );
  const faults = list === null ? [] : await findFaults(folder, list);
  if (faults.length > 0)
    throw new MoveInError(`${folder} is not whole: ${faults.join(', ')}. Nothing was imported.`);
  readContent(content);
  const { CONTENT_DIR, TIME_ZONE } = site.readSettings('CONTENT_DIR', 'DATA_DIR', 'TIME_ZONE');
  const isUsed = existsSync(CONTENT_DIR) && readdirSync(CONTENT_DIR).length > 0;
  const before = `${path.resolve(CONTENT_DIR)}-before-${new Date().toISOString().slice(0, 10)}`;
  if (isUsed && existsSync(before)) throw new MoveInError(`${before} is there already; nothing was changed.`);
  const staged = `${path.resolve(CONTENT_DIR)}.part`;
  remove(staged);
  copyWhole(content, staged);
  if (isUsed) move(CONTENT_DIR, before);
  move(staged, CONTENT_DIR);
  if (isUsed) io.stdout.write(`The content that was in ${CONTENT_DIR} is now in ${before}.\n`);
  const data = path.join(folder, 'data.ndjson.gz');
  if (existsSync(data)) {
    const { counts } = await importData(site.openData(true), TIME_ZONE, data);
    io.stdout.write(describeCounts(counts));
  }
  io.stdout.write(`The site is in ${CONTENT_DIR}. Start it with npm start.\n`);
  return 0;
}

function checkFile(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new MoveInError(`There is no file ${file}.`);
}

function readDecisions(file: string): readonly PartnerDecision[] {
  if (!existsSync(file)) return [];
  const read = parseYaml(readFileSync(file, 'utf8'));
  if ('problem' in read) throw new MoveInError(`${file}, line ${read.line ?? 1}: ${read.problem}`);
  const parsed = parseDecisions(read.value);
  if ('problems' in parsed) throw new MoveInError(`${file}:\n  ${parsed.problems.join('\n  ')}`);
  return parsed.decisions;
}

interface Outputs {
  readonly decisions: readonly PartnerDecision[];
  readonly partners: string;
  readonly report: string;
  readonly isDryRun: boolean;
}

function finish(
  prepared: PreparedMoveIn,
  { decisions, partners, report, isDryRun }: Outputs,
  io: CommandIo,
): number {
  const { groups, refusals } = prepared;
  const isRefused = refusals.length > 0;
  try {
    if (!isDryRun && !isRefused) prepared.commit();
  } finally {
    prepared.discard();
  }
  io.stdout.write(formatSummary(prepared));
  if (groups.length > 0) write(partners, [formatDecisions(groups, decisions)]);
  write(report, listReport(prepared));
  const open = groups.filter(
    ({ proposal }) => !decisions.some(({ links, confirm }) => links === proposal.links && confirm),
  );
  if (open.length > 0)
    io.stdout.write(
      `${open.length} of ${groups.length} merchants are not confirmed: see ${partners}, then run the import again.\n`,
    );
  io.stdout.write(`The report is in ${report}.\n`);
  if (isRefused) io.stderr.write(`Nothing was written:\n${refusals.map((line) => `  ${line}\n`).join('')}`);
  else if (isDryRun) io.stdout.write('This was a dry run: the content is as it was.\n');
  return isRefused ? 1 : 0;
}

function write(file: string, parts: Iterable<string>): void {
  try {
    createFolder(path.dirname(file));
    writeWhole(file, parts, false, undefined, PRIVATE_FILE);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new MoveInError(`${file} could not be written (${code}). What is above is true of the rest.`, {
      cause: error,
    });
  }
}
