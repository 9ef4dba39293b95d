import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { readAddresses } from '../../test/support/address-site.ts';
import { buildForm, CONSOLE_NOW } from '../../test/support/console-ledger.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { createSiteFolder } from '../commands/new.ts';
import { ContentFiles } from '../content-files/content-files.ts';
import { ImageStore } from '../content-files/image-store.ts';
import { hashText } from '../content-files/parse-yaml.ts';
import { CAPABILITIES, type Capability } from '../core/console/capabilities.ts';
import { NO_IMAGES } from '../core/pages/images/content-image.ts';
import { buildConsolePath } from '../core/paths.ts';
import type { AppContext } from '../server/http/route.ts';
import { deriveFromToken, hashSecretToken } from '../server/http/secret-token.ts';
import type { Site } from '../server/site.ts';
import { LinkRequestError } from '../sources/links/link-request.ts';
import { type Operator, OperatorStoreError } from '../stores/operators.ts';
import { ACTION_GROUPS, type FormAction } from './actions.ts';
import { createConsole, createNotices } from './console.ts';
import type { ConsolePage } from './console-page.ts';
import { proposeText } from './content/line-changes.ts';

/**
 * Every form of the console: its view and name, what an operator needs for it, and what it asks for with the password again:
 * in a session without it for minutes, or for 12 hours. A form of the content is here once for each state of what it is
 * about, because what visitors see needs more than a draft. Written by hand, so that a new form is decided about twice.
 */
