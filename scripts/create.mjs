#!/usr/bin/env node
// @ts-check
// npm run create -- FOLDER: begins the folder of a site, which has content, settings and the package, and starts it. In the
// package create-signpost, the package of the site and the files of the folder are beside this file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline/promises';
import { parseArgs, parseEnv } from 'node:util';

const USAGE = `Usage:
  npm run create -- FOLDER [--name NAME] [--about SUBJECT] [--currency EUR] [--kind physical|software]
  npm run create -- FOLDER --from export.xml      moves a WordPress site in; .json is one of Ghost
  npm run create -- FOLDER --beside https://blog.example     without content, for the visits and links of that site
  npm run create -- FOLDER --from-clone CLONE     takes over a site that was a clone: content, settings and data

Creates the folder of a site, installs the package into it and starts it; --no-start leaves it stopped. What is not given is
asked for. The site in CLONE has to be stopped, and is left as it is.`;
const MIN_NODE = 24;
const HERE = import.meta.dirname;
const { version } = JSON.parse(fs.readFileSync(path.join(HERE, '../package.json'), 'utf8'));
/** A power cut leaves an installation that npm has just ended without files, or with empty ones, which would say nothing. */
const WHOLE = `require('fs').statSync('node_modules/.bin/signpost',{throwIfNoEntry:false})?.size||(console.error('The installation was interrupted: npm ci repairs it.'),process.exit(1))`;
/** npm prints the text of what it runs. */
const CHECK = 'node -e "eval(process.env.npm_package_config_check)"';
const PACKAGE = `signpost-${version}.tgz`;
const [RELEASE, FILES] = ['../release', '../deploy/site'].map((name) => path.join(HERE, name));

/** @typedef {{ name?: string, about?: string, currency?: string, kind?: string }} Named */

/** What a person has to say of a new site. @type {readonly (readonly [keyof Named, string, string, RegExp])[]} */
const QUESTIONS = [
  ['name', 'Name of the site', '', /./],
  ['about', 'What it is about, on one line', 'What we have tried, and what we would buy again', /./],
  ['currency', 'Currency of prices, such as EUR', 'USD', /^[A-Z]{3}$/i],
  ['kind', 'Kind of products, physical or software', 'physical', /^(?:physical|software)$/],
];

const say = (/** @type {string} */ text) => console.log(text);

/** @param {Named} given @returns {Promise<Named>} */
async function ask(given) {
  const asked =
    process.stdin.isTTY && readline.createInterface({ input: process.stdin, output: process.stdout });
  const answers = { ...given };
  for (const [key, question, usual, pattern] of QUESTIONS) {
    const read = async () => (asked ? asked.question(`${question}${usual && ` [${usual}]`}: `) : '');
    let answer = (given[key] ?? (await read())).trim() || usual;
    while (asked && !pattern.test(answer)) answer = (await read()).trim() || usual;
    answers[key] = key === 'currency' ? answer.toUpperCase() : answer;
  }
  if (asked) asked.close();
  if (!answers.name) throw new Error(`The name of the site is missing.\n\n${USAGE}`);
  if (!/^[A-Z]{3}$/.test(answers.currency ?? ''))
    throw new Error(`The currency is a code such as EUR, not "${answers.currency}".`);
  return answers;
}

/** @param {string} program @param {readonly string[]} args @param {string} cwd */
function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${path.basename(program)} ${args[0]} ended with code ${status}.`);
}

/** Waits until what was written is on the disk, where the system has such a command. @param {string} folder */
const sync = (folder) => spawnSync('sync', ['-f', folder]);

/** Runs a command of the installed package. @param {string} folder @param {readonly string[]} words */
const signpost = (folder, ...words) =>
  run(process.execPath, ['node_modules/signpost/scripts/start/signpost.mjs', ...words], folder);

/** Writes everything but the content. @param {string} folder @param {string} name @param {string} final Its later path. */
function writeFolder(folder, name, final) {
  fs.mkdirSync(folder, { recursive: true });
  const manifest = {
    name:
      path
        .basename(final)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '') || 'site',
    private: true,
    description: name,
    type: 'module',
    scripts: { prestart: CHECK, start: 'signpost serve', demo: 'signpost demo', back: 'signpost back' },
    config: { check: WHOLE },
    dependencies: { signpost: `file:${PACKAGE}` },
  };
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.copyFileSync(path.join(RELEASE, PACKAGE), path.join(folder, PACKAGE));
  const port = process.env['PORT'] || '4321';
  for (const file of fs.readdirSync(FILES)) {
    const text = fs
      .readFileSync(path.join(FILES, file), 'utf8')
      .replaceAll(/(?<=^PORT=|localhost:)4321/gm, () => port);
    // npm would take the names with a dot out of a package.
    const target = path.join(folder, file.replace(/^dot-/, '.'));
    fs.writeFileSync(
      target,
      text.replaceAll('{{name}}', () => name).replaceAll('{{folder}}', () => final),
    );
  }
  fs.chmodSync(path.join(folder, '.env'), 0o600);
}

/**
 * Copies a site that was a clone. Databases are copied as one state each.
 * @param {string} clone @param {string} folder
 */
async function takeOver(clone, folder) {
  const file = path.join(clone, '.env');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const settings = parseEnv(text);
  const given = settings['CONTENT_DIR'] || './content';
  const own = path.join(clone, 'site/content');
  const content = given === './content' && fs.existsSync(own) ? own : path.resolve(clone, given);
  if (!fs.existsSync(path.join(content, 'site.yaml'))) throw new Error(`There is no site in ${content}.`);
  const address = `http://${settings['HOST'] || 'localhost'}:${settings['PORT'] || 4321}`;
  if (await fetch(`${address}/healthz`).catch(() => null))
    throw new Error(
      `Something serves at ${address}: stop the site in ${clone} first, so that nothing it stores is left.`,
    );
  fs.cpSync(content, path.join(folder, 'content'), {
    recursive: true,
    dereference: true,
    preserveTimestamps: true,
  });
  const kept = text.replaceAll(/^\s*(?:DATA_DIR|CONTENT_DIR)\s*=.*\n?/gm, '');
  if (text) fs.writeFileSync(path.join(folder, '.env'), kept, { mode: 0o600 });
  await copyData(path.resolve(clone, settings['DATA_DIR'] || './data'), path.join(folder, 'data'));
}

