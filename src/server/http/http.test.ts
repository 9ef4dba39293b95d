import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { createMemoryConsole, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { createNoArticles, createTestSite } from '../../../test/support/test-site.ts';
import { pageSchema } from '../../core/pages/page.schema.ts';
import { readArticle } from '../articles/read-article.ts';
import { findPage } from '../pages/pages.ts';
import type { Platform } from '../platform.ts';
import { createReadyHandler } from './health.ts';
import { type AppEnv, cleanQuery, createRequestId, splitTarget, trimSlashes } from './route.ts';
import {
  createPreviewCheck,
  createSecretToken,
  createTokenCheck,
  hashSecretToken,
  makePreviewToken,
} from './secret-token.ts';

it.each([
  ['s3cret', 's3cret', true],
  ['s3cret', 's3cre', false],
  ['s3cret', 'S3cret', false],
  ['s3cret', '', false],
  ['', '', false],
  ['', 'x', false],
])('secret %j, given %j: %s', (secret, given, right) => expect(createTokenCheck(secret)(given)).toBe(right));

it('opens previews with the secret that was made, until there is another one, and with a former setting', async () => {
  const ledger = createMemoryLedger();
  const [isOpen, isOpenToBoth] = ['', 'old'].map((former) => createPreviewCheck(former, ledger));
  const read = (token: string) => Promise.all([isOpen?.(token), isOpenToBoth?.(token)]);
  expect(await read('')).toEqual([false, false]);
  expect(await read(createSecretToken())).toEqual([false, false]);
  const token = await makePreviewToken(ledger, false);
  expect(await makePreviewToken(ledger, false)).toBe(token);
  expect(await read(token)).toEqual([true, true]);
  expect(await read(createSecretToken())).toEqual([false, false]);
  expect(await read('old')).toEqual([false, true]);
  expect(await read(await makePreviewToken(ledger, true))).toEqual([true, true]);
  expect(await read(token)).toEqual([false, false]);
});

it('shows a draft, and an article that is not public, with the secret alone', async () => {
  const fields = { title: 'A page', description: 'D'.repeat(120), cta: { source: 'page' }, draft: true };
  const page = pageSchema.parse({ ...fields, sections: [{ type: 'prose', body: 'Text.' }] });
  const content = { pages: new Map([['/draft', page]]) };
  const article = buildTestArticle('draft', 1);
  const preview = async () => article;
  const site = await createTestSite({ content, articles: { ...createNoArticles(), preview } });
  const token = await makePreviewToken(site.money.ledger, false);
  for (const [given, isShown] of [
    [token, true],
    [createSecretToken(), false],
    [null, false],
  ] as const) {
    const query = new URLSearchParams(given === null ? {} : { preview: given });
    expect((await findPage(site, '/draft', query)) !== null).toBe(isShown);
    expect((await readArticle(site, 'draft', given)).kind).toBe(isShown ? 'found' : 'absent');
  }
});

it('opens no preview while the ledger cannot be read', async () => {
  const ledger = createMemoryLedger();
  const token = await makePreviewToken(ledger, false);
  vi.spyOn(ledger, 'readState').mockRejectedValue(new Error('locked'));
  expect(await createPreviewCheck('', ledger)(token)).toBe(false);
});

it.each([
  ['/a?b=c', ['/a', 'b=c']],
  ['/a', ['/a', '']],
  ['/a?b?c#d', ['/a', 'b?c']],
  ['/a#b?c', ['/a', '']],
  ['?q', ['', 'q']],
])('splitTarget splits %s into %j', (target, parts) => expect(splitTarget(target)).toEqual(parts));

it.each([
  ['/blog/', '/blog'],
  ['/blog///', '/blog'],
  ['/blog', '/blog'],
  ['//', ''],
  ['', ''],
  [`${'/'.repeat(50_000)}a`, `${'/'.repeat(50_000)}a`],
])('trimSlashes trims %.20s to %.20s', (path, trimmed) => expect(trimSlashes(path)).toBe(trimmed));

it('cleanQuery returns nothing but parameters', () =>
  expect(cleanQuery('a=1&b=%0d%0aX: y&\r\nc')).toBe('a=1&b=%0D%0AX%3A+y&%0D%0Ac='));

it('creates unique ids, also beyond one filling of the pool', () => {
  const ids = Array.from({ length: 2_500 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
});

interface Sender {
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientAddress?: string;
}

const LOCAL = { host: '127.0.0.1:4321' };

async function request(
  problems: readonly string[],
  warnings: readonly string[] = [],
  path = '/readyz',
  given: Partial<Platform> = {},
  { headers = LOCAL, clientAddress = '127.0.0.1' }: Sender = {},
) {
  const site = await createTestSite({
    settings: { DATA_DIR: '/srv/site/data' },
    articles: { ...createNoArticles(), readProblems: () => problems },
    readWarnings: () => warnings,

    platform: { contentDir: '/srv/site', ...given },
  });
  const handle = createReadyHandler(site);
  const app = new Hono<AppEnv>().get('/readyz', (context) => handle(context));
  const response = await app.request(path, { headers }, { requestId: '', clientAddress });
  return { status: response.status, body: await response.text() };
}

it('responds 200 with warnings, and 503 with problems', async () => {
  expect(await request([], ['old copies'])).toEqual({
    status: 200,
    body: JSON.stringify({ status: 'ready', warnings: ['old copies'] }),
  });
  expect((await request(['the disk is full'])).status).toBe(503);
});

it('responds 503 to ?all for whatever needs a person', async () => {
  const now = Date.now();
  const read = (given: Partial<Platform>, warnings: readonly string[] = []) =>
    request([], warnings, '/readyz?all', given);
  expect((await read({})).status).toBe(200);
  expect(await read({}, ['old copies'])).toMatchObject({
    status: 503,
    body: expect.stringContaining('old copies'),
  });
  const days = (count: number) => ({ readLastBackup: () => now - count * 86_400_000 });
  expect((await read(days(6.9))).status).toBe(200);
  expect(await read(days(7.1))).toMatchObject({
    status: 503,
    body: expect.stringContaining('backup is too old'),
  });
  const disk = (freeMb: number) => ({ readDisk: async () => ({ freeMb, minFreeMb: 256 }) });
  expect((await read(disk(768))).status).toBe(200);
  expect((await read(disk(767))).status).toBe(503);
  const problem = {
    key: 'console',
    title: 'The database of the console cannot be used',
    detail: 'It is gone',
  };
  const data = { readDataProblems: async () => [problem] };
  expect((await read(data)).body).toContain('The database of the console cannot be used: It is gone');
  expect((await request([], [], '/readyz', { ...data, ...days(8), ...disk(1) })).status).toBe(200);
});

it('leaves out the folders of the machine', async () => {
  const { body } = await request(
    ["/srv/site/data/events.sqlite is damaged: cannot open '/srv/site/data'"],
    ['/srv/site/content/articles/a.md has no title; see https://example.com/srv/a'],
  );
  expect(body).not.toMatch(/\/srv\/site/);
  expect(body).toContain('events.sqlite is damaged');
  expect(body).toContain('content/articles/a.md has no title; see https://example.com/srv/a');
});

const SECRET = 'content/articles/secret-launch.md is left out until it is corrected: it is foo';
const NUMBERS = JSON.stringify({ status: 'not ready', problemsCount: 2, warningsCount: 1 });

it.each<[string, Sender]>([
  ['another machine', { clientAddress: '192.0.2.1' }],
  [
    'another machine that claims a local host',
    { clientAddress: '192.0.2.1', headers: { host: 'localhost' } },
  ],
  ['a page of another site whose name leads here', { headers: { host: 'rebound.example:4321' } }],
  ['a local client without a host', { headers: {} }],
  ['a socket without an address', { clientAddress: '' }],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'Via', 'X-Real-IP'].map(
    (name): [string, Sender] => [`a proxy that sends ${name}`, { headers: { ...LOCAL, [name]: '' } }],
  ),
  ['Workers', { headers: { ...LOCAL, 'cf-connecting-ip': '127.0.0.1' } }],
])('%s gets the status and numbers, and no word', async (_, sender) => {
  const { status, body } = await request(['events'], [SECRET], '/readyz?all', {}, sender);
  expect(status).toBe(503);
  expect(body).toBe(NUMBERS);
  expect((await request([], [SECRET], '/readyz', {}, sender)).body).toBe(
    JSON.stringify({ status: 'ready', warningsCount: 1 }),
  );
});

it.each(['127.0.0.1:4321', 'localhost:4321', '[::1]:4321', 'localhost'])(
  'a program on this machine that asks %s gets the words',
  async (host) =>
    expect((await request([], [SECRET], '/readyz', {}, { headers: { host } })).body).toContain(SECRET),
);

it('an operator gets the words while the session lasts', async () => {
  const { operators: accounts } = createMemoryConsole();
  const { id, passwordHash } = await addOperator(accounts, { id: 'o-1', name: 'Ada' });
  const [own, old] = [createSecretToken(), createSecretToken()];
  const now = Date.now();
  for (const [token, usedAt] of [
    [own, now],
    [old, now - 13 * 3_600_000],
  ] as const) {
    const session = { id: token, tokenHash: hashSecretToken(token), operatorId: id, browser: '' };
    await accounts.writeSession({ ...session, createdAt: usedAt, usedAt }, passwordHash);
  }
  const site = await createTestSite({ readWarnings: () => [SECRET], accounts });
  const handle = createReadyHandler(site);
  const app = new Hono<AppEnv>().get('/readyz', (context) => handle(context));
  const read = async (token: string) => {
    const headers = { host: 'site.example', 'x-forwarded-for': '192.0.2.1', cookie: `operator=${token}` };
    return (await app.request('/readyz', { headers }, { requestId: '', clientAddress: '192.0.2.1' })).text();
  };
  expect(await read(own)).toContain(SECRET);
  for (const token of [old, createSecretToken(), ''])
    expect(await read(token)).not.toContain('secret-launch');
});
