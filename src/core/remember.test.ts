import { expect, it } from 'vitest';
import { rememberFor } from './remember.ts';

it('works out each value once, also when the result is undefined', () => {
  const asked: object[] = [];
  const read = rememberFor((key: { readonly result?: string }) => {
    asked.push(key);
    return key.result;
  });
  const [one, other] = [{ result: 'a' }, {}];
  expect([read(one), read(one), read(other), read(other)]).toEqual(['a', 'a', undefined, undefined]);
  expect(asked).toEqual([one, other]);
});

it('takes equal values for different ones', () => {
  let count = 0;
  const read = rememberFor((_: object) => {
    count += 1;
    return count;
  });
  expect([read({}), read({})]).toEqual([1, 2]);
});
