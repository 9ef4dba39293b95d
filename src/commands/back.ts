import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nameCommand } from '../core/text/name-command.ts';
import { createFolder, remove, syncFile, syncTree, writeDraft } from '../stores/disk.ts';
import { readJsonFile } from '../stores/private-files.ts';
import { defineCommand } from './command.ts';
import { readBack, readServed, type Served, VERSION, writeBack } from './data/versions.ts';
import type { CommandSite } from './site.ts';

const RUN = nameCommand('back');

const MANIFESTS = ['package.json', 'package-lock.json'];
/** Begins the name of a copy of the program, in the folder of the site. */
const DRAFT = '.back-';
const SWAP = `mv node_modules "$1/before" && mv "$1/node_modules" . && cd "$1" && mv ${MANIFESTS.join(' ')} ..`;

const USAGE = `Usage:
  ${RUN} [FILE] [--service NAME | --pid FILE]

Returns to the version that served before this one: installs its package, says in DATA_DIR that the data shall go back, and
restarts the site, which converts them with every row of now. Run once more, it goes forward again. Ended at any moment, it
can be run again: there is a whole program at each.

FILE       its package, such as ../signpost-0.3.0.tgz, where it is not where it was installed from
--service  unit of systemd that runs the site; signpost when left out
--pid      file with the id of the process of the site, which another supervisor starts again`;

/** `signpost back`: returns to the version before. */
export const command = defineCommand({
  usage: USAGE,
  options: { service: { type: 'string', default: 'signpost' }, pid: { type: 'string' } },
  words: [0, 1],
  async run({ positionals: [given], values: { service, pid } }, io, site: CommandSite) {
    const folder = process.cwd();
    if (!existsSync(path.join(folder, 'node_modules/signpost')))
      throw new Error(`${folder} is not the folder of a site that has the package.`);
    const dataDir = path.resolve(site.readSettings('DATA_DIR').DATA_DIR);
    const to = readBack(dataDir) ?? findBefore(dataDir, given);
    const file = given ?? to.from.replace(/^file:/, '');
    if (!existsSync(file))
      throw new Error(
        `${file} is not there any more: ${RUN} FILE names the package of version ${to.version}.`,
      );
    // What was ended has left its own, in which npm may still write.
    spawnSync('sh', ['-c', `rm -rf ${DRAFT}*`], { cwd: folder });
    const draft = path.join(folder, `${DRAFT}${process.pid}`);
    createFolder(draft);
    try {
      install(folder, draft, path.resolve(file));
      const installed = readVersion(draft);
      if (installed !== to.version)
        throw new Error(
          `${file} is version ${installed}, and version ${to.version} served before: name that one.`,
        );
      writeBack(dataDir, to);
      await swap(folder, draft, path.resolve(file));
      // A start of the version of now in between would have taken it.
      writeBack(dataDir, to);
      io.stdout.write(`Version ${to.version} is installed. `);
      const isRestarted = restart(folder, service, pid);
      io.stdout.write(
        isRestarted ? 'The site starts with it.\n' : 'Restart the site now: its start converts the data.\n',
      );
    } finally {
      remove(draft);
    }
    return 0;
  },
});

function findBefore(dataDir: string, given: string | undefined): Served {
  const before = readServed(dataDir).findLast(({ version }) => version !== VERSION);
  if (before === undefined) throw new Error('No other version has served these data.');
  if (before.from === '' && given === undefined)
    throw new Error(`Version ${before.version} was no package: go back in its clone.`);
  return before;
}

const readVersion = (folder: string): string =>
  String(Object(readJsonFile(path.join(folder, 'node_modules/signpost/package.json'))).version);

/**
 * Has npm install a package into a copy of the program of a site, which then takes its place: at every moment there is a whole
 * program, which can be run again. Throws with what npm said.
 */
function install(folder: string, draft: string, file: string): void {
  const parts = ['node_modules', ...MANIFESTS, '.npmrc'].filter((name) =>
    existsSync(path.join(folder, name)),
  );
  run('cp', ['-a', ...parts, draft], folder);
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', file], draft);
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} ${words[0]} failed, and the site goes on as it is:\n${error ?? stderr}`);
}

/** Puts the copy of the program in its place. What ends this process meanwhile does not end that. */
async function swap(folder: string, draft: string, file: string): Promise<void> {
  // npm names the package from the folder of the copy.
  const [from = '', to = ''] = [draft, folder].map((one) =>
    JSON.stringify(`file:${path.relative(one, file)}`),
  );
  for (const name of [...MANIFESTS, 'node_modules/.package-lock.json']) {
    const text = readFileSync(path.join(draft, name), 'utf8');
    await writeDraft(path.join(draft, name), text.replaceAll(from, to));
  }
  syncTree(draft);
  const step = spawn('sh', ['-c', SWAP, 'sh', draft], { cwd: folder, detached: true, stdio: 'ignore' });
  const [code] = await once(step, 'close');
  if (code !== 0) throw new Error(`${path.join(folder, 'node_modules')} cannot be moved.`);
  syncFile(folder);
}

/** Restarts the site where something starts it again; false where a person has to. */
function restart(folder: string, service: string, pid: string | undefined): boolean {
  if (pid !== undefined) {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    return true;
  }
  const shown = spawnSync('systemctl', ['show', '--property=WorkingDirectory', '--value', service], {
    encoding: 'utf8',
  });
  if (shown.status !== 0 || shown.stdout.trim() !== folder) return false;
  return spawnSync('systemctl', ['restart', service], { stdio: 'inherit' }).status === 0;
}
