import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CONSOLE_NOW } from '../../../test/support/console-ledger.ts';
import { addOperator, SHARE_LINK } from '../../../test/support/operators.ts';
import { createAuthenticator } from '../../../test/support/software-authenticator.ts';
import { createUploadFolder } from '../../../test/support/store-file.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import type { AppContext } from '../../server/http/route.ts';
import { deriveFromToken } from '../../server/http/secret-token.ts';
import { Operators } from '../../stores/operators.ts';
import { accessActions } from '../actions.ts';
import { createConsole } from '../console.ts';
import type { ConsolePage } from '../console-page.ts';
import { CONFIRMED_PASSKEY_STEPS } from './passkeys.ts';
import { PasswordHasher } from './password.ts';

const ORIGIN = 'http://localhost';
const PASSWORD = 'correct horse battery staple';
const COST = { cost: 2, blockSize: 8, parallelization: 1 };
const MINUTE = 60_000;

/** A console with the operators Ada, who has a passkey and a share link, and Bob; and a browser of Ada's. */
async function createAccess() {
  const time = { now: CONSOLE_NOW };
  const now = () => time.now;
  const platform = { passwordCost: COST, uploads: createUploadFolder() };
  const site = await createTestSite({ clock: { now, monotonic: now }, platform });
  const { operators } = site;
  const console = createConsole(site);
  const passwordHash = await new PasswordHasher(undefined, COST).hash(PASSWORD);
  await addOperator(operators.accounts, { id: 'ada', name: 'Ada', passwordHash });
  await addOperator(operators.accounts, { id: 'bob', name: 'Bob', passwordHash });
  const until = time.now + 40 * 24 * 60 * MINUTE;
  const created = { createdBy: 'Ada', expiresAt: until };
  const setup = { tokenHash: 'i', purpose: 'invite Eve', operatorId: null, name: 'Eve' } as const;
  await operators.accounts.writeSetup({ ...setup, capabilities: CAPABILITIES, ...created });
  await operators.accounts.writeShareLink({ ...SHARE_LINK, ...created });

  const pages: ConsolePage[] = [];
  let client = 0;
  async function send(address: string, cookie: string, body: BodyInit, type?: string): Promise<Response> {
    const headers = new Headers({ cookie, host: 'localhost', 'sec-fetch-site': 'same-origin' });
    if (type !== undefined) headers.set('content-type', type);
    const raw = new Request(`${ORIGIN}/console/${address}`, { method: 'POST', headers, body });
    const { pathname } = new URL(raw.url);
    const req = {
      raw,
      method: 'POST',
      url: raw.url,
      path: pathname,
      header: (name: string) => headers.get(name),
    };
    client += 1;
    const env = { requestId: 'id', clientAddress: `192.0.2.${client}` };
    const response = await console.respond(
      { req, env } as unknown as AppContext,
      async (page, status = 200) => {
        pages.push(page);
        return new Response('page', { status });
      },
    );
    if (response === null) throw new Error('the console did not respond');
    return response;
  }
  /** A browser in which an operator signs in with the password. */
  async function openBrowser(name = 'Ada'): Promise<Browser> {
    const response = await send('sign-in', '', new URLSearchParams({ name, password: PASSWORD }));
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const token = deriveFromToken(cookie.split('=')[1] ?? '', 'form');
    return {
      token,
      async post(fields) {
        return (await send('settings', cookie, new URLSearchParams({ token, ...fields }))).status;
      },
      async save(fields) {
        const form = new URLSearchParams({ token, action: 'save', ...fields });
        return (await send('content/site.yaml?at=logo', cookie, form)).status;
      },
      async upload(address, action) {
        const form = new FormData();
        for (const [name, value] of Object.entries({ token, action })) form.set(name, value);
        form.set('file', new File(['id,amount'], 'file.csv'));
        return (await send(address, cookie, form)).status;
      },
      async step(step, fields = {}) {
        const body = JSON.stringify({ token, ...fields });
        const response = await send(`passkeys/${step}`, cookie, body, 'application/json');
        return stepSchema.parse({ status: response.status, ...Object(await response.json()) });
      },
    };
  }
  const confirmWithPassword = async (browser: Browser) =>
    expect(await browser.post({ action: 'confirm', 'confirm-password': PASSWORD })).toBe(303);
  const confirmWithPasskey = async (browser: Browser) => {
    const response = passkey.get(await browser.step('start-confirmation'));
    expect(await browser.step('confirm', { response })).toMatchObject({ status: 200 });
    expect(await operators.accounts.readPasskeys('ada')).toMatchObject([{ usedAt: time.now }]);
  };
  /** Everything that gives access, without what changes by use. */
  async function readAccess() {
    const known = await operators.accounts.readOperators();
    const passkeys = await Promise.all(known.map(({ id }) => operators.accounts.readPasskeys(id)));
    const ids = passkeys.flat().map(({ id }) => id);
    return [
      known,
      ids,
      await operators.accounts.readSetups(time.now),
      await operators.accounts.readShareLinks(time.now),
    ];
  }
  /** Adds a passkey in a confirmed session; resolves with the status of the last step. */
  async function addPasskey(browser: Browser, authenticator: typeof passkey): Promise<number> {
    const started = await browser.step('start-registration');
    if (started.status !== 200) return started.status;
    const response = authenticator.create(started);
    return (await browser.step('register', { label: 'Key', response })).status;
  }

  const passkey = createAuthenticator(ORIGIN);
  const first = await openBrowser();
  await confirmWithPassword(first);
  expect(await addPasskey(first, passkey)).toBe(200);
  const confirm = { password: confirmWithPassword, passkey: confirmWithPasskey };
  return { time, site, operators, pages, passkey, openBrowser, confirm, addPasskey, readAccess };
}

