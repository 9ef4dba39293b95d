import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PINNED_NODE, ROOT } from '../scripts/start/pinned-node.mjs';
import { COMMANDS } from '../src/commands/main.ts';
import { nameCommand } from '../src/core/text/name-command.ts';
import { COMMISSION_FLAGS, IMPORT_FLAGS } from '../src/runtimes/node/v8-flags.mjs';
import { createPreviewCheck } from '../src/server/http/secret-token.ts';
import { LEDGER_FILE } from '../src/stores/node-databases.ts';
import { createFolder } from './support/create-folder.ts';
import { openLedgerDatabase, openOperatorStore } from './support/node-databases.ts';
import { openEventStore } from './support/open-event-store.ts';
import { addOperator } from './support/operators.ts';
import { runCommand, startCommand } from './support/run-command.ts';
import { SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleEvent, buildSampleVisit } from './support/sample-events.ts';
import { seedLedger } from './support/seed-ledger.ts';

const packageFile = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
const { scripts } = packageFile;

it.each(Object.entries(scripts))('npm run %s runs files that exist', (_, command) => {
  const named = command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [];
  const files = named.filter((file) => !file.startsWith('dist/'));
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it('has at most 14 scripts', () => expect(Object.keys(scripts).length).toBeLessThanOrEqual(14));

const SOURCES = globSync('{src,scripts}/**/*.{ts,tsx,mjs,astro}', { cwd: ROOT }).map(
  (file) => [file, readFileSync(path.join(ROOT, file), 'utf8')] as const,
);

/** `signpost.mjs` starts the others itself. */
const NAMED = { ...COMMANDS, serve: '', edge: '' };

it('every command and script that a message or a comment names exists', () => {
  const found = SOURCES.flatMap(([file, text]) => [
    ...listNames(text, /\bnameCommand\(['"`]([a-z-]+)/g, NAMED).map((name) => `${file}: ${name}`),
    ...listNames(text, /\bnpm run (?:-s )?([a-z-]+)/g, scripts).map((name) => `${file}: ${name}`),
  ]);
  expect(found.filter((line) => !line.startsWith('src/core/text/name-command'))).toEqual([]);
  expect(SOURCES.filter(([, text]) => text.includes('nameCommand(')).length).toBeGreaterThan(30);
});

/** The names that a pattern finds and a record does not have. */
const listNames = (text: string, pattern: RegExp, known: object) =>
  [...text.matchAll(pattern)].flatMap(([, name = '']) => (Object.hasOwn(known, name) ? [] : [name]));

it.each(Object.keys(COMMANDS))('signpost %s prints its usage for --help', async (name) => {
  const { code, stdout, stderr } = await runCommand(name, ['--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^Usage:\n {2}npm run -s signpost -- ${name}`));
});

it.each(['serve', 'edge'])('signpost %s --help prints its usage, and neither serves nor installs', (name) => {
  const { status, stdout } = runSignpost([name, '--help'], '');
  expect([status, stdout.split('\n', 2)]).toEqual([
    0,
    ['Usage:', expect.stringMatching(`signpost -- ${name}`)],
  ]);
});

it('signpost --version prints the version alone', () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(runSignpost(['--version'], '')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

it('lists every command when a name is unknown', { tags: ['rest'] }, async () => {
  const { code, stdout, stderr } = await startCommand('evnts', []);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^There is no command "evnts"\.\n\nUsage:\n/);
  for (const name of Object.keys(COMMANDS)) expect(stderr).toContain(`\n  ${name} `);
  expect(stderr.split('\n').length).toBeLessThan(40);
});

it.each([
  ['--help', 0, 'stdout'],
  ['', 1, 'stderr'],
] as const)(
  'signpost %s lists every command and ends with code %i',
  { tags: ['rest'] },
  async (word, code, stream) => {
    const outcome = await startCommand(word, []);
    expect(outcome).toMatchObject({
      code,
      stdout: '',
      stderr: '',
      [stream]: expect.stringMatching(/^Usage:\n/),
    });
  },
);

/** Runs the program as an installed package does: from a folder with settings of its own. */
function runSignpost(words: readonly string[], settings: string | Buffer, env: NodeJS.ProcessEnv = {}) {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, '.env'), settings);
  const { status, stdout, stderr } = spawnSync(
    PINNED_NODE,
    [path.join(ROOT, 'scripts/start/signpost.mjs'), ...words],
    { cwd, env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

it('signpost reads the settings of .env in the folder where it runs', { tags: ['rest'] }, () => {
  const stderr = '[settings] invalid settings:\n  PORT: must be a whole number from 0 to 65535\n';
  expect(runSignpost(['links', 'status'], 'PORT=many')).toEqual({ status: 1, stdout: '', stderr });
});

it('signpost page-schema reads no settings', { tags: ['rest'] }, () => {
  const unreadable = Buffer.from('PORT=1', 'utf16le');
  expect(runSignpost(['claims', '--help'], unreadable).status).toBe(1);
  expect(runSignpost(['page-schema', '--help'], unreadable).status).toBe(0);
});

it.each([
  ['commissions', COMMISSION_FLAGS],
  ['import', IMPORT_FLAGS],
  ['claims', []],
])('signpost %s starts with its flags of V8', { tags: ['rest'] }, (name, flags) => {
  const show = 'data:text/javascript,console.error(JSON.stringify(process.execArgv))';
  const { status, stderr } = runSignpost([name, '--help'], '', { NODE_OPTIONS: `--import=${show}` });
  expect([status, stderr.trim().split('\n').at(-1)]).toEqual([0, JSON.stringify(flags)]);
});

it.each<[name: string, argv: readonly string[], reason: string]>([
  ['articles', ['chek'], 'There is no command "chek".'],
  ['articles', [], 'An argument is missing.'],
  ['articles', ['check', 'crm-basics'], 'Unexpected argument "crm-basics".'],
  ['backup', ['one', 'two'], 'Unexpected argument "two".'],
  ['claims', ['--strickt'], "Unknown option '--strickt'"],
  ['demo', ['--evnts', '10'], "Unknown option '--evnts'"],
  ['demo', ['--events', 'many'], '--events must be a whole number'],
  ['operator', ['restart'], 'There is no command "restart".'],
  ['operator', ['reset'], 'A name is missing.'],
  ['operator', ['list', 'Ada'], 'Unexpected argument "Ada".'],
  ['messages', ['shred', '1'], 'There is no command "shred".'],
  ['messages', ['read'], 'The id of a message is missing.'],
  ['new', ['poem', 'Title'], 'There is no kind "poem".'],
  ['new', ['page'], 'The title is missing.'],
])('signpost %s %j explains what is wrong and shows the usage', async (name, argv, reason) => {
  const { code, stdout, stderr } = await runCommand(name, argv);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(reason);
  expect(stderr).toContain(`\n\nUsage:\n  ${nameCommand(name)}`);
});

it.each([['articles', 'check'], ['launch-check'], ['operator', 'list'], ['preview-link', 'help']])(
  'signpost %s names an invalid setting and ends with code 1',
  async (name, ...argv) => {
    expect(await runCommand(name, argv, { PORT: 'many' })).toEqual({
      code: 1,
      stdout: '',
      stderr: '[settings] invalid settings:\n  PORT: must be a whole number from 0 to 65535\n',
    });
  },
);

it('signpost preview-link prints the same address again, and another one with --renew', async () => {
  const DATA_DIR = createFolder();
  const env = { DATA_DIR, CONTENT_DIR: 'content', SITE_URL: 'https://a.example' };
  const slug = 'handover-from-sale-to-delivery';
  const missing = await runCommand('preview-link', ['missing'], env);
  expect([missing.code, missing.stdout, existsSync(path.join(DATA_DIR, LEDGER_FILE))]).toEqual([
    1,
    '',
    false,
  ]);
  await openEventStore(DATA_DIR).close();
  const run = async (...options: string[]) =>
    (await runCommand('preview-link', [slug, ...options], env)).stdout;
  const [first, second, renewed] = [await run(), await run(), await run('--renew')];
  expect(first).toMatch(/^https:\/\/a\.example\/blog\/handover-from-sale-to-delivery\?preview=[\w-]{43}\n$/);
  expect([second, renewed === first]).toEqual([first, false]);
  const isOpen = createPreviewCheck('', openLedgerDatabase(DATA_DIR, () => undefined).ledger);
  const open = (address: string) => isOpen(address.trim().slice(-43));
  expect([await open(first), await open(renewed)]).toEqual([false, true]);
});

const NEEDING: readonly (readonly [name: string, argv: string])[] = [
  ['articles', 'purge'],
  ['backup', 'FOLDER/backup'],
  ...[
    'report',
    'payments',
    'unmatched',
    'explain a',
    'assign a b',
    'dismiss a',
    'reset a',
    'imports',
    'undo a',
  ]
    .concat([
      'cost list',
      'cost assign google a b',
      'rates',
      'rates remove EUR USD',
      'sync',
      'postback-url highlevel',
    ])
    .map((argv) => ['commissions', argv] as const),
  ['data', 'export FOLDER/out.gz'],
  ...[
    'export',
    'count',
    'report --by page',
    'rebuild',
    'prune',
    'recover package.json',
    'delete --session a',
  ].map((argv) => ['events', argv] as const),
  ['export', 'site FOLDER/out'],
  ['ledger', 'check'],
  ['messages', ''],
  ...['list', 'change Ada --can none', 'reset Ada', 'remove Ada'].map((argv) => ['operator', argv] as const),
  ['preview-link', 'help'],
];

it('signpost launch-check ends with its own code whoever reads it', async () => {
  const env = { CONTENT_DIR: 'content', DATA_DIR: createFolder() };
  const words = ['src/commands/main.ts', 'launch-check'];
  const run = (isRead: boolean) =>
    new Promise((resolve) => {
      const child = spawn(PINNED_NODE, words, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } });
      child.on('close', resolve);
      if (isRead) for (const stream of [child.stdout, child.stderr]) stream.resume();
      else for (const stream of [child.stdout, child.stderr]) stream.destroy();
    });
  expect(await Promise.all([run(false), run(true)])).toEqual([1, 1]);
});

it.each(['missing', 'other'])(
  'a command that needs data refuses a folder that has none: %s',
  async (kind) => {
    const folder = createFolder();
    const DATA_DIR = path.join(folder, kind);
    if (kind === 'other') mkdirSync(path.join(DATA_DIR, 'photos'), { recursive: true });
    const env = {
      DATA_DIR,
      CONTENT_DIR: 'content',
      ARTICLE_SOURCE: 'ghost',
      GHOST_CONTENT_API_KEY: 'k'.repeat(26),
    };
    for (const [name, argv] of NEEDING) {
      const words = argv.split(' ').filter((word) => word !== '');
      const given = words.map((word) => word.replace('FOLDER', folder));
      const source =
        name === 'articles' ? { ARTICLE_SERVICE_URL: 'https://a.example' } : { ARTICLE_SOURCE: 'files' };
      const { code, stdout, stderr } = await runCommand(name, given, { ...env, ...source });
      expect([`${name} ${argv}`, code, stdout]).toEqual([`${name} ${argv}`, 1, '']);
      expect(stderr).toContain('set DATA_DIR to the folder that the site writes to');
    }
    expect(readdirSync(folder)).toEqual(kind === 'other' ? [kind] : []);
    expect(readdirSync(kind === 'other' ? DATA_DIR : folder)).toEqual(kind === 'other' ? ['photos'] : []);
  },
);

it.each([
  ['commissions', 'rates set EUR USD 1.1'],
  ['commissions', 'rates total EUR'],
  ['operator', ''],
  ['operator', 'invite Ada'],
])('signpost %s %s says first that a site begins in a folder', async (name, argv) => {
  const DATA_DIR = path.join(createFolder(), 'data');
  const words = argv.split(' ').filter((word) => word !== '');
  const { code, stderr } = await runCommand(name, words, { DATA_DIR, SITE_URL: 'https://a.example' });
  expect([code, stderr.split('\n')[0]]).toEqual([
    0,
    `There are no data in ${DATA_DIR}: set DATA_DIR to the folder that the site writes to. This command begins a site there.`,
  ]);
});

it('signpost data names the article sources when ARTICLE_SOURCE is another word', async () => {
  const { code, stderr } = await runCommand('data', ['export', '/nowhere/site.gz'], {
    ARTICLE_SOURCE: 'blog',
  });
  const reason = 'ARTICLE_SOURCE: must be one of files, remote, ghost, wordpress';
  expect([code, stderr]).toEqual([1, `[settings] invalid settings:\n  ${reason}\n`]);
});

/** Escape sequences with 7 and 8 bits, C0 and C1, delete, direction marks and overrides, line breaks of all kinds. */
const OBEYED =
  '\u001b[2J\u001b]0;title\u0007\u009b2J\u0090x\u009c\b\u007f\u202e\u2066\u200f\u061c\u0085\rx\u2028';
const FORGED = `a${OBEYED}\nFORGED`;
/** What of it a terminal must not receive; a carriage return may end a line of CSV. */
const SEEN = /(?![\t\n]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

it.each(Object.keys(COMMANDS))('signpost %s shows what a terminal would obey', async (name) => {
  for (const argv of [[`--${OBEYED}`], [OBEYED, OBEYED, OBEYED, OBEYED]]) {
    const { stdout, stderr } = await runCommand(name, argv, { DATA_DIR: createFolder() });
    expect(stdout + stderr).not.toMatch(SEEN);
    expect(stdout + stderr).toContain('\\u001b');
  }
});

it('shows stored texts without what a terminal would obey, and tables without lines of theirs', async () => {
  const DATA_DIR = createFolder();
  const env = { DATA_DIR, SITE_URL: 'https://hub.example' };
  const fields = { session: FORGED, page: FORGED, label: FORGED, campaign: { utm_source: FORGED } };
  const data = { message: FORGED, name: FORGED, topic: FORGED, email: FORGED, source: FORGED };
  const visit = buildSampleVisit(SAMPLE_CLICK).map((event) => ({
    ...event,
    campaign: { utm_source: FORGED },
  }));
  const message = buildSampleEvent({ name: 'contact_message', ...fields, data });
  await seedLedger(
    DATA_DIR,
    [...visit, buildSampleEvent(fields), message],
    [
      { nativeId: FORGED, token: FORGED },
      { nativeId: 'matched', token: SAMPLE_CLICK },
    ],
  );
  const operators = openOperatorStore(DATA_DIR, () => undefined);
  await addOperator(operators, { id: 'o', name: FORGED });
  await operators.close();
  const store = openEventStore(DATA_DIR);
  await store.close();
  const calls: readonly (readonly [name: string, words: readonly string[], hasLines?: boolean])[] = [
    ['events', ['export', '--all']],
    ['events', ['export', '--all', '--format', 'csv'], true],
    ...['page', 'campaign', 'placement', 'day'].map((by) => ['events', ['report', '--by', by]] as const),
    ['events', ['report', '--by', 'page', '--format', 'csv'], true],
    ['events', ['report', '--by', 'page', '--format', 'json']],
    ['commissions', ['report', '--by', 'campaign']],
    ['commissions', ['report', '--by', 'campaign', '--format', 'csv'], true],
    ['commissions', ['unmatched']],
    ['commissions', ['unmatched', '--format', 'json']],
    ['commissions', ['explain', FORGED]],
    ['commissions', ['explain', 'matched']],
    ['messages', ['list']],
    ['messages', ['read', message.id], true],
    ['operator', ['list']],
    ['operator', ['remove', FORGED], true],
    ['operator', ['remove', 'unknown'], true],
  ];
  let shown = 0;
  for (const [name, words, hasLines = false] of calls) {
    const { stdout, stderr } = await runCommand(name, words, env);
    const output = stdout + stderr;
    expect(output, `${name} ${words.join(' ')}`).not.toMatch(SEEN);
    if (!hasLines) expect(output).not.toMatch(/^FORGED/m);
    if (output.includes('\\u001b')) shown += 1;
  }
  expect(shown).toBeGreaterThan(calls.length / 2);
});
