import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CONSOLE_NOW } from '../../test/support/console-ledger.ts';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { CAPABILITIES, type Capability } from '../core/console/capabilities.ts';
import { NO_IMAGES } from '../core/pages/images/content-image.ts';
import { buildConsolePath } from '../core/paths.ts';
import type { AppContext } from '../server/http/route.ts';
import { deriveFromToken, hashSecretToken } from '../server/http/secret-token.ts';
import type { Operator } from '../stores/operators.ts';
import { ACTION_GROUPS } from './actions.ts';
import { createConsole } from './console.ts';
import type { ConsolePage } from './console-page.ts';

/**
 * Every form of the console: its view and name, what an operator needs for it, and what it asks for with the password again:
 * in a session without it for minutes, or for 12 hours. Written by hand, so that a new form is decided about twice.
 */
const EXPECTED: readonly (readonly [
  view: string,
  name: string,
  needs: string,
  asks: string,
  after: string,
])[] = [
  ['overview', 'snooze', 'money manage', '', ''],
  ['overview', 'end-snooze', 'money manage', '', ''],
  ['messages', 'mark-message', 'manage', '', ''],
  ['messages', 'delete-message', 'manage', '', ''],
  ['campaigns', 'set-cost', 'money manage', '', ''],
  ['unmatched', 'assign', 'money manage', '', ''],
  ['unmatched', 'dismiss', 'money manage', '', ''],
  ['unmatched', 'reset', 'money manage', '', ''],
  ['settings', 'end-session', '', '', ''],
  ['settings', 'end-other-sessions', '', '', ''],
  ['settings', 'end-all-sessions', '', '', ''],
  ['settings', 'change-password', '', '', ''],
  ['settings', 'remove-passkey', '', 'Remove a passkey', 'minutes'],
  ['settings', 'confirm', '', 'Add a passkey', 'minutes'],
  ['settings', 'invite', 'manage', 'Add an operator', 'minutes'],
  ['settings', 'withdraw-setup', 'manage', 'Withdraw a one-time address', 'minutes'],
  ['settings', 'change-capabilities', 'manage', 'Change what an operator may do', 'minutes'],
  ['settings', 'remove-operator', 'manage', 'Remove an operator', 'minutes'],
  ['settings', 'share', 'money manage', 'Create a share link', 'minutes'],
  ['settings', 'revoke-share', 'manage', 'Revoke a share link', 'minutes'],
  ['settings', 'preferences', 'manage', '', ''],
  ['settings', 'reporting-currency', 'money manage', '', ''],
  ['settings', 'import-rates', 'money manage', '', ''],
  ['settings', 'remove-rates', 'money manage', '', ''],
  ['settings', 'set-rate', 'money manage', '', ''],
  ['settings', 'remove-rate', 'money manage', '', ''],
  ['import', 'upload', 'money manage', '', ''],
  ['import', 'upload-costs', 'money manage', '', ''],
  ['import', 'commit', 'money manage', '', ''],
  ['import', 'discard', 'money manage', '', ''],
  ['import', 'undo', 'money manage', '', ''],
  ['import', 'undo-costs', 'money manage', '', ''],
  ['import', 'assign-cost', 'money manage', '', ''],
  ['import', 'map-messages', 'money manage', '', ''],
  ['import', 'read-messages', 'money manage', '', ''],
  ['import', 'discard-messages', 'money manage', '', ''],
  ['import', 'create-postbacks', 'money manage', '', ''],
  ['import', 'test-postback', 'money manage', '', ''],
  ['import', 'sync', 'money manage', '', ''],
  ['import', 'upload-site', 'money manage publish', 'Move a site in', 'hours'],
  ['import', 'commit-site', 'money manage publish', 'Move a site in', 'hours'],
  ['import', 'discard-site', 'money manage publish', '', ''],
  ['content', 'accept-deletions', 'publish', 'Remove articles', 'hours'],
  ['content', 'accept-link', 'publish', 'Accept the link', 'hours'],
  ['content', 'finish-writing', 'publish', 'Finish the change of another site', 'hours'],
  ['content', 'undo-writing', 'publish', 'Undo the change of another site', 'hours'],
  ['content', 'add-image', 'content', 'Change the images', 'hours'],
  ['content', 'replace-image', 'content', 'Change the images', 'hours'],
  ['content', 'remove-image', 'content', 'Change the images', 'hours'],
  ['content', 'describe-image', 'publish', 'Change the images', 'hours'],
  ['content', 'create', 'content', 'Save the content', 'hours'],
  ['content', 'save', 'content', 'Save the content', 'hours'],
  ['content', 'overwrite', 'content', 'Save the content', 'hours'],
  ['content', 'restore', 'content', 'Save the content', 'hours'],
  ['content', 'publish', 'content', 'Save the content', 'hours'],
  ['content', 'schedule', 'content', 'Save the content', 'hours'],
  ['content', 'take-down', 'content', 'Save the content', 'hours'],
  ['content', 'duplicate', 'content', 'Save the content', 'hours'],
  ['content', 'rename', 'content', 'Save the content', 'hours'],
  ['content', 'take-down-page', 'content', 'Save the content', 'hours'],
  ['content', 'remove', 'content', 'Save the content', 'hours'],
  ['content', 'check', 'content', '', ''],
  ['content', 'preview', 'content', '', ''],
  ['content', 'open', 'content', '', ''],
  ['content', 'compare', 'content', '', ''],
  ['content', 'state', 'content', '', ''],
  ['content', 'choices', 'content', '', ''],
  ['content', 'move-item', 'content', '', ''],
  ['content', 'copy-item', 'content', '', ''],
  ['content', 'remove-item', 'content', '', ''],
  ['content', 'add-item', 'content', '', ''],
  ['content', 'test-destination', 'content', '', ''],
];

