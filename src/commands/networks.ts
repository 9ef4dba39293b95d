import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContentFolder } from '../content-files/content-folder.ts';
import { readShippedNetworks, writeNetwork } from '../content-files/networks.ts';
import { detectColumns } from '../core/commissions/ledger/csv-columns.ts';
import {
  isDocumented,
  type NetworkFile,
  networkSchema,
} from '../core/commissions/networks/network.schema.ts';
import { getDocumented } from '../core/commissions/networks/parse-message.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { beginFile, proposePush, UNFOUND } from '../server/commissions/propose-network.ts';
import { listUnshown, replayNetwork } from '../server/commissions/replay-network.ts';
import { detectCsvFormat, readCsvRows } from '../sources/networks/csv.ts';
import { showRequests } from '../sources/networks/network-api.ts';
import { createFolder, writeWhole } from '../stores/disk.ts';
import { type CommandIo, defineCommand, UsageError } from './command.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('networks');

const USAGE = `Usage:
  ${RUN} list
  ${RUN} show NAME
  ${RUN} check NAME
  ${RUN} check FILE.yaml
  ${RUN} new NAME --from SAMPLE

\`list\` names every network with the ways that are known of it, \`show\` what its file says to operators. \`check\` reads
the file of a network and sends its messages through the reader; it ends with code 1 when one becomes something else than the
file says. It shows the first requests of the interface too. \`new\` begins the file networks/NAME.yaml in
the content folder from a sample: a message (query, form or JSON) or a report (CSV). It proposes what the fields mean,
and names those that it does not read. What the sample becomes is yours to write: check ends with code 1 until then.`;

/** `signpost networks`: lists networks, checks their files, and begins new ones. */
export const command = defineCommand({
  usage: USAGE,
  options: { from: { type: 'string' } },
  words: [1, 2],
  async run({ values: { from }, positionals: [word = '', name = ''] }, io, site: DataFolderSite) {
    const root = path.resolve(site.readSettings('CONTENT_DIR').CONTENT_DIR);
    if (word === 'list') return listNetworks(root, io);
    if (name === '') throw new UsageError('An argument is missing.');
    if (word === 'show') return showNetwork(root, name, io);
    if (word === 'check') return checkNetwork(root, name, io);
    if (word !== 'new') throw new UsageError(`There is no command "${word}".`);
    if (from === undefined) throw new UsageError('Name the file with a message or report: --from SAMPLE.');
    return beginNetwork(root, name, readFileSync(from, 'utf8'), io);
  },
});

/** The networks that ship and those of the content folder; its problems are thrown. */
function readAll(root: string): Map<string, NetworkFile> {
  const folder = new ContentFolder(root);
  const own = folder.readFolder('networks', networkSchema);
  folder.finish();
  return new Map([...readShippedNetworks(), ...own]);
}

function listNetworks(root: string, io: CommandIo): number {
  for (const [name, file] of readAll(root)) {
    const { title, push, interface: api, report, reversal } = file;
    const ways = [push && 'messages', api && 'interface', report && 'reports'].filter(Boolean).join(', ');
    const warning = reversal === 'unknown' ? '; how it reports a reversal is not known' : '';
    const level = isDocumented(file, 'push', 'interface', 'report') ? 'documented' : 'guessed';
    io.stdout.write(`${name.padEnd(16)}${title}, ${level}: ${ways || 'the documented postback'}${warning}\n`);
  }
  return 0;
}

function showNetwork(root: string, name: string, io: CommandIo): number {
  const file = readAll(root).get(name);
  if (file === undefined) throw new Error(`There is no network "${name}".`);
  const { title, note, template, link, push, interface: api, payments, sources } = file;
  const secrets = [
    push?.signature?.secret,
    push?.decrypt?.secret,
    ...(api?.needs ?? []),
    ...(api?.optional ?? []),
  ];
  const lines = {
    '': title,
    note,
    template: template && `ADDRESS?${template}`,
    'sub-id':
      link?.parameter && `${link.parameter}${link.clickIds === 'forbidden' ? ', never a click id' : ''}`,
    secrets: secrets.filter(Boolean).join(', '),
    payments: payments?.text,
    sources: sources.map(({ text, day }) => `${text} (${day})`).join('; '),
  };
  for (const [what, text] of Object.entries(lines))
    if (text) io.stdout.write(`${what && `${what}: `}${text}\n`);
  return 0;
}

