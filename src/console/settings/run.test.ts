import { expect, it } from 'vitest';
import { buildForm, createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { CAPABILITIES, type Capability } from '../../core/console/capabilities.ts';
import { PasswordHasher } from '../access/password.ts';
import { createSetup } from '../access/setup.ts';
import { IssuedAddresses } from './read.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'four other unrelated words';

/** Settings of an operator with two sessions; hashes take a hundredth of the time. */
async function createSettings(capabilities: readonly Capability[] = CAPABILITIES) {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const log = { info: write, warn: write, error: write };
  const created = await createTestConsole({ log, now: () => 1 });
  const store = created.operators.accounts;
  const hasher = new PasswordHasher(undefined, { cost: 1_024, blockSize: 8, parallelization: 1 });
  const operator = { id: 'o-1', name: 'Ada', capabilities, passkeyUserId: 'u', createdAt: 1 };
  const setup = {
    purpose: 'first',
    operatorId: null,
    name: '',
    capabilities,
    createdBy: '',
    expiresAt: 2,
  } as const;
  await store.writeSetup({ ...setup, tokenHash: 'setup' });
  const passwordHash = await hasher.hash(PASSWORD);
  await store.completeSetup('setup', { ...operator, passwordHash }, 1);
  for (const id of ['here', 'elsewhere']) {
    const session = { id, tokenHash: id, operatorId: 'o-1', browser: '', createdAt: 1, usedAt: 1 };
    await store.writeSession(session, passwordHash);
  }
  const site = { ...created, hasher };
  const viewer = { kind: 'operator', id: 'o-1', name: 'Ada', capabilities } as const;
  const change = (fields: Readonly<Record<string, string>>) =>
    postChange(site, 'settings', fields, { viewer, sessionId: 'here' });
  const verify = async (password: string) =>
    hasher.verify(password, (await store.readOperator('o-1'))?.passwordHash ?? null);
  return { site, store, lines, change, verify };
}

const changePassword = (current: string, password = NEW_PASSWORD) => ({
  action: 'change-password',
  current,
  password,
});

it.each([['who may do everything', CAPABILITIES] as const, ['who may do nothing', []] as const])(
  'the current password changes the password of an operator %s and ends the other sessions',
  async (_, capabilities) => {
    const { store, change, verify, lines } = await createSettings(capabilities);
    expect(await change(changePassword(PASSWORD))).toMatchObject({ isError: false });
    expect([await verify(NEW_PASSWORD), await verify(PASSWORD)]).toEqual([true, false]);
    expect((await store.readSessions('o-1')).map(({ id }) => id)).toEqual(['here']);
    expect(JSON.stringify(lines)).not.toMatch(/staple|unrelated/);
  },
);

it('a change of the password removes what the operator chose of what gives access, and names the rest', async () => {
  const { site, store, change, verify } = await createSettings();
  const passkey = {
    operatorId: 'o-1',
    publicKey: '',
    counter: 0,
    transports: [],
    createdAt: 1,
    usedAt: null,
  };
  for (const id of ['lost', 'own']) await store.writePasskey({ ...passkey, id, label: id });
  await change({ action: 'invite', name: 'Bob', 'can-manage': 'on' });
  for (const label of ['Bank', 'Press']) await change({ action: 'share', address: '/console/pages', label });
  const links = await store.readShareLinks(1);
  const form = buildForm(changePassword(PASSWORD));
  form.append('passkey', 'lost');
  form.append('invitation', 'invite Bob');
  for (const { id, label } of links) if (label === 'Bank') form.append('share-link', id);
  const viewer = { kind: 'operator', id: 'o-1', name: 'Ada', capabilities: CAPABILITIES } as const;
  expect(await postChange(site, 'settings', form, { viewer, sessionId: 'here' })).toMatchObject({
    isError: false,
    message: expect.stringMatching(/Still valid: 1 passkey, 1 share link\.$/),
  });
  expect(await verify(NEW_PASSWORD)).toBe(true);
  expect((await store.readPasskeys('o-1')).map(({ id }) => id)).toEqual(['own']);
  expect(await store.readSetups(1)).toEqual([]);
  expect((await store.readShareLinks(1)).map(({ label }) => label)).toEqual(['Press']);
});

it('a wrong current password and a weak new one change nothing', async () => {
  const { store, change, verify, lines } = await createSettings();
  expect(await change(changePassword('a guess'))).toMatchObject({ isError: true });
  expect(await change(changePassword(PASSWORD, 'Password123!'))).toMatchObject({ isError: true });
  expect(await verify(PASSWORD)).toBe(true);
  expect(await store.readSessions('o-1')).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain('a guess');
});

it('takes five attempts in a minute, and then not even the right password', async () => {
  const { change, verify } = await createSettings();
  for (let attempt = 0; attempt < 5; attempt += 1) await change(changePassword(`guess ${attempt}`));
  const refused = await change(changePassword(PASSWORD));
  expect(refused).toMatchObject({ isError: true });
  expect(refused.message).toContain('Too many attempts');
  expect(await verify(PASSWORD)).toBe(true);
});

it('operators who manage choose the digest and the first day of the week; others do not', async () => {
  const { store, change } = await createSettings();
  const choices = { action: 'preferences', digest: 'weekly', 'week-start': 'sunday' };
  expect(await change(choices)).toMatchObject({ isError: false });
  expect(await store.readPreferences()).toEqual({ digest: 'weekly', weekStart: 'sunday' });
  expect(await change({ ...choices, 'week-start': 'friday' })).toMatchObject({ isError: true });
  await change({ ...choices, digest: 'hourly' });
  expect(await store.readPreferences()).toEqual({ digest: 'off', weekStart: 'sunday' });
  const viewer = await createSettings(['money']);
  await expect(viewer.change(choices)).rejects.toThrow('may not');
  expect(await viewer.store.readPreferences()).toEqual({ digest: 'off', weekStart: 'monday' });
});

it('shows a created address to its session alone, at every request until the next change or five minutes later', async () => {
  const { temporary: store } = createMemoryConsole();
  const create = (now: number) => new IssuedAddresses(store, () => now);
  const address = { title: 'Share link', url: 'https://site.example/console/share/secret', note: 'Once.' };
  await create(1).put('session', address);
  expect(await create(2).read('other session')).toBeNull();
  expect(await create(2).read('session')).toEqual(address);
  expect(await create(300_000).read('session')).toEqual(address);
  expect(await create(300_001).read('session')).toBeNull();
  const { site, change } = await createSettings();
  const issued = new IssuedAddresses(site.operators.temporaryValues, site.clock.now);
  await change({ action: 'invite', name: 'Bob' });
  expect(await issued.read('here')).toMatchObject({ title: 'Address at which Bob chooses a password' });
  await change({ action: 'preferences', 'week-start': 'monday' });
  expect(await issued.read('here')).toBeNull();
});

it('an invitation waits a day for its person, an address of a new password a quarter of an hour', async () => {
  const { store } = await createSettings();
  const operator = (await store.readOperator('o-1')) ?? expect.unreachable();
  await createSetup(store, { kind: 'invite', name: 'Bob', capabilities: [], createdBy: 'Ada' }, 0);
  await createSetup(store, { kind: 'reset', operator }, 0);
  const ends = (await store.readSetups(1)).map(({ purpose, expiresAt }) => [purpose, expiresAt / 60_000]);
  expect(ends).toEqual([
    ['invite Bob', 1_440],
    ['reset o-1', 15],
  ]);
});

it('shows no address from a stored value of another shape', async () => {
  const { temporary: store } = createMemoryConsole();
  const issued = new IssuedAddresses(store, () => 1);
  await store.put({ kind: 'issued', key: 'session', value: 'x', expiresAt: 9 }, { now: 1 });
  expect(await issued.read('session')).toBeNull();
});
