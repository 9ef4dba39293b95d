import { expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

function setUp(options: Partial<Parameters<typeof createRateLimiter>[0]> = {}) {
  const clock = { ms: 0 };
  const limiter = createRateLimiter({
    perSecond: 2,
    burst: 10,
    maxAddresses: 100,
    now: () => clock.ms,
    ...options,
  });
  return { clock, limiter };
}

it('allows a burst, then refuses, then allows what was regained', () => {
  const { clock, limiter } = setUp();
  expect(Array.from({ length: 11 }, () => limiter.take('192.0.2.1', 1))).toEqual([...Array(10).fill(0), 1]);
  clock.ms = 500;
  expect(limiter.take('192.0.2.1', 1)).toBe(0);
  expect(limiter.take('192.0.2.1', 1)).toBe(1);
});

it('takes no tokens for a refusal and returns the seconds to wait', () => {
  const { limiter } = setUp();
  expect(limiter.take('192.0.2.1', 9)).toBe(0);
  expect(limiter.take('192.0.2.1', 8)).toBe(4);
  expect(limiter.take('192.0.2.1', 1)).toBe(0);
});

it('never regains more than a burst', () => {
  const { clock, limiter } = setUp();
  limiter.take('192.0.2.1', 10);
  clock.ms = 3_600_000;
  expect(limiter.take('192.0.2.1', 10)).toBe(0);
  expect(limiter.take('192.0.2.1', 1)).toBeGreaterThan(0);
});

it('has no limit when the rate is 0', () => {
  const { limiter } = setUp({ perSecond: 0 });
  expect(limiter.take('192.0.2.1', 1_000_000)).toBe(0);
});

it.each([
  ['other IPv4 addresses', '192.0.2.1', '192.0.2.2', 0],
  ['another network of IPv6', '2001:db8:0:1::1', '2001:db8:0:2::1', 0],
  ['the same subscriber under another IPv6 address', '2001:db8:0:1::1', '2001:DB8:0:1:ffff:1:2:3', 1],
  ['the same IPv6 address written in full', '2001:db8::1', '2001:0db8:0000:0000:0000:0000:0000:0001', 1],
  ['a neighbour in a network that begins with zeros', '::1', '0:0:0:0:1::', 1],
])('counts %s', (_, first, second, wait) => {
  const { limiter } = setUp();
  limiter.take(first, 10);
  expect(limiter.take(second, 1)).toBe(wait);
});

it('remembers as many addresses as it says, and forgets those that were idle longest', () => {
  const { limiter } = setUp({ maxAddresses: 3 });
  for (const address of ['a', 'b', 'c', 'd', 'a', 'e', 'f']) limiter.take(address, 10);
  expect(limiter.take('a', 1)).toBe(1);
  limiter.take('g', 10);
  expect(limiter.take('b', 1)).toBe(0);
});
