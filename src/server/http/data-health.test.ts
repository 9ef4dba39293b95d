import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { createNodePlatform } from '../../runtimes/node/node-platform.ts';
import { findFolderProblems } from '../../stores/data-folder.ts';
import { NodeSqliteExecutor } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { createLog } from '../log.ts';
import { parseSettings } from '../settings.ts';

const own = process.getuid?.() ?? 0;
const titles = async (folder: string, uid = own) =>
  (await findFolderProblems(folder, uid)).map(({ key }) => key);

it('finds nothing in a folder that is missing, empty, or the own one', async () => {
  const folder = createFolder();
  expect([await titles(path.join(folder, 'missing')), await titles(folder)]).toEqual([[], []]);
  writeFileSync(path.join(folder, 'commissions.sqlite'), '');
  expect(await titles(folder)).toEqual([]);
});

it('names a database that was damaged or gone by the file that stands for it, until that is moved away', async () => {
  const folder = createFolder();
  const write = (name: string) => writeFileSync(path.join(folder, name), '');
  write('events.sqlite.quarantine-20261125T042459Z');
  write('articles-ghost.db.quarantine-20261125T042459Z-2');
  write('events.sqlite.lost-20261125T042459Z');
  write('events.sqlite.created');
  const problems = await findFolderProblems(folder, own);
  expect(problems.map(({ title }) => title)).toEqual([
    'articles-ghost.db was damaged',
    'events.sqlite was gone and is replaced by an empty one',
    'events.sqlite was damaged',
  ]);
  expect(problems[1]?.detail).toContain('restore events.sqlite from the backup');
  rmSync(path.join(folder, 'events.sqlite.lost-20261125T042459Z'));
  expect(await titles(folder)).toHaveLength(2);
});

it('names the command for files of another user, a database by its name', async () => {
  // Only root can give a file away; for others, what they have created in the folder of temporary files is one.
  const inner = createFolder();
  const folder = own === 0 ? inner : path.dirname(inner);
  if (own === 0) {
    for (const name of ['commissions.sqlite-wal', 'console.sqlite'])
      writeFileSync(path.join(folder, name), '');
    chownSync(path.join(folder, 'commissions.sqlite-wal'), 4_321, 4_321);
  }
  const problems = await findFolderProblems(folder, own);
  expect(problems.map(({ key }) => key)).toContain(
    own === 0 ? 'commissions' : `owner:${path.basename(inner)}`,
  );
  expect(problems[0]?.detail).toMatch(
    / belongs to [\w.-]+, and the data folder to root\. Run: chown -R root \//,
  );
  if (own === 0) expect(problems).toHaveLength(1);
});

it('a folder that the site may use counts as its own, whatever the number of its owner', async () => {
  expect(await titles(createFolder(), own + 1)).toEqual([]);
});

/** A site over the databases of a folder, in which each of them was created. */
async function openSite(isInline = true) {
  const folder = createFolder();
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), Date.now);
  const settings = parseSettings({ DATA_DIR: folder, MIN_FREE_MB: '0' });
  const options = { imageManifest: path.join(folder, 'images.json'), isConsoleThread: isInline };
  const platform = createNodePlatform(settings, log, { scripts: [], styles: new Set(), beside: '' }, options);
  const { openDatabase, openEvents, readDataProblems } = platform;
  let now = 0;
  const start = async () => {
    const clock = { now: Date.now, monotonic: () => now };
    const parts = { openDatabase, openEvents, readDataProblems, hasTimers: false };
    const site = await createTestSite({ log, clock, platform: parts });
    onTestFinished(() => site.close(0));
    return site;
  };
  for (const name of ['commissions', 'console', 'notifications'] as const) {
    const file = path.join(folder, `${name}.sqlite`);
    const database = new NodeSqliteExecutor({
      file,
      report: () => undefined,
      migrations: name,
      isReplaceable: false,
      isInline: true,
    });
    await database.batch([{ sql: 'SELECT 1' }]);
    await database.close();
    writeFileSync(`${file}.created`, '');
  }
  return { folder, lines, start, wait: () => (now += 61_000) };
}

const FAULTS: Readonly<Record<string, { readonly break: (file: string) => void; readonly says: RegExp }>> = {
  damaged: { break: (file) => writeFileSync(file, 'x'.repeat(8_192)), says: /restored from a backup/ },
  newer: { break: setVersion, says: /use the newer program/ },
  gone: { break: (file) => renameSync(file, `${file}.away`), says: /gone: put it back/ },
  'no file': { break: putFolder, says: /./ },
};

function putFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

function setVersion(file: string): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(99);
  const content = readFileSync(file);
  bytes.copy(content, 60);
  writeFileSync(file, content);
}

const CASES = ['commissions', 'console'].flatMap((name) =>
  Object.keys(FAULTS).map((fault) => [name, fault] as const),
);

it.each(CASES)(
  '%s that is %s is one problem with what to do, in the log once, and over when it is repaired',
  async (name, fault) => {
    const { folder, lines, start, wait } = await openSite();
    const file = path.join(folder, `${name}.sqlite`);
    const whole = readFileSync(file);
    FAULTS[fault]?.break(file);
    const site = await start();
    for (let look = 0; look < 2; look++) {
      const problems = await site.dataHealth.read();
      expect(problems.map(({ key }) => key)).toEqual([name]);
      expect(problems[0]?.detail).toMatch(FAULTS[fault]?.says ?? /never/);
      wait();
    }
    expect(lines.filter((line) => line.includes('cannot be used') && line.includes('"error"'))).toHaveLength(
      1,
    );
    rmSync(file, { recursive: true, force: true });
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    writeFileSync(file, whole);
    const count = async () => {
      wait();
      return (await site.dataHealth.read()).length;
    };
    await expect.poll(count).toBe(0);
    expect(lines.join('')).toContain('this is over');
  },
);

it('an outbox that is damaged is replaced, and named until a person has moved the old one away', async () => {
  const { folder, start, wait } = await openSite();
  writeFileSync(path.join(folder, 'notifications.sqlite'), 'x'.repeat(8_192));
  const site = await start();
  await site.dataHealth.read();
  wait();
  expect((await site.dataHealth.read()).map(({ title }) => title)).toEqual([
    'notifications.sqlite was damaged',
  ]);
});

it.each(['at the start', 'while in use'])('events that are gone %s are replaced, and named', async (when) => {
  const { folder, start, wait } = await openSite(false);
  const file = path.join(folder, 'events.sqlite');
  const first = await start();
  expect(await first.visitors.events.probe()).toBeNull();
  expect(await first.dataHealth.read()).toEqual([]);
  if (when === 'at the start') await first.close(0);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  const site = when === 'at the start' ? await start() : first;
  // The next write creates a new one.
  await expect.poll(() => site.visitors.events.remove({ session: 'x' }).catch(() => -1)).toBe(0);
  wait();
  expect((await site.dataHealth.read()).map(({ title }) => title)).toEqual([
    'events.sqlite was gone and is replaced by an empty one',
  ]);
});