const HOUR_MS = 3_600_000;
const SETS: readonly (readonly Capability[])[] = Array.from({ length: 2 ** CAPABILITIES.length }, (_, bits) =>
  CAPABILITIES.filter((_one, index) => (bits >> index) % 2 === 1),
);

/** A console, and what posts an action to it in a session of its own. */
async function open() {
  const cost = { cost: 2, blockSize: 8, parallelization: 1 };
  const clock = { now: () => CONSOLE_NOW, monotonic: () => CONSOLE_NOW };
  const site = await createTestSite({ clock, platform: { passwordCost: cost } });
  Object.assign(site.platform.content, { readImages: () => NO_IMAGES });
  const console = createConsole(site);
  const operators: Operator[] = [];
  for (const may of SETS)
    operators.push(
      await addOperator(site.operators.accounts, {
        id: may.join() || 'none',
        name: `May ${may}`,
        capabilities: may,
      }),
    );
  let sessions = 0;
  /** `age`: how long ago the session has begun; `token`: that of another session, when wrong. */
  async function post(
    view: string,
    action: string,
    {
      may = CAPABILITIES,
      age = 0,
      isWrong = false,
    }: { may?: readonly Capability[]; age?: number; isWrong?: boolean } = {},
  ) {
    const operator =
      operators.find(({ id }) => id === (may.join() || 'none')) ?? expect.unreachable(`no operator ${may}`);
    const secret = randomBytes(32).toString('base64url');
    sessions += 1;
    await site.operators.accounts.writeSession(
      {
        ...{
          id: `session-${sessions}`,
          tokenHash: hashSecretToken(secret),
          operatorId: operator.id,
          browser: '',
        },
        ...{ createdAt: CONSOLE_NOW - age, usedAt: CONSOLE_NOW },
      },
      operator.passwordHash,
    );
    const path = view === 'overview' ? '/console' : buildConsolePath(view);
    const headers = { cookie: `operator=${secret}`, host: 'localhost', 'sec-fetch-site': 'same-origin' };
    const token = deriveFromToken(isWrong ? randomBytes(32).toString('base64url') : secret, 'form');
    const raw = new Request(`http://localhost${path}`, {
      ...{ method: 'POST', headers, body: new URLSearchParams({ token, action }) },
    });
    const req = { raw, method: 'POST', url: raw.url, path, header: (name: string) => raw.headers.get(name) };
    let page: ConsolePage | null = null;
    const response = await console.respond(
      { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } } as unknown as AppContext,
      async (shown, status = 200) => {
        page = shown;
        return new Response('', { status });
      },
    );
    return { status: response?.status ?? 0, page: page as ConsolePage | null };
  }
  return { site, post };
}