const EXPECTED: readonly (readonly [
  view: string,
  name: string,
  needs: string,
  asks: string,
  after: string,
  state?: string,
])[] = [
  ['overview', 'snooze', 'money manage', '', ''],
  ['overview', 'end-snooze', 'money manage', '', ''],
  ['messages', 'mark-message', 'manage', '', ''],
  ['messages', 'delete-message', 'manage', '', ''],
  ['campaigns', 'set-cost', 'money manage', '', ''],
  ['campaigns', 'add-expense', 'money manage', '', ''],
  ['campaigns', 'remove-expense', 'money manage', '', ''],
  ['money', 'arrived', 'money manage', '', ''],
  ['money', 'not-arrived', 'money manage', '', ''],
  ['campaigns', 'upload-costs', 'money manage', '', ''],
  ['campaigns', 'answer-costs', 'money manage', '', ''],
  ['campaigns', 'commit-costs', 'money manage', '', ''],
  ['campaigns', 'discard-costs', 'money manage', '', ''],
  ['campaigns', 'undo-costs', 'money manage', '', ''],
  ['campaigns', 'assign-cost', 'money manage', '', ''],
  ['unmatched', 'assign', 'money manage', '', ''],
  ['unmatched', 'dismiss', 'money manage', '', ''],
  ['unmatched', 'match', 'money manage', '', ''],
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
  ['settings', 'unlock-settings', 'manage', 'Change the settings of the site', 'minutes'],
  ['settings', 'check-address', 'manage', 'Change the address', 'minutes'],
  ['settings', 'save-mail', 'manage', 'Change the mail', 'minutes'],
  ['settings', 'test-mail', 'manage', '', ''],
  ['settings', 'save-settings', 'manage', 'Change the settings of the site', 'minutes'],
  ['settings', 'start-empty', 'manage publish', 'Start an empty site', 'hours'],
  ['settings', 'start-sample', 'manage', '', ''],
  ['settings', 'end-sample', 'manage', '', ''],
  ['settings', 'reporting-currency', 'money manage', '', ''],
  ['settings', 'import-rates', 'money manage', '', ''],
  ['settings', 'remove-rates', 'money manage', '', ''],
  ['settings', 'set-rate', 'money manage', '', ''],
  ['settings', 'remove-rate', 'money manage', '', ''],
  ['partners', 'upload', 'money manage', '', ''],
  ['partners', 'answer-file', 'money manage', '', ''],
  ['partners', 'commit', 'money manage', '', ''],
  ['partners', 'discard', 'money manage', '', ''],
  ['partners', 'undo', 'money manage', '', ''],
  ['partners', 'map-messages', 'money manage', '', ''],
  ['partners', 'read-messages', 'money manage', '', ''],
  ['partners', 'answer-id', 'money manage', '', ''],
  ['partners', 'discard-messages', 'money manage', '', ''],
  ['partners', 'create-postbacks', 'money manage', '', ''],
  ['partners', 'renew-postback', 'money manage', 'Renew a postback address', 'hours'],
  ['partners', 'test-postback', 'money manage', '', ''],
  ['partners', 'sync', 'money manage', '', ''],
  ['partners', 'unlock-secrets', 'money manage', 'Change the secrets of networks', 'minutes'],
  ['partners', 'set-secret', 'money manage', 'Change the secrets of networks', 'minutes'],
  ['partners', 'remove-secret', 'money manage', 'Change the secrets of networks', 'minutes'],
  ['partners', 'make-network', 'money manage publish', 'Make a network', 'minutes'],
  ['partners', 'move-label', 'money manage publish', 'Move an id of a network', 'hours'],
  ['settings', 'upload-site', 'manage publish', 'Move a site in', 'hours'],
  ['settings', 'commit-site', 'manage publish', 'Move a site in', 'hours'],
  ['settings', 'discard-site', 'manage publish', '', ''],
  ['content', 'accept-deletions', 'publish', 'Remove articles', 'hours'],
  ['content', 'check-links', 'content', '', ''],
  ['content', 'accept-link', 'publish', 'Accept the link', 'hours'],
  ['content', 'finish-writing', 'publish', 'Finish the change of another site', 'hours'],
  ['content', 'undo-writing', 'publish', 'Undo the change of another site', 'hours'],
  ['content', 'add-image', 'content', 'Change the images', 'hours'],
  ['content', 'add-picture', 'content', 'Change the images', 'hours'],
  ['content', 'remove-image', 'content', 'Change the images', 'hours'],
  ['content', 'describe-image', 'publish', 'Change the images', 'hours'],
  ['content', 'replace-image', 'content', 'Change the images', 'hours', 'unused image'],
  ['content', 'replace-image', 'publish', 'Change the images', 'hours', 'used image'],
  ['content', 'confirm-payee', 'manage', 'Confirm who is paid', 'hours'],
  ['content', 'create', 'content', 'Save the content', 'hours', 'article'],
  ['content', 'create', 'content', 'Save the content', 'hours', 'page'],
  ['content', 'create', 'content', 'Save the content', 'hours', 'product'],
  ['content', 'create', 'publish', 'Save the content', 'hours', 'partner'],
  ['content', 'create', 'publish', 'Save the content', 'hours', 'author'],
  ['content', 'save', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'save', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'overwrite', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'overwrite', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'restore', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'restore', 'content', 'Save the content', 'hours', 'draft that was shown'],
  ['content', 'restore', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'publish', 'publish', 'Save the content', 'hours', 'draft'],
  ['content', 'publish', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'schedule', 'publish', 'Save the content', 'hours', 'draft'],
  ['content', 'schedule', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'take-down', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'take-down', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'duplicate', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'duplicate', 'content', 'Save the content', 'hours', 'shown'],
  ['content', 'rename', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'rename', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'take-down-page', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'take-down-page', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'remove', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'remove', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'save-prices', 'publish', 'Save the content', 'hours'],
  ['content', 'save-live-page', 'publish', 'Save the content', 'hours'],
  ['content', 'undo-changes', 'content', 'Save the content', 'hours'],
  ['content', 'open-shop', 'content', '', ''],
  ['content', 'take-changes', 'content', 'Save the content', 'hours', 'draft'],
  ['content', 'take-changes', 'publish', 'Save the content', 'hours', 'shown'],
  ['content', 'check', 'content', '', '', 'draft'],
  ['content', 'check', 'content', '', '', 'shown'],
  ['content', 'preview', 'content', '', '', 'draft'],
  ['content', 'blocks', 'content', '', '', 'draft'],
  ['content', 'paste', 'content', '', '', 'draft'],
  ['content', 'paste', 'content', '', '', 'shown'],
  ['content', 'pictures', 'content', '', '', 'draft'],
  ['content', 'pictures', 'content', '', '', 'shown'],
  ['content', 'blocks', 'content', '', '', 'shown'],
  ['content', 'preview', 'content', '', '', 'shown'],
  ['content', 'open', 'content', '', '', 'draft'],
  ['content', 'open', 'content', '', '', 'shown'],
  ['content', 'compare', 'content', '', '', 'draft'],
  ['content', 'compare', 'content', '', '', 'shown'],
  ['content', 'state', 'content', '', '', 'draft'],
  ['content', 'state', 'content', '', '', 'shown'],
  ['content', 'keep', 'content', '', '', 'draft'],
  ['content', 'keep', 'content', '', '', 'shown'],
  ['content', 'drop-copy', 'content', '', '', 'draft'],
  ['content', 'drop-copy', 'content', '', '', 'shown'],
  ['content', 'take-copy', 'content', '', '', 'draft'],
  ['content', 'take-copy', 'content', '', '', 'shown'],
  ['content', 'find', '', '', ''],
  ['content', 'choices', 'content', '', '', 'draft'],
  ['content', 'choices', 'content', '', '', 'shown'],
  ['content', 'test-destination', 'content', '', '', 'known host'],
  ['content', 'test-destination', 'publish', '', '', 'other host'],
];