async function checkNetwork(root: string, name: string, io: CommandIo): Promise<number> {
  const isFile = name.endsWith('.yaml');
  const folder = new ContentFolder(path.dirname(path.resolve(name)));
  const file = isFile ? folder.readFile(path.basename(name), networkSchema) : readAll(root).get(name);
  for (const { file: at, field, reason } of folder.problems) io.stderr.write(`${at}, ${field}: ${reason}\n`);
  if (file === undefined) {
    if (!isFile) io.stderr.write(`There is no network "${name}".\n`);
    return 1;
  }
  const key = path.basename(name, '.yaml');
  const now = Date.now();
  const replayed = await replayNetwork(key, new Map([...readShippedNetworks(), [key, file]]), now);
  for (const one of replayed)
    io.stdout.write(
      `${one.problem === null ? 'ok   ' : 'WRONG'} ${one.name}${one.problem === null ? '' : `: ${one.problem}`}\n`,
    );
  const unread = new Set(replayed.flatMap((one) => one.unread));
  if (unread.size > 0) io.stdout.write(`Not read: ${[...unread].join(', ')}\n`);
  const { lines, problem } = await showRequests(file, now);
  if (lines.length > 0) io.stdout.write(`Requests, with the names of secrets:\n${lines.join('\n')}\n`);
  const window = file.interface?.window ?? file.interface?.passes?.[0]?.window;
  if (window?.days !== undefined && window.format.startsWith('day'))
    io.stdout.write(
      `Windows of ${window.days} days in UTC, ${window.days + 1} where a network counts the first and the last day.\n`,
    );
  if (problem !== null) io.stdout.write(`WRONG ${problem}\n`);
  for (const unshown of listUnshown(file, replayed, now)) io.stdout.write(`${unshown}\n`);
  if (file.push !== undefined && (file.push.signature ?? file.push.decrypt) === undefined)
    io.stdout.write('Messages have no signature: the secret address alone protects them.\n');
  const hasTime = ({ becomes }: (typeof replayed)[number]) =>
    typeof becomes === 'object' && becomes.some(({ time }) => time !== undefined);
  if (file.timeZone === undefined && replayed.some(hasTime))
    io.stdout.write(
      'Times without an offset are read in UTC: write timeZone where the network means another.\n',
    );
  if (file.reversal === 'unknown')
    io.stdout.write(
      'How the network reports a reversal is not known: a commission that it takes back may go on counting.\n',
    );
  return [...replayed, { problem }].some((one) => one.problem !== null) ? 1 : 0;
}

async function beginNetwork(root: string, name: string, sample: string, io: CommandIo): Promise<number> {
  if (!/^[a-z0-9-]{1,40}$/.test(name)) throw new UsageError('The name has only a-z, 0-9 and -.');
  const target = path.join(root, 'networks', `${name}.yaml`);
  if (existsSync(target)) throw new Error(`${target} is there already.`);
  const text = sample.trim();
  const parts =
    /^[^\s{]*[=&][^\s]*$/.test(text) || text.startsWith('{') ? proposePush(text) : await proposeReport(text);
  const found = 'push' in parts ? parts.push.own.flatMap(({ field }) => field) : [];
  if (found.length > 0 && found.every((field) => /(?:^|\.)\d+\./.test(field)))
    throw new Error(
      'The sample has a list of commissions, as an interface answers: give one message, or write its interface by hand.',
    );
  const draft = { ...beginFile(name, Date.now()), ...parts };
  const parsed = networkSchema.parse(draft);
  const networks = new Map([...readShippedNetworks(), [name, parsed] as const]);
  const [sampled] = await replayNetwork(name, networks, Date.now());
  io.stderr.write(`The sample ${sampled?.problem}.\n`);
  createFolder(path.dirname(target));
  const written = writeNetwork(draft);
  writeWhole(target, written, true);
  for (const [what, path] of Object.entries(UNFOUND))
    if (written.includes(path))
      io.stderr.write(`No field of the sample looks like the ${what}: write its path instead of ${path}.\n`);
  io.stdout.write(`${target} is begun. Correct what it proposes, then: ${RUN} check ${name}\n`);
  return 0;
}

/** Proposes how a report such as this one is read. */
async function proposeReport(text: string) {
  const open = async function* () {
    yield Buffer.from(text);
  };
  const rows = readCsvRows(open, await detectCsvFormat(open));
  const first = await rows.next();
  const headers = Object.keys(first.value?.row ?? {});
  const networks = readShippedNetworks();
  const columns = detectColumns(headers, {
    file: getDocumented(networks),
    networks,
    chosen: {},
    unused: [],
    currency: 'USD',
  });
  const named = Object.entries(columns).filter(([, header]) => header !== null);
  return {
    report: {
      recognize: [columns.id, columns.amount].filter((header) => header !== null),
      columns: Object.fromEntries(named),
    },
    messages: [{ name: 'the sample', is: 'quoted', csv: `${text}\n`, becomes: 'unconfirmed' as const }],
  };
}
