import { createHmac } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { getSecretsFile } from '../../content-files/secret-file.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { createLog } from '../log.ts';
import { createPostbacks } from './postbacks.ts';
import { NetworkSecrets } from './secrets.ts';

const NAME = 'REWARDFUL_WEBHOOK_SECRET';
const DAY = 86_400_000;
/** A store of secrets in a folder of its own, at a time that a test moves on. */
function open() {
  const folder = createFolder();
  const file = getSecretsFile(folder);
  const clock = { now: 1_790_000_000_000 };
  const ledger = createMemoryLedger();
  const create = () => new NetworkSecrets(file, ledger, () => clock.now);
  return { folder, file, clock, ledger, create, secrets: create() };
}

it('keeps the names and uses of secrets that are typed in and used at once', async () => {
  const { clock, create, ledger } = open();
  const [one, other] = [create(), create()];
  const names = ['ACME_TOKEN', 'KIT_TOKEN', 'TEA_TOKEN', 'SHOP_TOKEN'];
  // Each writes its file in turn; what the ledger remembers is changed by all of them.
  await Promise.all(names.map((name, at) => (at % 2 === 0 ? one : other).set(name, name, 0, 'Ada')));
  const use = (name: string) => ({ name, text: name, isFormer: false });
  await Promise.all(names.map((name, at) => (at % 2 === 0 ? other : one).noteUse(use(name))));
  const described = await create().describe(names);
  expect(described.map(({ lastUsedAt }) => lastUsedAt)).toEqual(names.map(() => clock.now));
  expect([...JSON.parse((await ledger.readState('network-secrets')) ?? '')].sort()).toEqual(
    [...names].sort(),
  );
});

/** A site whose partner has signed messages of Rewardful, and what sends them. */
async function openSite() {
  const { file, clock, folder } = open();
  const [sample] = readSamplePartners().values();
  if (sample === undefined) throw new Error('no partner ships');
  const terms = { ...DEFAULT_TERMS, network: 'rewardful', currency: 'USD' };
  const partners = new Map([['acme', { ...sample, key: 'acme', terms }]]);
  const lines: string[] = [];
  const site = await createTestSite({
    content: { partners },
    log: createLog((line) => lines.push(line), Date.now),
    clock: { now: () => clock.now, monotonic: () => clock.now },
    platform: { secretsFile: file },
  });
  await site.money.postbackAddresses.create();
  const tokens = await site.money.postbackAddresses.readTokens();
  const target = buildPostbackPath('acme', tokens?.build('acme') ?? '');
  const client = createRouteClient({
    method: 'GET, POST',
    path: POSTBACK_PATTERN,
    handle: createPostbacks(site),
  });
  let sent = 0;
  const send = async (key: string) => {
    sent += 1;
    const body = JSON.stringify({
      event: { type: 'commission.created', id: `e-${sent}` },
      object: { id: `c-${sent}`, amount: 100, currency: 'USD' },
    });
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-rewardful-signature': signature };
    return (await client(body, key === '' ? {} : headers, { method: 'POST', target })).status;
  };
  return { site, send, file, clock, folder, lines, secrets: site.money.secrets };
}

it('stores a secret in a file that only the site can read, whole, for other processes too', async () => {
  const { folder, file, secrets, create } = open();
  const other = create();
  expect([secrets.find(NAME), other.find(NAME)]).toEqual(['', '']);
  expect(await secrets.set(NAME, 'first', 0, 'Ada')).toBeNull();
  expect([secrets.find(NAME), other.find(NAME)]).toEqual(['first', 'first']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await other.set('ACME_TOKEN', 'second', 0, 'Ben')).toBeNull();
  expect([secrets.find(NAME), secrets.find('ACME_TOKEN')]).toEqual(['first', 'second']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['network-secrets.json']);
  expect(await secrets.remove(NAME)).toBeNull();
  expect([other.find(NAME), other.find('ACME_TOKEN')]).toEqual(['', 'second']);
});

it('refuses what no header and no name of a secret can be', async () => {
  const { secrets } = open();
  for (const [name, value] of [
    ['__proto__', 'x'],
    ['PATH', 'x'],
    [NAME, ''],
    [NAME, 'two\nlines'],
    [NAME, 'x'.repeat(2_001)],
  ] as const)
    expect(await secrets.set(name, value, 0, 'Ada')).toMatch(/1 to 2,000 characters/);
  expect(secrets.find(NAME)).toBe('');
});

it('prefers the environment, and the name with the partner behind it', async () => {
  const { secrets } = open();
  await secrets.set(NAME, 'typed', 0, 'Ada');
  const texts = async () => (await secrets.findForWebhook('my-shop', NAME))?.map(({ text }) => text);
  expect(await texts()).toEqual(['typed']);
  vi.stubEnv(NAME, 'set');
  vi.stubEnv(`${NAME}_FORMER`, 'before');
  expect([secrets.find(NAME), await texts()]).toEqual(['set', ['set', 'before']]);
  await secrets.set(`${NAME}_MY_SHOP`, 'own', 0, 'Ada');
  expect(await texts()).toEqual(['own']);
  expect((await secrets.describe([NAME]))[0]).toMatchObject({ isInEnvironment: true, set: { by: 'Ada' } });
});

it('has no file on a platform with secrets of its own', async () => {
  const secrets = new NetworkSecrets(null, createMemoryLedger(), Date.now);
  expect(await secrets.set(NAME, 'x', 0, 'Ada')).toMatch(/The platform has the secrets/);
  vi.stubEnv(NAME, 'bound');
  expect([secrets.find(NAME), await secrets.readProblems()]).toEqual(['bound', []]);
});

