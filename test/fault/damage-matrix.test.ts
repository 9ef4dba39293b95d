/** @module-tag rest */
// Each database and each file and folder of the content, damaged in each way, while the site runs and before it starts.

import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { type Site, startSite } from '../support/site.ts';
import { createPostbackUrl } from '../support/site-ledger.ts';

/** Nothing is unreadable or of another user for root, so root runs the site as another one. */
const isRoot = process.getuid?.() === 0;
const SITE_USER = 4_321;

let site: Site;
/** Copies of the data and the content as they should be. */
let whole: { readonly data: string; readonly content: string };
/** The pages of the sitemap. */
let pages: readonly string[];

beforeAll(async () => {
  site = await startSite(isRoot ? { user: SITE_USER } : {});
  const folder = path.dirname(site.dataDir);
  whole = { data: path.join(folder, 'whole-data'), content: path.join(folder, 'whole-content') };
  await fillData(whole.data);
  cpSync(site.contentDir, whole.content, { recursive: true });
  const read = async (address: string) =>
    (await (await fetch(site.url + address)).text()).match(/(?<=<loc>)[^<]+/g) ?? [];
  const maps = (await read('/sitemap.xml')).map((url) => new URL(url).pathname);
  pages = (await Promise.all(maps.map(read))).flat().map((url) => new URL(url).pathname);
  expect(pages.length).toBeGreaterThan(40);
});

/** Writes every database of a site into a folder. */
async function fillData(folder: string): Promise<void> {
  const env = { ALERT_WEBHOOK_URL: 'http://127.0.0.1:9', WEBHOOK_KEY: 'k'.repeat(32) };
  await using filled = await startSite({ env });
  const postback = await createPostbackUrl(filled);
  expect((await fetch(`${postback}?id=1&amount=1.00&currency=USD`)).status).toBe(200);
  await openConsoleSite(filled);
  // The thread of the console creates the outbox.
  while (!existsSync(path.join(filled.dataDir, 'notifications.sqlite'))) await sleep(100);
  await filled.stop();
  cpSync(filled.dataDir, folder, { recursive: true });
}
afterAll(() => site.remove());

const own = (file: string) => {
  if (!isRoot) return;
  chownSync(file, SITE_USER, SITE_USER);
  if (statSync(file).isDirectory()) for (const name of readdirSync(file)) own(path.join(file, name));
};

/** Puts a folder back as it should be; the folder itself stays, because it is watched. */
function heal(folder: string, from: string): void {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true, force: true });
  cpSync(from, folder, { recursive: true });
  own(folder);
}

const readStatuses = async (addresses: readonly string[]) => {
  const found: string[] = [];
  for (const address of addresses) {
    const { status } = await fetch(site.url + address, { redirect: 'manual' });
    if (status !== 200) found.push(`${address} ${status}`);
  }
  return found;
};
const readLines = async (): Promise<readonly string[]> => {
  const { problems = [], warnings = [] } = await (await fetch(`${site.url}/readyz?all`)).json();
  return [...new Set<string>([...problems, ...warnings])];
};

const LOGS = ['-wal', '-shm'];
const DATABASES = ['events', 'commissions', 'console', 'notifications'] as const;
const DATABASE_DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  damaged(file) {
    for (const end of LOGS) rmSync(file + end, { force: true });
    writeFileSync(file, 'damaged'.repeat(2_000));
  },
  newer(file) {
    // The site may write at this moment.
    const db = new DatabaseSync(file, { timeout: 5_000 });
    db.exec('PRAGMA user_version = 99');
    db.close();
    for (const end of ['', ...LOGS]) if (existsSync(file + end)) own(file + end);
  },
  gone(file) {
    for (const end of ['', ...LOGS]) rmSync(file + end, { force: true });
  },
  ...(isRoot && {
    'of another user'(file: string) {
      for (const end of ['', ...LOGS].filter((one) => existsSync(file + one))) {
        chownSync(file + end, 0, 0);
        chmodSync(file + end, 0o600);
      }
    },
  }),
};
/** What says what to do. */
const REMEDY = /restore|use the newer program|Run: chown|put it back/;

const cases = DATABASES.flatMap((name) =>
  Object.keys(DATABASE_DAMAGES).flatMap((kind) =>
    (['at the start', 'while the site runs'] as const).map((when) => ({ name, kind, when })),
  ),
);
// The databases of the console are looked at once a minute while they work.
const isQuick = ({ name, when }: (typeof cases)[number]) =>
  when === 'at the start' || name === 'events' || name === 'commissions';
