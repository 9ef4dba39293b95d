import { expect, it } from 'vitest';
import { findPasswordProblem, PasswordHasher, PasswordQueueError, parseOperatorName } from './password.ts';

type Call = readonly [password: string, cost: number | undefined];

/** A hasher whose hashes finish when the test says so. */
function createSlowHasher() {
  const calls: Call[] = [];
  const finish: (() => void)[] = [];
  const hasher = new PasswordHasher((password, _salt, length, { N }) => {
    calls.push([password, N]);
    return new Promise((resolve) => finish.push(() => resolve(new Uint8Array(length).fill(password.length))));
  });
  return { hasher, calls, finish };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('stores the parameters of scrypt with a salt and the hash, and recognizes the password alone', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('correct horse battery staple');
  expect(stored).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hasher.verify('correct horse battery staple', stored)).toBe(true);
  expect(await hasher.verify('correct horse battery stapl', stored)).toBe(false);
});

it('gives the same password two hashes', async () => {
  const hasher = new PasswordHasher(
    async (password, salt) => new Uint8Array([...salt, ...salt, password.length]),
  );
  expect(await hasher.hash('one password')).not.toBe(await hasher.hash('one password'));
});

it('takes the same password in another composition', async () => {
  const hasher = new PasswordHasher(async (password) => Buffer.from(password.padEnd(32)).subarray(0, 32));
  const stored = await hasher.hash('Zoë and the fish');
  expect(await hasher.verify('Zoe\u0308 and the fish', stored)).toBe(true);
});

it('does the same work without a stored hash, and says no', async () => {
  const { hasher, calls, finish } = createSlowHasher();
  const verified = hasher.verify('a password', null);
  await settle();
  finish[0]?.();
  expect(await verified).toBe(false);
  expect(calls).toEqual([['a password', 2 ** 17]]);
});

it('says no to a stored hash that it cannot read, after the same work', async () => {
  const { hasher, calls, finish } = createSlowHasher();
  const verified = hasher.verify('a password', 'bcrypt$12$…');
  await settle();
  finish[0]?.();
  expect(await verified).toBe(false);
  expect(calls).toHaveLength(1);
});

it('computes one hash at a time and refuses what does not fit into the queue', async () => {
  const { hasher, calls, finish } = createSlowHasher();
  const waiting = Array.from({ length: 20 }, (_, index) => hasher.verify(`password ${index}`, null));
  await settle();
  expect(calls).toHaveLength(1);
  await expect(hasher.verify('one too many', null)).rejects.toBeInstanceOf(PasswordQueueError);
  finish[0]?.();
  await waiting[0];
  await settle();
  expect(calls).toHaveLength(2);
  const another = hasher.verify('fits again', null);
  for (let index = 1; index <= 20; index += 1) {
    finish[index]?.();
    await (waiting[index] ?? another);
    await settle();
  }
  expect(calls).toHaveLength(21);
});

it('waits for no other password where requests share no work', async () => {
  const derive = (password: string, _: unknown, length: number) =>
    password === 'hangs' ? new Promise<never>(() => undefined) : Promise.resolve(new Uint8Array(length));
  const hasher = new PasswordHasher(derive, undefined, false);
  for (let count = 0; count < 50; count += 1) void hasher.hash('hangs');
  expect(await hasher.hash('a password')).toMatch(/^scrypt/);
});

it('goes on after a hash that failed', async () => {
  let count = 0;
  const hasher = new PasswordHasher(async (_password, _salt, length) => {
    count += 1;
    if (count === 1) throw new Error('out of memory');
    return new Uint8Array(length);
  });
  await expect(hasher.hash('a password')).rejects.toThrow('out of memory');
  expect(await hasher.hash('a password')).toMatch(/^scrypt/);
});

it.each([
  'correct horse battery staple',
  'Tr0ub4dor&3-zebra',
  'ein langer deutscher Satz',
  'пароль из четырёх слов',
  'password manager zebra lamp',
])('accepts %s', (password) => expect(findPasswordProblem(password, 'Ada')).toBeNull());

it.each([
  ['short', '5 characters; it needs at least 12'],
  ['', '0 characters'],
  ['aaaaaaaaaaaaaaaa', 'repeats'],
  ['121212121212', 'repeats'],
  ['Password123!', 'common'],
  ['password-password', 'common'],
  ['qwerty-admin-2026', 'common'],
  ['AdaLovelace-1815', 'common'],
  ['1qaz2wsx3edc', 'common'],
  ['123qweasdzxc', 'common'],
  ['QWERTYUIOP12', 'common'],
  ['987654321098', 'common'],
  ['P@ssw0rd1234', 'common'],
  ['@dm1n1str@tor', 'common'],
  ['w3lc0me-2026!', 'common'],
  ['Summer2026!Summer', 'common'],
  ['azertyAZERTY1', 'common'],
  ['йцукенгшщзхъ', 'common'],
  ['x'.repeat(501), 'more than 500'],
])('refuses %s', (password, reason) => {
  expect(findPasswordProblem(password, 'Ada Lovelace')).toContain(reason);
});

it('counts characters, not units of their encoding', () =>
  expect(findPasswordProblem('🐟🐠🐡🦈🐬🐳', 'Ada')).toContain('6 characters'));

it.each([
  ['  Ada   Lovelace ', 'Ada Lovelace'],
  ['Zoe\u0308', 'Zoë'],
])('takes the name %j as %s', (text, name) => expect(parseOperatorName(text)).toBe(name));

it.each(['', '   ', 'a'.repeat(81), 'a\u0000b', 'a\u202eb'])('refuses the name %j', (text) =>
  expect(parseOperatorName(text)).toBeNull(),
);
