// @ts-check
// npm run upgrade: brings the site to another version while the present one serves. docs/deployment.md#upgrade
// Plain JavaScript without dependencies, on Node 20 or later: nothing is installed in the new version when it begins.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, parseEnv } from 'node:util';
import { ensureDependencies } from './start/ensure-dependencies.mjs';
import { ROOT, runPinnedSync } from './start/pinned-node.mjs';
import { listSending } from './start/sending-settings.mjs';

const STATE = 'upgrade.json';
/** What an operator has in the folder of a version: it moves beside the versions, which have links to it. */
const OWN = ['.env', 'site', 'data'];
const READY_MS = 60_000;
const USAGE = `Usage:
  npm run upgrade                        asks for the version
  npm run upgrade -- VERSION             a tag, a branch or a commit
  npm run upgrade -- back                returns to the version before, with the data of now
  npm run upgrade -- --from OLD          run in a new clone: upgrades the site in the folder OLD to this version

  --apply          makes the changes of the content that the new version proposes
  --service NAME   unit of systemd that runs the site; signpost when left out
  --pid FILE       file with the id of the process of the site, which its supervisor starts again a second after it ended
  --url URL        where the site responds; http://HOST:PORT of the settings when left out`;

/** @typedef {ReturnType<typeof parseArguments>['options']} Options */
/** @typedef {{ link: string, current: string, previous: string | null, backup?: string | null }} State */

/** @param {string[]} args */
function parseArguments(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const options = {
    from: text,
    pid: text,
    url: text,
    apply: flag,
    service: { ...text, default: 'signpost' },
  };
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { ...flag, short: 'h' } },
    });
    if (positionals.length > 1) throw new Error(`Unexpected "${positionals.slice(1).join(' ')}".`);
    const { help, ...given } = values;
    return { word: positionals[0] ?? '', options: given, isHelp: help };
  } catch (error) {
    throw new Error(`${Object(error).message}\n\n${USAGE}`);
  }
}

/** @param {string} text */
const say = (text) => void process.stdout.write(`${text}\n`);

/** Who runs a program and has its files: the owner of the data, where root upgrades. @param {fs.Stats} [owner] */
const identify = (owner) => (owner && process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {});

/** @param {string} folder @param {fs.Stats} [owner] */
function give(folder, owner) {
  const { uid, gid } = identify(owner);
  if (uid !== undefined) run('chown', ['-R', `${uid}:${gid}`, folder]);
}

/** Runs a program that may fail. @param {string} program @param {readonly string[]} args @param {string} [cwd] */
const ask = (program, args, cwd) => spawnSync(program, args, { cwd, encoding: 'utf8' });

/**
 * Runs a program and returns what it printed. Throws with its name when it fails.
 * @param {string} program @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, owner?: fs.Stats }} [options]
 */
