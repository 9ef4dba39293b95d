import { expect, it } from 'vitest';
import { ClickRate } from './click-rate.ts';

let now = 0;
const takeMany = (rate: ClickRate, count: number, bytes = 100, address = '192.0.2.1') => {
  const counts = { complete: 0, short: 0, none: 0 };
  for (let number = 0; number < count; number += 1) counts[rate.take(address, bytes)] += 1;
  return counts;
};

it('stores clicks within the rate completely, some beyond it short, and the others not at all', () => {
  const rate = new ClickRate(10, () => now);
  expect(takeMany(rate, 1_000)).toEqual({ complete: 200, short: 60, none: 740 });
  expect(rate.skipped).toBe(740);
  now += 1_000;
  expect(takeMany(rate, 100)).toEqual({ complete: 10, short: 1, none: 89 });
});

it('counts a long query as several clicks', () => {
  const rate = new ClickRate(10, () => now);
  expect(takeMany(rate, 100, 4_000)).toMatchObject({ complete: 50 });
});

it('limits each address by itself', () => {
  const rate = new ClickRate(1, () => now);
  expect(takeMany(rate, 20)).toMatchObject({ complete: 20 });
  expect(takeMany(rate, 20, 100, '192.0.2.2')).toMatchObject({ complete: 20 });
});

it('limits nothing when the rate is 0', () => {
  expect(takeMany(new ClickRate(0, () => now), 5_000, 9_000)).toMatchObject({ complete: 5_000 });
});
