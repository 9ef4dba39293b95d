import fs, { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAddressSite, readAddresses, readContentTexts } from '../../../test/support/address-site.ts';
import { IS_FULL_LENGTH } from '../../../test/support/cases.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { recoverImport } from '../../content-files/journal.ts';

/** Calls of the file system that are left before the process is killed. */
let life = Number.POSITIVE_INFINITY;

/** A killed process does nothing more, not even what it does after an error; a file may be half written. */
const CALLS = [
  ...(['chmodSync', 'copyFileSync', 'fsyncSync', 'mkdirSync'] as const),
  ...(['openSync', 'renameSync', 'rmSync', 'writeFileSync'] as const),
];
const real = { ...fs };

beforeAll(() => {
  for (const name of CALLS)
    Object.assign(fs, {
      [name]: (...parameters: unknown[]) => {
        life -= 1;
        const [file, text] = parameters;
        if (life === 0 && name === 'writeFileSync')
          real.writeFileSync(Number(file), String(text).slice(0, String(text).length / 2));
        if (life <= 0) throw new Error('killed');
        return Reflect.apply(real[name], fs, parameters);
      },
    });
  syncBuiltinESMExports();
});

afterAll(() => {
  for (const name of CALLS) Object.assign(fs, { [name]: real[name] });
  syncBuiltinESMExports();
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
    life = calls;
    const outcome = await site.post(PAGE, fields).catch(() => null);
    const isKilled = life <= 0;
    life = Number.POSITIVE_INFINITY;
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