const HOUR_MS = 3_600_000;
const SETS: readonly (readonly Capability[])[] = Array.from({ length: 2 ** CAPABILITIES.length }, (_, bits) =>
  CAPABILITIES.filter((_one, index) => (bits >> index) % 2 === 1),
);

/** A console, and what posts an action to it in a session of its own. */
async function open(members: Parameters<typeof createTestSite>[0] = {}, platformContent = {}) {
  const passwordCost = { cost: 2, blockSize: 8, parallelization: 1 };
  const clock = { now: () => CONSOLE_NOW, monotonic: () => CONSOLE_NOW };
  const createLinkRequests = () => () => Promise.reject(new LinkRequestError('refused'));
  const site = await createTestSite({ clock, platform: { passwordCost, createLinkRequests }, ...members });
  Object.assign(site.platform.content, { readImages: () => NO_IMAGES, ...platformContent });
  const notices = createNotices(site);
  const console = createConsole(site, null, null, notices);
  const operators = new Map<string, Operator>();
  async function findOperator(may: readonly Capability[]): Promise<Operator> {
    const id = may.join() || 'none';
    const fields = { id, name: `May ${may}`, capabilities: may };
    const operator = operators.get(id) ?? (await addOperator(site.operators.accounts, fields));
    operators.set(id, operator);
    return operator;
  }
  await findOperator(CAPABILITIES);
  let sessions = 0;
  /** `age`: how long ago the session has begun; `isWrong`: its token is that of another session; `isEnded`: there is none any more. */
  async function post(
    view: string,
    action: string,
    {
      may = CAPABILITIES,
      age = 0,
      isWrong = false,
      isEnded = false,
      from = 'same-origin',
      call,
      sent = {},
    }: {
      may?: readonly Capability[];
      age?: number;
      isWrong?: boolean;
      isEnded?: boolean;
      from?: string;
      /** The body of a call in place of the form; null: the fields of the form. */
      call?: string | null;
      sent?: SentForm;
    } = {},
  ) {
    const operator = await findOperator(may);
    const secret = randomBytes(32).toString('base64url');
    sessions += 1;
    const id = `session-${sessions}`;
    await site.operators.accounts.writeSession(
      {
        id,
        tokenHash: hashSecretToken(secret),
        operatorId: operator.id,
        browser: '',
        createdAt: CONSOLE_NOW - age,
        usedAt: CONSOLE_NOW,
      },
      operator.passwordHash,
    );
    const rest = sent.rest === undefined ? [] : sent.rest.split('/');
    const shownAt = view === 'overview' ? '/console' : buildConsolePath(view, ...rest);
    const path = call === undefined ? shownAt : buildConsolePath('api', action, ...rest);
    const headers = {
      cookie: isEnded ? '' : `operator=${secret}`,
      host: 'localhost',
      'sec-fetch-site': from,
    };
    const token = deriveFromToken(isWrong ? randomBytes(32).toString('base64url') : secret, 'form');
    const body = buildForm({ token, action, ...sent.fields });
    if (sent.file !== undefined) body.set('file', sent.file);
    const json = { ...headers, 'content-type': 'application/json', 'x-form-token': token };
    const init =
      call === undefined
        ? { headers, body }
        : { headers: json, body: call ?? JSON.stringify(sent.fields ?? {}) };
    const raw = new Request(`http://localhost${path}${sent.search ?? ''}`, { method: 'POST', ...init });
    const req = { raw, method: 'POST', url: raw.url, path, header: (name: string) => raw.headers.get(name) };
    let page: ConsolePage | null = null;
    const response = await console.respond(
      { req, env: { requestId: 'id', clientAddress: `192.0.2.${sessions % 200}` } } as unknown as AppContext,
      async (shown, status = 200) => {
        page = shown;
        return new Response('', { status });
      },
    );
    const shown = page as ConsolePage | null;
    const left = await notices.take(id);
    return {
      status: response?.status ?? 0,
      page: shown,
      answer: call === undefined ? null : Object(JSON.parse((await response?.text()) || '{}')),
      notice: left ?? (shown?.kind === 'view' ? shown.frame.notice : null),
    };
  }
  return { site, post };
}

