// What docs/deployment.md says about Workers where they differ from Node.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readSourceState } from '../../scripts/start/ensure-build.mjs';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { createSetup } from '../../src/console/access/setup.ts';
import { openBuiltContent } from '../../src/content-files/built-content.ts';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { Operators } from '../../src/stores/operators.ts';
import { D1Executor } from '../../src/stores/sql/d1-executor.ts';
import { setUpOperator } from '../support/console-access.ts';
import { buildServedArticles, respondAsGhost, respondAsWordPress } from '../support/fake-services.ts';
import { startUpstream } from '../support/upstream-server.ts';
import { PERSON } from '../support/visit.ts';

const CLICKS = 90;

/**
 * The worker, which cannot start while `?broken` is asked for, and counts its requests at `/count`. One of its settings
 * is a number, as `vars` of `wrangler.jsonc` may have it.
 */
const ENTRY = `
import site from './main.mjs';
let count = 0;
export default {
  ...site,
  fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/count') return Response.json(count);
    count += 1;
    return site.fetch(request, { ...env, CLICK_RATE: 1, ...(search === '?broken' && { SITE_URL: 'nowhere' }) });
  },
};`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-parity-'));
let worker: Awaited<ReturnType<typeof startLocalWorker>>;
let url: string;

const start = (data: string, contentDir: string) =>
  startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    dataDir: path.join(folder, data),
    contentDir,
    settings: {},
    entry: ENTRY,
  });

beforeAll(async () => {
  const contentDir = path.join(folder, 'content');
  cpSync(path.join(ROOT, 'content'), contentDir, { recursive: true });
  worker = await start('data', contentDir);
  url = (await worker.ready).origin;
  rmSync(contentDir, { recursive: true });
});
afterAll(async () => {
  await worker.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const visit = (address: string) => fetch(url + address, { headers: { 'user-agent': PERSON } });
const read = async (address: string) => (await visit(address)).text();

it('starts in the first request, and again in the next one when that fails', async () => {
  const unused = await start('unused', path.join(ROOT, 'content'));
  onTestFinished(() => unused.dispose());
  const { origin } = await unused.ready;
  for (const [address, status] of [
    ['/?broken', 500],
    ['/', 200],
    ['/?broken', 200],
  ] as const)
    expect([address, (await fetch(origin + address)).status]).toEqual([address, status]);
});

it('has its content in the worker: the folder that it was started with is gone', async () => {
  expect(await read('/help')).toContain('Help center');
  expect(await read('/blog/crm-basics')).toContain('<article');
  const readPart = (name: string) =>
    readFileSync(path.join(ROOT, 'edge/dist/server', `${name}.json`), 'utf8');
  const built = openBuiltContent(readPart, readSourceState(ROOT, ['src']));
  const list = (folder: string) => readdirSync(path.join(ROOT, 'content', folder)).sort();
  expect(built.articles.listSlugs().map((slug) => `${slug}.md`)).toEqual(list('articles'));
  expect(built.readStart().content.pages.size).toBe(list('pages').length);
});

it('serves static files without a request of the worker', async () => {
  const [script = ''] = readdirSync(path.join(ROOT, 'edge/dist/client/_astro'));
  const before = await read('/count');
  for (const address of [`/_astro/${script}`, '/favicon.svg'])
    expect([address, (await visit(address)).status]).toEqual([address, 200]);
  expect(await read('/count')).toBe(before);
  await visit('/help');
  expect(Number(await read('/count'))).toBe(Number(before) + 1);
});

it('limits the clicks that an instance stores, and lets every visitor go', async () => {
  const clicks = await Promise.all(Array.from({ length: CLICKS }, () => visit('/go/highlevel')));
  expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([200]));
  const events = await worker.getD1Database('EVENTS');
  const sql = "SELECT count(*) AS count FROM events WHERE name = 'affiliate_redirect' AND flags = ''";
  expect(await events.prepare(sql).first<number>('count')).toBeLessThan(CLICKS);
});

it('hashes passwords with little memory, and shows content that only a build changes', async () => {
  const database = await worker.getD1Database('CONSOLE');
  const setupPath = await createSetup(new Operators(new D1Executor(database)), { kind: 'first' }, Date.now());
  const cookie = await setUpOperator(url + setupPath);
  const hash = await database.prepare('SELECT password_hash FROM operators').first<string>('password_hash');
  expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/);
  const open = async (path: string) =>
    (await fetch(`${url}/console/content${path}`, { headers: { cookie } })).text();
  expect(await open('?q=pages/help.yaml')).toContain('Help center');
  const file = await open('/pages/help.yaml');
  expect(file).toContain('signpost edge deploy');
  expect(file).toMatch(/<fieldset[^>]* disabled/);
  expect(file).not.toContain('value="save"');
  expect(await open('/pages/help.yaml?view=text')).toContain('title: Help center');
});

it.each([
  ['ghost', respondAsGhost],
  ['wordpress', respondAsWordPress],
] as const)('reads articles of %s', async (source, respond) => {
  const upstream = await startUpstream(respond(() => buildServedArticles(5)));
  onTestFinished(() => upstream.close());
  const reader = await startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    contentDir: path.join(ROOT, 'content'),
    dataDir: path.join(folder, source),
    settings: { ARTICLE_SOURCE: source, ARTICLE_SERVICE_URL: upstream.url, ARTICLE_SERVICE_KEY: 'key' },
  });
  onTestFinished(() => reader.dispose());
  const { origin } = await reader.ready;
  const article = await fetch(`${origin}/blog/article-3`);
  expect([article.status, await article.text()]).toEqual([200, expect.stringContaining('The body of 3.')]);
  expect(await (await fetch(`${origin}/blog`)).text()).toContain('Article number 0 about');
});
