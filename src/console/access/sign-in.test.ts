import { randomUUID, scrypt } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestConsole } from '../../../test/support/console-ledger.ts';
import { addOperator, SHARE_LINK } from '../../../test/support/operators.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import type { AppContext } from '../../server/http/route.ts';
import type { ConsolePage } from '../console-page.ts';
import type { ConsoleSite } from '../console-site.ts';
import { PasswordHasher } from './password.ts';
import { createSetup, SETUP_MINUTES, setUpOperator } from './setup.ts';
import { parseNext, signIn } from './sign-in.ts';

const PASSWORD = 'correct horse battery staple';

/** A sign-in with an operator, and hashes that take a hundredth of the time. */
async function createTestSignIn() {
  let hashes = 0;
  const hasher = new PasswordHasher((password, salt, length) => {
    hashes += 1;
    return new Promise((resolve, reject) => {
      scrypt(password, salt, length, { N: 1_024 }, (error, key) => (error ? reject(error) : resolve(key)));
    });
  });
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const time = { now: 1_000_000, trusted: 1_000_000 };
  const created = await createTestConsole({
    log: { info: write, warn: write, error: write },
    now: () => time.now,
    trustedTime: { read: async () => time.trusted },
  });
  const { sessions } = created;
  const { accounts: store } = created.operators;
  await addOperator(store, { id: 'o-1', name: 'Ada', passwordHash: await hasher.hash(PASSWORD) });
  const site = { ...created, hasher };
  return { site, sessions, store, time, lines, countHashes: () => hashes };
}

/** Posts the form from an address of its own, as a page of the console would. */
async function post(site: ConsoleSite, fields: Readonly<Record<string, string>>, host = 'localhost') {
  const raw = new Request(`http://${host}/console/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', host },
    body: new URLSearchParams(fields),
  });
  const env = { requestId: 'id', clientAddress: randomUUID() };
  const context = { req: { raw, method: 'POST' }, env } as unknown as AppContext;
  let page: ConsolePage | null = null;
  const render = async (rendered: ConsolePage, status = 200) => {
    page = rendered;
    return new Response('page', { status });
  };
  const response = await signIn(site, {
    context,
    parts: ['sign-in'],
    parameters: new URLSearchParams(),
    render,
  });
  return { response, page: page as ConsolePage | null };
}

const getMedian = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[times.length >> 1] ?? 0;

it('signs in with a name in any case, and starts a session that the cookie alone knows', async () => {
  const { site, sessions, store } = await createTestSignIn();
  const { response } = await post(site, { name: 'ADA', password: PASSWORD, next: '/console/pages?range=7d' });
  expect(response?.status).toBe(303);
  expect(response?.headers.get('location')).toBe('/console/pages?range=7d');
  const cookie = response?.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = await sessions.readSession(new Request('http://localhost/', { headers: { cookie } }));
  expect(session?.viewer).toEqual({ kind: 'operator', id: 'o-1', name: 'Ada', capabilities: CAPABILITIES });
  expect(JSON.stringify(await store.readSessions('o-1'))).not.toContain(cookie.split('=')[1]);
});

it('keeps share links and sessions of others while the clock is ahead and nothing confirms it', async () => {
  const { site, store, time } = await createTestSignIn();
  const fields = { name: 'Ada', password: PASSWORD };
  await post(site, fields);
  await store.writeShareLink({ ...SHARE_LINK, expiresAt: time.now + 1 });
  time.now += 500 * 86_400_000;
  await post(site, fields);
  expect(await store.readSessions('o-1')).toHaveLength(2);
  expect(await store.readShareLinks(time.trusted)).toHaveLength(1);
});

it.each(['Ada', 'Eve'])(
  'computes one hash for a wrong password and for an unknown name: %s',
  async (name) => {
    const { site, countHashes } = await createTestSignIn();
    const before = countHashes();
    const { response, page } = await post(site, { name, password: 'not the password' });
    expect(countHashes() - before).toBe(1);
    expect(response?.status).toBe(401);
    expect(page).toMatchObject({ kind: 'sign-in', error: 'The name or the password is wrong.' });
  },
);

it('takes about as long for an unknown name as for a wrong password', { tags: ['measures'] }, async () => {
  const { site } = await createTestSignIn();
  const times = { wrong: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 40; round += 1) {
    for (const kind of ['wrong', 'unknown'] as const) {
      const began = performance.now();
      const { response } = await post(site, {
        name: kind === 'wrong' ? 'Ada' : 'Eve',
        password: 'not the password',
      });
      times[kind].push(performance.now() - began);
      expect(response?.status).toBe(401);
    }
  }
  // A hash takes a hundred times what differs between the two; a missing one would halve a median at least.
  const ratio = getMedian(times.wrong) / getMedian(times.unknown);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

it('logs a failed attempt without its values', async () => {
  const { site, lines } = await createTestSignIn();
  await post(site, { name: 'Eve', password: 'a secret thing' });
  expect(lines).toEqual([['sign-in failed', { requestId: 'id' }]]);
});

it('takes no password over an unencrypted connection, and looks at none', async () => {
  const { site, countHashes } = await createTestSignIn();
  const before = countHashes();
  const { response, page } = await post(site, { name: 'Ada', password: PASSWORD }, 'site.example');
  expect(response?.status).toBe(403);
  expect(page).toMatchObject({ error: expect.stringContaining('unencrypted') });
  expect(countHashes()).toBe(before);
});

it.each(['/console', '/console/pages?range=7d&page=%2Fa'])('leads to %j after sign-in', (text) =>
  expect(parseNext(text)).toBe(text),
);

it.each([
  null,
  '',
  '/blog',
  '//evil.example/console',
  'https://evil.example/console',
  '/console/../blog',
  '/console\\@evil.example',
  '/console//evil.example',
  '/consolex',
  '/console/sign-out',
  'javascript:alert(1)',
  '/console\r\nset-cookie: x=1',
])('leads not to %j after sign-in, but to the overview', (text) => expect(parseNext(text)).toBe('/console'));

it.each([
  ['a new one', 0, 200, 'setup'],
  ['one that has expired', SETUP_MINUTES, 404, 'refused'],
])('who opens the address of the first operator learns what it is: %s', async (_, minutes, status, kind) => {
  const site = await createTestConsole({ now: () => minutes * 60_000 });
  const open = async (path: string) => {
    const pages: [string, number][] = [];
    const req = { method: 'GET', raw: new Request(`http://localhost${path}`) };
    await setUpOperator(site, {
      context: { req } as unknown as AppContext,
      parts: path.split('/').slice(2),
      parameters: new URLSearchParams(),
      render: async (page, given = 200) => {
        pages.push([page.kind, given]);
        return new Response();
      },
    });
    return pages;
  };
  const path = await createSetup(site.operators.accounts, { kind: 'first' }, 0);
  expect(await open(path)).toEqual([[kind, status]]);
  // Everybody else sees no console.
  expect(await open(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).toEqual([]);
  expect(await open('/console/setup')).toEqual([]);
});
