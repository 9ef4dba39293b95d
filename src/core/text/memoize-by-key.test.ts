import { expect, it } from 'vitest';
import { memoizeByKey } from './memoize-by-key.ts';

it('computes each result once, also when it is undefined', () => {
  const calls: object[] = [];
  const read = memoizeByKey((key: { readonly result?: string }) => {
    calls.push(key);
    return key.result;
  });
  const [one, other] = [{ result: 'a' }, {}];
  expect([read(one), read(one), read(other), read(other)]).toEqual(['a', 'a', undefined, undefined]);
  expect(calls).toEqual([one, other]);
});

it('treats equal objects as different keys', () => {
  let count = 0;
  const read = memoizeByKey((_: object) => {
    count += 1;
    return count;
  });
  expect([read({}), read({})]).toEqual([1, 2]);
});