const chosen = IS_FULL_LENGTH ? cases : cases.filter(isQuick).filter((_, index) => index % 6 === 0);

it.each(chosen)(
  'lives with a database $name that is $kind $when, and says what to do',
  async (one) => {
    const file = path.join(site.dataDir, `${one.name}.sqlite`);
    await site.stop();
    heal(site.dataDir, whole.data);
    if (one.when === 'at the start') DATABASE_DAMAGES[one.kind]?.(file);
    await site.start({ isUnready: true });
    if (one.when !== 'at the start') {
      await fetch(`${site.url}/go/highlevel`);
      await readLines();
      DATABASE_DAMAGES[one.kind]?.(file);
    }
    expect(await readStatuses(['/', '/blog', '/help', '/go/highlevel', '/healthz'])).toEqual([]);
    await expect
      .poll(async () => (await readLines()).filter((line) => REMEDY.test(line)).length, { timeout: 90_000 })
      .toBe(1);
    expect(await readStatuses(['/', '/go/highlevel', '/healthz'])).toEqual([]);
  },
  120_000,
);

const isReadable = (file: string) => /\.(?:yaml|md|csv|svg)$/.test(file);
const CONTENT_DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  removed: (file) => rmSync(file, { recursive: true }),
  renamed: (file) => renameSync(file, file.replace(/(\.\w+)?$/, '-renamed$1')),
  damaged(file) {
    const text = statSync(file).isDirectory() ? Buffer.from('') : readFileSync(file).subarray(0, 200);
    rmSync(file, { recursive: true });
    writeFileSync(file, Buffer.concat([text, Buffer.from([0xff, 0, 0x80])]));
    own(file);
  },
  ...(isRoot && {
    unreadable: (file: string) => chmodSync(file, 0),
    'of another user'(file: string) {
      chownSync(file, 0, 0);
      chmodSync(file, statSync(file).isDirectory() ? 0o700 : 0o600);
    },
  }),
};
/** What nobody does on purpose. */
const FAULTS: ReadonlySet<string> = new Set(['damaged', 'unreadable', 'of another user']);

/** Whether an address is that of a piece in a file or folder. */
const isOf = (address: string, name: string) => {
  const slug = address === '/' ? 'home' : (address.split('/').at(-1) ?? '');
  return name.includes(slug) || (address.startsWith('/blog/') && name === 'articles') || name === 'pages';
};

it('answers with every other page, whatever becomes of the content while the site runs or before it starts', async () => {
  await site.kill();
  heal(site.dataDir, whole.data);
  heal(site.contentDir, whole.content);
  await site.start();
  const names = readdirSync(whole.content, { recursive: true, encoding: 'utf8' }).filter(
    (name) => isReadable(name) || statSync(path.join(whole.content, name)).isDirectory(),
  );
  const folders = names.filter((name) => !isReadable(name));
  const plans = fc.record({
    name: fc.oneof(fc.constantFrom(...names), fc.constantFrom(...folders)),
    kind: fc.constantFrom(...Object.keys(CONTENT_DAMAGES)),
    isStart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ name, kind, isStart }) => {
      if (isStart) await site.stop();
      CONTENT_DAMAGES[kind]?.(path.join(site.contentDir, name));
      if (isStart) await site.start({ isUnready: true });
      const plan = `${kind} ${name} ${isStart ? 'at the start' : 'while the site runs'}`;
      const named = async () => (await readLines()).some((line) => line.includes(path.basename(name)));
      if (FAULTS.has(kind) && !name.startsWith('images/'))
        await expect.poll(named, { message: plan }).toBe(true);
      const missing = (await readStatuses(pages)).filter((line) => !isOf(line.split(' ', 1)[0] ?? '', name));
      expect(missing, plan).toEqual([]);
      heal(site.contentDir, whole.content);
      const readContent = async () => (await readLines()).filter((line) => line.startsWith('content: '));
      const healed = { message: `healed: ${plan}`, interval: 250 };
      await expect.poll(readContent, healed).toEqual([]);
      await expect.poll(() => readStatuses(pages), healed).toEqual([]);
    }),
    { numRuns: IS_FULL_LENGTH ? 100 : 5, seed: IS_FULL_LENGTH ? Date.now() : 1, endOnFailure: true },
  );
});
