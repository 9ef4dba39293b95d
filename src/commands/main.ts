// node src/commands/main.ts NAME [ARGUMENT]...: runs a command; scripts/start/signpost.mjs starts this with flags and settings.

import { existsSync } from 'node:fs';
import process from 'node:process';
import { nameCommand } from '../core/text/name-command.ts';
import { escapeControls } from '../core/text/parse-text.ts';
import { holdAlone, refuseForeignUser } from '../stores/data-folder.ts';
import { findUnfinishedRestore } from '../stores/restore-copy.ts';
import type { Command } from './command.ts';
import { EDGE_USAGE } from './command.ts';
import { readServed, VERSION } from './data/versions.ts';
import { DataFolderSite } from './site.ts';

type Load = () => Promise<{ command: Command<DataFolderSite> }>;

/** Every command by its subject and name, with what it does. One is loaded when it runs: each needs a part of the program. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<string, readonly [does: string, load: Load]>>>> = {
  Content: {
    new: ['creates an article, a page or a site', () => import('./new.ts')],
    content: ['checks every content file; renames, removes and publishes', () => import('./content.ts')],
    articles: ['checks the articles of the source, and replaces their copies', () => import('./articles.ts')],
    claims: ['lists every claim with its evidence', () => import('./claims.ts')],
    links: ['checks the links to other sites', () => import('./links.ts')],
    'preview-link': ['prints the address of a draft', () => import('./preview-link.ts')],
    'page-schema': ['writes the JSON Schema of pages, which editors use', () => import('./page-schema.ts')],
    'launch-check': ['lists what is missing before a launch', () => import('./launch-check.ts')],
  },
  Money: {
    commissions: ['reports, matches and imports commissions', () => import('./commissions.ts')],
    networks: ['lists, checks and begins files of networks', () => import('./networks.ts')],
    ledger: ['compares the table of commissions with their messages', () => import('./ledger.ts')],
  },
  'Visitors and people': {
    events: ['exports, counts, removes and recovers events', () => import('./events.ts')],
    messages: ['lists the messages of the contact form', () => import('./messages.ts')],
    operator: ['invites, lists and removes operators', () => import('./operator.ts')],
  },
  'Keeping and moving': {
    backup: ['copies every database, also while the site runs', () => import('./backup.ts')],
    restore: ['restores a copy or a backup', () => import('./restore.ts')],
    back: ['returns to the version before, with the data of now', () => import('./back.ts')],
    recover: ['adds a database that was moved away', () => import('./recover.ts')],
    import: ['moves another site in', () => import('./import.ts')],
    export: ['writes the whole site for other programs', () => import('./export.ts')],
    data: ['moves a site between Node and Workers', () => import('./data.ts')],
    demo: ['serves the sample with generated data', () => import('./demo.ts')],
  },
};

/** Every command, by name. */
export const COMMANDS: Readonly<Record<string, { readonly load: Load }>> = Object.fromEntries(
  Object.values(SUBJECTS).flatMap((commands) =>
    Object.entries(commands).map(([name, [, load]]) => [name, { load }]),
  ),
);

/** Commands of which two at once would get in the way of each other. */
const ALONE = /^(?:back|backup|data|demo|export|import|new|recover|restore)$/;

const USAGE = [
  `Usage:\n  ${nameCommand('NAME [ARGUMENT]...')}\n  ${nameCommand('NAME --help')}`,
  'Serving:\n  serve, edge   serves the site, here or on Workers',
  ...Object.entries(SUBJECTS).map(([subject, commands]) =>
    [`${subject}:`, ...Object.entries(commands).map(([name, [does]]) => `  ${name.padEnd(14)}${does}`)].join(
      '\n',
    ),
  ),
].join('\n\n');

/** Of what serves: a question starts and installs nothing. */
const SERVING: Readonly<Record<string, string>> = {
  serve: `Usage:\n  ${nameCommand('serve')}\n\nServes the site with the settings of .env, until Ctrl+C.`,
  edge: EDGE_USAGE,
};

async function main(name = '', ...argv: readonly string[]): Promise<number> {
  if (name === '' || name === '--help' || name === '-h') {
    process[name === '' ? 'stderr' : 'stdout'].write(`${USAGE}\n`);
    return name === '' ? 1 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (Object.hasOwn(SERVING, name)) {
    process.stdout.write(`${SERVING[name]}\n`);
    return 0;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    process.stderr.write(escapeControls(`There is no command "${name}".\n\n${USAGE}\n`));
    return 1;
  }
  const isHelp = argv.includes('--help') || argv.includes('-h');
  const refusal = isHelp ? null : findRefusal(name);
  if (refusal !== null) {
    report(refusal);
    return 1;
  }
  const dataDir = process.env['DATA_DIR']?.trim() || './data';
  if (!isHelp && ALONE.test(name) && existsSync(dataDir) && !holdAlone(dataDir, name)) {
    report(
      `Another "${nameCommand(name)}" runs on ${dataDir}: wait until it has ended. Nothing was changed.`,
    );
    return 1;
  }
  const { command } = await entry.load();
  return command.run(argv, process, new DataFolderSite(process.env, report));
}

/** Commands that may run as root, or before a version has served the data. */
const ANYTIME: readonly string[] = ['back', 'demo', 'restore'];

/** Before anything is opened or created; systems without users refuse no one. */
function findRefusal(name: string): string | null {
  if (ANYTIME.includes(name)) return null;
  const uid = process.getuid?.();
  const dataDir = process.env['DATA_DIR']?.trim() || './data';
  const served = readServed(dataDir).at(-1);
  const unfinished = findUnfinishedRestore(dataDir);
  if (unfinished !== null) return unfinished;
  if (served !== undefined && served.version !== VERSION)
    return `Version ${served.version} has served ${dataDir} last, and this is ${VERSION}: restart the site first, which converts the data.`;
  return uid === undefined ? null : refuseForeignUser(dataDir, uid, nameCommand(`${name} …`));
}

const report = (line: string) => void process.stderr.write(escapeControls(`${line}\n`));

/** The program that reads may stop before the end (`… | head`): the command goes on, and ends with a code of its own. */
function ignoreEnd(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(1);
    stream.write = () => true;
  });
}

if (import.meta.main) {
  for (const stream of [process.stdout, process.stderr]) ignoreEnd(stream);
  process.exitCode = await main(...process.argv.slice(2));
}
