import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { SignInLimits } from './sign-in-limits.ts';

const MINUTE = 60_000;

/** Limits of several instances over one store; each attempt goes to the next one. */
function createLimits(instances = 1) {
  const time = { now: 0 };
  const { temporary: store } = createMemoryConsole();
  const keys: string[] = [];
  const takeAttempt = store.takeAttempt.bind(store);
  store.takeAttempt = (key, rate, now) => {
    keys.push(key);
    return takeAttempt(key, rate, now);
  };
  const limits = Array.from({ length: instances }, () => new SignInLimits(store, 'key', () => time.now));
  let count = 0;
  const attempt = async (address: string, former: string | null = null): Promise<number> =>
    limits[count++ % instances]?.take(address, former) ?? -1;
  const fail = (address: string) => limits[0]?.noteFailure(address);
  const confirm = async (session: string) => (await limits[0]?.takeConfirmation(session)) ?? -1;
  return { time, attempt, fail, confirm, keys };
}

async function repeat(count: number, run: (index: number) => Promise<number>): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let index = 0; index < count; index += 1) waits.push(await run(index));
  return waits;
}

it('takes five attempts of an address at once, and one more after twelve seconds', async () => {
  const { time, attempt } = createLimits();
  expect(await repeat(6, () => attempt('192.0.2.1'))).toEqual([0, 0, 0, 0, 0, 12]);
  expect(await attempt('192.0.2.2')).toBe(0);
  time.now += 12_000;
  expect(await attempt('192.0.2.1')).toBe(0);
});

it('takes no more when the attempts go to different instances', async () => {
  const { attempt } = createLimits(3);
  expect(await repeat(6, () => attempt('192.0.2.1'))).toEqual([0, 0, 0, 0, 0, 12]);
});

it('takes about thirty attempts of an address in an hour', async () => {
  const { time, attempt } = createLimits();
  let taken = 0;
  for (let minute = 0; minute < 30; minute += 1) {
    for (const wait of await repeat(5, () => attempt('192.0.2.1'))) taken += wait === 0 ? 1 : 0;
    time.now += MINUTE;
  }
  expect(taken).toBeGreaterThanOrEqual(30);
  expect(taken).toBeLessThanOrEqual(46);
});

it('counts the addresses of one IPv6 subscriber as one', async () => {
  const { attempt } = createLimits();
  const waits = await repeat(6, (index) => attempt(`2001:db8::${index + 1}`));
  expect(waits.at(-1)).toBeGreaterThan(0);
});

it('gives each address a turn of its own when many guess, one each twelve seconds', async () => {
  const { time, attempt } = createLimits();
  const first = await repeat(100, (index) => attempt(`198.51.100.${index}`));
  expect(first.every((wait) => wait === 0)).toBe(true);
  expect(await repeat(4, (index) => attempt(`203.0.113.${index}`))).toEqual([0, 12, 24, 36]);
  // Asking again changes nothing, and no other address gets the turn.
  expect(await repeat(9, () => attempt('203.0.113.2'))).toEqual(Array(9).fill(24));
  time.now += 24_000;
  expect(await attempt('203.0.113.9')).toBe(24);
  expect(await attempt('203.0.113.2')).toBe(0);
  expect(await attempt('203.0.113.2')).toBeGreaterThan(0);
  time.now += 10 * MINUTE;
  expect(await attempt('203.0.113.3')).toBe(0);
});

it('lets an address wait behind those that failed from its second wrong password on', async () => {
  const { attempt, fail } = createLimits();
  await repeat(100, (index) => attempt(`198.51.100.${index}`));
  await fail('192.0.2.1');
  for (let count = 0; count < 2; count += 1) await fail('192.0.2.2');
  expect(await repeat(3, (index) => attempt(`203.0.113.${index}`))).toEqual([0, 12, 24]);
  expect([await attempt('192.0.2.1'), await attempt('192.0.2.2')]).toEqual([36, 0]);
});

/**
 * Guesses for an hour, two a second from addresses in turn, whatever wait is asked for. Each ten minutes an unknown
 * browser begins to sign in with the right password, and tries again when it may. Resolves with the guesses that were
 * taken and the longest time in seconds until such a browser was in.
 */
async function attack(addresses: number) {
  const { time, attempt, fail } = createLimits();
  let guesses = 0;
  let longest = 0;
  let browser: { began: number; next: number; name: string } | null = null;
  for (let second = 0; second < 3_600; second += 1) {
    time.now = second * 1_000;
    for (let guess = 0; guess < 2; guess += 1) {
      const index = (second * 2 + guess) % addresses;
      const address = `198.18.${index >> 8}.${index & 255}`;
      if ((await attempt(address)) > 0) continue;
      guesses += 1;
      await fail(address);
    }
    if (second % 600 === 300) browser ??= { began: second, next: second, name: `2001:db8:${second}::1` };
    if (browser === null || browser.next > second) continue;
    const wait = await attempt(browser.name);
    longest = Math.max(longest, second - browser.began);
    browser = wait > 0 ? { ...browser, next: second + wait } : null;
  }
  if (browser !== null) longest = Math.max(longest, 3_600 - browser.began);
  return { guesses, longest };
}

it.each([
  [20, 0],
  [200, 200 * 12],
])('lets the right password in while %i addresses guess, after at most %i s', async (addresses, bound) => {
  const { guesses, longest } = await attack(addresses);
  expect(longest).toBeLessThanOrEqual(bound);
  // 100 at once, 100 an hour, and one turn of each queue in twelve seconds.
  expect(guesses).toBeLessThanOrEqual(100 + 100 + 2 * 300);
  expect(guesses).toBeGreaterThan(400);
});

it('lets a browser that was signed in before try while many addresses guess, from the address of one of them', async () => {
  const { attempt } = createLimits();
  await repeat(200, (index) => attempt(`198.51.100.${index % 250}`));
  await repeat(6, () => attempt('192.0.2.1'));
  expect(await attempt('192.0.2.1')).toBeGreaterThan(0);
  expect(await attempt('192.0.2.1', 'ada')).toBe(0);
});

it('limits the attempts of a known browser too, which is an unknown one beyond its limit', async () => {
  const { attempt } = createLimits();
  const waits = await repeat(11, () => attempt('192.0.2.1', 'ada'));
  expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
  expect(waits.at(-1)).toBeGreaterThan(0);
});

it('limits the attempts of a session to confirm, apart from those of every other browser', async () => {
  const { attempt, confirm } = createLimits();
  expect(await repeat(6, () => confirm('session'))).toEqual([0, 0, 0, 0, 0, 12]);
  expect([await confirm('other session'), await attempt('192.0.2.1', 'ada')]).toEqual([0, 0]);
});

it('takes attempts at once again when the others have stopped', async () => {
  const { time, attempt } = createLimits();
  await repeat(104, (index) => attempt(`198.51.100.${index}`));
  time.now += 60 * MINUTE;
  expect(await repeat(50, (index) => attempt(`203.0.113.${index}`))).toEqual(Array(50).fill(0));
});

it('stores no address', async () => {
  const { keys, attempt } = createLimits();
  await attempt('192.0.2.1');
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.join()).not.toContain('192.0');
});
