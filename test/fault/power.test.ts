/** @module-tag rest */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { prepareData, VERSION, writeBack } from '../../src/commands/data/versions.ts';
import { hashText } from '../../src/content-files/parse-yaml.ts';
import { DAY_MS } from '../../src/core/clock.ts';
import { hashCopied } from '../../src/stores/copied-data.ts';
import { isTemporary } from '../../src/stores/disk.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';
import { migrate } from '../../src/stores/sql/migrate.ts';
import { MIGRATIONS, NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { OWNER, openConsoleSite } from '../support/console-access.ts';
import { copyContent } from '../support/content-copy.ts';
import { createFolder } from '../support/create-folder.ts';
import { readEvents } from '../support/events.ts';
import { archiveEvents, createMovingSite, MOVING_TIME, openMovingEvents } from '../support/moving-site.ts';
import { createPowerDisk, findMissing, LOSSES, type PowerDisk } from '../support/power-disk.ts';
import { runCommand } from '../support/run-command.ts';
import { startSite } from '../support/site.ts';
import { createPostbackUrl, readLedgerFacts } from '../support/site-ledger.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why this machine cannot run the test, as a sentence. */
    missing?: string;
  }
}

const SETUPS = [
  { name: 'ext4', system: 'ext4', disks: 1 },
  { name: 'ext4 on two disks', system: 'ext4', disks: 2 },
  { name: 'btrfs', system: 'btrfs', disks: 1 },
  { name: 'xfs', system: 'xfs', disks: 1 },
] as const;
/** Of each setup. */
const CUTS = IS_FULL_LENGTH ? 75 : 8;
const KEY = 'a-key-of-the-copy-with-more-than-32-characters';
/** The commission of a report. */
const IMPORTED = 'csv-1';
const REPORT = `ID,Date,Commission,Status\n${IMPORTED},2026-01-02,5.00,approved\n`;

type Texts = Readonly<Record<string, string>>;
type Check = (data: string, isDone: boolean) => Promise<void>;

/** What somebody has done: from its acknowledgment on, all that is named here is on the disk. */
interface Act {
  readonly name: string;
  readonly begun: bigint;
  readonly done: bigint;
  readonly content: Texts;
  readonly events: readonly string[];
  readonly facts: readonly string[];
  readonly check: Check | null;
}

