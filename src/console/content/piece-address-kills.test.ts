import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createAddressSite, readAddresses, readContentTexts } from '../../../test/support/address-site.ts';
import { IS_FULL_LENGTH } from '../../../test/support/cases.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { recoverImport } from '../../sources/import/write-import.ts';

/** Calls of the file system that are left before the process is killed. */
const life = vi.hoisted(() => ({ calls: Number.POSITIVE_INFINITY }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  /** A killed process does nothing more, not even what it does after an error; a file may be half written. */
  const limit =
    <Parameters extends unknown[], Result>(
      call: (...parameters: Parameters) => Result,
      halve?: (...parameters: Parameters) => unknown,
    ) =>
    (...parameters: Parameters): Result => {
      life.calls -= 1;
      if (life.calls === 0) halve?.(...parameters);
      if (life.calls <= 0) throw new Error('killed');
      return call(...parameters);
    };
  const halve = (file: unknown, text: unknown) =>
    fs.writeFileSync(file as number, String(text).slice(0, String(text).length / 2));
  const limited = {
    chmodSync: limit(fs.chmodSync),
    copyFileSync: limit(fs.copyFileSync),
    fsyncSync: limit(fs.fsyncSync),
    mkdirSync: limit(fs.mkdirSync),
    openSync: limit(fs.openSync),
    renameSync: limit(fs.renameSync),
    rmSync: limit(fs.rmSync),
    writeFileSync: limit(fs.writeFileSync, halve),
  };
  return { ...fs, ...limited, default: { ...fs, ...limited } };
});

const PAGE = 'pages/example-product.yaml';
const NEXT = '/renamed-product';

/** What a visitor of an address gets: the page, or where it leads. */
function visit({ content }: ReturnType<typeof readAddresses>, address: string): string {
  const to = content?.redirects.get(address) ?? address;
  return content?.pages.get(to)?.draft === false ? to : 'not found';
}

/** Makes the texts of a content folder what they were. */
function restore(root: string, before: Readonly<Record<string, string>>): void {
  rmSync(path.join(root, '.import'), { recursive: true, force: true });
  const now = readContentTexts(root);
  for (const file of Object.keys(now)) if (!Object.hasOwn(before, file)) rmSync(path.join(root, file));
  for (const [file, text] of Object.entries(before))
    if (now[file] !== text) writeFileSync(path.join(root, file), text);
}

/** Calls between two moments at which the process is killed. */
const STEP = IS_FULL_LENGTH ? 1 : 3;

/** Runs a change that is killed at calls of the file system; returns how many the change needs. */
async function killEverywhere(fields: Readonly<Record<string, string>>, leads: string): Promise<number> {
  const root = createFolder();
  const site = await createAddressSite(root, {
    'redirects/console.csv': 'from,to\n/first,/example-product\n',
  });
  const before = readContentTexts(root);
  for (let calls = 1; ; calls += STEP) {
    restore(root, before);
    life.calls = calls;
    const outcome = await site.post(PAGE, fields).catch(() => null);
    const isKilled = life.calls <= 0;
    life.calls = Number.POSITIVE_INFINITY;
    // A site that looks at the folder at this moment goes on with what it shows when something is wrong.
    const now = readAddresses(root);
    if (now.content !== null) {
      expect(['/example-product', leads], `after call ${calls}`).toContain(visit(now, '/example-product'));
      expect(visit(now, '/first')).toBe(visit(now, '/example-product'));
    }
    const journal = path.join(root, '.import/journal.json');
    // The next process finds the journal of one that is not running any more.
    if (existsSync(journal))
      writeFileSync(journal, readFileSync(journal, 'utf8').replace(/"pid":\d+/, `"pid":${2 ** 22 + 1}`));
    expect(recoverImport(root)).toBe(true);
    const texts = readContentTexts(root);
    const isDone = texts[PAGE] !== before[PAGE];
    if (!isDone) expect(texts, `after call ${calls}`).toEqual(before);
    else {
      const started = readAddresses(root);
      expect(started.problems, `after call ${calls}`).toEqual([]);
      expect(visit(started, '/example-product')).toBe(leads);
    }
    if (isKilled) continue;
    expect(outcome).toMatchObject({ isError: false });
    expect(isDone).toBe(true);
    return calls;
  }
}

it.each([
  ['renamed', { do: 'rename', name: 'renamed-product', links: 'yes' }, NEXT],
  ['taken down', { do: 'take-down', lead: 'page', target: '/terms' }, '/terms'],
  ['removed', { do: 'remove', lead: 'page', target: '/terms' }, '/terms'],
])(
  'no address is lost when the process is killed between calls of the file system while a page is %s',
  async (_, fields, leads) => {
    expect(await killEverywhere(fields, leads)).toBeGreaterThan(20);
  },
);