it('has each form once in the list of this test', () => {
  const declared = ACTION_GROUPS.flatMap(({ view, actions }) =>
    Object.keys(actions).map((name) => `${view} ${name}`),
  );
  expect(EXPECTED.map(([view, name]) => `${view} ${name}`).sort()).toEqual([...declared].sort());
  expect(new Set(EXPECTED.map(([, name]) => name)).size).toBe(declared.length);
});

it('takes each form from operators with its rights, and refuses it to every other one', async () => {
  const { post } = await open();
  for (const may of SETS) {
    const taken = [];
    for (const [view, name] of EXPECTED) {
      const { status, page } = await post(view, name, { may });
      if (page?.kind === 'refused') expect([name, status]).toEqual([name, 403]);
      else taken.push(name);
    }
    // Whoever may publish may edit.
    const has = (one: string) => may.some((own) => own === one || (own === 'publish' && one === 'content'));
    const allowed = EXPECTED.filter(([, , needs]) => needs.split(' ').every((one) => one === '' || has(one)));
    expect({ may, taken }).toEqual({ may, taken: allowed.map(([, name]) => name) });
  }
});

it.each([
  { age: 0, asked: ['minutes'] },
  { age: 13 * HOUR_MS, asked: ['minutes', 'hours'] },
])('asks for the password $age ms after the sign-in only where it has to', async ({ age, asked }) => {
  const { post } = await open();
  for (const [view, name, , purpose, after] of EXPECTED) {
    const { page } = await post(view, name, { age });
    const asks = page?.kind === 'confirm' ? page.purpose : '';
    expect([name, asks]).toEqual([name, asked.includes(after) ? purpose : '']);
  }
});

it('refuses each form with the token of another session', async () => {
  const { post } = await open();
  for (const [view, name] of EXPECTED) {
    const { status, page } = await post(view, name, { isWrong: true });
    expect([name, status, page]).toEqual([
      name,
      403,
      expect.objectContaining({ message: expect.stringContaining('no longer valid') }),
    ]);
  }
});

it('takes each form twice at once without failing', async () => {
  const { post } = await open();
  for (const [view, name] of EXPECTED)
    for (const { status } of await Promise.all([post(view, name), post(view, name)]))
      expect([name, status < 500]).toEqual([name, true]);
});

it('refuses an action that is not in the table, or is that of another view', async () => {
  const { site, post } = await open();
  for (const [view, name] of [
    ['messages', 'x'],
    ['messages', 'snooze'],
    ['messages', '__proto__'],
    ['live', 'delete-message'],
  ] as const) {
    const { status, page } = await post(view, name);
    expect([status, page?.kind]).toEqual(view === 'live' ? [403, 'refused'] : [303, undefined]);
  }
  expect(await site.operators.activity.count(null)).toBe(0);
});

/** The files that have a form of their own: those without a session, the one that ends it, and the one of every action. */
const FORMS = ['access/pages.tsx', 'frame/forms.tsx', 'frame/frame.tsx'];

it('posts every form by an action of the table', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map(
      (name) =>
        [name.replaceAll(path.sep, '/'), readFileSync(path.join(import.meta.dirname, name), 'utf8')] as const,
    );
  expect(files.length).toBeGreaterThan(40);
  const posting = files.filter(([, text]) =>
    /\bmethod=|formMethod|name="(?:action|do|token)"/.test(text.replaceAll(/method="get"/g, '')),
  );
  expect(posting.map(([name]) => name).sort()).toEqual(FORMS);
});