type Fields = Readonly<Record<string, string>>;
interface Browser {
  readonly token: string;
  /** Posts a form of the settings; resolves with the status. */
  post(fields: Fields): Promise<number>;
  /** Posts the form of a content file, to save it; resolves with the status. */
  save(fields: Fields): Promise<number>;
  /** Posts a form with a file; resolves with the status. */
  upload(address: string, action: string): Promise<number>;
  /** Sends a step of a passkey; resolves with what it responds. */
  step(step: string, fields?: object): Promise<Step>;
}
const stepSchema = z.object({
  status: z.number(),
  challenge: z.string().default(''),
  detail: z.string().default(''),
});
type Step = z.output<typeof stepSchema>;

/** The fields with which each change that needs confirmation changes something. */
const CHANGES: Readonly<Record<string, Fields>> = {
  invite: { name: 'Mallory', 'can-manage': 'on' },
  'withdraw-setup': { id: 'invite Eve' },
  'change-capabilities': { id: 'bob', 'can-money': 'on' },
  'remove-operator': { id: 'bob' },
  share: { address: '/console/pages', days: '7' },
  'revoke-share': { id: 'link' },
  'remove-passkey': { id: 'PASSKEY' },
  // Confirms alone, before a passkey is added.
  confirm: {},
};

it('tries every change that needs confirmation', () => {
  const asking = Object.entries(accessActions.actions).filter(([, { confirm }]) => confirm !== null);
  expect(Object.keys(CHANGES).sort()).toEqual(asking.map(([name]) => name).sort());
});

it('changes operators and what gives them access in the settings and in the pages of access alone', () => {
  const writes = Object.getOwnPropertyNames(Operators.prototype).filter((name) =>
    /^(write|remove|change|complete|confirm)/.test(name),
  );
  expect(writes.length).toBeGreaterThan(10);
  const folder = path.resolve(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  // Tasks that are put off, and who is paid, have nothing to do with access.
  const others = ['removeExpired', 'writeSnooze', 'removeSnooze', 'writePayees'];
  const pattern = new RegExp(`\\b(?:${writes.filter((name) => !others.includes(name)).join('|')})\\(`);
  const found = files.filter((name) => pattern.test(readFileSync(path.join(folder, name), 'utf8')));
  const asking = [...new Set(found.map((name) => name.split(path.sep)[0]))];
  expect(asking.sort()).toEqual(['access', 'settings']);
});

it.each(Object.entries(CHANGES))('changes %s only once it is confirmed', async (action, fields) => {
  for (const method of ['password', 'passkey'] as const) {
    const { site, time, pages, passkey, openBrowser, confirm, readAccess } = await createAccess();
    const own = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value === 'PASSKEY' ? passkey.id : value]),
    );
    const form = { action, ...own };
    const [browser, other] = [await openBrowser(), await openBrowser()];
    const before = await readAccess();
    const expectRefused = async () => {
      expect([action, await browser.post(form)]).toEqual([action, 403]);
      expect(pages.at(-1)).toMatchObject({ kind: 'confirm', fields: form, hasPasskeys: true });
      expect(await readAccess()).toEqual(before);
    };
    await expectRefused();
    expect(await browser.post({ ...form, 'confirm-password': 'not the password' })).toBe(401);
    // Neither another session of the operator counts, nor a confirmation of minutes ago or of a clock that was ahead.
    await confirm[method](other);
    await expectRefused();
    time.now += 11 * MINUTE;
    await confirm[method](browser);
    time.now -= 1;
    await expectRefused();
    time.now += 1 + 10 * MINUTE;
    await expectRefused();
    await confirm[method](browser);
    expect([action, await browser.post(form)]).toEqual([action, 303]);
    const [newest] = await site.operators.activity.read('access', { offset: 0, limit: 1 });
    if (action === 'confirm') {
      expect(await readAccess()).toEqual(before);
      expect(newest?.text).toBe('Added a passkey.');
    } else {
      expect(await readAccess()).not.toEqual(before);
      expect([newest?.operator, newest?.text]).not.toEqual(['Ada', 'Added a passkey.']);
      expect(newest?.href).toBe('/console/settings');
      expect(JSON.stringify(newest)).not.toContain('setup/');
    }
  }
});