/** The files of a content folder without what a write has not finished. */
function readTexts(root: string): Texts {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files.map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
  return Object.fromEntries(
    named
      .filter((name) => !/^(?:\.import|lost\+found)\//.test(name) && !isTemporary(path.basename(name)))
      .sort()
      .map((name) => [name, hashText(readFileSync(path.join(root, name), 'latin1'))]),
  );
}

/** The places of the other folders that the commands write to, beside the data of the site. */
const beside = (data: string, name: string) => path.join(path.dirname(data), name);

async function restoreFrom(place: string): Promise<string> {
  const restored = path.join(createFolder(), 'data');
  const env = { DATA_DIR: restored, LEDGER_COPY_KEY: KEY };
  const { code, stderr } = await runCommand('restore', [place], env);
  expect([code, stderr], place).toEqual([0, '']);
  return restored;
}

const countAll = async (data: string) => {
  const { stdout } = await runCommand('events', ['count'], { DATA_DIR: data });
  return stdout;
};

/** What a page of the console says, for a failure. */
const readMain = (html: string) =>
  (html.split('<main')[1] ?? html).replace(/<style.*?<\/style>|<[^>]+>/gs, ' ').slice(0, 2_000);

/** Does each thing that writes, one after the other, and notes what it acknowledged. */
async function work(data: string, content: string): Promise<readonly Act[]> {
  const { site, cookie } = await openConsoleSite(
    await startSite({
      env: {
        DATA_DIR: data,
        CONTENT_DIR: content,
        MIN_FREE_MB: '0',
        LEDGER_COPY: beside(data, 'copy'),
        LEDGER_COPY_KEY: KEY,
        LEDGER_COPY_WAIT: 'strict',
      },
    }),
  );
  await using _ = site;
  const acts: Act[] = [];
  const [events, facts]: [string[], string[]] = [[], []];
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const read = async (address: string) => (await fetch(site.url + address, { headers })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await read('/console/settings')) ?? [];
  async function post(address: string, fields: Readonly<Record<string, string | File | readonly string[]>>) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ token, 'confirm-password': OWNER.password, ...fields }))
      for (const one of Array.isArray(value) ? value : [value]) body.append(name, one);
    const sent = { method: 'POST', headers, body, redirect: 'manual' } as const;
    const response = await fetch(site.url + address, sent);
    const text = await response.text();
    expect(response.status, `${address} ${fields['action']}: ${readMain(text)}`).toBe(303);
    const location = response.headers.get('location') ?? '';
    return location;
  }
  const at = (file: string) => `/console/content/${file}`;
  const readFile = (file: string) => readFileSync(path.join(content, file), 'utf8');
  const change = (file: string, action: string, text = readFile(file)) =>
    post(at(file), { action, opened: hashText(readFile(file)), text, 'keep-date': 'yes' });
  const act = async (name: string, run: () => unknown, check: Check | null = null) => {
    const begun = BigInt(Date.now()) * 1_000_000n;
    const state = () => JSON.stringify([readTexts(content), events, facts]);
    const before = state();
    await run();
    const done = BigInt(Date.now() + 1) * 1_000_000n;
    expect(check === null && before === state(), `${name} changed nothing`).toBe(name === 'start');
    acts.push({
      name,
      begun,
      done,
      content: readTexts(content),
      events: [...events],
      facts: [...facts],
      check,
    });
  };
  const command = async (name: string, words: readonly string[], env: Readonly<Record<string, string>>) => {
    const { code, stderr } = await runCommand(name, words, { CONTENT_DIR: content, DATA_DIR: data, ...env });
    expect([code, stderr], `${name} ${words}`).toEqual([0, '']);
  };

  const postback = await createPostbackUrl({ dataDir: data, url: site.url });
  const sendEvent = async () => {
    const id = randomUUID();
    const event = { id, name: 'page_view', session: 's1', page: '/blog', time: Date.now() };
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${site.url}/api/journey`, {
      ...sent,
      body: JSON.stringify({ events: [event] }),
    });
    expect(response.status).toBe(202);
    events.push(id);
  };
  const sendPostback = async () => {
    const id = `power-${facts.length}`;
    const asked = new URLSearchParams({ id, amount: '5.00', currency: 'USD', status: 'approved' });
    expect((await fetch(`${postback}?${asked}`)).status).toBe(200);
    facts.push(id);
  };
  await act('start', () => undefined);
  const article = 'articles/crm-basics.md';
  await act('save', () => change(article, 'save', `${readFile(article)}\nA new last line.\n`));
  await act('event', sendEvent);
  await act('postback', sendPostback);
  await act('rename', () =>
    post(at(article), {
      action: 'rename',
      name: 'crm-first',
      links: 'yes',
      opened: hashText(readFile(article)),
    }),
  );
  await act('take down', () => change('articles/automation-audit.md', 'take-down'));
  await act('publish', () => change('articles/automation-audit.md', 'publish'));
  await act('find and replace', async () => {
    const view = '/console/content/replace?find=CRM&with=crm&case=on';
    const lines = [...(await read(view)).matchAll(/name="line"[^>]* value="([^"]+)"/g)];
    expect(lines.length).toBeGreaterThan(7);
    await post(view, {
      action: 'take-changes',
      line: lines.map(([, id = '']) => id.replaceAll('&amp;', '&')),
    });
  });
  const draw = sharp({ create: { width: 900, height: 600, channels: 3, background: '#864' } });
  const drawn = new File([new Uint8Array(await draw.jpeg().toBuffer())], 'drawn.jpg');
  await act('image', () =>
    post('/console/content/images', {
      action: 'add-image',
      file: drawn,
      alt: 'A brown field',
      folder: '',
      name: '',
    }),
  );
  await act('image removed', async () => {
    const image = '/console/content/images/drawn.jpg';
    const [, version = ''] = /name="version" value="([^"]+)"/.exec(await read(image)) ?? [];
    await post(image, { action: 'remove-image', version });
  });
  await act('brand', () => change('brand.yaml', 'save', `${readFile('brand.yaml')}# Looked at.\n`));
  await act('partner', () => {
    const fields = { kind: 'partner', title: 'Bean Street', link: 'https://shop.test/p?ref=maren22' };
    return post('/console/content/new', { action: 'create', network: 'awin', ...fields });
  });
  await act('network', () => {
    const text = readFileSync('networks/rewardful.yaml', 'utf8').replaceAll('REWARDFUL_', 'OWN_');
    return post(at('networks/own.yaml'), { action: 'save', opened: '', text });
  });
  await act('report', async () => {
    const file = new File([REPORT], 'report.csv');
    const about = { partner: 'highlevel', currency: 'USD', timeZone: 'UTC' };
    const location = await post('/console/partners/import', { action: 'upload', file, ...about });
    const [, upload = ''] = /upload=([^#&]+)/.exec(location) ?? [];
    await post('/console/partners/import', { action: 'commit', upload });
    facts.push(IMPORTED);
  });
  await act('rename by a command', () =>
    command('content', ['rename', 'articles/crm-first.md', 'crm-second'], { SITE_URL: site.url }),
  );
  await act('import', async () => {
    const posts = path.join(createFolder(), '_posts');
    mkdirSync(posts);
    for (const number of [1, 2, 3, 4, 5])
      writeFileSync(
        path.join(posts, `2020-01-0${number}-post-${number}.md`),
        `---\ntitle: Post ${number}\n---\nText.\n`,
      );
    const words = ['markdown', path.dirname(posts), '--keep-sample', '--report', path.join(posts, 'report')];
    await command('import', words, {});
  });
  const saved = facts.toSorted();
  await act(
    'backup',
    () => command('backup', [beside(data, 'backup')], {}),
    async (after, isDone) => {
      if (isDone)
        expect(readLedgerFacts(await restoreFrom(beside(after, 'backup'))).ids.toSorted()).toEqual(saved);
    },
  );
  const backup = path.join(createFolder(), 'backup');
  await command('backup', [backup], { DATA_DIR: beside(data, 'moving') });
  const whole = await hashCopied(beside(data, 'moving'));
  await act(
    'restore',
    () => command('restore', [backup], { DATA_DIR: beside(data, 'restored') }),
    async (after, isDone) => {
      const restored = beside(after, 'restored');
      // A start ends a restore that was whole, and refuses a part of one.
      const refusal = await prepareData(restored, restored, () => undefined).then(() => '', String);
      if (!isDone && (refusal !== '' || !existsSync(path.join(restored, LEDGER_FILE))))
        expect((await runCommand('restore', [backup], { DATA_DIR: restored })).code).toBe(0);
      expect(await hashCopied(restored)).toEqual(whole);
    },
  );
  const counted = await countAll(beside(data, 'moving'));
  await act(
    'archive',
    () => archiveEvents(beside(data, 'moving'), MOVING_TIME + 4 * DAY_MS),
    async (after) => {
      expect(await countAll(beside(after, 'moving'))).toBe(counted);
    },
  );
  const retained = MOVING_TIME + 6 * DAY_MS;
  const prune = async (at: string) => {
    const executor = openMovingEvents(at);
    await new SqlEventStore(executor).remove({ before: retained });
    await executor.close();
  };
  await act(
    'retention',
    () => prune(beside(data, 'pruned')),
    async (after, isDone) => {
      const times = readEvents(beside(after, 'pruned')).map(({ serverTime }) => serverTime);
      expect(times.some((time) => time >= retained)).toBe(true);
      if (isDone) expect(times.filter((time) => time < retained)).toEqual([]);
    },
  );
  await act(
    'going back',
    async () => {
      const newer = beside(data, 'newer');
      writeBack(newer, { version: VERSION, from: '' });
      await prepareData(newer, newer, () => undefined);
    },
    async (after, isDone) => {
      const newer = beside(after, 'newer');
      if (!isDone) {
        writeBack(newer, { version: VERSION, from: '' });
        await prepareData(newer, newer, () => undefined);
      }
      expect(readLedgerFacts(newer)).toEqual({
        ids: readLedgerFacts(beside(after, 'moving')).ids,
        integrity: 'ok',
      });
    },
  );
  await act(
    'upgrade',
    () => upgrade(beside(data, 'older')),
    async (after) => {
      const older = beside(after, 'older');
      const read = (file: string) => {
        const db = new DatabaseSync(path.join(older, file), { readOnly: true });
        const [format, rows] = [
          db.prepare('PRAGMA user_version').get()?.['user_version'],
          db.prepare('SELECT 1 FROM exchange_rates').all().length,
        ];
        db.close();
        return { format, rows };
      };
      // What is converted has a copy of before.
      const before = { format: OLDER_FORMAT, rows: 1 };
      if (read(LEDGER_FILE).format !== OLDER_FORMAT)
        expect(read(`older/commissions-before-${VERSION}.sqlite`)).toEqual(before);
      await upgrade(older);
      expect(read(LEDGER_FILE).rows).toBe(1);
      expect(read(`older/commissions-before-${VERSION}.sqlite`)).toEqual(before);
    },
  );
  await act('event', sendEvent);
  await act('postback', sendPostback);
  return acts;
}

/** A format of the ledger that a version before has written. */
const OLDER_FORMAT = 13;

/** What the start of a newer version does with a ledger. */
async function upgrade(folder: string): Promise<void> {
  await prepareData(folder, folder, () => undefined);
  const executor = new NodeSqliteExecutor({
    file: path.join(folder, LEDGER_FILE),
    report: () => undefined,
    migrations: 'commissions',
    isReplaceable: false,
    isInline: true,
  });
  await executor.query({ sql: 'SELECT count(*) AS rows FROM exchange_rates', values: [] });
  await executor.close();
}

/** Data that the commands change, which no site serves. */
async function prepareOthers(data: string): Promise<void> {
  mkdirSync(beside(data, 'copy'));
  await createMovingSite(beside(data, 'moving'));
  for (const name of ['pruned', 'newer'])
    cpSync(beside(data, 'moving'), beside(data, name), { recursive: true });
  const db = new DatabaseSync(path.join(beside(data, 'newer'), LEDGER_FILE));
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  db.exec(`ALTER TABLE facts ADD COLUMN later TEXT; PRAGMA user_version = ${version + 1}`);
  db.close();
  mkdirSync(beside(data, 'older'));
  const older = new DatabaseSync(path.join(beside(data, 'older'), LEDGER_FILE));
  older.exec('PRAGMA journal_mode = WAL');
  migrate(older, path.join(MIGRATIONS, 'commissions'), OLDER_FORMAT);
  older.prepare("INSERT INTO exchange_rates VALUES ('2026-11-01', 'EUR', 'own', '{}', 1)").run();
  older.close();
}

it.for(SETUPS)(
  'loses nothing that it has acknowledged when the power is cut over $name',
  async (setup, test) => {
    const missing = findMissing(setup.system);
    if (missing !== null) {
      test.skip(missing);
    }
    const disks: PowerDisk[] = [];
    onTestFinished(() => {
      for (const disk of disks) disk.remove();
    });
    while (disks.length < setup.disks) disks.push(await createPowerDisk(setup.system));
    const [first, last] = [disks[0], disks.at(-1)];
    if (first === undefined || last === undefined) return;
    const [data, content] = [path.join(first.folder, 'data'), path.join(last.folder, 'content')];
    mkdirSync(data);
    copyContent(content);
    await prepareOthers(data);
    for (const disk of disks) await disk.begin();
    const acts = await work(data, content);
    for (const disk of disks) await disk.end();

    const random = createChance(1);
    const counts = { cuts: 0, events: 0, facts: 0, files: 0 };
    for (let cut = 0; cut < CUTS; cut += 1) {
      const index = 1 + Math.floor(random() * (acts.length - 1));
      const [before, chosen] = [acts[index - 1], acts[index]];
      if (before === undefined || chosen === undefined) continue;
      // Within the act, or right after its answer.
      const isDone = cut % 2 === 0;
      const time = isDone
        ? chosen.done
        : chosen.begun + BigInt(Math.floor(random() * Number(chosen.done - chosen.begun - 1n)));
      const loss = LOSSES[Math.floor(cut / 2) % LOSSES.length] ?? 'none';
      const where = `${loss} after ${isDone ? 'the end of' : 'a part of'} ${chosen.name}, cut ${cut}`;
      for (const disk of disks) disk.cut(time, loss, random);
      const acknowledged = isDone ? chosen : before;
      // Networks alone wait for the copy; a report of the console reaches it within a second.
      const copied = acknowledged.facts.filter((id) => id !== IMPORTED);
      if (copied.length > 0 && cut % 4 < 2)
        expect(readLedgerFacts(await restoreFrom(beside(data, 'copy'))).ids, where).toEqual(
          expect.arrayContaining(copied),
        );
      {
        await using site = await startSite({
          env: { DATA_DIR: data, CONTENT_DIR: content, MIN_FREE_MB: '0' },
        });
        const states = isDone ? [chosen.content] : [before.content, chosen.content];
        // An image is added, then described, and the answer names what is missing: either file is whole.
        const { 'images/drawn.jpg': drawn } = chosen.content;
        if (chosen.name === 'image' && drawn !== undefined && !isDone)
          states.push({ ...before.content, 'images/drawn.jpg': drawn });
        await expect.poll(() => states, { message: where }).toContainEqual(readTexts(content));
        expect((await fetch(`${site.url}/readyz`)).status, where).toBe(200);
        expect((await fetch(`${site.url}/blog`)).status, where).toBe(200);
        const found = () => readEvents(data).map(({ id }) => id);
        await expect
          .poll(found, { message: where })
          .toEqual(expect.arrayContaining([...acknowledged.events]));
        const ledger = readLedgerFacts(data);
        expect(ledger.ids, where).toEqual(expect.arrayContaining([...acknowledged.facts]));
        expect([ledger.integrity, new Set(ledger.ids).size], where).toEqual(['ok', ledger.ids.length]);
      }
      for (const [number, { check }] of acts.entries())
        if (check !== null && (number < index || (number === index && isDone))) await check(data, true);
        else if (check !== null && number === index) await check(data, false);
      counts.cuts += 1;
      counts.events += acknowledged.events.length;
      counts.facts += acknowledged.facts.length;
      counts.files += Object.keys(acknowledged.content).length;
      for (const disk of disks) disk.release();
    }
    console.log(`${setup.name}: ${JSON.stringify(counts)}, 0 lost`);
  },
);
