import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../scripts/commands/main.ts';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { runCommand, startCommand } from './support/run-command.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));

it.each(Object.entries(scripts))('npm run %s runs files that exist', (_, command) => {
  const named = command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [];
  const files = named.filter((file) => !file.startsWith('dist/'));
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it.each(Object.keys(COMMANDS))('npm run %s starts and prints its usage for --help', async (name) => {
  if (name !== 'demo') expect(scripts[name]).toMatch(new RegExp(`scripts/commands/main\\.ts ${name}$`));
  const { code, stdout, stderr } = await startCommand(name, ['--help']);
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
  ['bench', ['--slow'], "Unknown option '--slow'"],
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