it.each(CONFIRMED_PASSKEY_STEPS)('adds a passkey by %s only once it is confirmed', async (step) => {
  for (const method of ['password', 'passkey'] as const) {
    const { time, openBrowser, confirm, addPasskey, readAccess } = await createAccess();
    const [browser, other] = [await openBrowser(), await openBrowser()];
    const added = createAuthenticator(ORIGIN);
    await confirm[method](other);
    const response = added.create(await other.step('start-registration'));
    const before = await readAccess();
    const expectRefused = async () => {
      const refused = await browser.step(step, { label: 'Key', response });
      expect(refused).toMatchObject({ status: 400, detail: expect.stringContaining('Confirm first') });
      expect(await readAccess()).toEqual(before);
    };
    await expectRefused();
    time.now += 10 * MINUTE;
    await expectRefused();
    await confirm[method](browser);
    expect(await addPasskey(browser, added)).toBe(200);
    expect(await readAccess()).not.toEqual(before);
  }
});

it.each(['password', 'passkey'] as const)(
  'saves content for 12 hours after a sign-in, and then asks for the %s, with the unsaved text in its form',
  async (method) => {
    const { time, pages, openBrowser, confirm } = await createAccess();
    const browser = await openBrowser();
    const fields = { text: 'name: "<b>"\n' };
    time.now += 11 * 60 * MINUTE;
    expect(await browser.save(fields)).toBe(303);
    // The session is used meanwhile, so that it does not end.
    time.now += 60 * MINUTE;
    expect(await browser.save(fields)).toBe(403);
    const action = '/console/content/site.yaml?at=logo';
    expect(pages.at(-1)).toMatchObject({ kind: 'confirm', purpose: 'Save the content', fields, action });
    expect(await browser.save({ ...fields, action: 'check' })).toBe(303);
    await confirm[method](browser);
    expect(await browser.save(fields)).toBe(303);
    time.now += 11 * 60 * MINUTE;
    expect(await browser.save(fields)).toBe(303);
  },
);

it('makes the change that was asked for with the password on the same page, and others for ten minutes', async () => {
  const { time, operators, pages, openBrowser } = await createAccess();
  const browser = await openBrowser();
  await browser.post({ action: 'invite', name: 'Mallory', 'can-content': 'on', 'can-money': 'on' });
  const page = pages.at(-1);
  if (page?.kind !== 'confirm') throw new Error('no page to confirm');
  expect(page).toMatchObject({ purpose: 'Add an operator', name: 'Ada', action: '/console/settings' });
  expect(await browser.post({ ...page.fields, [page.passwordField]: PASSWORD })).toBe(303);
  time.now += 10 * MINUTE - 1;
  expect(await browser.post({ action: 'withdraw-setup', id: 'invite Mallory' })).toBe(303);
  expect((await operators.accounts.readSetups(time.now)).map(({ name }) => name)).toEqual(['Eve']);
});

it('refuses guesses of a password to confirm, and leaves the sign-in of others alone', async () => {
  const { openBrowser } = await createAccess();
  const browser = await openBrowser();
  const guess = () => browser.post({ action: 'invite', name: 'Mallory', 'confirm-password': 'a guess' });
  const statuses = [];
  for (let count = 0; count < 6; count += 1) statuses.push(await guess());
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect(await browser.post({ action: 'invite', name: 'Mallory', 'confirm-password': PASSWORD })).toBe(429);
  expect(await (await openBrowser()).post({ action: 'confirm', 'confirm-password': PASSWORD })).toBe(303);
});

