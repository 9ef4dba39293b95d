import { expect, it, vi } from 'vitest';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { createRateLimiter } from '../../server/http/rate-limiter.ts';
import { createBindingLimiter } from './platform.ts';

const createLocal = () => createRateLimiter({ perSecond: 1, burst: 3, maxAddresses: 10, now: () => 0 });

/** A limit of calls for each key, which several instances share. */
function createBinding(limit: number) {
  const counts = new Map<string, number>();
  return {
    async limit({ key }: { readonly key: string }) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  };
}

it('refuses an address that other instances have let through often enough', async () => {
  const binding = createBinding(4);
  const [one, other] = [0, 1].map(() =>
    createBindingLimiter(createLocal(), binding, { ...NO_LOG, warn: vi.fn() }),
  );
  const waits = [];
  for (const limiter of [one, other, one, other, one, other]) waits.push(await limiter?.take('192.0.2.1', 1));
  expect(waits).toEqual([0, 0, 0, 0, 60, 60]);
  expect(await one?.take('192.0.2.2', 1)).toBe(0);
});

it('refuses what this instance alone would refuse, without asking', async () => {
  const binding = { limit: vi.fn(async () => ({ success: true })) };
  const limiter = createBindingLimiter(createLocal(), binding, { ...NO_LOG, warn: vi.fn() });
  expect([await limiter.take('2001:db8::1', 3), await limiter.take('2001:db8::2', 2)]).toEqual([0, 2]);
  expect(binding.limit.mock.calls).toEqual([[{ key: '8193:3512:0:0' }]]);
});

it('decides alone while the binding fails, and logs it', async () => {
  const warn = vi.fn();
  const binding = { limit: async () => Promise.reject(new Error('down')) };
  const limiter = createBindingLimiter(createLocal(), binding, { ...NO_LOG, warn });
  const waits = [];
  for (let count = 0; count < 4; count += 1) waits.push(await limiter.take('192.0.2.1', 1));
  expect(waits).toEqual([0, 0, 0, 1]);
  expect(warn).toHaveBeenCalled();
});