/** A form about a piece of the content, with the path below its view. */
interface SentForm {
  readonly rest?: string;
  readonly search?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly file?: File;
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
const DRAFT = `title: Written
description: A page that is written by a test, long enough for search results.
draft: true
sections:
  - { type: hero, title: Help }
  - { type: prose, body: Words. }
`;
const SHOWN = DRAFT.replace('draft: true\n', '');

/** A console over a content folder with a page that is a draft, one that visitors see, and an image that no file uses. */
async function openFolder() {
  const root = createFolder();
  createSiteFolder({ name: 'New site', folder: root, day: '2025-01-05' });
  writeFileSync(path.join(root, 'pages/draft.yaml'), DRAFT);
  writeFileSync(path.join(root, 'pages/shown.yaml'), SHOWN);
  writeFileSync(path.join(root, 'images/unused.svg'), SVG);
  const read = () =>
    new Map(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:yaml|md|csv|svg)$/.test(name))
        .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
    );
  const before = read();
  const restore = () => {
    const now = read();
    for (const [name] of now) if (!before.has(name)) rmSync(path.join(root, name));
    for (const [name, text] of before) if (now.get(name) !== text) writeFileSync(path.join(root, name), text);
  };
  const content = readAddresses(root).content ?? expect.unreachable('the content is invalid');
  const readImages = () => content.images;
  const files = new ContentFiles(root, readImages);
  const imageStore = new ImageStore(root);
  const { site, post } = await open({ content }, { readImages, files, imageStore });
  const build = (name: string, state: string) => buildSentForm({ site, files, imageStore }, name, state);
  return { site, root, build, post, read, before, restore };
}

