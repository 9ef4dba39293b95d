/** @module-tag rest */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_VIEWS } from '../../src/core/console/console-view.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import {
  CONFIRMATION,
  OWNER,
  postConsoleForm,
  readConsoleUrl,
  setUpOperator,
} from '../support/console-access.ts';
import { parseHead, sendRaw } from '../support/raw-request.ts';
import { type Site, startSite } from '../support/site.ts';

const TOKEN = 'A'.repeat(43);
/** With a space, so that no random token contains it. */
const UNKNOWN_NAME = 'Zed Zulu';
/** Views, exports, rows that may exist, other routes of the console, and paths that nothing has. */
const PATHS = [
  '/console',
  ...CONSOLE_VIEWS.flatMap(({ key }) => [
    ...(key === 'overview' ? [] : [`/console/${key}`]),
    `/console/${key}.csv`,
    `/console/${key}.svg`,
    `/console/${key}/x/y`,
  ]),
  '/console/commissions/highlevel/c-1',
  '/console/commissions/highlevel/no-such-commission',
  '/console/no-such-view',
  '/console/no-such-view.csv',
  '/console/settings/operators',
  '/console/__proto__',
  '/console/constructor',
  '/console/api/operators',
  '/console/api/find',
  '/console/api/save/pages/about.yaml',
  '/console/%F0%9F%90%9F',
];
const ACCESS_PATHS = [
  '/console/sign-out',
  `/console/setup/${TOKEN}`,
  `/console/share/${TOKEN}`,
  `/console/share/${TOKEN}.csv`,
  '/console/passkeys/register',
  '/console/passkeys/start-registration',
  '/console/passkeys/sign-in',
  '/console/passkeys/none',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** One of so many shares of the paths; all of them at full length. */
const takePaths = (turn: number, shares: number) =>
  PATHS.filter((_, index) => IS_FULL_LENGTH || index % shares === turn % shares);

/** Headers that differ from one response to the next. */
const CHANGING = ['date', 'x-request-id', 'location', 'keep-alive', 'connection', 'transfer-encoding'];

async function ask(url: string, method: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { method, headers, redirect: 'manual' });
  const fixed = Object.fromEntries([...response.headers].filter(([name]) => !CHANGING.includes(name)));
  return { status: response.status, headers: fixed, body: await response.text(), all: response.headers };
}

const hideIds = (text: string) => text.replace(/"requestId":"[^"]*"/g, '"requestId":""');

describe('a console without an operator', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.remove());

  it('responds at every path and with every method like a path that nothing has', async () => {
    for (const [turn, method] of METHODS.entries()) {
      const headers = { 'sec-fetch-site': 'same-origin' };
      for (const path of [...takePaths(turn, 3), ...ACCESS_PATHS, '/console/sign-in']) {
        // A page with status 404 suggests articles for the words of its address.
        const unknown = await ask(site.url + path.replace('console', 'nowhere'), method, headers);
        const { status, headers: given, body } = await ask(site.url + path, method, headers);
        expect([method, path, status, hideIds(body)]).toEqual([
          method,
          path,
          unknown.status,
          hideIds(unknown.body),
        ]);
        expect(given, `${method} ${path}`).toEqual(unknown.headers);
      }
    }
  });
});

