import { expect, it } from 'vitest';
import { SignInLimits } from './sign-in-limits.ts';

const MINUTE = 60_000;

function createLimits() {
  const time = { now: 0 };
  const limits = new SignInLimits(() => time.now);
  const attempt = (address: string, former: string | null = null) => limits.take(address, former);
  return { time, attempt };
}

it('takes five attempts of an address at once, and one more after twelve seconds', () => {
  const { time, attempt } = createLimits();
  const waits = Array.from({ length: 6 }, () => attempt('192.0.2.1').refusedSeconds);
  expect(waits).toEqual([0, 0, 0, 0, 0, 12]);
  expect(attempt('192.0.2.2').refusedSeconds).toBe(0);
  time.now += 12_000;
  expect(attempt('192.0.2.1').refusedSeconds).toBe(0);
});

it('takes about thirty attempts of an address in an hour', () => {
  const { time, attempt } = createLimits();
  let taken = 0;
  for (let minute = 0; minute < 30; minute += 1) {
    for (let index = 0; index < 5; index += 1) taken += attempt('192.0.2.1').refusedSeconds === 0 ? 1 : 0;
    time.now += MINUTE;
  }
  expect(taken).toBeGreaterThanOrEqual(30);
  expect(taken).toBeLessThanOrEqual(46);
});

it('counts the addresses of one IPv6 subscriber as one', () => {
  const { attempt } = createLimits();
  const waits = Array.from({ length: 6 }, (_, index) => attempt(`2001:db8::${index + 1}`).refusedSeconds);
  expect(waits.at(-1)).toBeGreaterThan(0);
});

it('slows unknown browsers down, one at a time and ever longer, when many addresses guess', () => {
  const { attempt } = createLimits();
  for (let index = 0; index < 100; index += 1) {
    expect(attempt(`198.51.100.${index}`)).toMatchObject({ refusedSeconds: 0, delayMs: 0 });
  }
  const delays = Array.from({ length: 8 }, (_, index) => {
    const pause = attempt(`203.0.113.${index}`);
    // Meanwhile others are told to come back.
    expect(attempt(`203.0.113.${100 + index}`).refusedSeconds).toBeGreaterThan(0);
    pause.end();
    return pause.delayMs;
  });
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 6_000, 6_000, 6_000]);
});

it('lets a browser that was signed in before try while many addresses guess, from the address of one of them', () => {
  const { attempt } = createLimits();
  for (let index = 0; index < 200; index += 1) attempt(`198.51.100.${index % 250}`);
  for (let index = 0; index < 6; index += 1) attempt('192.0.2.1');
  expect(attempt('192.0.2.1').refusedSeconds).toBeGreaterThan(0);
  expect(attempt('192.0.2.1', 'ada')).toMatchObject({ refusedSeconds: 0, delayMs: 0 });
});

it('limits the attempts of a known browser too', () => {
  const { attempt } = createLimits();
  const waits = Array.from({ length: 6 }, (_, index) => attempt(`192.0.2.${index}`, 'ada').refusedSeconds);
  expect(waits.at(-1)).toBeGreaterThan(0);
});

it('forgets the delays when attempts have stopped', () => {
  const { time, attempt } = createLimits();
  for (let index = 0; index < 104; index += 1) attempt(`198.51.100.${index}`).end();
  time.now += 60 * MINUTE;
  expect(attempt('203.0.113.1')).toMatchObject({ refusedSeconds: 0, delayMs: 0 });
});