/** The form of an action about what is in a state. Each would be done for an operator who may do everything. */
async function buildSentForm(
  { site, files, imageStore }: { site: Site; files: ContentFiles; imageStore: ImageStore },
  name: string,
  state: string,
): Promise<SentForm> {
  if (name === 'create') {
    const link = 'https://www.example.org/?ref=me';
    return { rest: 'new', fields: { kind: state, title: 'Another', link, role: 'Editor', bio: 'Writes.' } };
  }
  if (name === 'replace-image') {
    const image = state === 'used image' ? 'articles/how-we-choose.svg' : 'unused.svg';
    const version = imageStore.list().find((one) => one.path === image)?.version ?? '';
    return { rest: `images/${image}`, fields: { version }, file: new File([SVG, '\n'], 'a.svg') };
  }
  const page = state.startsWith('draft') ? 'pages/draft.yaml' : 'pages/shown.yaml';
  const file = state.endsWith('host') ? 'partners/example.yaml' : page;
  const found = files.read(file);
  if ('problem' in found) return expect.unreachable(`${file} ${found.problem}`);
  const { text, hash: opened } = found;
  if (name === 'test-destination') {
    const draft = state === 'other host' ? text.replaceAll('www.example.com', 'www.example.org') : text;
    return { rest: file, search: '?destination=pricing', fields: { opened, draft } };
  }
  if (name === 'take-changes') {
    const line = proposeText(file, text, text.replace('Words', 'Terms'))?.id ?? '';
    return { rest: 'replace', search: '?find=Words&with=Terms', fields: { line } };
  }
  if (name === 'restore') {
    const former = `${state === 'draft that was shown' ? SHOWN : text}# Before.\n`;
    const hash = hashText(former);
    await site.content.versions.add(file, { text: former, hash, operator: '', savedAt: CONSOLE_NOW });
    const versions = await site.content.versions.readAll(file);
    const version = versions.find((one) => one.hash === hash)?.number;
    return { rest: file, fields: { opened, version: String(version) } };
  }
  const more = {
    current: opened,
    name: 'renamed',
    lead: 'none',
    'publish-at': '2099-01-01T09:00',
  };
  return { rest: file, fields: { opened, draft: `${text}# More.\n`, ...more } };
}

it('has each form once in the list of this test', () => {
  const declared = ACTION_GROUPS.flatMap(({ view, actions }) =>
    Object.keys(actions).map((name) => `${view} ${name}`),
  );
  const listed = EXPECTED.map(([view, name]) => `${view} ${name}`);
  expect([...new Set(listed)].sort()).toEqual([...declared].sort());
  expect(new Set(declared).size).toBe(declared.length);
  expect(new Set(EXPECTED.map(([, name, , , , state]) => `${name}: ${state}`)).size).toBe(EXPECTED.length);
});

it('has a form whose right depends on a state once for each state', () => {
  const byState = ACTION_GROUPS.flatMap(({ actions }) =>
    Object.entries<FormAction>(actions).flatMap(([name, { needs }]) => (needs === 'by state' ? [name] : [])),
  );
  for (const asked of byState) {
    const needed = EXPECTED.flatMap(([, name, needs]) => (name === asked ? [needs] : []));
    expect([asked, needed.length > 1]).toEqual([asked, true]);
  }
});

const TAKES = 'takes each form from an operator with its rights, and refuses it to one with $may otherwise';
async function tryForms({ may }: { readonly may: readonly Capability[] }): Promise<void> {
  const { build, post, read, before, restore } = await openFolder();
  const taken = [];
  for (const [view, name, , asks, , state = ''] of EXPECTED) {
    const sent = state === '' ? {} : await build(name, state);
    const { status, page, notice } = await post(view, name, { may, sent });
    const outcome = [name, state, status, notice?.message ?? ''];
    const isRefused = page?.kind === 'refused' || /who may publish/.test(notice?.message ?? '');
    if (page?.kind === 'refused') expect(outcome.slice(0, 3)).toEqual([name, state, 403]);
    if (!isRefused) taken.push(`${name} ${state}`);
    if (state === '') continue;
    // What is refused changes no file, as what only shows something; the others do what they are asked for.
    if (isRefused || asks === '') expect([...outcome, read()]).toEqual([...outcome, before]);
    else {
      expect([...outcome, notice?.isError]).toEqual([...outcome, false]);
      restore();
    }
  }
  // The right to publish includes the right to edit.
  const has = (one: string) => may.some((own) => own === one || (own === 'publish' && one === 'content'));
  const allowed = EXPECTED.filter(([, , needs]) => needs.split(' ').every((one) => one === '' || has(one)));
  expect(taken).toEqual(allowed.map(([, name, , , , state = '']) => `${name} ${state}`));
}
/** None, the one of money, and all. */
const isUsual = (may: readonly Capability[]) =>
  may.length === CAPABILITIES.length || may.every((one) => one === 'money');
