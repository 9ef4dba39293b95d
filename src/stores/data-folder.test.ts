import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { startCommand } from '../../test/support/run-command.ts';
import {
  CommitTimes,
  describeUser,
  findFolderProblems,
  findScarceFiles,
  holdAlone,
  refuseForeignUser,
} from './data-folder.ts';

const own = process.getuid?.() ?? 0;

it('lets the owner of the data folder run commands, and everyone before there is a folder', () => {
  const folder = createFolder();
  expect(refuseForeignUser(folder, own, 'npm run -s signpost -- backup')).toBeNull();
  expect(refuseForeignUser(path.join(folder, 'missing'), own, 'npm run -s signpost -- backup')).toBeNull();
});

it('refuses everyone else, root too, with the command that may', () => {
  const folder = createFolder();
  const owner = describeUser(own);
  const refusal = refuseForeignUser(folder, own + 1, 'npm run -s signpost -- backup …');
  expect(refusal).toContain(`${folder} belongs to ${owner}`);
  expect(refusal).toMatch(/Run: sudo -u [\w.'#-]+ npm run -s signpost -- backup …$/);
});

it('names a user by name, or by number where no name can be part of a command', () => {
  const file = path.join(createFolder(), 'passwd');
  writeFileSync(
    file,
    'root:x:0:0:root:/root:/bin/sh\nbad;name:x:7:7::/:/bin/sh\nsite:x:1000:1000::/:/bin/sh\n',
  );
  expect([0, 7, 1000, 1001].map((uid) => describeUser(uid, file))).toEqual(['root', '7', 'site', '1001']);
  expect(describeUser(1000, `${file}.missing`)).toBe('1000');
});

it.each([
  ['plenty', 5_000, 1_024, []],
  ['few inodes', 999, 1_024, ['inodes']],
  ['a disk that counts none', 0, 'unlimited', []],
  ['few files to open', 5_000, 101, ['open-files']],
  ['few of both', 10, 3, ['inodes', 'open-files']],
] as const)('finds where files are scarce: %s', async (_, free, most, expected) => {
  const proc = createFolder();
  mkdirSync(path.join(proc, 'fd'));
  for (const name of ['0', '1', '2']) writeFileSync(path.join(proc, 'fd', name), '');
  writeFileSync(
    path.join(proc, 'limits'),
    `Limit Soft Hard\nMax open files            ${most}   4096   files\n`,
  );
  const disk = async () => ({ files: free === 0 ? 0 : 10_000, ffree: free });
  expect((await findScarceFiles(proc, disk, proc)).map(({ key }) => key)).toEqual(expected);
  const broken = () => Promise.reject(new Error('no disk'));
  expect(await findScarceFiles(proc, broken, path.join(proc, 'none'))).toEqual([]);
});

// Only root can make a folder of another user; who is not root is one already at root's folder.
const foreign = () => {
  if (own !== 0) return '/';
  const folder = path.join(createFolder(), 'data');
  mkdirSync(folder);
  chownSync(folder, 4_321, 4_321);
  return folder;
};

it('a command changes nothing in the data folder of another user, and still prints its usage', {
  tags: ['rest'],
}, async () => {
  const folder = foreign();
  const before = readdirSync(folder);
  const { code, stdout, stderr } = await startCommand('operator', ['invite', 'Ada'], { DATA_DIR: folder });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Run: sudo -u ');
  expect(readdirSync(folder)).toEqual(before);
  expect((await startCommand('operator', ['--help'], { DATA_DIR: folder })).code).toBe(0);
});

it.runIf(own === 0)('names a database of another user once, however many files it has', async () => {
  const folder = createFolder();
  for (const name of ['events.sqlite', 'events.sqlite-shm', 'events.sqlite-wal', 'notes.txt']) {
    writeFileSync(path.join(folder, name), '');
    chownSync(path.join(folder, name), 4_321, 4_321);
  }
  const problems = await findFolderProblems(folder, own);
  expect(problems.map(({ key, title }) => [key, title])).toEqual([
    ['events', 'events.sqlite belongs to another user'],
    ['owner:notes.txt', 'notes.txt belongs to another user'],
  ]);
});

it.each([
  ['data', ['data', 'export', 'x.gz'], /Another .*data.* runs on /],
  ['new', ['new', 'site', 'Tea'], /Another .*new.* runs on /],
  ['site', ['demo', '--fresh'], /A site runs in .*: stop it first/],
])('says that another one runs: %s', async (name, [command = '', ...words], said) => {
  const folder = createFolder();
  expect(holdAlone(folder, name)).toBe(true);
  expect(holdAlone(folder, name)).toBe(false);
  expect(holdAlone(path.join(folder, 'none'), name)).toBe(true);
  const before = readdirSync(folder);
  const { code, stderr } = await startCommand(command, words, { DATA_DIR: folder });
  expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
  expect(readdirSync(folder).filter((file) => file !== '.demo-runs')).toEqual(before);
});

it('says that the disk is slow while the longest commit of the last minute took more than a second', () => {
  let now = 0;
  const times = new CommitTimes(() => now);
  for (const ms of [900, 1_400, 20]) times.add(ms);
  expect(times.read()).toBe(1_400);
  expect(times.findProblem()).toMatchObject([{ key: 'slow-disk', detail: expect.stringContaining('1.4 s') }]);
  now = 60_000;
  times.add(20);
  expect([times.read(), times.findProblem()]).toEqual([20, []]);
});
