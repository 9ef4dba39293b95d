// @ts-check
// npm run upgrade: brings the site to another version while the present one serves. docs/deployment.md#upgrade
// Plain JavaScript without dependencies, on Node 20 or later: nothing is installed in the new version when it begins.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
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

/** Another version cannot be used; the message says why. Nothing was changed. */
class Refusal extends Error {}

/** @typedef {{ from?: string, apply: boolean, service: string, pid?: string, url?: string }} Options */
/** @typedef {{ link: string, current: string, previous: string | null, backup?: string | null }} State */

/** @param {readonly string[]} words */
function parseArguments(words) {
  /** @type {Options} */
  const options = { apply: false, service: 'signpost' };
  let word = '';
  for (let index = 0; index < words.length; index++) {
    const given = words[index] ?? '';
    const name = given.replace(/^--/, '');
    if (given === '--help' || given === '-h') {
      say(USAGE);
      process.exit(0);
    }
    if (given === '--apply') options.apply = true;
    else if (name === 'from' || name === 'service' || name === 'pid' || name === 'url')
      options[name] = words[++index] ?? '';
    else if (given.startsWith('-') || word !== '') throw new Refusal(`Unexpected "${given}".\n\n${USAGE}`);
    else word = given;
  }
  return { word, options };
}

/** @param {string} text */
const say = (text) => void process.stdout.write(`${text}\n`);

/**
 * Runs a program and returns what it printed. Throws `Refusal` with its name when it fails.
 * @param {string} program @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, owner?: fs.Stats, isShown?: boolean }} [options]
 */
function run(program, args, { cwd, env = process.env, owner, isShown = false } = {}) {
  const identity = owner && process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};
  const { status, stdout, error, signal } = spawnSync(program, args, {
    ...{ cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28, ...identity },
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
  });
  if (error) throw new Refusal(`${program} cannot be run: ${error.message}`);
  if (status !== 0)
    throw new Refusal(`${[program, ...args].join(' ')} ended with ${signal ?? `code ${status}`}`);
  return stdout ?? '';
}

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
  const state = exists(file)
    ? JSON.parse(fs.readFileSync(file, 'utf8'))
    : { link: root, current: root, previous: null };
  return { state, versions: exists(file) ? path.dirname(root) : `${root}.versions` };
}

/** @param {string} versions @param {State} state */
function writeState(versions, state) {
  const file = path.join(versions, STATE);
  fs.writeFileSync(`${file}.part`, JSON.stringify(state, null, 2));
  fs.renameSync(`${file}.part`, file);
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
    throw new Refusal(`CONTENT_DIR=${given} would be another folder in each version: write its whole path.`);
  return { settings, dataDir, content, isNamed: given !== './content', hasOwn };
}

/** Whether a version reads site/content. @param {string} root */
const knowsSite = (root) => fs.existsSync(path.join(root, 'src/content-files/site-folder.ts'));

/**
 * Whether the content of a version that has no site/ is somebody's: changed files, or commits that are nowhere else.
 * @param {string} root
 */
function isSampleChanged(root) {
  const git = (/** @type {readonly string[]} */ words) =>
    spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const status = git(['status', '--porcelain', '--', 'content']);
  const remote = git(['branch', '--remotes', '--contains', 'HEAD']);
  return status.status !== 0 || status.stdout !== '' || remote.status !== 0 || remote.stdout === '';
}

const NEWEST = /^(\d{4})_[a-z0-9_]+\.sql$/;
const DATABASES = {
  events: '',
  commissions: 'commissions',
  console: 'console',
  notifications: 'notifications',
};

/** The number of the newest migration of each database that a version knows. @param {string} root */
function readFormats(root) {
  const folders = Object.entries(DATABASES).map(([name, folder]) => {
    const full = path.join(root, 'migrations', folder);
    const numbers = fs.readdirSync(full).map((file) => Number(NEWEST.exec(file)?.[1] ?? 0));
    return /** @type {const} */ ([name, Math.max(0, ...numbers)]);
  });
  return new Map(folders);
}

