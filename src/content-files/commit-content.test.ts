import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { commitContent } from './commit-content.ts';

const SAVE = { operator: 'Ada', message: 'Save content/site.yaml' };

/** A repository with a content folder whose files are committed, and what asks git about it. */
function createRepository() {
  const root = createFolder();
  const content = path.join(root, 'content');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...words], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '--quiet', '-b', 'main');
  mkdirSync(path.join(content, 'pages'), { recursive: true });
  for (const file of ['site.yaml', 'pages/help.yaml']) writeFileSync(path.join(content, file), 'name: Old\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  return { root, content, git, log: () => git('log', '--format=%an <%ae> %cn|%s', '--name-status').trim() };
}

it('commits the files of a save with the operator as author, and nothing else of the repository', async () => {
  const { root, content, git, log } = createRepository();
  writeFileSync(path.join(content, 'site.yaml'), 'name: New\n');
  writeFileSync(path.join(content, 'pages/help.yaml'), 'name: Not saved here\n');
  writeFileSync(path.join(root, 'staged.txt'), 'x');
  git('add', 'staged.txt');
  expect(await commitContent(content, ['site.yaml'], SAVE)).toBeNull();
  expect(log().split('\n').slice(0, 3)).toEqual([
    'Ada <console@localhost> Ada|Save content/site.yaml',
    '',
    'M\tcontent/site.yaml',
  ]);
  expect(git('status', '--porcelain')).toBe(' M content/pages/help.yaml\nA  staged.txt\n');
  // The repository has the text already.
  expect(await commitContent(content, ['site.yaml'], SAVE)).toBeNull();
  expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
});

it('commits new, renamed and removed files, several at once and one save after the other', async () => {
  const { content, git } = createRepository();
  writeFileSync(path.join(content, 'pages/new.yaml'), 'name: New\n');
  rmSync(path.join(content, 'pages/help.yaml'));
  const files = ['pages/help.yaml', 'pages/new.yaml', 'pages/never.yaml'];
  writeFileSync(path.join(content, 'site.yaml'), 'name: Other\n');
  expect(
    await Promise.all([commitContent(content, files, SAVE), commitContent(content, ['site.yaml'], SAVE)]),
  ).toEqual([null, null]);
  expect(git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual([
    'content/pages/new.yaml',
    'content/site.yaml',
  ]);
  expect(git('rev-list', '--count', 'HEAD').trim()).toBe('3');
});

it('makes the name of an operator an author, whatever it is, and runs nothing of it', async () => {
  const { root, content, git } = createRepository();
  const message = '-m "$(touch owned)"; --author=x';
  for (const [operator, author] of [
    ['Eve <eve@example.com>\n\u0007Mallory', 'Eve eve@example.comMallory'],
    ['--amend', '--amend'],
    ['$(touch owned)`touch owned`', '$(touch owned)`touch owned`'],
    ['<>', 'An operator'],
  ] as const) {
    writeFileSync(path.join(content, 'site.yaml'), `name: ${JSON.stringify(operator)}\n`);
    expect(await commitContent(content, ['site.yaml'], { operator, message })).toBeNull();
    expect(git('log', '-1', '--format=%an|%B').trim()).toBe(`${author}|${message}`);
  }
  expect(existsSync(path.join(root, 'owned')) || existsSync(path.join(content, 'owned'))).toBe(false);
});

it('runs no hook and no program that the repository names, and takes nothing from the environment of git', async () => {
  const { root, content, git } = createRepository();
  const program = path.join(root, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${root}/ran\nexit 1\n`);
  chmodSync(program, 0o755);
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'prepare-commit-msg', 'post-index-change'])
    writeFileSync(path.join(root, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
  for (const name of ['core.fsmonitor', 'core.editor', 'gpg.program', 'core.pager'])
    git('config', name, program);
  git('config', 'commit.gpgSign', 'true');
  git('config', 'gc.auto', '1');
  rmSync(path.join(root, 'ran'), { force: true });
  process.env['GIT_DIR'] = '/nowhere';
  writeFileSync(path.join(content, 'site.yaml'), 'name: New\n');
  expect(
    await commitContent(content, ['site.yaml'], SAVE).finally(() => delete process.env['GIT_DIR']),
  ).toBeNull();
  expect(existsSync(path.join(root, 'ran'))).toBe(false);
});

it('says why a save was not committed, and leaves the file as it was saved', async () => {
  const { root, content } = createRepository();
  const file = path.join(content, 'site.yaml');
  writeFileSync(file, 'name: New\n');
  writeFileSync(path.join(root, '.git/index.lock'), '');
  expect(await commitContent(content, ['site.yaml'], SAVE)).toMatch(
    /^git could not commit it: .*index\.lock/,
  );
  writeFileSync(path.join(root, '.gitignore'), 'content/pages/secret.yaml\n');
  rmSync(path.join(root, '.git/index.lock'));
  writeFileSync(path.join(content, 'pages/secret.yaml'), 'a: 1\n');
  expect(await commitContent(content, ['pages/secret.yaml'], SAVE)).toMatch(/ignored/);
  expect(readFileSync(file, 'utf8')).toBe('name: New\n');
  const outside = createFolder();
  expect(await commitContent(outside, ['site.yaml'], SAVE)).toMatch(/not a git repository/);
  expect(await commitContent(path.join(outside, 'gone'), ['site.yaml'], SAVE)).toMatch(/not found/);
});
