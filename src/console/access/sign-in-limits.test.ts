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
  return { time, attempt, keys };
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

it('takes one attempt of all unknown browsers each six seconds when many addresses guess', async () => {
  const { time, attempt } = createLimits();
  const first = await repeat(100, (index) => attempt(`198.51.100.${index}`));
  expect(first.every((wait) => wait === 0)).toBe(true);
  expect(await repeat(3, (index) => attempt(`203.0.113.${index}`))).toEqual([0, 6, 6]);
  time.now += 6_000;
  expect(await repeat(2, (index) => attempt(`203.0.113.${10 + index}`))).toEqual([0, 6]);
});

it('lets a browser that was signed in before try while many addresses guess, from the address of one of them', async () => {
  const { attempt } = createLimits();
  await repeat(200, (index) => attempt(`198.51.100.${index % 250}`));
  await repeat(6, () => attempt('192.0.2.1'));
  expect(await attempt('192.0.2.1')).toBeGreaterThan(0);
  expect(await attempt('192.0.2.1', 'ada')).toBe(0);
});

it('limits the attempts of a known browser too', async () => {
  const { attempt } = createLimits();
  const waits = await repeat(6, (index) => attempt(`192.0.2.${index}`, 'ada'));
  expect(waits.at(-1)).toBeGreaterThan(0);
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