/** @param {string} root */
const describeVersion = (root) => {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `${version}, data format ${[...readFormats(root).values()].reduce((sum, one) => sum + one, 0)}`;
};

/** The Node of a version. @param {string} root */
const node = (root) => path.join(root, 'node_modules/.bin/node');

/**
 * Copies a database into the format of an earlier version, row by row in the columns that both have, and compares the
 * counts. Runs as a program of its own, with the Node of a version (`--older DATABASE MIGRATIONS TARGET`).
 * @param {string} database @param {string} migrations @param {string} target
 */
async function makeOlder(database, migrations, target) {
  const { DatabaseSync } = await import('node:sqlite');
  fs.rmSync(target, { force: true });
  fs.writeFileSync(target, '', { mode: 0o600 });
  const db = new DatabaseSync(target);
  for (const file of fs
    .readdirSync(migrations)
    .filter((name) => NEWEST.test(name))
    .sort()) {
    db.exec(fs.readFileSync(path.join(migrations, file), 'utf8'));
    db.exec(`PRAGMA user_version = ${Number(file.slice(0, 4))}`);
  }
  db.prepare('ATTACH ? AS newer').run(database);
  /** @param {string} sql @returns {string[]} */
  const list = (sql) =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row['name']));
  const tables = list(
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const known = new Set(list("SELECT name FROM newer.sqlite_master WHERE type = 'table'"));
  db.exec('BEGIN');
  for (const table of tables.filter((name) => known.has(name))) {
    const others = new Set(list(`SELECT name FROM pragma_table_info('${table}', 'newer')`));
    const columns = list(`SELECT name FROM pragma_table_info('${table}', 'main')`).filter((name) =>
      others.has(name),
    );
    const names = columns.map((name) => `"${name}"`).join(', ');
    db.exec(`INSERT OR REPLACE INTO main."${table}" (${names}) SELECT ${names} FROM newer."${table}"`);
    const [one, other] = ['main', 'newer'].map((schema) =>
      Number(db.prepare(`SELECT count(*) AS count FROM ${schema}."${table}"`).get()?.['count']),
    );
    if (one !== other) throw new Refusal(`${table} would have ${one} rows instead of ${other}`);
  }
  db.exec('COMMIT');
  const [ok] = db.prepare('PRAGMA main.integrity_check').all();
  db.close();
  if (ok?.['integrity_check'] !== 'ok') throw new Refusal(`${target} is damaged`);
}

/**
 * The databases of a data folder that are newer than a version knows, by name.
 * @param {string} dataDir @param {string} root
 */
function listNewer(dataDir, root) {
  return [...readFormats(root)].flatMap(([name, known]) => {
    const file = path.join(dataDir, `${name}.sqlite`);
    if (!fs.existsSync(file)) return [];
    // user_version is in the header; one that only the log has yet is found by the version that checks the data.
    const header = Buffer.alloc(64);
    const handle = fs.openSync(file, 'r');
    fs.readSync(handle, header, 0, 64, 0);
    fs.closeSync(handle);
    return header.readUInt32BE(60) > known ? [name] : [];
  });
}

/** Settings that send to somebody: a check of a copy sends nothing. */
const SENDING = /^(?:SMTP_|MAIL_|.*WEBHOOK|NEWSLETTER_|HEARTBEAT_|GA_|LEDGER_COPY)/;

/**
 * Serves a copy of the data with a version, and asks for its pages. Throws `Refusal` with what is wrong.
 * @param {string} root @param {NodeJS.ProcessEnv} settings
 * @param {{ dataDir: string, content: string, owner: fs.Stats | undefined }} place
 */
