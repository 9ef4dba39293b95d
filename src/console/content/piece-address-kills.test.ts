/** @module-tag rest */
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createAddressSite, readAddresses, readContentTexts } from '../../../test/support/address-site.ts';
import { IS_FULL_LENGTH } from '../../../test/support/cases.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { ContentJournal } from '../../content-files/journal.ts';
import { DISK } from '../../stores/disk.ts';

/** Calls of the file system that are left before the process is killed. */
let life = Number.POSITIVE_INFINITY;

/** A killed process does nothing more, not even what it does after an error; a file may be half written. */
const use = <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Result) => {
  return (...parameters: Parameters): Result => {
    life -= 1;
    const [file, text] = parameters;
    if (life === 0 && typeof file === 'number' && typeof text === 'string')
      writeFileSync(file, text.slice(0, text.length / 2));
    if (life <= 0) throw new Error('killed');
    return call(...parameters);
  };
};
const dying = {
  ...DISK,
  chmodSync: use(DISK.chmodSync),
  closeSync: DISK.closeSync,
  copyFileSync: use(DISK.copyFileSync),
  fsyncSync: use(DISK.fsyncSync),
  utimesSync: use(DISK.utimesSync),
  renameSync: use(DISK.renameSync),
  rmSync: use(DISK.rmSync),
  writeFileSync: use(DISK.writeFileSync),
  mkdirSync: use(DISK.mkdirSync) as typeof DISK.mkdirSync,
  openSync: use(DISK.openSync),
};

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
  const site = await createAddressSite(
    root,
    {
      'redirects/console.csv': 'from,to\n/first,/example-product\n',
    },
    new ContentJournal(root, undefined, dying),
  );
  const before = readContentTexts(root);
  for (let calls = 1; ; calls += STEP) {
    restore(root, before);
    life = calls;
    const outcome = await site.post(PAGE, fields).catch(() => null);
    const isKilled = life <= 0;
    life = Number.POSITIVE_INFINITY;
    const journal = path.join(root, '.import/journal.json');
    // A site that looks at the folder at this moment goes on with what it shows.
    const now = readAddresses(root);
    if (now.content !== null && !existsSync(journal)) {
      expect(['/example-product', leads], `after call ${calls}`).toContain(visit(now, '/example-product'));
      expect(visit(now, '/first')).toBe(visit(now, '/example-product'));
    }
    // The next process finds a journal without a heartbeat.
    if (existsSync(journal)) utimesSync(journal, 0, 0);
    expect(new ContentJournal(root).look()).toBeNull();
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
  ['renamed', { action: 'rename', name: 'renamed-product', links: 'yes' }, NEXT],
  ['taken down', { action: 'take-down-page', lead: 'page', target: '/terms' }, '/terms'],
  ['removed', { action: 'remove', lead: 'page', target: '/terms' }, '/terms'],
])(
  'no address is lost when the process is killed between calls of the file system while a page is %s',
  async (_, fields, leads) => {
    expect(await killEverywhere(fields, leads)).toBeGreaterThan(20);
  },
);
