import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildForm, buildViewRequest, postForm } from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { readSaving } from '../../../test/support/content-copy.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { NETWORK_REFUSED, writeNetwork } from '../../content-files/networks.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { CAPABILITIES, type ConsoleViewer } from '../../core/console/capabilities.ts';
import { contentActions } from '../actions.ts';
import type { ConsoleSite } from '../console-site.ts';
import { findConfirmation } from '../run-action.ts';
import { findPublishProblem } from './drafts.ts';
import { createDraftJob } from './working-copies.ts';

const saving = readSaving();

/** A network that sends its secret to a host of the writer's choice. */
const build = (change: object = {}, secret = 'EVIL_KEY') => ({
  format: 1,
  title: 'Evil',
  reversal: 'unknown',
  seen: { push: 'documented' },
  sources: [{ text: 'me', day: '2026-11-01' }],
  interface: {
    needs: [secret],
    url: 'https://evil.example/take',
    auth: { scheme: 'bearer', secret },
    records: '',
    record: { id: 'id', amount: 'amount' },
    ...change,
  },
  messages: [{ name: 'x', is: 'composed', query: 'id=1&amount=5', becomes: 'unconfirmed' }],
});
const EVIL = writeNetwork(build());

const operator = (...capabilities: readonly string[]): Extract<ConsoleViewer, { kind: 'operator' }> => ({
  kind: 'operator',
  id: 'eve',
  name: 'Eve',
  isConfirmed: true,
  capabilities: CAPABILITIES.filter((one) => capabilities.includes(one)),
});
const ALL = operator(...CAPABILITIES);
/** Each lacks something: a right, or the password of the last minutes. */
const LACKING = [
  operator('content', 'publish'),
  operator('content', 'publish', 'money'),
  operator('content', 'publish', 'manage'),
  { ...ALL, isConfirmed: false },
];