function run(program, args, { cwd, env = process.env, owner } = {}) {
  const { status, stdout, error, signal } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...identify(owner),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status === 0) return stdout;
  throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? `code ${status}`}`);
}

/** @param {string} file */
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
/**
 * Waits until what was written is on the disk, so that a loss of power takes nothing back. Not on Windows.
 * @param {readonly string[]} files
 */
const sync = (...files) => void ask('sync', files);
/** @param {string} folder */
const remove = (folder) => fs.rmSync(folder, { recursive: true, force: true });
/** @param {string} file */
const exists = (file) => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
/** @param {string} file */
const isLink = (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/**
 * The installation that a folder belongs to. The first upgrade makes its folder a link to one of its versions.
 * @param {string} folder
 */
function findInstallation(folder) {
  const root = fs.realpathSync(folder);
  const file = path.join(path.dirname(root), STATE);
  /** @type {State} */
  const state = exists(file) ? readJson(file) : { link: root, current: root, previous: null };
  return { state, versions: exists(file) ? path.dirname(root) : `${root}.versions` };
}

/**
 * The settings of a site; a variable of the environment does not count, which is that of a shell.
 * @param {string} root
 */
function readSite(root) {
  const file = path.join(root, '.env');
  /** @type {NodeJS.ProcessEnv} */
  const settings = fs.existsSync(file) ? parseEnv(fs.readFileSync(file, 'utf8')) : {};
  const dataDir = path.resolve(root, settings['DATA_DIR']?.trim() || process.env['DATA_DIR'] || './data');
  const given = settings['CONTENT_DIR']?.trim() || './content';
  const owned = path.join(root, 'site/content');
  const hasOwn = knowsSite(root) && fs.existsSync(path.join(owned, 'site.yaml')) && !isLink(owned);
  const content =
    given !== './content' ? path.resolve(root, given) : hasOwn ? owned : path.join(root, 'content');
  if (given !== './content' && !path.isAbsolute(given))
    throw new Error(`CONTENT_DIR=${given} would be another folder in each version: write its whole path.`);
  const names = fs.existsSync(dataDir) ? fs.readdirSync(dataDir) : [];
  /** Of the databases; undefined without any. */
  const owner = names.some((name) => name.endsWith('.sqlite')) ? fs.statSync(dataDir) : undefined;
  return { settings, dataDir, owner, content, isNamed: given !== './content', hasOwn };
}

/** Whether a version reads site/content. @param {string} root */
const knowsSite = (root) => fs.existsSync(path.join(root, 'src/content-files/site-folder.ts'));

/**
 * Whether the content of a version that has no site/ is somebody's: changed files, or commits that are nowhere else.
 * @param {string} root
 */
function isSampleChanged(root) {
  const status = ask('git', ['status', '--porcelain', '--', 'content'], root);
  const remote = ask('git', ['branch', '--remotes', '--contains', 'HEAD'], root);
  return status.status !== 0 || status.stdout !== '' || remote.status !== 0 || remote.stdout === '';
}

const NEWEST = /^(\d{4})_[a-z0-9_]+\.sql$/;
const DATABASES = ['events', 'commissions', 'console', 'notifications'];
/** The folder in the data folder with databases in the format of an earlier version, and those that they have replaced. */
const OLDER = 'older';

/** The folder with the migrations of a database. @param {string} root @param {string} name */
const findMigrations = (root, name) => path.join(root, 'migrations', name === 'events' ? '' : name);

/** The number of the newest migration of a database that a version knows. @param {string} root @param {string} name */
const readFormat = (root, name) =>
  Math.max(...fs.readdirSync(findMigrations(root, name)).map((file) => Number(NEWEST.exec(file)?.[1] ?? 0)));

/** @param {string} root */
function describeVersion(root) {
  const format = DATABASES.reduce((sum, name) => sum + readFormat(root, name), 0);
  return `${readJson(path.join(root, 'package.json')).version}, data format ${format}`;
}

/** The Node of a version. @param {string} root */
const node = (root) => path.join(root, 'node_modules/.bin/node');

/**
 * Copies the databases that are newer than a version knows into its format, row by row in the columns that both have.
 * Prints their names. Runs as a program of its own, with the Node of a version and as the owner of the data
 * (`--older DATA_DIR VERSION`): what a migration has changed may be in the log of a database alone.
 * @param {string} dataDir @param {string} version
 */
async function makeOlder(dataDir, version) {
  const { DatabaseSync } = await import('node:sqlite');
  const { copyTables } = await import('../src/stores/sql/copy-tables.ts');
  const { migrate, readSchemaVersion } = await import('../src/stores/sql/migrate.ts');
  for (const name of DATABASES) {
    const file = path.join(dataDir, `${name}.sqlite`);
    if (!fs.existsSync(file)) continue;
    const newer = new DatabaseSync(file, { timeout: 10_000 });
    const format = readSchemaVersion(newer);
    newer.close();
    if (format <= readFormat(version, name)) continue;
    const target = path.join(dataDir, OLDER, `${name}.sqlite`);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    fs.rmSync(target, { force: true });
    fs.writeFileSync(target, '', { mode: 0o600 });
    const db = new DatabaseSync(target);
    migrate(db, findMigrations(version, name));
    copyTables(db, file);
    db.close();
    say(name);
  }
}

/**
 * Serves a copy of the data with a version, and asks for its pages. Throws with what is wrong.
 * @param {string} root @param {NodeJS.ProcessEnv} settings
 * @param {{ dataDir: string, content: string, owner: fs.Stats | undefined }} place
 */
async function tryServing(root, settings, { dataDir, content, owner }) {
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    PATH: process.env['PATH'],
    ...settings,
    ...listSending(root, Object.keys(settings)),
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: dataDir,
    CONTENT_DIR: content,
    METRICS_PORT: '0',
    LINK_WATCH: 'off',
    PAGE_RATE: '0',
    MIN_FREE_MB: '0',
  };
  const child = spawn(node(root), ['dist/server/main.mjs'], {
    cwd: root,
    env,
    ...identify(owner),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    const url = `http://127.0.0.1:${port}`;
    const ready = await waitUntilReady(url, READY_MS, () => child.exitCode !== null);
    if (ready === null)
      throw new Error(`it does not start with a copy of the data:\n${output.slice(-2_000)}`);
    const wrong = ready.warnings.filter((line) =>
      /database|ledger|outbox|schema version|cannot be used|damaged/i.test(line),
    );
    if (wrong.length > 0) throw new Error(`it cannot use a copy of the data:\n  ${wrong.join('\n  ')}`);
    const map = await (await fetch(`${url}/sitemap.xml`)).text();
    const pages = [...map.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, page]) => page || '/');
    for (const page of ['/', '/blog', ...pages.slice(0, 50)]) {
      const { status } = await fetch(url + page, { redirect: 'manual' });
      if (status >= 500) throw new Error(`${page} responds ${status}:\n${output.slice(-2_000)}`);
    }
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }
}

