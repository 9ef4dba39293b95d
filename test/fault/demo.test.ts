import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ACTION_GROUPS } from '../../src/console/actions.ts';
import { buildConsoleAddress } from '../../src/console/reports/addresses.ts';
import { CONTACT_API_PATH, EVENTS_API_PATH } from '../../src/core/paths.ts';
import { CONSOLE_VIEW_PATHS } from '../support/console-view-paths.ts';
import { startSite } from '../support/site.ts';

/** The content of every file below folders; what SQLite shares between its readers is no data. */
function hashFiles(...folders: readonly string[]): Readonly<Record<string, string>> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  return Object.fromEntries(
    files
      .filter((file) => statSync(file).isFile() && !file.endsWith('-shm'))
      .sort()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

it('a demo shows everything, and neither forms nor guesses change a byte of it', {
  tags: ['rest'],
}, async () => {
  await using site = await startSite({
    runtime: 'node',
    program: ['scripts/start/signpost.mjs', 'demo', '--events', '5000'],
    env: { DEMO: '1' },
  });
  const read = (address: string, init: RequestInit = {}) =>
    fetch(site.url + address, { redirect: 'manual', ...init });
  // The commission of that number is one of the tests.
  const views = CONSOLE_VIEW_PATHS.filter((address) => !address.endsWith('/c-0'));
  for (const address of views) expect([address, (await read(address)).status]).toEqual([address, 200]);
  expect(await (await read('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
  expect((await read('/')).headers.get('x-robots-tag')).toContain('noindex');
  expect(site.output()).not.toContain('/console/setup/');
  // Each browser has a session of its own, which it keeps.
  const [one, other] = await Promise.all(['', ''].map(() => read('/console')));
  const cookies = [one, other].map((response) => response?.headers.getSetCookie()[0] ?? '');
  expect(new Set(cookies.map((cookie) => /^operator=([\w-]{20,});/.exec(cookie)?.[1])).size).toBe(2);
  const cookie = cookies[0]?.split(';')[0] ?? '';
  expect((await read('/console', { headers: { cookie } })).headers.getSetCookie()).toEqual([]);

  let before = hashFiles(site.dataDir, site.contentDir);
  // Images and icons are drawn after the start.
  await expect
    .poll(
      async () => {
        await sleep(3_000);
        const last = before;
        before = hashFiles(site.dataDir, site.contentDir);
        return JSON.stringify(last) === JSON.stringify(before);
      },
      { timeout: 120_000 },
    )
    .toBe(true);

  const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const post = (address: string, fields: Record<string, string>) =>
    read(address, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const forms = ACTION_GROUPS.flatMap(({ view, actions }) =>
    Object.entries(actions).map(([action, { fields }]) => ({
      address: buildConsoleAddress(view),
      fields: Object.fromEntries([
        ...Object.keys(fields.shape).map((name) => [name, '1']),
        ['action', action],
        ['token', 'demo'],
      ]),
    })),
  );
  const visitors = [CONTACT_API_PATH, '/assessment', '/contact', '/console/sign-in', '/console/sign-out'].map(
    (address) => ({
      address,
      fields: { name: 'A', email: 'a@example.com', message: 'Hello', token: 'demo' },
    }),
  );
  const all = [...forms, ...visitors];
  expect(all.length).toBeGreaterThan(60);
  for (let number = 0; number < 500; number++) {
    const { address, fields } = all[number % all.length] ?? { address: '/', fields: {} };
    const response = await post(address, { ...fields, number: String(number) });
    expect([address, response.status, await response.text()]).toEqual([
      address,
      403,
      expect.stringContaining('This is a demo'),
    ]);
  }
  const event = { type: 'page_view', path: '/', sessionId: 's', id: 'e' };
  const events = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
  await read(EVENTS_API_PATH, { ...events, body: JSON.stringify({ events: [event] }) });

  const guesses = [
    '/go/highlevel?page=/',
    '/api/postbacks/highlevel/TOKEN?amount=10&id=1',
    '/console/setup/TOKEN',
    '/console/share/TOKEN',
    '/console/passkeys',
    '/console/sign-in',
    '/console/settings/start?from=TOKEN',
    '/console/pages.csv',
    '/preview/TOKEN',
    '/api/journey?session=TOKEN',
  ];
  for (let number = 0; number < 200; number++) {
    const address = guesses[number % guesses.length]?.replace('TOKEN', `t${number}`.repeat(12)) ?? '/';
    const agent = number % 2 === 0 ? 'Mozilla/5.0 Chrome/140.0' : 'Googlebot/2.1';
    const response = await read(address, {
      method: ['GET', 'HEAD', 'GET', 'DELETE', 'PUT'][number % 5] ?? 'GET',
      headers: { 'user-agent': agent, 'x-forwarded-for': '203.0.113.7' },
    });
    expect([address, response.status < 500]).toEqual([address, true]);
  }
  // What waits to be stored is stored by then.
  await sleep(6_000);
  expect(hashFiles(site.dataDir, site.contentDir)).toEqual(before);
  await site.stop();
  const names = (files: Readonly<Record<string, string>>) =>
    Object.keys(files).filter((file) => !/-wal$/.test(file));
  expect(names(hashFiles(site.dataDir, site.contentDir))).toEqual(names(before));
});

it('a demo in public makes its data anew each night, and is ended by whoever started it', {
  tags: ['rest'],
}, async () => {
  // Each process that serves believes that midnight is near.
  const clock = `const before = Date.now() - (Date.now() % 864e5) + 864e5 - 2e3;
    if (process.argv[1]?.endsWith('main.mjs')) Date.now = () => before`;
  const options = `--import "data:text/javascript,${encodeURIComponent(clock)}"`;
  await using site = await startSite({
    runtime: 'node',
    program: ['scripts/start/signpost.mjs', 'demo', '--events', '500'],
    env: { DEMO: '1', NODE_OPTIONS: options },
  });
  const count = (words: string) => site.output().split(words).length - 1;
  await expect.poll(() => count('Signpost is serving'), { timeout: 180_000 }).toBeGreaterThan(1);
  expect(count('Generating sample data')).toBe(count('Signpost is serving'));
  await site.stop();
  const served = count('Signpost is serving');
  await sleep(2_000);
  expect([count('Signpost is serving'), count('Generating sample data')]).toEqual([served, served]);
});

it('a site with data of its own cannot be shown as a demo', async () => {
  await expect(startSite({ runtime: 'node', env: { DEMO: '1' } })).rejects.toThrow(
    'start the site with signpost demo',
  );
});