const BY_SET = Object.groupBy(SETS, (may) => (isUsual(may) ? 'usual' : 'rest'));
it.each(BY_SET.usual?.map((may) => ({ may })) ?? [])(TAKES, tryForms);
it.each(BY_SET.rest?.map((may) => ({ may })) ?? [])(TAKES, { tags: ['rest'] }, tryForms);
it('replaces nothing that another operator has changed since a form was opened', async () => {
  const { root, build, post, restore } = await openFolder();
  const overwriting = EXPECTED.filter(
    ([view, name, , asks]) => view === 'content' && asks !== '' && !['overwrite', 'duplicate'].includes(name),
  );
  let replacing = 0;
  for (const [view, name, , , , state = ''] of overwriting) {
    // What takes lines of several files has a test of its own.
    if (state === '' || name === 'create' || name === 'take-changes') continue;
    const sent = await build(name, state);
    const file = path.join(root, sent.rest ?? '');
    const theirs = `${readFileSync(file, 'utf8')}${file.endsWith('.svg') ? '<!-- Theirs. -->' : '# Theirs.'}\n`;
    writeFileSync(file, theirs);
    const { notice } = await post(view, name, { sent });
    const isTold = notice?.isError === true;
    expect([name, state, readFileSync(file, 'utf8'), isTold]).toEqual([name, state, theirs, true]);
    restore();
    replacing += 1;
  }
  expect(replacing).toBeGreaterThan(15);
});

/** Fields of an action with values that no form sends, and fields of none. */
function buildUnknown(name: string): Readonly<Record<string, string>> {
  const action = ACTION_GROUPS.flatMap(({ actions }) => Object.entries<FormAction>(actions)).find(
    ([one]) => one === name,
  )?.[1];
  const fields = Object.keys(action?.fields.shape ?? {});
  return Object.fromEntries([...fields, 'do', '__proto__', 'toString'].map((one) => [one, 'x-unknown']));
}

it.each([
  { age: 0, asked: ['minutes'] },
  { age: 13 * HOUR_MS, asked: ['minutes', 'hours'] },
])('asks for the password $age ms after the sign-in only where it has to', async ({ age, asked }) => {
  const { post } = await open();
  for (const [view, name, , purpose, after] of EXPECTED)
    for (const fields of [{}, buildUnknown(name)]) {
      const { status, page } = await post(view, name, { age, sent: { fields } });
      const asks = page?.kind === 'confirm' ? page.purpose : '';
      expect([name, asks, status < 500]).toEqual([name, asked.includes(after) ? purpose : '', true]);
    }
});

it('repeats no secret on the page that asks for the password', async () => {
  const { post } = await open();
  const fields = { network: 'awin', name: 'AWIN_TOKEN', secret: 'typed-in-text', days: '0' };
  const { page } = await post('partners', 'set-secret', { sent: { fields } });
  expect(page).toMatchObject({ kind: 'confirm', fields: { name: 'AWIN_TOKEN' } });
  expect(JSON.stringify(page)).not.toContain('typed-in-text');
  expect(JSON.stringify(page)).toContain('has to be typed in again');
});