/** A console over a folder with a network of its own, of which a version and a message that cannot be read are stored. */
async function open() {
  const { root, site } = await createContentConsole((text) => text);
  mkdirSync(path.join(root, 'networks'), { recursive: true });
  const read = (name: string) => {
    const file = path.join(root, `networks/${name}.yaml`);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  const write = (name: string, text: string) => {
    writeFileSync(path.join(root, `networks/${name}.yaml`), text);
    return site.content.applyEdits([`networks/${name}.yaml`]);
  };
  const harmless = EVIL.replace('evil.example', 'api.acme.example').replaceAll('EVIL', 'OWN');
  await write('own', harmless);
  const evil = harmless.replace('api.acme.example', 'evil.example');
  const version = { text: evil, hash: hashText(evil), operator: '', savedAt: 1 };
  await site.content.versions.add('networks/own.yaml', version);
  await site.money.ledger.addUnread({
    partner: 'example',
    source: 'postback',
    problem: 'the field amount is missing',
    arrivedAt: 1,
    content: JSON.stringify({ ref_no: 'R-1', earned: '12.50' }),
  });
  await site.money.secrets.readConfirmed(site.content.read().networks);
  return { site, root, read, write, harmless, evil };
}

type Opened = Awaited<ReturnType<typeof open>>;
const post = ({ site }: Opened, viewer: ConsoleViewer, file: string, fields: Record<string, string>) =>
  postForm(site, 'content', fields, buildViewRequest({ viewer, rest: file.split('/') })).catch(() => null);

const WAYS: readonly (readonly [
  name: string,
  write: (opened: Opened, viewer: ConsoleViewer) => Promise<unknown>,
])[] = [
  [
    'saving a new file',
    (opened, viewer) =>
      post(opened, viewer, 'networks/evil.yaml', { action: 'save', opened: '', draft: EVIL }),
  ],
  [
    'saving one that ships',
    (opened, viewer) =>
      post(opened, viewer, 'networks/tolt.yaml', { action: 'save', opened: '', draft: EVIL }),
  ],
  ...(['save', 'publish', 'duplicate'] as const).map(
    (action) =>
      [
        `${action} of the file`,
        (opened: Opened, viewer: ConsoleViewer) => {
          const fields = { action, opened: hashText(opened.harmless), draft: opened.evil };
          return post(opened, viewer, 'networks/own.yaml', fields);
        },
      ] as const,
  ),
  [
    'overwriting it',
    (opened, viewer) => {
      const fields = {
        action: 'overwrite',
        opened: 'x',
        draft: opened.evil,
        current: hashText(opened.harmless),
      };
      return post(opened, viewer, 'networks/own.yaml', fields);
    },
  ],
  [
    'putting a version back',
    async (opened, viewer) => {
      const versions = await opened.site.content.versions.readAll('networks/own.yaml');
      const version = String(versions.find(({ hash }) => hash === hashText(opened.evil))?.number);
      const fields = { action: 'restore', opened: hashText(opened.harmless), version };
      return post(opened, viewer, 'networks/own.yaml', fields);
    },
  ],
  [
    'making one of messages',
    async ({ site }, viewer) => {
      const [message] = await site.money.ledger.readUnread();
      const fields = { message: message?.id ?? '', name: 'made', title: 'Made', unit: 'decimal' };
      const means = { 'means ref_no': 'id', 'means earned': 'amount' };
      const form = { action: 'make-network', ...fields, ...means };
      return postForm(site, 'partners', form, buildViewRequest({ viewer })).catch(() => null);
    },
  ],
];

const list = ({ root, read }: Opened) =>
  ['own', 'own-copy', 'evil', 'tolt', 'made', 'copy-of-own'].map((name) => [name, read(name), root !== '']);

it.each(WAYS)('refuses %s to who lacks a right or the password', async (_, write) => {
  const opened = await open();
  const before = list(opened);
  for (const viewer of LACKING) {
    await write(opened, viewer);
    expect(list(opened)).toEqual(before);
  }
});

it.each(WAYS.filter(([name]) => !/publish|duplicate|ships/.test(name)))(
  'allows %s with all of them, and names the hosts to confirm',
  async (name, write) => {
    const opened = await open();
    const before = list(opened);
    await addOperator(opened.site.operators.accounts, { id: 'eve', name: 'Eve' });
    await opened.site.payees.tell('');
    await write(opened, ALL);
    expect(list(opened)).not.toEqual(before);
    const changes = await opened.site.payees.readUnconfirmed(opened.site.content.read());
    const hosts = changes.flatMap(({ values }) => values.flatMap(({ after }) => after ?? []));
    // What is made of messages has neither hosts nor secrets.
    if (name.startsWith('making')) expect(changes).toEqual([]);
    else expect(hosts).toContain('evil.example');
  },
);

it('moves a partner to another network, whose messages need no signature, for who may manage and see money alone', async () => {
  const opened = await open();
  const file = 'partners/example.yaml';
  const read = () => readFileSync(path.join(opened.root, file), 'utf8');
  const before = read();
  const moved = /^network: /m.test(before)
    ? before.replace(/^network: .*$/m, 'network: tolt')
    : `${before}network: tolt\n`;
  const save = (viewer: ConsoleViewer, draft: string) =>
    post(opened, viewer, file, { action: 'save', opened: hashText(read()), draft });
  for (const viewer of LACKING.slice(0, 3)) {
    await save(viewer, moved);
    expect(read()).toBe(before);
  }
  const named = before.replace(/^name: .*$/m, 'name: Another');
  await save(operator('content', 'publish'), named);
  expect(read()).toBe(named);
  await save(ALL, moved);
  expect(read()).toBe(moved);
  const texts = [moved, ''];
  for (const viewer of LACKING.slice(0, 3))
    expect(findPublishProblem(viewer, file, texts)).toBe(NETWORK_REFUSED);
  expect(findPublishProblem(ALL, file, texts)).toBeNull();
});

it('saves no network with other files, and none that an operator has left', async () => {
  const opened = await open();
  const { site, evil, harmless } = opened;
  const { files } = site.platform.content;
  const change = { file: 'networks/own.yaml', text: evil, opened: hashText(harmless) };
  expect(files?.saveTogether([change], saving)).toMatchObject({ outcome: 'failed' });
  expect(files?.save(change.file, evil, change.opened, saving)).toMatchObject({
    outcome: 'failed',
  });
  await addOperator(site.operators.accounts, { id: 'eve', name: 'Eve' });
  const left = {
    file: change.file,
    operator: 'eve',
    name: 'Eve',
    page: 'p',
    base: change.opened,
    text: evil,
    number: 1,
    place: '',
  };
  await site.content.versions.keepCopy({ ...left, savedAt: 1 }, '');
  await createDraftJob(site)();
  expect(opened.read('own')).toBe(harmless);
});

it('asks for the password of the last minutes wherever a form may write the file of a network or confirms it', () => {
  const { viewer } = buildViewRequest();
  if (viewer.kind !== 'operator') throw new Error('no operator');
  const session = { id: 's', viewer, formToken: 't', isRecent: true };
  const ask = (action: string, file: string, isConfirmed: boolean, partner = '') => {
    const target = { view: 'content', rest: file.split('/'), ...rest } as const;
    return findConfirmation(target, buildForm({ action, partner }), { ...session, isConfirmed })?.within;
  };
  const rest = { parameters: new URLSearchParams(), viewer, formToken: 't', sessionId: 's' };
  const writing = Object.entries(contentActions.actions).filter(([, { confirm }]) => confirm !== null);
  expect(writing.length).toBeGreaterThan(15);
  for (const [action] of writing) {
    expect([action, ask(action, 'networks/evil.yaml', false)]).toEqual([action, 'minutes']);
    expect([action, ask(action, 'networks/evil.yaml', true)]).toEqual([action, undefined]);
    expect([action, ask(action, 'pages/home.yaml', false)]).toEqual([action, undefined]);
  }
  expect(ask('confirm-payee', '', false, 'networks/evil')).toBe('minutes');
  expect(ask('confirm-payee', '', false, 'kit')).toBeUndefined();
});

const confirm = (site: ConsoleSite, viewer: ConsoleViewer, hash: string) =>
  postForm(
    site,
    'content',
    { action: 'confirm-payee', partner: 'networks/own', hash },
    buildViewRequest({ viewer }),
  ).catch(() => ({ isError: true, message: 'refused' }));

it('tells of a host that a file of the folder names, and lets it be confirmed with rights and password alone', async () => {
  const { site, write, evil } = await open();
  await addOperator(site.operators.accounts, { id: 'eve', name: 'Eve' });
  await site.payees.tell('');
  await site.money.secrets.set('OWN_KEY', 'typed', 0, 'Ada');
  await write('own', evil);
  await site.payees.tell('');
  const [change, ...more] = await site.payees.readUnconfirmed(site.content.read());
  expect([change, more]).toMatchObject([
    {
      partner: 'networks/own',
      values: [{ field: 'hosts', before: 'api.acme.example', after: 'evil.example' }],
    },
    [],
  ]);
  const told = (await site.operators.activity.read(null, { offset: 0, limit: 5 })).map(({ text }) => text);
  expect(told).toEqual([expect.stringMatching(/network Evil .* hosts: api\.acme\.example → evil\.example/)]);
  const file = () => site.content.read().networks.get('own');
  const canSend = () => {
    const network = file();
    return network !== undefined && typeof site.money.secrets.findFor('own', network) === 'function';
  };
  for (const viewer of LACKING)
    expect(await confirm(site, viewer, change?.hash ?? '')).toMatchObject({ isError: true });
  expect(await confirm(site, ALL, 'another')).toMatchObject({ isError: true });
  await site.money.secrets.readConfirmed(site.content.read().networks);
  expect(canSend()).toBe(false);
  expect(await confirm(site, ALL, change?.hash ?? '')).toMatchObject({ isError: false });
  // A second time, there is nothing left.
  expect(await confirm(site, ALL, change?.hash ?? '')).toMatchObject({ isError: true });
  await site.money.secrets.readConfirmed(site.content.read().networks);
  expect([canSend(), await site.payees.readUnconfirmed(site.content.read())]).toEqual([true, []]);
});

it.each([
  ['a setting of the site', 'LEDGER_COPY_KEY', /LEDGER_COPY_KEY|setting of the site/],
  ['a secret of the machine', 'GITHUB_TOKEN', /its own begin with EVIL_/],
  ['a secret of another network', 'AWIN_TOKEN', /its own begin with EVIL_/],
])('refuses to save a file that names %s', async (_, secret, says) => {
  const opened = await open();
  const draft = writeNetwork(build({}, secret));
  const result = await post(opened, ALL, 'networks/evil.yaml', { action: 'save', opened: '', draft });
  expect(opened.read('evil')).toBeNull();
  expect(JSON.stringify(result)).toMatch(says);
});