it('confirms with a passkey of the operator alone, and with each challenge once', async () => {
  const { time, passkey, openBrowser, confirm, addPasskey } = await createAccess();
  const [browser, other, bob] = [await openBrowser(), await openBrowser(), await openBrowser('Bob')];
  const ofBob = createAuthenticator(ORIGIN);
  await confirm.password(bob);
  expect(await addPasskey(bob, ofBob)).toBe(200);
  const options = await browser.step('start-confirmation');
  const attempts = [
    [browser, ofBob.get(await browser.step('start-confirmation'))],
    [other, passkey.get(options)],
    [browser, passkey.get(await browser.step('start-registration'))],
    [browser, passkey.get(await browser.step('start-sign-in'))],
    [
      browser,
      passkey.get({
        challenge: `${options.challenge.slice(0, -1)}${options.challenge.endsWith('A') ? 'Q' : 'A'}`,
      }),
    ],
    [browser, passkey.get({ challenge: '' })],
  ] as const;
  for (const [sender, response] of attempts)
    expect(await sender.step('confirm', { response })).toMatchObject({ status: 400 });
  const response = passkey.get(options);
  const results = await Promise.all([1, 2, 3, 4].map(() => browser.step('confirm', { response })));
  expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  time.now += 4 * MINUTE;
  expect(await browser.step('confirm', { response })).toMatchObject({ status: 400 });
  const late = passkey.get(await browser.step('start-confirmation'));
  time.now += 5 * MINUTE;
  expect(await browser.step('confirm', { response: late })).toMatchObject({ status: 400 });
});

it('signs in with a passkey however many others have begun to, and once', async () => {
  const { site, passkey, openBrowser } = await createAccess();
  const browser = await openBrowser();
  const response = passkey.get(await browser.step('start-sign-in'));
  let stored = 0;
  const put = site.operators.temporaryValues.put.bind(site.operators.temporaryValues);
  site.operators.temporaryValues.put = (...values) => {
    stored += 1;
    return put(...values);
  };
  for (let count = 0; count < 90; count += 1) await browser.step('start-sign-in');
  // Nothing is stored for what begins, so no number of others can push out what is stored.
  expect(stored).toBe(0);
  expect(await browser.step('sign-in', { response })).toMatchObject({ status: 200 });
  expect(await browser.step('sign-in', { response })).toMatchObject({ status: 400 });
});

it('gives no access from a form or a step that was sent before a session ended', async () => {
  const { operators, openBrowser, confirm, addPasskey, readAccess } = await createAccess();
  const browser = await openBrowser('Bob');
  await confirm.password(browser);
  const added = createAuthenticator(ORIGIN);
  const response = added.create(await browser.step('start-registration'));
  await operators.accounts.removeOperator('bob');
  const before = await readAccess();
  expect(await browser.step('register', { label: 'Key', response })).toMatchObject({ status: 400 });
  expect(await addPasskey(browser, added)).toBe(400);
  await browser.post({ action: 'invite', name: 'Bob', 'can-manage': 'on' });
  await browser.post({ action: 'share', address: '/console/pages' });
  expect(await readAccess()).toEqual(before);
});

it('shows a page that says what to do with a form that is too large', async () => {
  const { openBrowser, pages } = await createAccess();
  const browser = await openBrowser();
  expect(await browser.post({ text: 'x'.repeat(300_000) })).toBe(413);
  expect(pages.at(-1)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('npm run -s signpost -- import'),
  });
});

it.each([
  ['partners', 'upload', 'partners/import'],
  ['partners/highlevel', 'upload', 'partners/import'],
  ['campaigns', 'upload-costs', 'campaigns/costs'],
  ['settings', 'upload-site', 'settings/move-in'],
])('says at %s where a file of %s belongs', async (address, action, page) => {
  const { openBrowser, pages } = await createAccess();
  const browser = await openBrowser();
  expect(await browser.upload(address, action)).toBe(400);
  expect(pages.at(-1)).toMatchObject({ kind: 'refused', link: { href: `/console/${page}` } });
  // A page that takes files says itself what is wrong with one.
  expect(await browser.upload(page, action)).not.toBe(400);
});
