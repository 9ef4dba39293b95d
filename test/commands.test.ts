import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

/** Commands that the documentation names. */
const DOCUMENTED = [
  'start',
  'demo',
  'test',
  'dev',
  'build',
  'serve',
  'check',
  'fix',
  'events',
  'commissions',
  'operator',
  'content',
  'articles',
  'claims',
  'messages',
  'new',
  'shots',
  'bench',
];

describe('npm run', () => {
  it.each(DOCUMENTED)('knows %s', (name) => {
    expect(Object.keys(scripts)).toContain(name);
  });

  it.each(Object.entries(scripts))('%s runs files that exist', (_, command) => {
    const named = command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [];
    const files = named.filter((file) => !file.startsWith('dist/'));
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

/** Commands that take arguments, with a wrong command line and the reason that is printed for it. */
const COMMANDS: readonly [command: string, args: readonly string[], reason: string][] = [
  ['articles', ['chek'], 'There is no command "chek".'],
  ['articles', [], 'An argument is missing.'],
  ['articles', ['check', 'crm-basics'], 'Unexpected argument "crm-basics".'],
  ['backup', ['one', 'two'], 'Unexpected argument "two".'],
  ['bench', ['--slow'], "Unknown option '--slow'"],
  ['claims', ['--strickt'], "Unknown option '--strickt'"],
  ['demo', ['--evnts', '10'], "Unknown option '--evnts'"],
  ['demo', ['--events', 'many'], '--events must be a whole number'],
  ['events', ['exprot'], 'There is no command "exprot".'],
  ['operator', ['restart'], 'There is no command "restart".'],
  ['operator', ['reset'], 'A name is missing.'],
  ['operator', ['list', 'Ada'], 'Unexpected argument "Ada".'],
  ['messages', ['shred', '1'], 'There is no command "shred".'],
  ['messages', ['read'], 'The id of a message is missing.'],
  ['new', ['poem', 'Title'], 'There is no kind "poem".'],
  ['new', ['page'], 'The title is missing.'],
  ['shots', ['compare', 'before'], 'compare requires two folders.'],
];

const run = (command: string, args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(root, `scripts/commands/${command}.ts`), ...args], {
    encoding: 'utf8',
  });

describe('the usage of a command', () => {
  it.each(COMMANDS)(
    'npm run %s -- %j explains what is wrong and shows the usage',
    (command, args, reason) => {
      const { status, stdout, stderr } = run(command, args);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain(reason);
      expect(stderr).toContain(`\n\nUsage:\n  npm run`);
      expect(stderr).not.toContain('    at ');
    },
  );

  it.each([...new Set(COMMANDS.map(([command]) => command))])(
    'npm run %s -- --help shows the usage',
    (command) => {
      const { status, stdout, stderr } = run(command, ['--help']);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage:\n {2}npm run/);
    },
  );
});

it.each([['articles', 'check'], ['launch-check'], ['operator', 'list'], ['preview-link', 'help']])(
  'npm run %s names an invalid setting and ends with code 1',
  (command, ...args) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, `scripts/commands/${command}.ts`), ...args],
      { encoding: 'utf8', env: { ...process.env, PORT: 'many' } },
    );
    expect([status, stderr]).toEqual([
      1,
      '[settings] invalid settings:\n  PORT: must be a whole number from 0 to 65535\n',
    ]);
  },
);

it('npm run data names the article sources when ARTICLE_SOURCE is another word', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'scripts/commands/data.ts'), 'export', '/nowhere/site.gz'],
    { encoding: 'utf8', env: { ...process.env, ARTICLE_SOURCE: 'blog' } },
  );
  const reason = 'ARTICLE_SOURCE: must be one of files, remote, ghost, wordpress';
  expect([status, stderr]).toEqual([1, `[settings] invalid settings:\n  ${reason}\n`]);
});