/** @param {string} from @param {string} to */
async function copyData(from, to) {
  if (!fs.existsSync(from)) return;
  const { backup, DatabaseSync } = await import('node:sqlite');
  const isDatabase = (/** @type {string} */ name) => /\.(?:sqlite|db)(?:-wal|-shm)?$/.test(name);
  fs.cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (name) => !isDatabase(name) && !['demo', 'sample'].includes(path.relative(from, name)),
  });
  fs.chmodSync(to, 0o700);
  for (const name of fs.readdirSync(from).filter((one) => /\.(?:sqlite|db)$/.test(one))) {
    const db = new DatabaseSync(path.join(from, name), { readOnly: true, timeout: 10_000 });
    fs.writeFileSync(path.join(to, name), '', { mode: 0o600 });
    await backup(db, path.join(to, name));
    db.close();
  }
}

async function main() {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: text,
      about: text,
      currency: text,
      kind: text,
      from: text,
      'from-clone': text,
      beside: text,
      'no-start': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return say(USAGE);
  if (Number.parseInt(process.versions.node, 10) < MIN_NODE)
    throw new Error(`Signpost needs Node ${MIN_NODE} or later, and this is ${process.versions.node}.`);
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new Error(USAGE);
  // npm runs this in its own folder, and the person was in another.
  const from = (/** @type {string} */ name) => path.resolve(process.env['INIT_CWD'] ?? '.', name);
  const folder = from(given);
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty; nothing was changed.`);
  const clone = values['from-clone'];
  if (values.beside !== undefined) {
    const { host = '' } = URL.parse(values.beside) ?? {};
    if (!host)
      throw new Error(
        `--beside is the address of a site, such as https://blog.example, not "${values.beside}".`,
      );
    values.name ??= `Beside ${host}`;
    values.about ??= `What ${host} earns`;
    values.currency ??= 'USD';
    values.kind ??= 'physical';
  }
  const {
    name = '',
    about = '',
    currency = '',
    kind = '',
  } = clone === undefined ? await ask(values) : { name: path.basename(folder) };
  // The folder has its name when it is whole: what fails leaves nothing that looks like a site.
  const draft = `${folder}.part`;
  fs.rmSync(draft, { recursive: true, force: true });
  writeFolder(draft, name, folder);
  // Before the installation: a site that still runs is a reason to end.
  if (clone !== undefined) await takeOver(from(clone), draft);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], draft);
  if (clone === undefined) {
    const beside = values.beside === undefined ? [] : ['--beside', values.beside];
    const given = ['--about', about, '--currency', currency, '--kind', kind, ...beside];
    signpost(draft, 'new', 'site', name, ...given);
  }
  if (values.from !== undefined) {
    const system = /\.json$/i.test(values.from) ? 'ghost' : 'wordpress';
    signpost(draft, 'import', system, from(values.from));
  }
  if (fs.existsSync(folder)) fs.rmdirSync(folder);
  sync(draft);
  fs.renameSync(draft, folder);
  sync(folder);
  say(`The site is in ${folder}. Its README.md says what is where; in that folder, npm start starts it.`);
  if (values['no-start']) return;
  say('It starts now. Ctrl+C ends it.');
  signpost(folder, 'serve');
}

try {
  await main();
} catch (error) {
  console.error(Object(error).message);
  process.exitCode = 1;
}
