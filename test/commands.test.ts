import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { COMMANDS } from '../src/commands/main.ts';
import { createFolder } from './support/create-folder.ts';
import { openOperatorStore } from './support/node-databases.ts';
import { openEventStore } from './support/open-event-store.ts';
import { addOperator } from './support/operators.ts';
import { runCommand, startCommand } from './support/run-command.ts';
import { SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleEvent, buildSampleVisit } from './support/sample-events.ts';
import { seedLedger } from './support/seed-ledger.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));

it.each(Object.entries(scripts))('npm run %s runs files that exist', (_, command) => {
  const named = command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [];
  const files = named.filter((file) => !file.startsWith('dist/'));
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it.each(Object.keys(COMMANDS))('npm run %s prints its usage for --help', async (name) => {
  if (name !== 'demo')
    expect(scripts[name]).toMatch(new RegExp(`(?:src/commands/main\\.ts|with-v8-flags\\.mjs) ${name}$`));
  const { code, stdout, stderr } = await runCommand(name, ['--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage:\n {2}npm run/);
});

it('lists every command when a name is unknown', async () => {
  const { code, stdout, stderr } = await startCommand('evnts', []);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^There is no command "evnts"\.\n\nUsage:\n/);
  for (const name of Object.keys(COMMANDS)) expect(stderr).toContain(`npm run -s ${name} `);
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
])('npm run %s -- %j explains what is wrong and shows the usage', async (name, argv, reason) => {
  const { code, stdout, stderr } = await runCommand(name, argv);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(reason);
  expect(stderr).toContain(`\n\nUsage:\n  npm run`);
});

it.each([['articles', 'check'], ['launch-check'], ['operator', 'list'], ['preview-link', 'help']])(
  'npm run %s names an invalid setting and ends with code 1',
  async (name, ...argv) => {
    expect(await runCommand(name, argv, { PORT: 'many' })).toEqual({
      code: 1,
      stdout: '',
      stderr: '[settings] invalid settings:\n  PORT: must be a whole number from 0 to 65535\n',
    });
  },
);

it('npm run data names the article sources when ARTICLE_SOURCE is another word', async () => {
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

it.each(Object.keys(COMMANDS))('npm run %s shows what a terminal would obey', async (name) => {
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
    ['commissions', ['rank', '--by', 'campaign']],
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