it.each([
  ['isWrong', 'no longer valid'],
  ['isEnded', 'session has ended'],
])('keeps the text of each form whose session is another one: %s', async (state, reason) => {
  const { post } = await open();
  for (const [view, name] of EXPECTED) {
    const sent = { fields: { text: 'typed in for\nan hour', current: 'pass word', secret: 'a key' } };
    const { status, page } = await post(view, name, { [state]: true, sent });
    expect([name, status, page?.kind]).toEqual([name, 403, 'kept']);
    expect(page).toMatchObject({
      message: expect.stringContaining(reason),
      fields: { action: name, text: expect.stringMatching(/^typed in for\s+an hour$/) },
    });
    expect(JSON.stringify(page)).not.toMatch(/pass word|a key/);
  }
});

it('answers each form as a page where the database of the console takes nothing', async () => {
  const { site, post } = await open();
  const refuse = () => Promise.reject(new OperatorStoreError('unavailable', 'full'));
  const { temporaryValues } = site.operators;
  for (const method of ['put', 'claim', 'remove'] as const)
    vi.spyOn(temporaryValues, method).mockImplementation(refuse);
  for (const [view, name] of EXPECTED) {
    const { status, page } = await post(view, name, { sent: { fields: { sent: 'one' } } });
    expect([name, page?.kind ?? `${status}`]).toEqual([
      name,
      expect.stringMatching(/kept|refused|view|confirm|303|200/),
    ]);
  }
  vi.restoreAllMocks();
});

it.each(['one after the other', 'at once'])('makes nothing new from a form sent again, %s', async (order) => {
  const { post, read } = await openFolder();
  const before = read().size;
  const send = (sent: string, title = 'My first tea') =>
    post('content', 'create', { sent: { rest: 'new', fields: { kind: 'page', title, sent } } });
  const twice = order === 'at once' ? [send('a'), send('a')] : [await send('a'), await send('a')];
  const notices = (await Promise.all(twice)).map(({ notice }) => notice?.isError);
  expect([read().size, notices.sort()]).toEqual([before + 1, [false, true]]);
  await send('b');
  await send('a', 'My second tea');
  expect(read().size).toBe(before + 3);
  const copy = () =>
    post('content', 'duplicate', { sent: { rest: 'pages/shown.yaml', fields: { sent: 'a' } } });
  await copy();
  await copy();
  expect(read().size).toBe(before + 4);
});

it('takes a form again that was refused', async () => {
  const { post } = await openFolder();
  const send = () =>
    post('content', 'create', { sent: { rest: 'new', fields: { kind: 'page', sent: 'a' } } });
  const [first, second] = [await send(), await send()];
  expect([first.notice?.isError, second.notice]).toEqual([true, first.notice]);
});

it('says that a piece was created whose history the database does not take, and creates no second one', async () => {
  const { site, post, read } = await openFolder();
  const before = read().size;
  const refuse = () => Promise.reject(new OperatorStoreError('unavailable', 'full'));
  const send = () =>
    post('content', 'create', { sent: { rest: 'new', fields: { kind: 'page', title: 'Tea', sent: 'a' } } });
  vi.spyOn(site.content.versions, 'add').mockImplementation(refuse);
  vi.spyOn(site.operators.temporaryValues, 'put').mockImplementation(refuse);
  expect((await send()).notice).toMatchObject({
    isError: false,
    message: expect.stringContaining('could not be stored'),
  });
  await send();
  vi.spyOn(site.operators.temporaryValues, 'claim').mockImplementation(refuse);
  expect((await send()).page).toMatchObject({ kind: 'kept', fields: { title: 'Tea' } });
  expect(read().size).toBe(before + 1);
  vi.restoreAllMocks();
});

it('takes each form twice at once without failing', async () => {
  const { post } = await open();
  for (const [view, name] of EXPECTED)
    for (const { status } of await Promise.all([post(view, name), post(view, name)]))
      expect([name, status < 500]).toEqual([name, true]);
});