async function tryServing(root, settings, { dataDir, content, owner }) {
  const networks = path.join(root, 'networks');
  const texts = fs.readdirSync(networks).map((file) => fs.readFileSync(path.join(networks, file), 'utf8'));
  const secrets = texts.flatMap((text) => /needs: \[([^\]]+)\]/.exec(text)?.[1]?.split(', ') ?? []);
  const blank = [...Object.keys(settings).filter((name) => SENDING.test(name)), ...secrets];
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    ...{ PATH: process.env['PATH'], ...settings, ...Object.fromEntries(blank.map((name) => [name, ''])) },
    ...{ HOST: '127.0.0.1', PORT: port, DATA_DIR: dataDir, CONTENT_DIR: content, METRICS_PORT: '0' },
    ...{ LINK_WATCH: 'off', PAGE_RATE: '0', MIN_FREE_MB: '0' },
  };
  const identity = owner && process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};
  const child = spawn(node(root), ['dist/server/main.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    const url = `http://127.0.0.1:${port}`;
    const ready = await waitUntilReady(url, READY_MS, () => child.exitCode !== null);
    if (ready === null)
      throw new Refusal(`it does not start with a copy of the data:\n${output.slice(-2_000)}`);
    const wrong = ready.warnings.filter((line) =>
      /database|ledger|outbox|schema version|cannot be used|damaged/i.test(line),
    );
    if (wrong.length > 0) throw new Refusal(`it cannot use a copy of the data:\n  ${wrong.join('\n  ')}`);
    const map = await (await fetch(`${url}/sitemap.xml`)).text();
    const pages = [...map.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, page]) => page || '/');
    for (const page of ['/', '/blog', ...pages.slice(0, 50)]) {
      const { status } = await fetch(url + page, { redirect: 'manual' });
      if (status >= 500) throw new Refusal(`${page} responds ${status}:\n${output.slice(-2_000)}`);
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
  const shown = spawnSync('systemctl', ['show', '--property=MainPID', '--value', service], {
    encoding: 'utf8',
  });
  const found = Number(shown.stdout ?? 0);
  return shown.status === 0 && found > 0 ? found : null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(
      fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
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
 * Makes the folder of the installation a link to a version: one rename, but for the first time.
 * @param {string} versions @param {State} state
 */
function switchTo(versions, { link, current }) {
  const draft = path.join(versions, 'link.part');
  fs.rmSync(draft, { force: true });
  fs.symlinkSync(current, draft, 'junction');
  fs.renameSync(draft, link);
}

/**
 * Moves what the operator has in the folder of a version beside the versions.
 * @param {string} versions @param {string} version
 */
function shareOwn(versions, version) {
  for (const name of OWN) {
    const [here, shared] = [path.join(version, name), path.join(versions, name)];
    // A link of the operator, such as .env to /etc, is made anew; one to the sample is made by the start.
    const isOwn = exists(here) && !(isLink(here) && fs.readlinkSync(here) === path.join('..', name));
    if (isOwn && !exists(shared)) fs.renameSync(here, shared);
    if (exists(shared) && !exists(here)) fs.symlinkSync(path.join('..', name), here, 'junction');
  }
}

/**
 * Installs and builds a version beside the running one, checks it, and switches to it at a restart.
 * @param {string} next @param {Options} options
 */
async function upgradeFrom(next, options) {
  const { state, versions } = findInstallation(options.from ?? '');
  const old = fs.realpathSync(state.current);
  if (old === next) throw new Refusal('This is the version that runs.');
  const { settings, dataDir, content, isNamed, hasOwn } = readSite(old);
  say(`From ${describeVersion(old)} (${old})\nto ${describeVersion(next)} (${next})`);
  fs.mkdirSync(versions, { recursive: true });
  const hasData = fs.existsSync(dataDir) && fs.readdirSync(dataDir).some((name) => name.endsWith('.sqlite'));
  const owner = hasData ? fs.statSync(dataDir) : undefined;

  const backup = path.join(
    versions,
    'backups',
    new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', ''),
  );
  fs.mkdirSync(path.dirname(backup), { recursive: true });
  fs.mkdirSync(backup, { mode: 0o700 });
  if (owner && process.getuid?.() === 0) fs.chownSync(backup, owner.uid, owner.gid);
  const data = path.join(backup, 'data');
  const env = {
    ...process.env,
    ...settings,
    DATA_DIR: dataDir,
    HOME: backup,
    npm_config_cache: path.join(backup, '.npm'),
  };
  if (hasData) {
    say('1. Backup …');
    run('npm', ['run', '-s', 'backup', '--', data], { cwd: old, env, owner });
  }
  if (fs.existsSync(path.join(old, '.env')))
    fs.writeFileSync(path.join(backup, 'env'), fs.readFileSync(path.join(old, '.env')), { mode: 0o600 });
  fs.cpSync(content, path.join(backup, 'content'), { recursive: true, dereference: true });

  say('2. Installation …');
  const outside = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const plain = { ...process.env, PATH: outside.join(path.delimiter), CONTENT_DIR: '' };
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: next,
    env: plain,
    isShown: true,
  });

  say('3. Content …');
  const isOwn = isNamed || hasOwn || isSampleChanged(old);
  // The copy is checked, built with and changed; what the running version shows is left alone until the switch.
  const staged = path.join(next, 'site/content');
  fs.rmSync(path.join(next, 'site'), { recursive: true, force: true });
  const stage = () =>
    fs.cpSync(content, staged, { recursive: true, preserveTimestamps: true, dereference: true });
  /** @param {readonly string[]} more */
  const check = (more) =>
    spawnSync(node(next), ['scripts/build/propose-content.ts', staged, ...more], {
      cwd: next,
      encoding: 'utf8',
    });
  const states = listStates(content);
  if (isOwn) {
    stage();
    const { status, stdout, stderr } = check(options.apply ? ['--apply'] : []);
    if (status !== 0)
      throw new Refusal(
        `The new version refuses in ${content}:\n${stdout}${stderr}` +
          (stdout.includes(' → ')
            ? 'Run the command again with --apply to make the changes after the arrows.'
            : 'Change it there, then run the command again.'),
      );
  }

  say('4. Build …');
  run(node(next), ['scripts/build/build.ts'], {
    ...{ cwd: next, isShown: true },
    env: {
      ...plain,
      PATH: [path.dirname(node(next)), ...outside].join(path.delimiter),
      FORMER_BUILD: path.join(old, 'dist'),
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });

  say('5. A copy of the data …');
  const trial = path.join(backup, 'trial');
  if (hasData) fs.cpSync(data, trial, { recursive: true });
  else fs.mkdirSync(trial);
  // The trial must not read a network in the site's name.
  fs.rmSync(path.join(trial, 'network-secrets.json'), { force: true });
  if (owner && process.getuid?.() === 0) run('chown', ['-R', `${owner.uid}:${owner.gid}`, trial]);
  await tryServing(next, settings, {
    dataDir: trial,
    content: isOwn ? staged : path.join(next, 'content'),
    owner,
  });
  fs.rmSync(trial, { recursive: true, force: true });

  say('6. Switch …');
  const target = path.join(versions, path.basename(next));
  const before = { ...state, backup };
  const isFirst = !isLink(state.link);
  const former = isFirst ? path.join(versions, `${path.basename(state.link)}-before`) : old;
  const isReady = await changeAtRestart(state.link, options, settings, () => {
    if (isOwn && !isNamed && listStates(content) !== states) {
      // Edits since the copy was made are kept; the proposed changes are made in them.
      fs.rmSync(staged, { recursive: true, force: true });
      stage();
      if (options.apply) check(['--apply']);
    }
    if (options.apply && hasOwn) replaceFolder(content, staged);
    if (hasOwn || isNamed || !isOwn) fs.rmSync(path.join(next, 'site'), { recursive: true, force: true });
    if (owner && fs.existsSync(path.join(next, 'site')) && process.getuid?.() === 0)
      run('chown', ['-R', `${owner.uid}:${owner.gid}`, path.join(next, 'site')]);
    if (isFirst) fs.renameSync(state.link, former);
    if (target !== next) fs.renameSync(next, target);
    shareOwn(versions, former);
    shareOwn(versions, target);
    shareOwn(versions, former);
    const switched = { link: state.link, current: target, previous: former, backup };
    switchTo(versions, switched);
    writeState(versions, switched);
  });
  if (!isReady) {
    say('The new version is not ready: back to the one before.');
    await goBack(options, { link: state.link, current: target, previous: former, backup }, versions);
    throw new Refusal('The new version was not ready within a minute; the old one runs. Its log says why.');
  }
  say(`${state.link} is now ${describeVersion(target)}. The backup is in ${before.backup}.`);
  say(
    `What you have to do yourself is in ${state.link}/CHANGELOG.md. Shells that are open: cd ${state.link}`,
  );
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
  const { uid, gid } = fs.statSync(folder);
  fs.cpSync(files, `${folder}.part`, { recursive: true, preserveTimestamps: true });
  if (process.getuid?.() === 0) run('chown', ['-R', `${uid}:${gid}`, `${folder}.part`]);
  const before = `${folder}-before-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;
  fs.renameSync(folder, before);
  fs.renameSync(`${folder}.part`, folder);
  return before;
}

/**
 * Returns to the version before. Databases that are newer than it knows get its format, with all rows of now.
 * @param {Options} options @param {State} state @param {string} versions
 */
async function goBack(options, state, versions) {
  const { current, previous } = state;
  if (previous === null || !fs.existsSync(previous))
    throw new Refusal('There is no version before this one.');
  const watchdog = spawnSync('systemctl', ['show', '--property=WatchdogUSec', '--value', options.service], {
    encoding: 'utf8',
  });
  const isWatched = options.pid === undefined && watchdog.status === 0 && /[1-9]/.test(watchdog.stdout);
  const starts = fs.readFileSync(path.join(previous, 'src/runtimes/node/start-site.ts'), 'utf8');
  if (isWatched && !starts.includes('startWatchdog('))
    throw new Refusal(
      'The version before does not know the watchdog of the unit, which would end it each minute: run ' +
        `“systemctl edit ${options.service}”, write WatchdogSec=0 below [Service], then run this again.`,
    );
  const { settings, dataDir, content, hasOwn, isNamed } = readSite(current);
  const newer = listNewer(dataDir, previous);
  const owner = fs.existsSync(dataDir) ? fs.statSync(dataDir) : undefined;
  const older = path.join(dataDir, 'older');
  /** @param {string} name */
  const convert = (name) => {
    const migrations = path.join(
      previous,
      'migrations',
      DATABASES[/** @type {keyof typeof DATABASES} */ (name)],
    );
    const args = [
      path.join(knowsSite(current) ? current : previous, 'scripts/upgrade.mjs'),
      '--older',
      path.join(dataDir, `${name}.sqlite`),
      migrations,
    ];
    run(node(current), [...args, path.join(older, `${name}.sqlite`)], { owner });
  };
  if (newer.length > 0) {
    // Tried first: what cannot be copied keeps the version that runs.
    run(node(current), ['-e', `fs.mkdirSync(${JSON.stringify(older)}, { recursive: true, mode: 0o700 })`], {
      owner,
    });
    for (const name of newer) convert(name);
    say(
      `${newer.join(', ')}: the version before has another format; every row that it knows is copied into it.`,
    );
  }
  // Pages of the present version are still in browsers: its scripts and images stay.
  for (const folder of ['_astro', 'fonts', 'images']) {
    const [source = '', target = ''] = [current, previous].map((root) =>
      path.join(root, 'dist/client', folder),
    );
    const isMissing = (/** @type {string} */ from, /** @type {string} */ to) =>
      fs.statSync(from).isDirectory() || !fs.existsSync(to);
    if (fs.existsSync(source)) fs.cpSync(source, target, { recursive: true, filter: isMissing });
  }
  // Versions without site/ have their content in their own folder: what was edited goes with the site.
  const [from, to] = [knowsSite(current), knowsSite(previous)];
  const target = to ? path.join(versions, 'site/content') : path.join(previous, 'content');
  const takesContent = !isNamed && from !== to && (hasOwn || to) && fs.existsSync(target);
  const isReady = await changeAtRestart(state.link, options, settings, () => {
    for (const name of newer) {
      convert(name);
      const file = path.join(dataDir, `${name}.sqlite`);
      for (const end of ['', '-wal', '-shm'])
        if (fs.existsSync(file + end))
          fs.renameSync(file + end, path.join(older, `${name}-newer-${Date.now()}.sqlite${end}`));
      fs.renameSync(path.join(older, `${name}.sqlite`), file);
    }
    const replaced = takesContent ? replaceFolder(target, content) : null;
    if (replaced !== null) say(`The content that this version had is in ${replaced}.`);
    const returned = { ...state, current: previous, previous: current };
    switchTo(versions, returned);
    writeState(versions, returned);
  });
  if (!isReady) throw new Refusal(`${previous} was started and is not ready: its log says why.`);
  say(`${state.link} is now ${describeVersion(previous)}.`);
}

/**
 * Fetches a version into a folder of its own and lets it do the rest.
 * @param {string} wanted @param {Options} options
 */
async function fetchVersion(wanted, options) {
  const { state, versions } = findInstallation(ROOT);
  const repository = run('git', ['remote', 'get-url', 'origin'], { cwd: ROOT }).trim();
  const refs = run('git', ['ls-remote', '--tags', '--heads', '--refs', repository], { cwd: ROOT })
    .trim()
    .split('\n');
  const names = refs.map((line) => (line.split('\t')[1] ?? '').replace(/^refs\/(?:tags|heads)\//, ''));
  let name = wanted;
  if (name === '') {
    const newest = names.filter((one) => /^v?\d/.test(one)).pop() ?? 'HEAD';
    say(`${repository} has: ${names.join(', ')}`);
    const asked = readline.createInterface({ input: process.stdin, output: process.stdout });
    name = (await asked.question(`Which version? [${newest}] `)) || newest;
    asked.close();
  }
  const draft = path.join(versions, `.fetched-${process.pid}`);
  fs.mkdirSync(versions, { recursive: true });
  try {
    run('git', ['clone', '--quiet', '--no-checkout', repository, draft]);
    const isBranch =
      spawnSync('git', ['rev-parse', '--verify', '--quiet', `origin/${name}`], { cwd: draft }).status === 0;
    run('git', ['checkout', '--quiet', '--detach', isBranch ? `origin/${name}` : name], { cwd: draft });
    const { version } = JSON.parse(fs.readFileSync(path.join(draft, 'package.json'), 'utf8'));
    const commit = run('git', ['rev-parse', '--short', 'HEAD'], { cwd: draft }).trim();
    const next = path.join(versions, `${version}-${commit}-${Date.now().toString(36)}`);
    fs.renameSync(draft, next);
    const { from: _, apply, ...rest } = options;
    const given = Object.entries(rest).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const args = [
      path.join(next, 'scripts/upgrade.mjs'),
      '--from',
      state.link,
      ...given,
      ...(apply ? ['--apply'] : []),
    ];
    const { status } = spawnSync(process.execPath, args, { cwd: next, stdio: 'inherit' });
    if (status !== 0) fs.rmSync(next, { recursive: true, force: true });
    process.exitCode = status ?? 1;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

try {
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--older') await makeOlder(rest[0] ?? '', rest[1] ?? '', rest[2] ?? '');
  else {
    const { word, options } = parseArguments(process.argv.slice(2));
    if (options.from !== undefined) await upgradeFrom(ROOT, options);
    else if (word === 'back') {
      const { state, versions } = findInstallation(ROOT);
      await goBack(options, state, versions);
    } else await fetchVersion(word, options);
  }
} catch (error) {
  const isExpected = error instanceof Refusal;
  process.stderr.write(`${isExpected ? error.message : Object(error).stack}\n`);
  process.stderr.write('The version that ran goes on.\n');
  process.exitCode = 1;
}
