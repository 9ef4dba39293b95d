// node src/commands/main.ts NAME [ARGUMENT]...: runs a command; scripts/start/signpost.mjs starts this with flags and settings.

import process from 'node:process';
import { findContentFolder, takeSiteContent } from '../content-files/site-folder.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { escapeControls } from '../core/text/parse-text.ts';
import { refuseForeignUser } from '../stores/data-folder.ts';
import type { Command } from './command.ts';
import { DataFolderSite } from './site.ts';

/** Every command, by name. A command is loaded when it runs: each needs only a part of the program. */
export const COMMANDS: Readonly<
  Record<
    string,
    { readonly title: string; readonly load: () => Promise<{ command: Command<DataFolderSite> }> }
  >
> = {
  articles: {
    title: 'checks the articles of the source, and replaces their copies',
    load: () => import('./articles.ts'),
  },
  backup: { title: 'copies every database, also while the site runs', load: () => import('./backup.ts') },
  claims: { title: 'lists every claim with its evidence', load: () => import('./claims.ts') },
  commissions: {
    title: 'reports, matches and imports commissions',
    load: () => import('./commissions.ts'),
  },
  content: {
    title: 'checks every content file; renames, removes and publishes',
    load: () => import('./content.ts'),
  },
  data: { title: 'moves a site between Node and Workers', load: () => import('./data.ts') },
  demo: { title: 'generates sample data', load: () => import('./demo.ts') },
  events: { title: 'exports, counts, removes and recovers events', load: () => import('./events.ts') },
  export: { title: 'writes the whole site for other programs', load: () => import('./export.ts') },
  import: { title: 'moves another site in', load: () => import('./import.ts') },
  ledger: {
    title: 'compares the table of commissions with their messages',
    load: () => import('./ledger.ts'),
  },
  links: { title: 'checks the links to other sites', load: () => import('./links.ts') },
  'launch-check': { title: 'lists what is missing before a launch', load: () => import('./launch-check.ts') },
  messages: { title: 'lists the messages of the contact form', load: () => import('./messages.ts') },
  networks: { title: 'lists, checks and begins files of networks', load: () => import('./networks.ts') },
  new: { title: 'creates an article, a page or a site', load: () => import('./new.ts') },
  operator: { title: 'invites, lists and removes operators', load: () => import('./operator.ts') },
  'page-schema': {
    title: 'writes the JSON Schema of pages, which editors use',
    load: () => import('./page-schema.ts'),
  },
  recover: { title: 'adds a database that was moved away', load: () => import('./recover.ts') },
  restore: { title: 'restores a copy or a backup', load: () => import('./restore.ts') },
  'preview-link': { title: 'prints the address of a draft', load: () => import('./preview-link.ts') },
};

/** Commands that write content; `new site` puts its own in the place of the sample. */
const WRITES_CONTENT =
  /^(?:new (?!site\b)|import |networks new\b|content (?:rename|remove|take-down|publish|draft)\b)/;

const USAGE = ['Usage:', ...Object.entries(COMMANDS).map(describeCommand)].join('\n');

function describeCommand([name, { title }]: [string, { readonly title: string }]): string {
  return `  ${nameCommand(name.padEnd(14))}${title}`;
}

async function main(name = '', ...argv: readonly string[]): Promise<number> {
  if (name === '' || name === '--help' || name === '-h') {
    process[name === '' ? 'stderr' : 'stdout'].write(`${USAGE}\n`);
    return name === '' ? 1 : 0;
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
  process.env['CONTENT_DIR'] = findContentFolder('.', process.env['CONTENT_DIR']);
  if (!isHelp && WRITES_CONTENT.test([name, ...argv].join(' ')))
    process.env['CONTENT_DIR'] = takeSiteContent(process.env['CONTENT_DIR']);
  const { command } = await entry.load();
  return command.run(argv, process, new DataFolderSite(process.env, report));
}

/** Before anything is opened or created; systems without users refuse no one. */
function findRefusal(name: string): string | null {
  const uid = process.getuid?.();
  const dataDir = process.env['DATA_DIR']?.trim() || './data';
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