it.each([
  { may: CAPABILITIES, age: 0 },
  { may: CAPABILITIES, age: 13 * HOUR_MS },
  { may: ['content'] as const, age: 0 },
  { may: [], age: 0 },
])(
  'refuses by a call what it refuses by its form, in the same words: $may, $age ms after the sign-in',
  async (asked) => {
    const { post } = await open();
    for (const [view, name] of EXPECTED) {
      const { page, status } = await post(view, name, asked);
      const called = await post(view, name, { ...asked, call: null });
      if (page?.kind === 'confirm')
        expect([name, called.status, called.answer]).toEqual([
          name,
          401,
          { confirm: page.purpose, message: page.reason },
        ]);
      else if (page?.kind === 'refused')
        expect([name, called.status, called.answer]).toEqual([name, status, { message: page.message }]);
      else expect([name, called.status === 401 || called.status === 403]).toEqual([name, false]);
    }
  },
);

it('answers a call with what was saved, or with the text of whoever saved first', async () => {
  const { root, build, post } = await openFolder();
  const { rest = '', fields = {} } = await build('save', 'shown');
  const save = (title: string, more: object = {}) =>
    post('content', 'save', {
      call: null,
      // What its address and header say is in no field.
      sent: {
        rest,
        fields: { opened: fields['opened'] ?? '', '["title"]': title, action: 'take-down', token: 'x' },
      },
      ...more,
    });
  const read = () => readFileSync(path.join(root, rest), 'utf8');
  const [before, first] = [read(), SHOWN.replace('Written', 'First')];
  for (const [more, status, message] of [
    [{ from: 'cross-site' }, 403, /not sent by a page of this console/],
    [{ isWrong: true }, 403, /no longer valid/],
    [{ isEnded: true }, 401, /session has ended/],
    [{ may: [] }, 403, /not allowed/],
    [{ may: ['content'] }, 403, /who may publish/],
  ] as const) {
    const refused = await save('Other', more);
    expect([refused.status, refused.answer.message]).toEqual([status, expect.stringMatching(message)]);
    expect(read()).toBe(before);
  }
  const saved = await save('First');
  expect([saved.status, saved.answer]).toEqual([
    200,
    {
      message: 'Saved. Visitors see it now.',
      isError: false,
      location: buildConsolePath('content', ...rest.split('/')),
    },
  ]);
  expect(read()).toBe(first);
  // The second of two people is told; the same text once more is not saved again.
  const second = await save('Second');
  expect(second.status).toBe(409);
  expect(second.answer.draft.current).toMatchObject({ text: first, hash: hashText(first) });
  expect([(await save('First')).answer.message, read()]).toEqual([
    'Saved. The file on the server had exactly this text already.',
    first,
  ]);
});

const deep = (open: string, close: string) => `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
it.each([
  ['no JSON', '{', 400],
  ['no object', 'null', 400],
  ['a list', '["opened"]', 400],
  ['a number', '{"opened":1}', 400],
  ['an object', '{"opened":{}}', 400],
  ['a list of lists', '{"opened":[["a"]]}', 400],
  ['deep lists', deep('[', ']'), 400],
  ['deep objects', deep('{"a":', '}'), 400],
  [
    'too many fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, '']))),
    400,
  ],
  ['a long name', JSON.stringify({ ['a'.repeat(2_001)]: '' }), 400],
  ['too many bytes', JSON.stringify({ text: 'a'.repeat(4_194_304) }), 413],
])('refuses a call with %s', async (_, call, status) => {
  const { post, read, before } = await openFolder();
  const refused = await post('content', 'rename', { call, sent: { rest: 'pages/shown.yaml' } });
  expect([refused.status, read()]).toEqual([status, before]);
});

it('refuses an action that is not in the table, or is that of another view', async () => {
  const { site, post } = await open();
  for (const [view, name] of [
    ['messages', 'x'],
    ['messages', 'snooze'],
    ['messages', '__proto__'],
    ['week', 'delete-message'],
  ] as const) {
    const { status, page } = await post(view, name);
    expect([status, page?.kind]).toEqual(view === 'week' ? [403, 'refused'] : [303, undefined]);
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