describe('a console with an operator', () => {
  let site: Site;
  let setupUrl: string;
  let cookie: string;

  beforeAll(async () => {
    site = await startSite({ env: { LOG_REQUESTS: '1', TRUSTED_PROXY_HOPS: '1' } });
    setupUrl = await readConsoleUrl(site);
    cookie = await setUpOperator(setupUrl);
  });
  afterAll(() => site.remove());

  /** The address of a client; every test has its own, so that the limits of one leave the others alone. */
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const readFormToken = async (given = cookie) => {
    const { body } = await ask(`${site.url}/console/settings`, 'GET', { cookie: given });
    return /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
  };
  const signIn = (password: string, headers: Readonly<Record<string, string>>, name = OWNER.name) =>
    postConsoleForm(`${site.url}/console/sign-in`, { name, password }, headers);

  it('gives nothing away without a session: existing and missing paths respond alike', async () => {
    let client = 0;
    for (const credentials of [
      {},
      { cookie: `operator=${TOKEN}` },
      { cookie: `__Host-operator=${cookie.split('=')[1]}` },
      { cookie: `operator=${'x'.repeat(9_000)}` },
      { authorization: `Bearer ${cookie.split('=')[1]}` },
    ]) {
      for (const method of METHODS) {
        client += 1;
        const headers = { ...credentials, ...from(`198.51.100.${client}`), 'sec-fetch-site': 'same-origin' };
        const unknown = await ask(`${site.url}/console/nothing-at-all`, method, headers);
        const noAction = await ask(`${site.url}/console/api/nothing-at-all`, method, headers);
        if (method === 'POST') expect(noAction.status).toBe(401);
        else
          expect([noAction.status, hideIds(noAction.body)]).toEqual([unknown.status, hideIds(unknown.body)]);
        expect(unknown.status).toBe(['GET', 'HEAD', 'POST'].includes(method) ? 303 : 405);
        // Each path with every method, and each method with one of the five credentials.
        for (const path of takePaths(client, 5)) {
          const { status, headers: given, body, all } = await ask(site.url + path, method, headers);
          const alike = path.startsWith('/console/api/') ? noAction : unknown;
          expect([path, status, hideIds(body)]).toEqual([path, alike.status, hideIds(alike.body)]);
          expect(given, `${method} ${path}`).toEqual(alike.headers);
          expect(all.get('location') ?? '/console/sign-in').toMatch(
            /^\/console\/sign-in(\?next=%2Fconsole|$)/,
          );
          expect(all.getSetCookie()).toEqual([]);
        }
      }
    }
  });

  it('lets no access page name an operator, and caches nothing', async () => {
    for (const path of [...ACCESS_PATHS, '/console', '/console/sign-in']) {
      for (const method of METHODS) {
        const headers = { ...from('203.0.113.1'), 'sec-fetch-site': 'same-origin' };
        const { status, body, all } = await ask(site.url + path, method, headers);
        expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(path.endsWith('sign-in') ? 200 : 303);
        expect(body).not.toContain(OWNER.name);
        expect(all.get('cache-control'), `${method} ${path}`).toBe('no-store');
      }
    }
  });

  it('sends pages that no cache, search engine, frame or foreign script gets at', async () => {
    const { all, body } = await ask(`${site.url}/console/settings`, 'GET', { cookie });
    expect(all.get('cache-control')).toBe('no-store');
    expect(all.get('x-robots-tag')).toContain('noindex');
    const policy = all.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/speculationrules|googletagmanager|\/visit/);
    const robots = await ask(`${site.url}/robots.txt`, 'GET');
    expect(robots.body).toContain('Disallow: /console/');
    const sitemap = await ask(`${site.url}/sitemap-pages.xml`, 'GET');
    expect(sitemap.body).not.toContain('console');
  });

  it('sets a cookie that scripts and other sites do not get, and a new one with every sign-in', async () => {
    const planted = `operator=${TOKEN}`;
    const response = await signIn(OWNER.password, { ...from('203.0.113.2'), cookie: planted });
    const [set = ''] = response.headers.getSetCookie();
    expect(response.status).toBe(303);
    expect(set).toMatch(/^operator=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect(set).not.toContain(TOKEN);
    expect((await ask(`${site.url}/console/settings`, 'GET', { cookie: planted })).status).toBe(303);
    const first = set.split(';')[0] ?? '';
    const again = await signIn(OWNER.password, { ...from('203.0.113.2'), cookie: first });
    expect(again.status).toBe(303);
    // The session that was there ends with the new one.
    expect((await ask(`${site.url}/console/settings`, 'GET', { cookie: first })).status).toBe(303);
  });

  it('responds to a wrong name as to a wrong password', async () => {
    const wrong = await signIn('not the password', from('203.0.113.3'));
    const unknown = await signIn('not the password', from('203.0.113.3'), UNKNOWN_NAME);
    const [first, second] = await Promise.all([wrong.text(), unknown.text()]);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(first.replaceAll(OWNER.name, UNKNOWN_NAME)).toBe(second);
  });

  it('refuses the sixth attempt of an address and takes those of others', async () => {
    // At once: a further attempt is free every twelve seconds, in which a busy machine may not check six passwords.
    const attempts = Array.from({ length: 6 }, () => signIn('guess', from('203.0.113.4')));
    await Promise.any(attempts.map(async (attempt) => expect((await attempt).status).toBe(429)));
    const refused = await signIn(OWNER.password, from('203.0.113.4'));
    expect(refused.status).toBe(429);
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([401, 401, 401, 401, 401, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(OWNER.password, from('203.0.113.5'))).status).toBe(303);
    // The browser that is signed in is known: it does not share the limit of its address.
    expect((await signIn('guess', { ...from('203.0.113.4'), cookie })).status).toBe(401);
  });

  it('changes nothing without the token of the session or for another origin', async () => {
    // In a session of its own: one that has confirmed the password is not asked again for a while.
    const [set = ''] = (await signIn(OWNER.password, from('203.0.113.11'))).headers.getSetCookie();
    const cookie = set.split(';')[0] ?? '';
    const token = await readFormToken(cookie);
    const invite = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
      postConsoleForm(
        `${site.url}/console/settings`,
        { action: 'invite', name: 'Mallory', ...fields },
        { cookie, ...headers },
      );
    expect((await invite({}, {})).status).toBe(403);
    expect((await invite({ token: TOKEN }, {})).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await invite({ token }, { 'sec-fetch-site': site })).status).toBe(403);
    const { body } = await ask(`${site.url}/console/settings`, 'GET', { cookie });
    expect(body).not.toContain('Mallory');
    expect((await invite({ token }, {})).status).toBe(403);
    expect((await invite({ token, ...CONFIRMATION }, {})).status).toBe(303);
  });

  it('lets an operator without capabilities end own sessions, and see and change nothing else', async () => {
    const token = await readFormToken();
    const settings = `${site.url}/console/settings`;
    await postConsoleForm(settings, { action: 'invite', name: 'Vic', token, ...CONFIRMATION }, { cookie });
    const page = (await ask(settings, 'GET', { cookie })).body;
    const address = /value="(http[^"]*\/console\/setup\/[\w-]{43})"/.exec(page)?.[1] ?? '';
    const viewer = await setUpOperator(address, { name: 'Vic', password: 'a password of another one' });
    const own = await readFormToken(viewer);
    const [ownerId = ''] = /name="id" value="([0-9a-f-]{36})"/.exec(page)?.slice(1) ?? [];
    for (const path of ['/pages', '/commissions.csv', '/partners/import'])
      expect((await ask(`${site.url}/console${path}`, 'GET', { cookie: viewer })).status).toBe(403);
    for (const action of ['invite', 'change-capabilities', 'remove-operator', 'share', 'revoke-share']) {
      const fields = {
        action,
        name: 'Eve',
        id: ownerId,
        'can-manage': 'on',
        address: '/console/pages',
        token: own,
      };
      const response = await postConsoleForm(settings, fields, { cookie: viewer });
      expect([action, response.status]).toEqual([action, 403]);
    }
    expect((await ask(settings, 'GET', { cookie })).body).not.toMatch(/\bEve\b/);
    await postConsoleForm(settings, { action: 'end-all-sessions', token: own }, { cookie: viewer });
    expect((await ask(settings, 'GET', { cookie: viewer })).status).toBe(303);
    expect((await ask(settings, 'GET', { cookie })).status).toBe(200);
  });

  it('shows the view of a share link, nothing else, until it is revoked', async () => {
    const settings = `${site.url}/console/settings`;
    const token = await readFormToken();
    const fields = { action: 'share', address: '/console/pages?range=7d', label: 'Bank', days: '1', token };
    await postConsoleForm(settings, { ...fields, ...CONFIRMATION }, { cookie });
    const page = (await ask(settings, 'GET', { cookie })).body;
    const link = /value="(http[^"]*\/console\/share\/([\w-]{43}))"/.exec(page);
    const [, url = '', secret = ''] = link ?? [];
    const shared = await ask(url, 'GET', from('203.0.113.6'));
    expect(shared.status).toBe(200);
    expect(shared.all.getSetCookie()).toEqual([]);
    expect(shared.all.get('referrer-policy')).toBe('no-referrer');
    expect(shared.body).not.toMatch(/name="token" value="[^"]/);
    // The query was fixed when the link was created.
    const changed = await ask(`${url}?range=12mo&page=%2Fx&currency=EUR`, 'GET', from('203.0.113.6'));
    expect(changed.body).toBe(shared.body);
    for (const path of PATHS) {
      const headers = {
        ...from('203.0.113.7'),
        cookie: `operator=${secret}`,
        authorization: `Bearer ${secret}`,
      };
      expect((await ask(`${site.url}${path}?share=${secret}`, 'GET', headers)).status, path).toBe(303);
      const below = `${url}${path.replace('/console', '') || '/'}`;
      expect((await ask(below, 'GET', from('203.0.113.8'))).status, below).not.toBe(200);
    }
    const id = /revoke-share"[^>]*\/><input type="hidden" name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await postConsoleForm(settings, { action: 'revoke-share', id, token }, { cookie });
    expect((await ask(url, 'GET', from('203.0.113.6'))).status).toBe(404);
  });

  it('writes no token, password or name that was tried to the log', async () => {
    await signIn('not the password', from('203.0.113.10'), UNKNOWN_NAME);
    await ask(`${site.url}/console/%73etup/${setupUrl.split('/').at(-1)}`, 'GET', from('203.0.113.9'));
    await ask(`${site.url}/CONSOLE//share/${TOKEN}`, 'GET', from('203.0.113.9'));
    // A request is logged once its response is sent.
    await expect.poll(() => site.output()).toContain('"path":"/console/setup/…"');
    await expect.poll(() => site.output()).toContain('sign-in failed');
    const log = site.output().replace(/^Console: .*$/m, '');
    const secrets = [setupUrl.split('/').at(-1) ?? '', cookie.split('=')[1] ?? '', TOKEN, OWNER.password];
    for (const secret of [...secrets, 'not the password', UNKNOWN_NAME]) {
      expect(secret).not.toBe('');
      expect(log).not.toContain(secret);
    }
  });
});

it('the cookie of a site with TLS is bound to its host', async () => {
  await using site = await startSite({ env: { SITE_URL: 'https://site.example' } });
  const path = new URL(await readConsoleUrl(site)).pathname;
  const response = await postConsoleForm(site.url + path, OWNER);
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^__Host-operator=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
});

it('there is no console at another host or for another address than those that are set', async () => {
  await using site = await startSite({
    env: { CONSOLE_HOST: 'console.example', CONSOLE_ADDRESSES: '192.0.2.0/24', TRUSTED_PROXY_HOPS: '1' },
  });
  const { pathname } = new URL(await readConsoleUrl(site));
  const readStatus = async (host: string, address: string) => {
    const lines = [`GET ${pathname} HTTP/1.1`, `host: ${host}`, `x-forwarded-for: ${address}`];
    const bytes = [...lines, 'connection: close', '', ''].join('\r\n');
    return parseHead(await sendRaw(site.url, bytes)).status;
  };
  expect(await readStatus('console.example', '192.0.2.1')).toBe(200);
  expect(await readStatus('127.0.0.1', '192.0.2.1')).toBe(404);
  expect(await readStatus('console.example', '198.51.100.1')).toBe(404);
});
