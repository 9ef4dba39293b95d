import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { createSiteFolder } from '../commands/new.ts';
import { writeProductNames } from '../move-in/move-in.ts';
import { DISK, writePrivateFile, writeWhole } from '../stores/disk.ts';
import { writeLastBackup } from '../stores/last-backup.ts';
import { fillDataFolder } from '../stores/restore-copy.ts';
import { ImageStore } from './image-store.ts';
import { createOwnerReader } from './journal.ts';

const CALLS = [
  'openSync',
  'fsyncSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'rmSync',
  'cpSync',
] as const;

/** Lists what an act leaves to a power cut: names of files in folders, and files whose content was not synced. */
async function listUnsynced(root: string, act: () => unknown): Promise<readonly string[]> {
  const [unsynced, opened] = [new Set<string>(), new Map<number, string>()];
  const change = (file: string) => unsynced.add(path.dirname(path.resolve(file)));
  const note = (name: (typeof CALLS)[number], [one, other, options]: readonly unknown[], result: unknown) => {
    if (name === 'openSync') {
      opened.set(Number(result), path.resolve(String(one)));
      if (other !== 'r') change(String(one));
    } else if (name === 'fsyncSync') unsynced.delete(opened.get(Number(one)) ?? '');
    else if (name === 'writeFileSync' && typeof one === 'string') {
      change(one);
      if (!Object(options).flush) unsynced.add(path.resolve(one));
    } else if (name === 'renameSync') {
      unsynced.delete(path.resolve(String(one)));
      for (const file of [one, other]) change(String(file));
    } else if (name === 'linkSync') change(String(other));
    else if (name === 'cpSync') {
      change(String(other));
      for (const file of fs.readdirSync(String(other), { recursive: true, encoding: 'utf8' }))
        unsynced.add(path.resolve(String(other), file));
    } else if (name === 'rmSync') {
      for (const file of unsynced)
        if (`${file}/`.startsWith(`${path.resolve(String(one))}/`)) unsynced.delete(file);
    }
  };
  for (const name of CALLS) {
    const call = DISK[name] as (...args: unknown[]) => unknown;
    vi.spyOn(DISK, name).mockImplementation(((...args: unknown[]) => {
      const isThere = name === 'rmSync' && fs.existsSync(String(args[0]));
      const result = call(...args);
      note(name, args, result);
      // What is left of a temporary file or folder harms nobody.
      if (isThere && !/(?:\.tmp|\.part|\.partial|\/restoring)$/.test(String(args[0])))
        change(String(args[0]));
      return result;
    }) as never);
  }
  onTestFinished(() => void vi.restoreAllMocks());
  await act();
  return [...unsynced].filter((file) => file.startsWith(root)).map((file) => path.relative(root, file));
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const SITE = { name: 'Site', day: '2026-01-05' };

const ACTS: Readonly<Record<string, (root: string) => () => unknown>> = {
  'a private file': (root) => () => writePrivateFile(path.join(root, 'file'), 'text'),
  'the time of a backup': (root) => () => writeLastBackup(root, 1),
  'a list in parts': (root) => () => writeWhole(path.join(root, 'list.json'), ['a', 'b']),
  'the owner of the journal': (root) => createOwnerReader(root),
  'an image that is removed': (root) => {
    fs.mkdirSync(path.join(root, 'images'));
    fs.writeFileSync(path.join(root, 'images/free.svg'), SVG);
    const store = new ImageStore(root);
    const [image] = store.list();
    return () => expect(store.remove('free.svg', image?.version ?? '')).toEqual({ path: 'free.svg' });
  },
  'the names of imported products': (root) => () =>
    writeProductNames(root, [{ number: '1', name: 'Desk', uses: [] } as never]),
  'an empty site': (root) => () => createSiteFolder({ ...SITE, folder: path.join(root, 'content') }),
  'a new article': (root) => {
    createSiteFolder({ ...SITE, folder: path.join(root, 'content') });
    fs.mkdirSync(path.join(root, 'content/articles'), { recursive: true });
    return () => runCommand('new', ['article', 'A new article'], { CONTENT_DIR: path.join(root, 'content') });
  },
  'an exported site that is imported': (root) => {
    createSiteFolder({ ...SITE, folder: path.join(root, 'export/content') });
    const env = { CONTENT_DIR: path.join(root, 'content'), DATA_DIR: path.join(root, 'data') };
    return () => runCommand('import', ['signpost', path.join(root, 'export')], env);
  },
  'restored data': (root) => () =>
    fillDataFolder(path.join(root, 'data'), async (folder) => {
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'network-secrets.json'), '{}');
    }),
};

it.each(Object.entries(ACTS))('has %s on the disk, with its name, when it returns', async (_, prepare) => {
  const root = createFolder();
  const before = fs.readdirSync(root, { recursive: true }).length;
  const act = prepare(root);
  expect(await listUnsynced(root, act)).toEqual([]);
  expect(fs.readdirSync(root, { recursive: true }).length).toBeGreaterThan(before);
});