/**
 * Waits until a site is ready; null when it is not in time.
 * @param {string} url @param {number} ms @param {() => boolean} hasEnded
 * @returns {Promise<{ warnings: string[] } | null>}
 */
async function waitUntilReady(url, ms, hasEnded = () => false) {
  for (const end = Date.now() + ms; Date.now() < end && !hasEnded(); await sleep(200)) {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
    const body = response && Object(await response.json().catch(() => null));
    if (response?.ok) return { warnings: body.warnings ?? [] };
  }
  return null;
}

/**
 * The process of the site, and how long it takes until its supervisor has started it again; null: nobody does.
 * @param {Options} options
 */
function findProcess({ pid, service }) {
  if (pid !== undefined) return Number(fs.readFileSync(pid, 'utf8'));
  const shown = ask('systemctl', ['show', '--property=MainPID', '--value', service]);
  const found = Number(shown.stdout ?? 0);
  return shown.status === 0 && found > 0 ? found : null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    const file = `/proc/${pid}/status`;
    return !fs.existsSync(file) || !/^State:\s+Z/m.test(fs.readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Ends the process of the site, calls `change` while none runs, and waits until its supervisor has started it again.
 * Connections wait at the socket that the supervisor holds. Returns whether the site is ready.
 * @param {string} link @param {Options} options @param {NodeJS.ProcessEnv} settings @param {() => void} change
 */
async function changeAtRestart(link, options, settings, change) {
  const host = settings['HOST']?.trim() || '127.0.0.1';
  const url =
    options.url ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${settings['PORT']?.trim() || 4321}`;
  const pid = findProcess(options);
  if (pid === null) {
    const isRunning = () => fetch(`${url}/healthz`).catch(() => null);
    if (await isRunning()) say(`Stop the site at ${url} now, where it was started. The switch follows.`);
    while (await isRunning()) await sleep(500);
    change();
    say(`Start the site again: cd ${link} && npm start`);
    return true;
  }
  await end(pid);
  change();
  for (const limit = Date.now() + READY_MS; Date.now() < limit; await sleep(100)) {
    const started = findProcess(options);
    if (started === null || started === pid || !isAlive(started)) continue;
    const folder = `/proc/${started}/cwd`;
    if (!fs.existsSync(folder) || fs.realpathSync(folder) === fs.realpathSync(link))
      return (await waitUntilReady(url, READY_MS)) !== null;
    // The supervisor was faster than the change.
    await end(started);
  }
  return false;
}

/** @param {number} pid */
async function end(pid) {
  process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await sleep(5);
}

/**
 * Makes the folder of the installation a link to a version, by one rename but for the first time, and notes it.
 * @param {string} versions @param {State} state
 */
function switchTo(versions, state) {
  const draft = path.join(versions, 'link.part');
  fs.rmSync(draft, { force: true });
  fs.symlinkSync(state.current, draft, 'junction');
  sync();
  fs.renameSync(draft, state.link);
  const file = path.join(versions, STATE);
  fs.writeFileSync(`${file}.part`, JSON.stringify(state, null, 2));
  sync(`${file}.part`);
  fs.renameSync(`${file}.part`, file);
  sync(versions, path.dirname(state.link));
}

/**
 * Moves what the operator has in the folder of a version beside the versions.
 * @param {string} versions @param {string} version
 */
function shareOwn(versions, version) {
  for (const name of OWN) {
    const [here, shared] = [path.join(version, name), path.join(versions, name)];
    // A link of the operator, such as .env to /etc, is made again; one to the sample is made by the start.
    const isOwn = exists(here) && !(isLink(here) && fs.readlinkSync(here) === path.join('..', name));
    if (isOwn && !exists(shared)) fs.renameSync(here, shared);
    if (exists(shared) && !exists(here)) fs.symlinkSync(path.join('..', name), here, 'junction');
  }
}

/**
 * Backs up what the operator of a version has. Returns the folder.
 * @param {string} old @param {string} versions @param {ReturnType<typeof readSite>} site
 */
function backUp(old, versions, { settings, dataDir, owner, content }) {
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '');
  const backup = path.join(versions, 'backups', time);
  fs.mkdirSync(path.dirname(backup), { recursive: true });
  fs.mkdirSync(backup, { mode: 0o700 });
  give(backup, owner);
  if (owner) {
    say('1. Backup …');
    const home = { HOME: backup, npm_config_cache: path.join(backup, '.npm') };
    const env = { ...process.env, ...settings, DATA_DIR: dataDir, ...home };
    run('npm', ['run', '-s', 'backup', '--', path.join(backup, 'data')], { cwd: old, env, owner });
  }
  if (fs.existsSync(path.join(old, '.env')))
    fs.writeFileSync(path.join(backup, 'env'), fs.readFileSync(path.join(old, '.env')), { mode: 0o600 });
  fs.cpSync(content, path.join(backup, 'content'), { recursive: true, dereference: true });
  sync();
  return backup;
}

/**
 * Copies the content into the new version, and checks and changes it there: what the running one shows is left alone.
 * @param {string} next @param {string} content
 */
function stageContent(next, content) {
  const staged = path.join(next, 'site/content');
  remove(staged);
  fs.cpSync(content, staged, { recursive: true, preserveTimestamps: true, dereference: true });
}

/** @param {string} next @param {boolean} apply */
function checkContent(next, apply) {
  const staged = path.join(next, 'site/content');
  return ask(node(next), ['scripts/build/propose-content.ts', staged, ...(apply ? ['--apply'] : [])], next);
}

/**
 * Installs and builds this version beside the running one, with the content if it is the operator's, and checks it.
 * @param {string} old @param {string} content @param {boolean} isOwn @param {boolean} apply
 */
function build(old, content, isOwn, apply) {
  say('2. Installation …');
  Object.assign(process.env, { CONTENT_DIR: '', FORMER_BUILD: path.join(old, 'dist') });
  ensureDependencies();

  say('3. Content …');
  remove(path.join(ROOT, 'site'));
  if (isOwn) {
    stageContent(ROOT, content);
    const { status, stdout, stderr } = checkContent(ROOT, apply);
    const what = stdout.includes(' → ')
      ? 'Run the command again with --apply to make the changes after the arrows.'
      : 'Change it there, then run the command again.';
    if (status !== 0) throw new Error(`The new version refuses in ${content}:\n${stdout}${stderr}${what}`);
  }

  say('4. Build …');
  runPinnedSync(['scripts/build/build.ts']);
}

/** Prepares this version beside the running one, tries it, and switches to it at a restart. @param {Options} options */
async function upgradeFrom(options) {
  const next = ROOT;
  const { state, versions } = findInstallation(options.from ?? '');
  const { link } = state;
  const old = fs.realpathSync(state.current);
  if (old === next) throw new Error('This is the version that runs.');
  const site = readSite(old);
  const { settings, owner, content, isNamed, hasOwn } = site;
  say(`From ${describeVersion(old)} (${old})\nto ${describeVersion(next)} (${next})`);
  const backup = backUp(old, versions, site);
  const isOwn = isNamed || hasOwn || isSampleChanged(old);
  const states = listStates(content);
  build(old, content, isOwn, options.apply);

  say('5. A copy of the data …');
  const [trial, staged] = [path.join(backup, 'trial'), path.join(next, 'site/content')];
  if (owner) fs.cpSync(path.join(backup, 'data'), trial, { recursive: true });
  else fs.mkdirSync(trial);
  // The trial must not read a network in the site's name.
  remove(path.join(trial, 'network-secrets.json'));
  give(trial, owner);
  const shown = isOwn ? staged : path.join(next, 'content');
  await tryServing(next, settings, { dataDir: trial, content: shown, owner });
  remove(trial);

  say('6. Switch …');
  sync();
  const target = path.join(versions, path.basename(next));
  const isFirst = !isLink(link);
  const former = isFirst ? path.join(versions, `${path.basename(link)}-before`) : old;
  const switched = { link, current: target, previous: former, backup };
  const isReady = await changeAtRestart(link, options, settings, () => {
    if (isOwn && !isNamed && listStates(content) !== states) {
      // Edits since the copy was made are kept; the proposed changes are made in them.
      stageContent(next, content);
      if (options.apply) checkContent(next, true);
    }
    if (options.apply && hasOwn) replaceFolder(content, staged);
    if (hasOwn || isNamed || !isOwn) remove(path.join(next, 'site'));
    else give(path.join(next, 'site'), owner);
    if (isFirst) fs.renameSync(link, former);
    if (target !== next) fs.renameSync(next, target);
    for (const version of [former, target, former]) shareOwn(versions, version);
    switchTo(versions, switched);
  });
  if (!isReady) {
    say('The new version is not ready: back to the one before.');
    await goBack(options, switched, versions);
    throw new Error('The new version was not ready within a minute; the old one runs. Its log says why.');
  }
  say(`${link} is now ${describeVersion(target)}. The backup is in ${backup}.`);
  const changed = ask('diff', ['-rq', path.join(former, 'deploy'), path.join(target, 'deploy')]).stdout;
  if (changed) say(`Files that run a site have changed, so compare yours:\n${changed.trimEnd()}`);
  say(`What you have to do yourself is in ${link}/CHANGELOG.md. Shells that are open: cd ${link}`);
  removeOthers(versions, [former, target]);
}

/** Removes the versions that are not kept. Backups and what is the operator's stay. @param {string} versions @param {string[]} kept */
function removeOthers(versions, kept) {
  const stay = kept.map((version) => fs.realpathSync(version));
  for (const name of fs.readdirSync(versions)) {
    const folder = path.join(versions, name);
    const isVersion = !isLink(folder) && fs.existsSync(path.join(folder, 'migrations/commissions'));
    if (isVersion && !stay.includes(fs.realpathSync(folder))) remove(folder);
  }
}

/** Times and sizes of all files of a folder. @param {string} folder */
const listStates = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const stats = fs.statSync(path.join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? `${name} ${stats.size} ${stats.mtimeMs}` : name;
    })
    .join('\n');

/** Puts the files of one folder in the place of those of another. @param {string} folder @param {string} files */
function replaceFolder(folder, files) {
  fs.cpSync(files, `${folder}.part`, { recursive: true, preserveTimestamps: true });
  give(`${folder}.part`, fs.statSync(folder));
  sync();
  const before = `${folder}-before-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;
  fs.renameSync(folder, before);
  fs.renameSync(`${folder}.part`, folder);
  sync(path.dirname(folder));
  return before;
}

/**
 * Throws where systemd would end a version each minute, because that does not know the watchdog of the unit.
 * @param {string} version @param {Options} options
 */
function refuseUnwatched(version, { pid, service }) {
  const shown = ask('systemctl', ['show', '--property=WatchdogUSec', '--value', service]);
  const isWatched = pid === undefined && shown.status === 0 && /[1-9]/.test(shown.stdout);
  if (!isWatched) return;
  const program = fs.readFileSync(path.join(version, 'src/runtimes/node/start-site.ts'), 'utf8');
  if (!program.includes('startWatchdog('))
    throw new Error(
      'The version before does not know the watchdog of the unit, which would end it each minute: run ' +
        `“systemctl edit ${service}”, write WatchdogSec=0 below [Service], then run this again.`,
    );
}

/**
 * Returns to the version before. Databases that are newer than it knows get its format, with all rows of now.
 * @param {Options} options @param {State} state @param {string} versions
 */
async function goBack(options, state, versions) {
  const { current, previous } = state;
  if (previous === null || !fs.existsSync(previous)) throw new Error('There is no version before this one.');
  refuseUnwatched(previous, options);
  const { settings, dataDir, owner, content, hasOwn, isNamed } = readSite(current);
  // Versions without site/ have no upgrade either.
  const [from, to] = [knowsSite(current), knowsSite(previous)];
  const program = path.join(from ? current : previous, 'scripts/upgrade.mjs');
  const convert = () =>
    run(node(current), [program, '--older', dataDir, previous], { owner }).split('\n').filter(Boolean);
  // Tried first: what cannot be copied keeps the version that runs.
  const newer = convert();
  if (newer.length > 0)
    say(
      `${newer.join(', ')}: the version before has another format; every row that it knows is copied into it.`,
    );
  keepScripts(current, previous);
  // Versions without site/ have their content in their own folder: what was edited goes with the site.
  const target = to ? path.join(versions, 'site/content') : path.join(previous, 'content');
  const takesContent = !isNamed && from !== to && (hasOwn || to) && fs.existsSync(target);
  const isReady = await changeAtRestart(state.link, options, settings, () => {
    // Without it, nothing is started that would write to databases while they are copied.
    fs.rmSync(state.link);
    let next = state;
    try {
      for (const name of convert()) {
        const [file, older] = [path.join(dataDir, name), path.join(dataDir, OLDER, name)];
        const kept = `${older}-newer-${Date.now()}`;
        for (const end of ['.sqlite', '.sqlite-wal', '.sqlite-shm'])
          if (fs.existsSync(file + end)) fs.renameSync(file + end, kept + end);
        fs.renameSync(`${older}.sqlite`, `${file}.sqlite`);
      }
      if (newer.length > 0) sync(dataDir, path.join(dataDir, OLDER));
      if (takesContent) say(`The content that this version had is in ${replaceFolder(target, content)}.`);
      next = { ...state, current: previous, previous: current };
    } finally {
      switchTo(versions, next);
    }
  });
  if (!isReady) throw new Error(`${previous} was started and is not ready: its log says why.`);
  say(`${state.link} is now ${describeVersion(previous)}.`);
}

/**
 * Pages of a version are still in browsers when another one runs: that gets its scripts, fonts and images.
 * @param {string} current @param {string} previous
 */
function keepScripts(current, previous) {
  for (const folder of ['_astro', 'fonts', 'images']) {
    const [source, target] = [current, previous].map((root) => path.join(root, 'dist/client', folder));
    if (!source || !target || !fs.existsSync(source)) continue;
    // A build has hard links to files of the one before, at which `force: false` throws.
    const isMissing = (/** @type {string} */ from, /** @type {string} */ to) =>
      fs.statSync(from).isDirectory() || !fs.existsSync(to);
    fs.cpSync(source, target, { recursive: true, filter: isMissing });
  }
}

/**
 * Fetches a version into a folder of its own and lets it do the rest.
 * @param {string} wanted @param {Options} options
 */
async function fetchVersion(wanted, options) {
  const { state, versions } = findInstallation(ROOT);
  const repository = run('git', ['remote', 'get-url', 'origin'], { cwd: ROOT }).trim();
  const refs = run(
    'git',
    ['ls-remote', '--sort=-version:refname', '--tags', '--heads', '--refs', repository],
    { cwd: ROOT },
  );
  const names = [...refs.matchAll(/\trefs\/(?:tags|heads)\/(.+)$/gm)].map(([, found = '']) => found);
  let name = wanted;
  if (name === '') {
    if (!process.stdin.isTTY) throw new Error('Name a version: there is no terminal to ask.');
    const newest = names.find((one) => /^v?\d/.test(one)) ?? 'HEAD';
    say(`${repository} has: ${names.join(', ')}`);
    const asked = readline.createInterface({ input: process.stdin, output: process.stdout });
    name = (await asked.question(`Which version? [${newest}] `)) || newest;
    asked.close();
  }
  const draft = path.join(versions, `.fetched-${process.pid}`);
  fs.mkdirSync(versions, { recursive: true });
  try {
    run('git', ['clone', '--quiet', '--no-checkout', repository, draft]);
    const found = [`origin/${name}`, name].find(
      (one) => ask('git', ['rev-parse', '--verify', '--quiet', `${one}^{commit}`], draft).status === 0,
    );
    if (found === undefined)
      throw new Error(`There is no version ${name}; there are: ${names.slice(0, 10).join(', ')}`);
    run('git', ['checkout', '--quiet', '--detach', found], { cwd: draft });
    const { version } = readJson(path.join(draft, 'package.json'));
    const commit = run('git', ['rev-parse', '--short', 'HEAD'], { cwd: draft }).trim();
    const next = path.join(versions, `${version}-${commit}-${Date.now().toString(36)}`);
    fs.renameSync(draft, next);
    const { apply, ...rest } = { ...options, from: state.link };
    const given = Object.entries(rest).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const args = [path.join(next, 'scripts/upgrade.mjs'), ...given, ...(apply ? ['--apply'] : [])];
    const { status } = spawnSync(process.execPath, args, { cwd: next, stdio: 'inherit' });
    if (status !== 0) remove(next);
    process.exitCode = status ?? 1;
  } finally {
    remove(draft);
  }
}

try {
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--older') await makeOlder(rest[0] ?? '', rest[1] ?? '');
  else {
    const { word, options, isHelp } = parseArguments(process.argv.slice(2));
    if (isHelp) say(USAGE);
    else if (options.from !== undefined) await upgradeFrom(options);
    else if (word === 'back') {
      const { state, versions } = findInstallation(ROOT);
      await goBack(options, state, versions);
      // The version before may be too old to have the command.
      const place = knowsSite(state.previous ?? '') ? '' : ` in ${ROOT}`;
      say(`The same command${place} goes forward again: npm run upgrade -- back`);
    } else await fetchVersion(word, options);
  }
} catch (error) {
  // A fault of this program has a class of its own.
  const isFault = error instanceof TypeError || error instanceof ReferenceError;
  process.stderr.write(`${Object(error)[isFault ? 'stack' : 'message']}\n`);
  process.stderr.write('The version that ran goes on.\n');
  process.exitCode = 1;
}