it('accepts the former secret of a webhook for the chosen time, and says when each was used', async () => {
  const { site, send, secrets, clock, file } = await openSite();
  const console = new NetworkSecrets(file, site.money.ledger, () => clock.now);
  await secrets.set(NAME, 'old', 7 * DAY, 'Ada');
  expect([await send('old'), await send('new'), await send('')]).toEqual([200, 401, 401]);
  const usedAt = clock.now;
  clock.now += DAY;
  // As the console does, which has a thread of its own.
  await console.set(NAME, 'new', 7 * DAY, 'Ben');
  const until = clock.now + 7 * DAY;
  const look = async () => (await secrets.describe([NAME]))[0];
  expect(await look()).toMatchObject({
    set: { at: clock.now, by: 'Ben' },
    lastUsedAt: null,
    former: { until, lastUsedAt: usedAt },
  });
  expect([await send('new'), await send('old'), await send('other')]).toEqual([200, 200, 401]);
  expect(await look()).toMatchObject({
    lastUsedAt: clock.now,
    former: { until, lastUsedAt: clock.now },
  });
  clock.now = until + 1;
  expect([await send('new'), await send('old')]).toEqual([200, 401]);
  expect(await look()).toMatchObject({ former: null });
  // What is accepted no more is not stored either, after the next change.
  await secrets.set('ACME_TOKEN', 'x', 0, 'Ada');
  expect(readFileSync(file, 'utf8')).not.toContain('"old"');
  await secrets.set(NAME, 'third', 0, 'Ada');
  expect([await send('third'), await send('new')]).toEqual([200, 401]);
});

it('accepts each former secret as long as was promised, whatever is saved meanwhile', async () => {
  const { send, secrets, clock, file } = await openSite();
  const save = (text: string, days: number) => secrets.set(NAME, text, days * DAY, 'Ada');
  const begin = clock.now;
  await save('first', 0);
  for (const typed of ['typo', 'second', 'third']) {
    clock.now += 60_000;
    await save(typed, 7);
  }
  await save('third', 0);
  // Neither an immediate end of the present one, nor the same text again, nor another secret ends what was promised.
  await save('last', 0);
  await save('last', 1);
  await secrets.set('ACME_TOKEN', 'x', 0, 'Ada');
  const all = ['first', 'typo', 'second', 'third', 'last'];
  const answers = async () => Promise.all(all.map(send));
  expect(await answers()).toEqual([200, 200, 200, 401, 200]);
  clock.now = begin + 7 * DAY + 60_001;
  expect(await answers()).toEqual([401, 200, 200, 401, 200]);
  await secrets.set('ACME_TOKEN', 'y', 0, 'Ada');
  expect(readFileSync(file, 'utf8')).not.toMatch(/"first"|"third"/);
  await secrets.remove(NAME);
  expect(readFileSync(file, 'utf8')).not.toMatch(/"typo"|"second"/);
});

it.each<[fault: string, broken: (file: string) => void, says: RegExp]>([
  ['removed', (file) => rmSync(file), /typed in cannot be found/],
  ['damaged', (file) => writeFileSync(file, '{"format":1,"secrets":{'), /is damaged: restore it/],
  ['emptied', (file) => writeFileSync(file, ''), /is damaged: restore it/],
  [
    'of another format',
    (file) => writeFileSync(file, JSON.stringify({ format: 2, secrets: {} })),
    /is damaged/,
  ],
  [
    'without the secret',
    (file) => writeFileSync(file, JSON.stringify({ format: 1, secrets: {} })),
    /typed in cannot be found/,
  ],
])('takes no message, signed or not, while the file is %s', async (_, broken, says) => {
  const { send, secrets, file, site } = await openSite();
  expect(await send('')).toBe(200);
  await secrets.set(NAME, 'typed-in-text', 0, 'Ada');
  expect([await send('typed-in-text'), await secrets.readProblems()]).toEqual([200, []]);
  const text = readFileSync(file, 'utf8');
  broken(file);
  expect([await send('typed-in-text'), await send('')]).toEqual([503, 503]);
  const [problem] = await site.dataHealth.read();
  expect(problem?.detail).toMatch(says);
  expect(problem?.detail).not.toMatch(/typed-in-text|REWARDFUL/);
  const refusal = await secrets.set(NAME, 'again', 0, 'Ada');
  if (says.test('typed in cannot be found')) expect([refusal, await send('again')]).toEqual([null, 200]);
  else {
    // What is damaged is not replaced without a word.
    expect(refusal).toMatch(/damaged/);
    writeFileSync(file, text);
    expect(await send('typed-in-text')).toBe(200);
  }
});

it('says that other users can read the file, and goes on', async () => {
  const { secrets, file, send } = await openSite();
  await secrets.set(NAME, 'typed', 0, 'Ada');
  chmodSync(file, 0o644);
  expect((await secrets.readProblems())[0]?.detail).toMatch(/chmod 600 network-secrets.json/);
  expect(await send('typed')).toBe(200);
});

it('forgets a secret that was removed in the console', async () => {
  const { secrets, send, file } = await openSite();
  await secrets.set(NAME, 'typed', 0, 'Ada');
  rmSync(file);
  expect((await secrets.describe([NAME]))[0]).toMatchObject({ isMissing: true, set: null });
  expect(await secrets.remove(NAME)).toBeNull();
  expect([await secrets.readProblems(), await send('')]).toEqual([[], 200]);
});

it('writes no secret into the log', async () => {
  const { secrets, send, lines, file } = await openSite();
  await secrets.set(NAME, 'typed-in-text', 0, 'Ada');
  await Promise.all([send('typed-in-text'), send('wrong'), send('')]);
  rmSync(file);
  await send('typed-in-text');
  expect(lines.join('\n')).not.toContain('typed-in-text');
});
